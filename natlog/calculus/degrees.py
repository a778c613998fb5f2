"""Comparisons of one thing with another: *The van is faster than the truck*, *Anna sold more boats than Tom*.

A comparison leaves some of three cases open: that the first has more of it, as much, or less (Cresswell 1976;
*as … as* is *at least as … as*: Horn 1972). Two comparisons of the same things stand to each other as what
they leave open. None says that either thing is *fast*: that depends on a standard of its own (Kennedy 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, sentence
from natlog.calculus.relations import SetRelation
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.words import Relation, Words
from natlog.tree import Marking, Token

MORE, SAME, LESS = 1, 0, -1
_ALL = frozenset({MORE, SAME, LESS})
_SUBJECTS = ("nsubj", "nsubjpass")
_DEGREES = {"more": {MORE}, "less": {LESS}, "fewer": {LESS}, "as": {MORE, SAME}, "so": {MORE, SAME}}


@dataclass(frozen=True, slots=True)
class Comparison:
    """``subject`` against each of ``standards`` on a ``scale``; ``open`` are the cases left open.

    ``scale`` is an adjective, or a verb with the noun that is counted; ``measure`` says by how much.
    ``verb`` is the standard's own, where it has one.
    """

    subject: str
    standards: tuple[str, ...]
    scale: tuple[str, ...]
    open: frozenset[int]
    measure: str = ""
    verb: str = ""
    counted: str = ""

    @property
    def turned(self) -> Comparison:
        """The same, told of the standard."""
        cases = frozenset(-case for case in self.open)
        return replace(self, subject=self.standards[0], standards=(self.subject,), open=cases)


def compared(premise: Marking, hypothesis: Marking, words: Words) -> tuple[SetRelation, str] | None:
    """How two comparisons stand to each other, and why; None where they are none of the same things."""
    one, two = comparison(premise, words), comparison(hypothesis, words)
    if one is None or two is None:
        return _with_positive(premise, hypothesis, one or two, words)
    if one.verb != two.verb or len(two.standards) > 1 or (two.measure and two.measure != one.measure):
        return None
    direction = _direction(one.scale, two.scale, words)
    if not direction:
        return None
    for standard in one.standards:
        single = replace(one, standards=(standard,))
        for told in (single, single.turned):
            if (told.subject, told.standards) != (two.subject, two.standards):
                continue
            first = frozenset(case * direction for case in told.open)
            relation = _relation(first, two.open)
            if relation is SetRelation.EQUAL and (one.measure != two.measure or len(one.standards) > 1):
                relation = SetRelation.FORWARD
            return (
                relation,
                f"*{_spoken(one)}* leaves open {_cases(first)}, *{_spoken(two)}* {_cases(two.open)}",
            )
    return None


def _with_positive(
    premise: Marking, hypothesis: Marking, found: Comparison | None, words: Words
) -> tuple[SetRelation, str] | None:
    """A comparison against *X is fast*: neither follows from the other."""
    if found is None or found.counted:
        return None
    other = hypothesis if comparison(premise, words) else premise
    clauses = Clauses.of(other.tree)
    main = clauses.main
    adjective = clauses.child(main.index, "acomp") if main is not None and main.lemma == "be" else None
    if (
        adjective is None
        or adjective.tag in ("JJR", "JJS")
        or clauses.child(adjective.index, "advmod", "prep")
    ):
        return None
    if not _direction(found.scale, (_base(adjective, words),), words):
        return None
    return SetRelation.INDEPENDENT, f"a comparison does not say that anything is *{adjective.text}*"


def _spoken(one: Comparison) -> str:
    return f"{one.subject} against {one.standards[0]}"


def _cases(cases: frozenset[int]) -> str:
    names = {MORE: "more", SAME: "as much", LESS: "less"}
    return " or ".join(names[case] for case in (MORE, SAME, LESS) if case in cases)


def _relation(one: frozenset[int], two: frozenset[int]) -> SetRelation:
    if one == two:
        return SetRelation.EQUAL
    if one < two:
        return SetRelation.FORWARD
    if one > two:
        return SetRelation.REVERSE
    if not one & two:
        return SetRelation.NEGATION if one | two == _ALL else SetRelation.ALTERNATION
    return SetRelation.COVER if one | two == _ALL else SetRelation.INDEPENDENT


def _direction(one: Sequence[str], two: Sequence[str], words: Words) -> int:
    """1 where two scales are the same, -1 where they are opposite, 0 where they have nothing in common."""
    if tuple(one) == tuple(two):
        return 1
    if len(one) == len(two) == 1:
        related = words.relation(one[0], two[0], "a").relation
        return {Relation.SYNONYM: 1, Relation.ANTONYM: -1}.get(related, 0)
    return 0


def comparison(marking: Marking, words: Words) -> Comparison | None:
    """The comparison that a sentence makes of its subject, or None."""
    tokens = marking.tree.tokens
    if (link := _link(tokens)) is None:
        return None
    clauses = Clauses.of(marking.tree)
    main = clauses.main
    subject = clauses.child(main.index, *_SUBJECTS) if main is not None else None
    if main is None or subject is None or link.index < main.index:
        return None
    below = clauses.below(subject.index)
    if below[-1] >= main.index or below[0] > 0 or _determined(tokens[below[0]]):
        return None
    inside = [t for t in tokens[main.index + 1 : link.index] if t.dep != "neg"]
    denied = clauses.denied(main) is not None
    degree = next(
        (t for t in inside if spelling(t) in _DEGREES or t.tag in ("JJR", "RBR") or _graded(t, words)), None
    )
    if degree is None or (spelling(link) == "as") != (spelling(degree) in ("as", "so")):
        return None
    said = [t for t in inside if t.index > degree.index]
    standards, verb = _standards(clauses, link, main)
    measure = " ".join(spelling(t) for t in inside if t.index < degree.index)
    cases = frozenset(_DEGREES.get(spelling(degree), {MORE}))
    if not standards:
        return None
    name = " ".join(spelling(t) for t in tokens[below[0] : below[-1] + 1])
    if main.lemma == "be":
        adjective = said if spelling(degree) in _DEGREES else [degree]
        cases = frozenset({MORE}) if measure and spelling(degree) == "as" else cases
        if len(adjective) != 1 or (said and adjective != said):
            return None
        scale: tuple[str, ...] = (_base(adjective[0], words),)
        counted = ""
    elif said and said[-1].pos == "NOUN" and spelling(degree) in _DEGREES:
        noun = said[1:] if spelling(said[0]) in ("many", "much") else said
        if not noun or (spelling(degree) == "as" and noun == said):
            return None
        cases = frozenset({MORE}) if measure and spelling(degree) == "as" else cases
        scale = (main.lemma, *(t.lemma.lower() for t in noun))
        counted = " ".join(t.text for t in noun)
    else:
        return None
    cases = _ALL - cases if denied else cases
    return Comparison(name, tuple(standards), scale, cases, measure, verb, counted)


def _link(tokens: Sequence[Token]) -> Token | None:
    """The word before what is compared with: *than*, or the second *as*."""
    links = [token for token in tokens if spelling(token) in ("than", "as")]
    return links[-1] if links else None


def _determined(token: Token) -> bool:
    """Whether a noun phrase is quantified, so that it can't be told of as one thing."""
    return token.pos == "DET" and spelling(token) not in word_list("definite_singulars")


