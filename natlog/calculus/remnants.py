"""Gapping and stripping: the remnants of a clause put in the places of what they are set against.

*Anna drove to Rome by night, and Tom to Oslo*: each remnant takes the place of the phrase with its
preposition, a bare noun phrase that of the object (Ross 1970; Hudson 1976).
"""

from __future__ import annotations

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, finite, sentence
from natlog.lexicon.modifiers import modifiers
from natlog.tree import Marking, Token

_SUBJECTS = ("nsubj", "nsubjpass")
_NOMINAL = ("NOUN", "PROPN", "PRON")


def gapped(clauses: Clauses, first: Token, second: Token) -> list[str]:
    """What a clause without its verb says, joined to the clause of ``first``; nothing where it is none.

    Also one with an auxiliary in the verb's place and a phrase of its own (*and Tom did on Friday*).
    """
    tokens = clauses.tree.tokens
    left, top = clauses.child(first.index, *_SUBJECTS), second
    if second.lemma == "do" and clauses.child(second.index, *_SUBJECTS):
        top = clauses.child(second.index, *_SUBJECTS) or second
    if left is None or top.pos not in _NOMINAL or left.index > first.index:
        return []
    after = [i for i in range(second.index + 1, len(tokens)) if tokens[i].pos != "PUNCT"]
    echoes = [i for i in after if spelling(tokens[i]) in modifiers("echo")]
    after = [i for i in after if i not in echoes]
    begin = min([top.index, *(i for i in clauses.below(top.index) if i < top.index)])
    joins = [i for i in clauses.children[first.index] if tokens[i].dep == "cc" and i < begin]
    if not joins or not (after or echoes) or any(tokens[i].pos in ("VERB", "AUX") for i in after):
        return []
    if top is not second and (not after or tokens[after[0]].pos != "ADP"):
        return []
    comma = tokens[joins[-1] - 1].text == ","
    if not comma and not echoes and top is second:
        return []  # "sells beads and rings on a market" is no gapping
    negated = any(t.dep == "neg" for t in tokens)
    if negated or any(t.lemma == "do" for t in clauses.auxiliaries(first)):
        return []
    subject = list(range(begin, top.index + 1))
    return [_filled(clauses, first, left, subject, _pieces(clauses, after), joins[-1] - comma)]


def _filled(
    clauses: Clauses, first: Token, left: Token, subject: list[int], remnants: list[list[int]], end: int
) -> str:
    """The first clause, which ends before ``end``, with another subject and the remnants in its places."""
    places = _pieces(clauses, list(range(first.index + 1, end)))
    taken: dict[int, list[int]] = {}
    for remnant in remnants:
        fit = next((p for p, place in enumerate(places) if _alike(clauses, place, remnant)), None)
        if fit is None or fit in taken:
            places.append(remnant)
        else:
            taken[fit] = remnant
    group = sorted([*clauses.auxiliaries(first), first], key=lambda token: token.index)
    verbs = clauses.text_of(token.index for token in group)
    if group[0].tag != "MD":
        verbs = finite(group, clauses.tense(first), clauses.plural(subject), False)
    own = clauses.below(left.index)
    before = [i for i in range(first.index) if i not in own and i not in {t.index for t in group}]
    written = [
        *clauses.text_of(i for i in before if i < own[0]),
        *clauses.text_of(subject),
        *clauses.text_of(i for i in before if i > own[-1]),
        *verbs,
        *(text for p, place in enumerate(places) for text in clauses.text_of(taken.get(p, place))),
    ]
    return sentence(written, clauses.tree)


def _pieces(clauses: Clauses, indices: list[int]) -> list[list[int]]:
    """A stretch cut before each preposition but *of*."""
    tokens = clauses.tree.tokens
    pieces: list[list[int]] = []
    for index in indices:
        token = tokens[index]
        opens = token.tag in ("IN", "TO") and token.pos == "ADP" and spelling(token) != "of"
        if opens or not pieces:
            pieces.append([])
        pieces[-1].append(index)
    return pieces


def _alike(clauses: Clauses, place: list[int], remnant: list[int]) -> bool:
    """Whether a remnant is set against a phrase: the same preposition, or none in either."""
    one, two = clauses.tree.tokens[place[0]], clauses.tree.tokens[remnant[0]]
    return spelling(one) == spelling(two) if "ADP" in (one.pos, two.pos) else True


def stripped(premise: Marking, hypothesis: Marking) -> list[str]:
    """*Anna called Ben before Tom* with the clause that *Tom* stands for, as its subject or its object.

    Only where the hypothesis has a clause of the same verb there; else nothing.
    """
    order = modifiers("order")
    clauses, theirs = Clauses.of(premise.tree), Clauses.of(hypothesis.tree)
    tokens, main = clauses.tree.tokens, clauses.main
    phrase = next((t for t in tokens if spelling(t) in order and t.dep == "prep"), None)
    if phrase is None or main is None or clauses.auxiliaries(main) or main.tag not in ("VBD", "VBZ", "VBP"):
        return []
    lemmas = [token.lemma for token in theirs.tree.tokens if token.pos == "VERB"]
    subject, thing = clauses.child(main.index, *_SUBJECTS), clauses.child(main.index, "dobj")
    noun = clauses.child(phrase.index, "pobj")
    if subject is None or thing is None or noun is None or lemmas.count(main.lemma) < 2:
        return []
    if noun.pos not in _NOMINAL or not subject.index < main.index < thing.index < phrase.index:
        return []
    named, texts = clauses.text_of(clauses.below(noun.index)), clauses.text_of
    head = texts(range(phrase.index + 1))
    one = [*texts(clauses.below(subject.index)), main.text, *named]
    two = [*named, main.text, *texts(range(main.index + 1, phrase.index))]
    return [sentence([*head, *words], clauses.tree) for words in (one, two)]
