"""Transitivity's synthetic part (Yanaka et al. 2021): Boolean inferences, embedded under verbs."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from natlog.fragments.claims import Claim
from natlog.fragments.drawing import Drawing, TooFew, in_turn
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
from natlog.fragments.grammar import load
from natlog.fragments.surface import capitalised
from natlog.logic.formula import And, Atom, Constant, Expression, Not, Or, children

NAME = "transitivity"
MOST_CONNECTIVES = 6
DEPTHS = range(1, MOST_CONNECTIVES + 1)
"""Depth is the most connectives that s1's formula may have (section 3.2)."""
A_BASE = 5
"""Rows that each s1 → s2 gives: itself, and f(s1) → s1 and f(s1) → s2 under a veridical and another verb."""

# Draws in a row that bring no new inference before the fragment counts as exhausted.
_PATIENCE = 50_000


def connectives(formula: Expression) -> int:
    """How many ∧, ∨ and ¬ a formula has."""
    return isinstance(formula, (And, Or, Not)) + sum(map(connectives, children(formula)))


def atoms(formula: Expression) -> list[Atom]:
    """The different atomic formulas of a Boolean formula, from left to right."""
    if isinstance(formula, Atom):
        return [formula]
    return list(dict.fromkeys(atom for part in children(formula) for atom in atoms(part)))


def truth_table(formula: Expression, columns: dict[Atom, int], rows: int) -> int:
    """The rows in which a Boolean formula is true, as the bits of a number; ``columns`` has those of the
    atoms.
    """
    match formula:
        case Atom():
            return columns[formula]
        case Not(body):
            return rows & ~truth_table(body, columns, rows)
        case And(left, right):
            return truth_table(left, columns, rows) & truth_table(right, columns, rows)
        case Or(left, right):
            return truth_table(left, columns, rows) | truth_table(right, columns, rows)
    raise TypeError(f"{type(formula).__name__} is not Boolean")


def relation(premise: Expression, hypothesis: Expression) -> str:
    """Entailment, contradiction or neutral, by truth table: for closed formulas of ∧, ∨, ¬ and atoms."""
    letters = list(dict.fromkeys([*atoms(premise), *atoms(hypothesis)]))
    size = 1 << len(letters)
    rows = (1 << size) - 1
    columns = {
        atom: sum(1 << row for row in range(size) if row >> place & 1) for place, atom in enumerate(letters)
    }
    first, second = (truth_table(formula, columns, rows) for formula in (premise, hypothesis))
    if not first & ~second:
        return "entailment"
    return "contradiction" if not first & second else "neutral"


@dataclass(frozen=True, slots=True)
class Base:
    """A Boolean inference s1 → s2. The sentences are as they stand in the middle of another, without a full
    stop.
    """

    first: str
    second: str
    tense: Tense
    label: str
    formula: Expression
    conclusion: Expression


@dataclass(frozen=True, slots=True)
class Item:
    """A row: s1 → s2, f(s1) → s1 or f(s1) → s2; ``base`` numbers the inference it comes from."""

    base: int
    inference: Base
    kind: str
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
        first, second = _written(own.first), _written(own.second)
        if verb and template:
            first = template.around(verb, own.tense, _named(own.first))
        return (
            str(self.base),
            self.kind,
            first,
            second if self.kind != "f(s1)-s1" else _written(own.first),
            two_way(self.label),
            self.label,
            own.tense,
            str(connectives(own.formula)),
            *embedding_of(verb, template),
            own.label,
        )

    def claims(self) -> Iterator[Claim]:
        """What follows of s2 from s1; what follows of f(s1) is Table 3's rule, and nothing to prove."""
        if self.verb is None:
            own = self.inference
            yield Claim(own.formula, own.conclusion, own.label == "entailment")
            yield Claim(own.formula, Not(own.conclusion), own.label == "contradiction")


COLUMNS = {
    "id": "from 1",
    "base": "which s1 → s2 the row comes from",
    "kind": "s1-s2, f(s1)-s1 or f(s1)-s2",
    "sentence1": "the premise",
    "sentence2": "the hypothesis",
    "gold_label": "entailment or non-entailment, as the paper's data",
    "three_way": "the same with contradictions apart from neutral",
    "tense": "past or present: of f's verb and of its complement",
    "connectives": "and, or, not in s1's formula; - for natural sentences",
    "verb": "the verb of f, or -",
    "verb_type": "V (veridical), NV (not), or -",
    "template": "the main clause of f, or -",
    "base_label": "the three-way label of s1 → s2",
}