def _graded(token: Token, words: Words) -> bool:
    """Whether a word that was not tagged so is a comparative form."""
    return token.text.endswith("er") and words.forms(token.text, "a")[-1] != spelling(token)


def _base(token: Token, words: Words) -> str:
    """An adjective without its comparative ending."""
    if token.tag == "JJR" and token.lemma.lower() != spelling(token):
        return token.lemma.lower()
    forms = [form for form in words.forms(token.text, "a") if form != spelling(token)]
    return forms[0] if forms and (token.tag == "JJR" or token.text.endswith("er")) else token.lemma.lower()


def _standards(clauses: Clauses, link: Token, main: Token) -> tuple[list[str], str]:
    """What the subject is compared with, each by its words, and the verb that it has of its own."""
    tokens = [t for t in clauses.tree.tokens[link.index + 1 :] if t.pos != "PUNCT" or t.tag == "HYPH"]
    verb = ""
    if tokens and tokens[-1].pos in ("VERB", "AUX"):
        last = tokens.pop()
        verb = "" if last.lemma in (main.lemma, "do") or last.pos == "AUX" else last.text
    if not tokens or any(t.pos in ("VERB", "AUX", "ADP", "SCONJ") for t in tokens) or _determined(tokens[0]):
        return [], ""
    found: list[list[str]] = [[]]
    for token in tokens:
        if spelling(token) in ("or", "and"):
            found.append([])
        else:
            found[-1].append(spelling(token))
    return [" ".join(part) for part in found if part], verb


def counted_out(marking: Marking, words: Words) -> list[str]:
    """What a comparison of numbers says besides: who sold more boats than Tom sold some."""
    found = comparison(marking, words)
    if found is None or not found.counted:
        return []
    tokens, clauses = marking.tree.tokens, Clauses.of(marking.tree)
    main = clauses.main
    assert main is not None
    link = _link(tokens)
    assert link is not None
    subject = [t.text for t in tokens[: main.index]]
    named = [
        t.text for t in tokens[link.index + 1 :] if t.pos not in ("PUNCT", "AUX") and t.text != found.verb
    ]
    some = ["some", *found.counted.split()]
    if found.open == {LESS}:
        return [sentence([*named, found.verb or main.text, *some], marking.tree)]
    if found.open != {MORE}:
        return []
    texts = [sentence([*subject, main.text, *some], marking.tree)]
    if not found.verb and _one_of_them(clauses, link, words):
        texts += [
            sentence([*subject, main.text, *named], marking.tree),
            sentence([*subject, main.text, "more", "than", "one", *found.counted.split()], marking.tree),
        ]
    return texts


def _one_of_them(clauses: Clauses, link: Token, words: Words) -> bool:
    """Whether what follows *than* is one of the things counted: a definite that does not act itself."""
    noun = next(
        (
            t
            for t in clauses.tree.tokens[link.index + 1 :]
            if t.pos in ("NOUN", "PROPN") and t.dep != "compound"
        ),
        None,
    )
    if noun is None or noun.tag not in ("NN", "NNP") or clauses.child(noun.index, "det") is None:
        return False
    if not words.known(noun.text.lower()):
        return False
    kinds = modifiers("actors")
    return not any(
        words.relation(noun.lemma, kind, "n").relation in (Relation.HYPONYM, Relation.SYNONYM)
        for kind in kinds
    )
