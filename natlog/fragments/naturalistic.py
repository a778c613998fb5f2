"""Transitivity's naturalistic part: pairs of an inference dataset, embedded under verbs (section 3.2).

The paper takes 1,000 pairs of SICK's training part; any file of pairs with labels will do.
"""

from __future__ import annotations

import csv
import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from natlog.fragments.claims import Claim
from natlog.fragments.drawing import in_turn
from natlog.fragments.embedding import (
    TENSES,
    Template,
    Tense,
    Verb,
    composite,
    embedding_of,
    someone,
    two_way,
    verbs,
)
from natlog.lexicon.inflection import inflect
from natlog.pairs import Pair, read_pairs
from natlog.parsing import SpacyParser
from natlog.tree import Token, Tree

A_BASE = 1 + 2 * 30
"""Rows that each pair gives: itself, and f(s1) → s1 and f(s1) → s2 under each of the thirty verbs."""
_PRESENT, _PAST = ("VBZ", "VBP"), ("VBD",)
_PAST_OF = {"is": "was", "'s": "was", "are": "were", "'re": "were", "am": "was", "'m": "was", "can": "could"}
_NAMES = ("PROPN",)


@dataclass(frozen=True, slots=True)
class Tensed:
    """A sentence in both tenses, as it stands in the middle of another, without its full stop."""

    present: str
    past: str

    def in_tense(self, tense: Tense) -> str:
        return self.past if tense == "past" else self.present


@dataclass(frozen=True, slots=True)
class Base:
    """A pair whose sentences are there in both tenses; ``label`` is three-way, and ``stop`` is what its
    sentences end in: a full stop, or nothing (SICK's have none, and the paper's of them neither)."""

    first: Tensed
    second: Tensed
    label: str
    stop: str


@dataclass(frozen=True, slots=True)
class Item:
    """A row, as :class:`natlog.fragments.transitivity.Item`'s, with no formula behind it."""

    base: int
    inference: Base
    kind: str
    tense: Tense
    verb: Verb | None = None
    template: Template | None = None

    @property
    def label(self) -> str:
        """Entailment, neutral or contradiction."""
        if self.verb is None:
            return self.inference.label
        return composite(
            self.verb.veridical, self.inference.label if self.kind == "f(s1)-s2" else "entailment"
        )

    def row(self) -> tuple[str, ...]:
        own, verb, template = self.inference, self.verb, self.template
        clause = own.first.in_tense(self.tense)
        first, second = (_written(each.in_tense(self.tense), own.stop) for each in (own.first, own.second))
        if verb and template:
            second = first if self.kind == "f(s1)-s1" else second
            first = template.around(verb, self.tense, clause, own.stop)
        return (
            str(self.base),
            self.kind,
            first,
            second,
            two_way(self.label),
            self.label,
            self.tense,
            "-",
            *embedding_of(verb, template),
            own.label,
        )

    def claims(self) -> Iterator[Claim]:
        """Nothing that can be proved: these sentences have no formula."""
        return iter(())


def _written(clause: str, stop: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}{stop}"


def tensed(tree: Tree) -> Tensed | None:
    """A parsed sentence in both tenses; None where its finite verbs are not all in one of them, or it has
    none.

    Every finite verb changes, in relative clauses too: "a man who is smiling is" → "a man who was smiling
    was".
    """
    finite = [token for token in tree.tokens if token.tag in (*_PRESENT, *_PAST)]
    root = next((token for token in tree.tokens if token.head == token.index), None)
    tags = {token.tag in _PAST for token in finite}
    if root is None or len(tags) != 1 or not _is_finite(root, tree.tokens):
        return None
    if any(token.tag == "MD" for token in tree.tokens):
        return None
    is_past = tags.pop()
    changed = {
        token.index: _in_present(token, tree.tokens) if is_past else _in_past(token) for token in finite
    }
    own, other = _respelt(tree, {}), _respelt(tree, changed)
    return Tensed(other, own) if is_past else Tensed(own, other)


def _is_finite(root: Token, tokens: Sequence[Token]) -> bool:
    """Whether the main verb, or an auxiliary of it, is finite: a caption such as "A man smiling" has none."""
    own = [root, *(token for token in tokens if token.head == root.index and token.dep in ("aux", "auxpass"))]
    return any(token.tag in (*_PRESENT, *_PAST) for token in own)


def _in_past(token: Token) -> str:
    word = token.text.lower()
    return _PAST_OF.get(word) or inflect(token.lemma, "VBD")


def _in_present(token: Token, tokens: Sequence[Token]) -> str:
    """The present of a past form; its number is the subject's."""
    word = token.text.lower()
    if word in ("was", "were"):
        return "is" if word == "was" else "are"
    verb = token.head if token.dep in ("aux", "auxpass") else token.index
    subjects = [
        other for other in tokens if other.head == verb and other.dep in ("nsubj", "nsubjpass", "expl")
    ]
    is_plural = any(
        other.tag in ("NNS", "NNPS") or other.text.lower() in ("they", "we", "i", "you") for other in subjects
    )
    joined = any(
        other.dep == "conj" and other.head == subject.index for subject in subjects for other in tokens
    )
    return inflect(token.lemma, "VBP" if is_plural or joined else "VBZ")


