"""From a text to the rows of its parse, its marking and its constituents, and back.

Nothing here writes; :mod:`apps.corpora.background` stores what this module computes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from apps.corpora.models import Constituent, Parse, Polarity, PolarityMarking
from natlog import ENGINE, VERSION
from natlog import tree as nl
from natlog.tree import to_dict, tree_from_dict

# Parts of speech whose words an annotator can make more specific. Adverbs are one only when they are
# of the open class (-ly); the rest of them (not, very, too, there) are function words.
_CONTENT_POS = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_GLUE_BEFORE = re.compile(r"(\w['’]?|[-/])$")
_GLUE_AFTER = re.compile(r"[\w/-]")
_CONTENT_TAGS = ("NN", "VB", "JJ", "CD")


@dataclass(frozen=True)
class Polarised:
    """A sentence's tree and marking; the rows of either may be stored already."""

    sentence: int
    tree: nl.Tree
    marking: nl.Marking


def parse_row(polarised: Polarised) -> Parse:
    return tree_row(polarised.sentence, polarised.tree)


def tree_row(sentence: int, tree: nl.Tree) -> Parse:
    return Parse(
        sentence_id=sentence,
        parser=tree.parser,
        tree=to_dict(tree),
        kind=tree.kind.value,
        tokens=len(tree.tokens),
        confidence=tree.confidence,
        repairs=list(tree.repairs),
    )


def marking_row(polarised: Polarised, parse: int) -> PolarityMarking:
    return PolarityMarking(
        parse_id=parse,
        engine=ENGINE,
        engine_version=VERSION,
        convention=polarised.marking.convention,
        signs=[sign.value for sign in polarised.marking.signs],
        token_why=to_dict(polarised.marking.token_why),
    )


def constituent_rows(polarised: Polarised, marking: int) -> Iterator[Constituent]:
    """One row for each span, the outermost where a phrase only wraps another."""
    tree, seen = polarised.tree, set[tuple[int, int]]()
    operators = operator_tokens(polarised.marking)
    for item in polarised.marking.constituents:
        if item.end <= item.start or (item.start, item.end) in seen:
            continue
        seen.add((item.start, item.end))
        yield Constituent(
            marking_id=marking,
            start=tree.tokens[item.start].start,
            end=tree.tokens[item.end - 1].end,
            first_token=item.start,
            tokens=item.end - item.start,
            text=tree.span_text(item.start, item.end),
            category=item.label[:40],
            polarity=Polarity.of(item.polarity.value),
            operator=item.why[-1].operator[:60] if item.why else "",
            operators=operators_field(item.why),
            why=to_dict(item.why),
            rewritable=is_rewritable(polarised.marking, item, operators),
        )


def operators_field(why: Sequence[nl.Step]) -> str:
    """The operators of a chain as ``|every|not|``, each once, whole ids only.

    >>> operators_field([])
    ''
    """
    text = ""
    for operator in dict.fromkeys(step.operator for step in why):
        if len(text) + len(operator) + 2 <= 400:
            text = f"{text or '|'}{operator}|"
    return text


def operator_tokens(marking: nl.Marking) -> frozenset[int]:
    """The tokens of every operator at work in a sentence."""
    chains = [*marking.token_why, *(item.why for item in marking.constituents)]
    return frozenset(index for chain in chains for step in chain for index in step.tokens)


def is_rewritable(marking: nl.Marking, item: nl.Constituent, operators: frozenset[int]) -> bool:
    """Whether "more specific" means something, and one thing, for this constituent.

    It is a part of its sentence, begins and ends with a whole word that is no conjunction, holds a content
    word outside the operators themselves, and all its content words have the sign that it has itself:
    in "every small dog" ↑ the noun is ↓, so a more specific noun would not make the phrase so.
    """
    tokens = marking.tree.tokens
    words = [index for index, token in enumerate(tokens) if not _is_punctuation(token)]
    inside = range(item.start, item.end)
    if not words or all(index in inside for index in words):
        return False
    if any(_is_edge_word(tokens[index]) for index in (item.start, item.end - 1)):
        return False
    if _is_glued(marking.tree.text, tokens[item.start].start, tokens[item.end - 1].end):
        return False
    content = [index for index in inside if index not in operators and _is_content(tokens[index])]
    return bool(content) and all(marking.signs[index] is item.polarity for index in content)


def _is_punctuation(token: nl.Token) -> bool:
    return token.pos == "PUNCT" or not any(character.isalnum() for character in token.text)


def _is_edge_word(token: nl.Token) -> bool:
    return _is_punctuation(token) or token.pos == "CCONJ" or token.tag == "CC"


def _is_glued(text: str, start: int, end: int) -> bool:
    """The span begins or ends inside a written word ("custom-*made*", "*gon*na")."""
    before, after = text[max(0, start - 2) : start], text[end : end + 1]
    return bool(_GLUE_BEFORE.search(before) or _GLUE_AFTER.match(after))


def _is_content(token: nl.Token) -> bool:
    if token.lemma == "be":
        return False
    if token.pos == "ADV" or token.tag == "RB":
        return token.text.lower().endswith("ly")
    return token.pos in _CONTENT_POS if token.pos else token.tag.startswith(_CONTENT_TAGS)


# ---- Back from the rows ------------------------------------------------------------------------
def steps_from_rows(rows: Sequence[dict[str, Any]]) -> tuple[nl.Step, ...]:
    return tuple(
        nl.Step(
            row["operator"],
            row["surface"],
            tuple(row["tokens"]),
            row["argument"],
            nl.Polarity(row["effect"]),
        )
        for row in rows
    )


def marking_from_rows(marking: PolarityMarking, constituents: Sequence[Constituent]) -> nl.Marking:
    """natlog's marking out of its rows, so that its drawings can be asked for a stored one."""
    tree = tree_from_dict(marking.parse.tree)
    rows = {(row.first_token, row.first_token + row.tokens): row for row in constituents}
    items = []
    for node in tree.root.walk():
        row = rows.get((node.start, node.end))
        if row is not None and node.children:
            sign = nl.Polarity(Polarity(row.polarity).label)
            items.append(
                nl.Constituent(node.start, node.end, node.label, node.head, sign, steps_from_rows(row.why))
            )
    return nl.Marking(
        tree=tree,
        convention=marking.convention,
        signs=tuple(nl.Polarity(sign) for sign in marking.signs),
        constituents=tuple(items),
        token_why=tuple(steps_from_rows(chain) for chain in marking.token_why),
    )
