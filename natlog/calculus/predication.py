"""*X is a clever politician* against *X is clever*: an adjective with its noun, and without it."""

from __future__ import annotations

from natlog.calculus.clauses import Clauses
from natlog.calculus.relations import SetRelation
from natlog.lexicon.modifiers import modifiers
from natlog.tree import Marking, Token

_SUBJECTS = ("nsubj", "nsubjpass")


def predicated(premise: Marking, hypothesis: Marking) -> tuple[SetRelation, str] | None:
    """How what is said with a noun stands to its adjective alone, of the same subject; None of other pairs.

    Comparative forms count with their standard, which must be the same.
    """
    one, two = Clauses.of(premise.tree), Clauses.of(hypothesis.tree)
    noun, adjective = _predicate(one, "attr"), _predicate(two, "acomp", "attr")
    if noun is None or adjective is None or _subject(one) != _subject(two):
        return None
    same = [
        t
        for t in one.tree.tokens
        if t.head == noun.index and t.word == adjective.word and t.index < noun.index
    ]
    if not same or _standard(one, noun) != _standard(two, adjective):
        return None
    before = [t for t in one.tree.tokens[: same[0].index] if t.head == noun.index]
    if any(t.word in modifiers("privative") or t.word in modifiers("alleged") for t in before):
        return SetRelation.INDEPENDENT, f"*{adjective.text}* is said of what is only *{before[-1].text}*"
    if noun.lemma in modifiers("widest"):
        return SetRelation.FORWARD, f"a *{noun.text}* that is *{adjective.text}* is *{adjective.text}*"
    forms = {adjective.word, adjective.lemma.lower(), same[0].lemma.lower(), *_stems(adjective)}
    compares = adjective.tag == "JJR" or bool(_standard(two, adjective))
    if forms & modifiers("role") or (forms & modifiers("dimension") and not compares):
        return SetRelation.INDEPENDENT, f"*{adjective.text}* is said of one as a *{noun.text}*"
    return SetRelation.FORWARD, f"*{adjective.text}* is said of the thing itself"


def _stems(adjective: Token) -> set[str]:
    """What a comparative may be the form of, where the tagger took it for another word."""
    word = adjective.word
    if not word.endswith("er"):
        return set()
    return {word[:-2], word[:-1], word[:-3], f"{word[:-3]}y"} | ({"good"} if word == "better" else set())


def _predicate(clauses: Clauses, *deps: str) -> Token | None:
    main = clauses.main
    if main is None or main.lemma != "be" or clauses.denied(main) is not None or clauses.auxiliaries(main):
        return None
    return clauses.child(main.index, *deps)


def _subject(clauses: Clauses) -> list[str]:
    main = clauses.main
    subject = clauses.child(main.index, *_SUBJECTS) if main is not None else None
    if main is None or subject is None:
        return []
    return [clauses.tree.tokens[i].word for i in clauses.below(subject.index) if i < main.index]


def _standard(clauses: Clauses, head: Token) -> list[str]:
    """The words from *than* on."""
    tokens = clauses.tree.tokens
    place = next((t.index for t in tokens[head.index :] if t.word == "than"), len(tokens))
    return [t.word for t in tokens[place:] if t.pos != "PUNCT"]
