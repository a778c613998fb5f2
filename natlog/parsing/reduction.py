"""Complex operators are parsed as the simple word that stands in their place.

A parser trained on news hangs "At" of "At most six dogs" on the verb. It is given "six dogs" instead, and
the words that were left out are put back as dependents of the word that stood for them. Which forms are
reduced, and to what, is `parse_as` in ``operators.toml``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from natlog.heads import Heads
from natlog.lexicon.operators import OperatorIndex, is_numeral, load_operators
from natlog.lexicon.word_lists import listed_under, word_list
from natlog.parsing.draft import Draft

_TAGS = {**listed_under("operator_tags"), ",": ","}
_POS = {"IN": "ADP", "JJS": "ADJ", "JJR": "ADJ", "DT": "DET", "CC": "CCONJ", "NN": "NOUN", "NNS": "NOUN"}


@dataclass(frozen=True, slots=True)
class Reduction:
    """What the parser is given: ``words``, and for each of them its token in the text.

    ``anchors`` maps the tokens that were left out to the token that stands for them.
    """

    words: tuple[str, ...]
    kept: tuple[int, ...]
    anchors: dict[int, int]


def reduce_words(words: Sequence[str]) -> Reduction | None:
    """The reduced sentence, or None where nothing is to be reduced."""
    index = load_operators()
    lower = [word.lower() for word in words]
    inverted = _opens_condition(lower)
    if not inverted and _reducible_words(index).isdisjoint(lower):
        return None
    replaced: dict[int, str] = {0: "If"} if inverted else {}
    anchors: dict[int, int] = {}
    for match in index.find(lower):
        stand_in = match.operator.parse_as.get(match.form, "")
        if not stand_in or (match.end - match.start == 1 and stand_in == lower[match.start]):
            continue
        numerals = match.numerals
        anchor = numerals[-1] if stand_in == "{n}" else match.end - 1
        if stand_in == "{n}" and lower[numerals[0]] in ("a", "half"):
            replaced[anchor] = "ten"  # "fewer than a dozen dogs" as "ten dogs"
        elif stand_in != "{n}":
            first = match.start == 0 and words[0][:1].isupper()
            replaced[anchor] = stand_in.capitalize() if first else stand_in
        anchors.update((token, anchor) for token in range(match.start, match.end) if token != anchor)
    if not anchors and not replaced:
        return None
    kept = tuple(token for token in range(len(words)) if token not in anchors)
    return Reduction(tuple(replaced.get(token, words[token]) for token in kept), kept, anchors)


def _opens_condition(words: Sequence[str]) -> bool:
    """Whether a sentence begins with a condition that has its verb first: "Had a dog barked, …"."""
    return (
        words[:1] != []
        and words[0] in word_list("inverted_conditions")
        and "," in words[3:]
        and "?" not in words
    )


_CACHE: dict[int, frozenset[str]] = {}


def _reducible_words(index: OperatorIndex) -> frozenset[str]:
    """The words without which a sentence holds no form to reduce: one of each form, its rarest-looking."""
    key = id(index)
    if key not in _CACHE:
        _CACHE[key] = frozenset(
            max((part for part in form if part[0] not in "{+!"), key=_rarity, default="")
            for operator in index.operators
            for form in operator.parse_as
        )
    return _CACHE[key]


_FREQUENT = word_list("frequent")


def _rarity(word: str) -> int:
    return 0 if word in _FREQUENT else len(word)


def restore(draft: Draft, reduction: Reduction, words: Sequence[str], starts: Sequence[int]) -> Draft:
    """The parse of the whole sentence out of the parse of its reduction."""
    place = {token: at for at, token in enumerate(reduction.kept)}
    lemmas, pos, tags, deps, heads = [], [], [], [], []
    for token, word in enumerate(words):
        anchor = reduction.anchors.get(token)
        if anchor is None:
            at = place[token]
            changed = draft.words[at] != word
            lemmas.append(word.lower() if changed else draft.lemmas[at])
            pos.append(draft.pos[at])
            tags.append(draft.tags[at])
            deps.append(draft.deps[at])
            heads.append(reduction.kept[draft.heads[at]])
            continue
        lower = word.lower()
        tag = "CD" if is_numeral(lower) else _TAGS.get(lower, "RB")
        lemmas.append(lower)
        tags.append(tag)
        pos.append("NUM" if tag == "CD" else _POS.get(tag, "ADV"))
        deps.append("punct" if tag == "," else "advmod")
        heads.append(anchor)
    return Draft(
        draft.text,
        list(words),
        list(starts),
        lemmas,
        pos,
        tags,
        deps,
        Heads(heads),
        draft.repairs,
        draft.confidence,
    )
