"""Sentences about several things or kinds, put as a sentence of one of them or of the other.

*Neither A nor B left* says of each that it did not leave (Huddleston and Pullum 2002, chapter 15); *only As
left* says that everyone who left was an A (Horn 1996).
"""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, finite, sentence
from natlog.calculus.relations import SetRelation
from natlog.lexicon.inflection import inflect
from natlog.lexicon.word_lists import word_list
from natlog.tree import Marking, Token

_SUBJECTS = ("nsubj", "nsubjpass")
_PLACES = (_SUBJECTS, ("dobj",), ("attr", "acomp"))
_ALL = word_list("universal_pronouns")


@dataclass(frozen=True, slots=True)
class Rewording:
    """What the premise or the hypothesis, the other "", is compared as; where ``part``, it says more."""

    premise: str
    hypothesis: str
    part: bool

    def relation(self, inner: SetRelation) -> SetRelation:
        """The relation of the sentences as they are, from that of the sentences as they are compared."""
        if not self.part:
            return inner
        if inner.excludes:
            return SetRelation.ALTERNATION
        return SetRelation.FORWARD if inner.entails and self.premise else SetRelation.INDEPENDENT

    @property
    def note(self) -> str:
        """What is compared, in words."""
        return f"{'says also' if self.part else 'read as'} *{self.premise or self.hypothesis}*"


def rewording(premise: Marking, hypothesis: Marking) -> Rewording | None:
    """One of two sentences put as it compares with the other; None where neither is of these forms."""
    if text := denied_of_one(premise, hypothesis):
        return Rewording(text, "", True)
    if text := denied_of_one(hypothesis, premise):
        return Rewording("", text, True)
    if excludes_others(premise) and (text := as_only(hypothesis)):
        return Rewording("", text, False)
    if excludes_others(hypothesis) and (text := as_only(premise)):
        return Rewording(text, "", False)
    return None


def denied_of_one(marking: Marking, other: Marking) -> str:
    """What *neither A nor B* denies of the one that ``other`` speaks of, as a sentence; "" of none."""
    clauses, theirs = Clauses.of(marking.tree), Clauses.of(other.tree)
    main, their_main = clauses.main, theirs.main
    if main is None or their_main is None or clauses.denied(main) is not None:
        return ""
    for deps in _PLACES:
        phrase, spoken = clauses.child(main.index, *deps), theirs.child(their_main.index, *deps)
        if phrase is None or spoken is None or theirs.child(spoken.index, "conj") is not None:
            continue
        said = {token.word for token in (other.tree.tokens[i] for i in theirs.below(spoken.index))}
        same = {
            len(said ^ {clauses.tree.tokens[i].word for i in words}): words
            for head, words in _members(clauses, phrase)
            if head.lemma.lower() == spoken.lemma.lower() and head.pos == spoken.pos
        }
        if same:
            return _denied(clauses, main, phrase, same[min(same)])
    return ""


def _denied(clauses: Clauses, main: Token, phrase: Token, member: list[int]) -> str:
    """A sentence with one member in the place of the phrase, and its verb negated."""
    group = sorted([*clauses.auxiliaries(main), main], key=lambda token: token.index)
    below, tokens = clauses.below(phrase.index), clauses.tree.tokens
    first = group[0]
    if first.index < phrase.index and phrase.dep in _SUBJECTS:
        return ""  # "Did neither …?"
    plain = len(group) == 1 and main.lemma != "be"
    ever = next((i for i in clauses.children[main.index] if tokens[i].word == "ever"), None)
    if ever is not None:
        verbs = ["never", first.text] if plain else [first.text, "never"]
    else:
        verbs = finite(group, clauses.tense(main), False, True) if plain else [first.text, "not"]
    written: list[str] = []
    for token in tokens:
        if token.index == below[0]:
            written += clauses.text_of(member)
        if token.index == first.index:
            written += verbs
        elif token.index not in below and token.index != ever:
            written.append(token.text)
    return sentence(written, clauses.tree)


def _members(clauses: Clauses, phrase: Token) -> list[tuple[Token, list[int]]]:
    """The head and the words of each member of "neither … nor …"; none of other phrases."""
    tokens, heads = clauses.tree.tokens, [phrase]
    for i in clauses.tree.heads.subtree(phrase.index):
        if tokens[i].dep == "conj" and any(tokens[i].head == head.index for head in heads):
            heads.append(tokens[i])
    below = {i for head in heads for i in clauses.children[head.index]}
    linkers = {i for i in below if spelling(tokens[i]) in ("neither", "nor", ",")}
    if len(heads) < 2 or not {"neither", "nor"} <= {spelling(tokens[i]) for i in linkers}:
        return []
    members = []
    for at, head in enumerate(heads):
        others = {i for after in heads[at + 1 :] for i in clauses.below(after.index)}
        members.append((head, [i for i in clauses.below(head.index) if i not in linkers and i not in others]))
    return members


def excludes_others(marking: Marking) -> bool:
    """Whether a sentence begins with *only* and a bare plural."""
    tokens = marking.tree.tokens
    if len(tokens) < 3 or spelling(tokens[0]) != "only":
        return False
    clauses = Clauses.of(marking.tree)
    subject = clauses.child(clauses.main.index, *_SUBJECTS) if clauses.main is not None else None
    return subject is not None and subject.tag == "NNS" and clauses.child(subject.index, "det") is None


def as_only(marking: Marking) -> str:
    """*Everyone who left was an A* as *Only As left*; "" where it is no such sentence."""
    tokens, clauses = marking.tree.tokens, Clauses.of(marking.tree)
    main = clauses.main
    if main is None or main.lemma != "be" or clauses.denied(main) is not None or clauses.auxiliaries(main):
        return ""
    subject, noun = clauses.child(main.index, *_SUBJECTS), clauses.child(main.index, "attr")
    if subject is None or noun is None or spelling(subject) not in _ALL or subject.index != 0:
        return ""
    verb = clauses.child(subject.index, "relcl")
    inside = clauses.below(noun.index)
    if verb is None or spelling(tokens[1]) not in ("who", "that") or inside[0] < main.index:
        return ""
    article = spelling(tokens[inside[0]])
    if noun.tag == "NN" and article in ("a", "an"):
        kind = [inflect(noun.lemma, "NNS") if i == noun.index else tokens[i].text for i in inside[1:]]
    elif noun.tag == "NNS" and clauses.child(noun.index, "det", "poss", "nummod") is None:
        kind = clauses.text_of(inside)
    else:
        return ""
    group = sorted([*clauses.auxiliaries(verb), verb], key=lambda token: token.index)
    said = [
        inflect(tokens[i].lemma, "VBP") if tokens[i].tag == "VBZ" and i == group[0].index else tokens[i].text
        for i in range(2, main.index)
    ]
    return sentence(["Only", *kind, *said], marking.tree)