@cache
def _names() -> frozenset[str]:
    return frozenset(load(NAME).words("PN"))


def _named(text: str) -> str:
    return " ".join(word.capitalize() if word.rstrip(",") in _names() else word for word in text.split())


def _written(text: str) -> str:
    return capitalised(text, _names())


def draw(n: int, depth: int | None, seed: int, frames: tuple[Template, ...] = ()) -> Iterator[Item]:
    """``n`` rows, of s1 → s2, f(s1) → s1 and f(s1) → s2 as 1 : 2 : 2; s1 has at most ``depth`` connectives.

    Labels of s1 → s2 and of f(s1) → s1 are 1 : 1, of f(s1) → s2 1 : 3; verbs, tenses and ``frames`` (default:
    "Someone f that s") take turns. Raises :class:`natlog.fragments.drawing.TooFew` where there are not so
    many.
    """
    bases = _bases(-(-n // A_BASE), MOST_CONNECTIVES if depth is None else depth, seed)
    turns = random.Random(seed)
    verbs_of = [
        in_turn([verb for verb in verbs() if verb.veridical is kind], turns) for kind in (True, False)
    ]
    frame = in_turn(list(frames or (someone(),)), turns)
    items = (item for number, base in enumerate(bases, 1) for item in _rows(number, base, verbs_of, frame))
    return itertools.islice(items, n)


def _rows(
    number: int, base: Base, verbs_of: list[Iterator[Verb]], frame: Iterator[Template]
) -> Iterator[Item]:
    yield Item(number, base, "s1-s2")
    for of_kind in verbs_of:
        verb, template = next(of_kind), next(frame)
        yield Item(number, base, "f(s1)-s1", verb, template)
        yield Item(number, base, "f(s1)-s2", verb, template)


def _bases(n: int, most: int, seed: int) -> Iterator[Base]:
    """Different inferences, every second an entailment, tenses in turn."""
    drawing = Drawing(load(NAME), seed)
    seen: set[tuple[str, str]] = set()
    for number in range(n):
        tense, entails = TENSES[number // 2 % 2], number % 2 == 0
        for _ in range(_PATIENCE):
            base = _base(drawing, tense, most)
            if base and (base.label == "entailment") is entails and (base.first, base.second) not in seen:
                break
        else:
            raise TooFew(f"{NAME} has hardly more than {number} inferences with {most} connectives at most")
        seen.add((base.first, base.second))
        yield base


def _base(drawing: Drawing, tense: Tense, most: int) -> Base | None:
    """An inference, or None where the sentence is too long or names somebody twice."""
    chance = drawing.random
    derivation = drawing.one(chance.randrange(2), f"S.{tense}")
    names = [node.text for node in derivation.walk() if node.category == "PN"]
    formula = derivation.meaning()
    if len(set(names)) < len(names) or not 1 <= connectives(formula) <= most:
        return None
    atom = chance.choice(atoms(formula))
    is_positive = chance.random() < 0.5
    conclusion = atom if is_positive else Not(atom)
    return Base(
        derivation.text,
        _sentence(atom, tense, is_positive),
        tense,
        relation(formula, conclusion),
        formula,
        conclusion,
    )


def _sentence(atom: Atom, tense: Tense, is_positive: bool) -> str:
    """The fragment's sentence for an atomic formula or its negation: "John did not see Tom"."""
    subject, *objects = (term.name for term in atom.terms if isinstance(term, Constant))
    form = "past" if tense == "past" else "sg"
    verb = _form(atom.predicate, form if is_positive else "base", transitive=bool(objects))
    auxiliary = [] if is_positive else ["did" if tense == "past" else "does", "not"]
    return " ".join([subject, *auxiliary, verb, *objects])


@cache
def _form(symbol: str, form: str, transitive: bool) -> str:
    entries = load(NAME).entries[f"{'TV' if transitive else 'IV'}.{form}"]
    return next(" ".join(entry.words) for entry in entries if entry.symbol == symbol)
