"""The relation of one phrase to another: of their heads by word knowledge, of their modifiers by inclusion.

"old poodle" stands in ⊏ to "animal", since a poodle is an animal and *old* only narrows it.
"""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.alignment import spelling, wordnet_pos
from natlog.calculus.predicates import same_predicate
from natlog.calculus.relations import SetRelation, from_words, intersect
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.words import Relation, WordRelation, Words
from natlog.tree import Token

LIGHT = frozenset({"DET", "AUX", "PUNCT", "PART", "CCONJ", "SCONJ", "INTJ", "SYM", "SPACE", "X"})
"""Parts of speech that add nothing to what a phrase is true of."""

AUXILIARIES = word_list("auxiliaries")


def is_light(token: Token) -> bool:
    """Whether a token adds nothing; of those tagged auxiliary only true auxiliaries."""
    if token.pos == "AUX":
        forms = {token.lemma.lower(), spelling(token)}
        return bool(forms & AUXILIARIES) or spelling(token) in _AUXILIARY_FORMS
    return token.pos in LIGHT


_AUXILIARY_FORMS = word_list("auxiliary_forms")


@dataclass(frozen=True, slots=True)
class PhraseRelation:
    """How a premise phrase stands to the hypothesis phrase in its place.

    ``word`` is the word relation that decided it, if any; ``known`` is False where a word relation was
    wanted and no source had it; ``note`` says it in words.
    """

    relation: SetRelation
    note: str
    word: WordRelation | None = None
    known: bool = True


def compare_phrases(
    ones: list[Token], twos: list[Token], heads: tuple[Token | None, Token | None], words: Words
) -> PhraseRelation:
    """The relation of the phrase of tokens ``ones`` to that of ``twos``; ``heads`` are their head tokens."""
    first, second = _content(ones), _content(twos)
    one_text, two_text = _text(ones), _text(twos)
    if not first and not second:
        return PhraseRelation(SetRelation.EQUAL, f"*{one_text}* and *{two_text}* say the same")
    whole = _as_entry(first, second, words)
    if whole is not None:
        return whole
    if (predicate := same_predicate(first, second, words)) is not None:
        relation = from_words(predicate.relation)
        return PhraseRelation(relation, describe(relation, one_text, two_text), predicate)
    one, two = heads
    if one is None or two is None or one not in first or two not in second:
        return _unknown(one_text, two_text)
    one_unit, two_unit, related = _heads(first, second, one, two, words)
    if related.relation in (Relation.UNKNOWN, Relation.COHYPONYM):
        return _unknown(one_text, two_text, related)
    extra_one, extra_two = _unshared(
        [token for token in first if token not in one_unit],
        [token for token in second if token not in two_unit],
        words,
    )
    parts = [from_words(related.relation)]
    if extra_one:
        parts.append(SetRelation.FORWARD)
    if extra_two:
        parts.append(SetRelation.REVERSE)
    if parts[0] is SetRelation.FORWARD and extra_two and not extra_one:
        # Genus and differentia (homework, work to do at home): may say the same, or more, or less.
        return _unknown(one_text, two_text, related)
    relation = intersect(parts)
    if relation.excludes and _actor(first, one) != _actor(second, two):
        relation = SetRelation.INDEPENDENT  # what one does excludes nothing of what another does
    return PhraseRelation(relation, describe(relation, one_text, two_text), related)


def _actor(phrase: list[Token], verb: Token) -> str:
    """The subject of a verb, where the phrase has it."""
    return next((t.word for t in phrase if t.dep in ("nsubj", "nsubjpass") and t.head == verb.index), "")


def describe(relation: SetRelation, one: str, two: str) -> str:
    """A relation in words, told from the hypothesis phrase."""
    return {
        SetRelation.EQUAL: f"*{two}* means the same as *{one}*",
        SetRelation.FORWARD: f"*{two}* is more general than *{one}*",
        SetRelation.REVERSE: f"*{two}* is more specific than *{one}*",
        SetRelation.ALTERNATION: f"*{two}* excludes *{one}*",
        SetRelation.NEGATION: f"*{two}* is the opposite of *{one}*",
    }.get(relation, f"*{two}* is neither more general nor more specific than *{one}*")