def _respelt(tree: Tree, changed: dict[int, str]) -> str:
    """The sentence with some words changed, a small letter at its beginning, no full stop."""
    text = tree.text
    pieces, at = [], 0
    for token in tree.tokens:
        if token.index in changed:
            # A contracted "'s" becomes a word of its own.
            space = " " if token.text.startswith(("'", "’")) else ""
            pieces += [text[at : token.start], space + changed[token.index]]
            at = token.end
    spelt = "".join([*pieces, text[at:]]).strip().rstrip(".!").rstrip()
    first = tree.tokens[0]
    keeps = first.pos in _NAMES or first.text == "I" or (len(first.text) > 1 and first.text.isupper())
    return spelt if keeps else spelt[:1].lower() + spelt[1:]


def pairs_of(path: str, part: str | None = None) -> list[Pair]:
    """The pairs of a file; with ``part``, those whose row has a value in a column (``SemEval_set=TRAIN``).

    Raises :class:`natlog.pairs.PairFileError`, and :class:`LookupError` where there is no such column or
    value.
    """
    pairs = read_pairs(path)
    if part is None:
        return pairs
    column, _, value = part.partition("=")
    lines = _lines_with(path, column, value)
    found = [pair for pair in pairs if pair.line in lines]
    if not found:
        raise LookupError(f"{path} has no row whose {column} is {value!r}")
    return found


def _lines_with(path: str, column: str, value: str) -> set[int]:
    """The lines of a tab- or comma-separated file with a value in a column, numbered as a pair's are."""
    with Path(path).open(encoding="utf-8-sig", newline="") as source:
        is_tabbed = "\t" in source.readline()
        source.seek(0)
        quoting: Any = csv.QUOTE_NONE if is_tabbed else csv.QUOTE_MINIMAL
        reader = csv.reader(source, delimiter="\t" if is_tabbed else ",", quoting=quoting)
        header = next(reader, [])
        if column not in header:
            raise LookupError(f"{path} has no column {column}")
        place = header.index(column)
        return {reader.line_num for row in reader if len(row) > place and row[place] == value}


def draw(
    pairs: Iterable[Pair], parser: SpacyParser, n: int, seed: int, frames: tuple[Template, ...] = ()
) -> Iterator[Item]:
    """``n`` rows out of labelled pairs: each pair drawn gives :data:`A_BASE`, the labels of pairs are 1 :
    1, verbs and tenses are crossed as evenly as they can be, ``frames`` take turns in a drawn order.

    Pairs whose sentences are not all in one tense, that can be told, are passed over. Raises
    :class:`LookupError` where too few pairs are left.
    """
    chance = random.Random(seed)
    wanted = -(-n // A_BASE)
    ready = _ready(list(pairs), parser, wanted, chance)
    frame = in_turn(frames or (someone(),), chance)
    items = (item for number, base in enumerate(ready, 1) for item in _rows(number, base, frame))
    return itertools.islice(items, n)


def _rows(number: int, base: Base, frame: Iterator[Template]) -> Iterator[Item]:
    """Labels take turns from pair to pair, so that tenses do from two to two: neither tells the other."""
    turn = (number + 1) // 2
    yield Item(number, base, "s1-s2", TENSES[turn % 2])
    for place, verb in enumerate(verbs()):
        tense, template = TENSES[(turn + place) % 2], next(frame)
        yield Item(number, base, "f(s1)-s1", tense, verb, template)
        yield Item(number, base, "f(s1)-s2", tense, verb, template)


def _ready(pairs: list[Pair], parser: SpacyParser, wanted: int, chance: random.Random) -> list[Base]:
    """As many pairs as are wanted, entailments and others in turn."""
    chance.shuffle(pairs)
    queues = [
        _bases([pair for pair in pairs if pair.label and (pair.label == "entailment") is entails], parser)
        for entails in (True, False)
    ]
    found = list(itertools.islice(itertools.chain.from_iterable(zip(*queues, strict=False)), wanted))
    if len(found) < wanted:
        raise LookupError(
            f"{wanted} pairs are wanted, and {len(found)} are left in equal parts of both labels"
        )
    return found


def _bases(pairs: list[Pair], parser: SpacyParser) -> Iterator[Base]:
    texts = (text for pair in pairs for text in (pair.premise, pair.hypothesis))
    trees = parser.pipe(texts, batch_size=64)
    for pair in pairs:
        first, second = tensed(next(trees)), tensed(next(trees))
        if first and second:
            label = "neutral" if pair.label == "non-entailment" else pair.label
            yield Base(first, second, label, "." if pair.premise.rstrip().endswith(".") else "")