def _unknown(one: str, two: str, related: WordRelation | None = None) -> PhraseRelation:
    if related is not None and related.relation is Relation.COHYPONYM:
        return PhraseRelation(
            SetRelation.INDEPENDENT, f"*{two}* is another kind of thing than *{one}*", related
        )
    return PhraseRelation(
        SetRelation.INDEPENDENT, f"how *{two}* stands to *{one}* is unknown", related, known=False
    )


def _content(tokens: list[Token]) -> list[Token]:
    return [token for token in tokens if not is_light(token)]


def _text(tokens: list[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _as_entry(first: list[Token], second: list[Token], words: Words) -> PhraseRelation | None:
    """Both phrases looked up whole, where one of them is a multiword that the sources know."""
    if len(first) == len(second) == 1 or not first or not second:
        return None
    one, two = " ".join(t.text for t in first), " ".join(t.text for t in second)
    if not (words.known(one) and words.known(two)):
        return None
    pos = wordnet_pos(first[-1]) if wordnet_pos(first[-1]) == wordnet_pos(second[-1]) else ""
    related = words.relation(one, two, pos)
    if related.relation in (Relation.UNKNOWN, Relation.COHYPONYM):
        return None
    relation = from_words(related.relation)
    return PhraseRelation(relation, describe(relation, one, two), related)


def _heads(
    first: list[Token], second: list[Token], one: Token, two: Token, words: Words
) -> tuple[list[Token], list[Token], WordRelation]:
    """The best-known relation between the heads, each alone or with the words around it (multiwords)."""
    best: tuple[list[Token], list[Token], WordRelation] | None = None
    for one_unit in _units(first, one, words):
        for two_unit in _units(second, two, words):
            related = _word_relation(one_unit, two_unit, one, two, words)
            if best is None or _rank(related) > _rank(best[2]):
                best = (one_unit, two_unit, related)
    assert best is not None
    return best


def _rank(related: WordRelation) -> float:
    known = {Relation.UNKNOWN: 0.0, Relation.COHYPONYM: 1.0, Relation.ANTONYM: 2.0}
    return known.get(related.relation, 3.0) + related.confidence


def _units(phrase: list[Token], head: Token, words: Words) -> list[list[Token]]:
    """The head with 2, 1 or 0 neighbours, where that is an entry."""
    place = phrase.index(head)
    units = []
    for start in range(max(0, place - 2), place + 1):
        for end in range(min(len(phrase), place + 2), place, -1):
            unit = phrase[start:end]
            adjacent = unit[-1].index - unit[0].index == len(unit) - 1
            if len(unit) == 1 or (adjacent and words.known(_text(unit))):
                units.append(unit)
    return units


def _word_relation(
    one_unit: list[Token], two_unit: list[Token], one: Token, two: Token, words: Words
) -> WordRelation:
    pos = wordnet_pos(one) if wordnet_pos(one) == wordnet_pos(two) else ""
    related = words.relation(_text(one_unit), _text(two_unit), pos)
    if related.relation is Relation.UNKNOWN and len(one_unit) == len(two_unit) == 1:
        if one.lemma and one.lemma.lower() == two.lemma.lower():
            return WordRelation(one.text, two.text, Relation.SYNONYM, "same word")
        if pos:
            related = words.relation(one.text, two.text)
    return related


def _unshared(first: list[Token], second: list[Token], words: Words) -> tuple[list[Token], list[Token]]:
    """The modifiers of each phrase that the other lacks; a more general one is shared by a specific one."""
    left, right = list(first), list(second)
    for one in first:
        for two in right:
            same = spelling(one) == spelling(two) or one.lemma.lower() == two.lemma.lower()
            if same or words.relation(one.text, two.text).relation is Relation.SYNONYM:
                left.remove(one)
                right.remove(two)
                break
    return left, right
