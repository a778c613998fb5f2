"""What a sentence says by its possessives, reflexives and *one*, written out without them.

Who paints *her* boat has a boat (a possessive presupposes that there is what is possessed: Partee and
Borschev 2003); who hurts *himself* hurts the one who does it; *a fast one* is a fast
thing of the kind spoken of.
"""

from __future__ import annotations

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, sentence
from natlog.lexicon.inflection import article, inflect
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.times import unique
from natlog.lexicon.word_lists import word_list
from natlog.tree import Marking, Polarity, Token

_SUBJECTS = ("nsubj", "nsubjpass")
_PEOPLE = word_list("possessives")


def owned(premise: Marking, hypothesis: Marking) -> str:
    """That the hypothesis' *X has a N* is so, where the premise speaks of X's N; "" where it doesn't."""
    theirs = Clauses.of(hypothesis.tree)
    main = theirs.main
    if main is None or main.lemma != "have" or theirs.auxiliaries(main) or theirs.denied(main) is not None:
        return ""
    thing, owner = theirs.child(main.index, "dobj"), theirs.child(main.index, *_SUBJECTS)
    if thing is None or owner is None or thing.pos != "NOUN":
        return ""
    clauses = Clauses.of(premise.tree)
    tokens = clauses.tree.tokens
    if clauses.main is None or clauses.main.lemma == "have":
        return ""
    for token in tokens:
        if token.dep != "poss" or not 0 <= token.head < len(tokens) or token.head == token.index:
            continue
        noun = tokens[token.head]
        if noun.lemma != thing.lemma or not _plain(clauses, noun):
            continue
        words = _owner(clauses, premise, token)
        if words and [word.lower() for word in words] == [
            word.lower() for word in theirs.text_of(theirs.below(owner.index))
        ]:
            rest = clauses.text_of(
                i
                for i in clauses.below(noun.index)
                if i not in clauses.below(token.index)
                and i > token.index
                and spelling(clauses.tree.tokens[i]) not in unique()
            )
            one = [] if noun.tag in ("NNS", "NNPS") else [article(rest[0])]
            return sentence(
                [*words, "have" if theirs.plural([owner.index]) else "has", *one, *rest], hypothesis.tree
            )
    return ""


def _owner(clauses: Clauses, marking: Marking, token: Token) -> list[str]:
    """The words of a possessor; of a pronoun those of the subject, if its referent is known to be there."""
    if spelling(token) not in _PEOPLE:
        return [word for word in clauses.text_of(clauses.below(token.index)) if word not in ("'s", "’s", "'")]
    main = clauses.main
    subject = clauses.child(main.index, *_SUBJECTS) if main is not None else None
    if subject is None or subject.index > token.index or marking.signs[subject.index] is Polarity.DOWN:
        return []
    words = clauses.text_of(clauses.below(subject.index))
    return [] if words[0].lower() in modifiers("no_referent") else words


def _plain(clauses: Clauses, noun: Token) -> bool:
    """Whether a noun stands in the main clause, and in no clause under it."""
    tokens, main = clauses.tree.tokens, clauses.main
    for index in clauses.tree.heads.upward(noun.index):
        if main is not None and index == main.index:
            return True
        if tokens[index].pos in ("VERB", "AUX"):
            return False
    return False


def reflexive_as_name(marking: Marking) -> str:
    """*Tom hurt himself* as *Tom hurt Tom*, for one who is named or known; "" without a reflexive."""
    clauses = Clauses.of(marking.tree)
    tokens, main = clauses.tree.tokens, clauses.main
    reflexive = next((t for t in tokens if spelling(t) in modifiers("reflexive")), None)
    if reflexive is None or main is None or reflexive.dep not in ("dobj", "dative", "pobj"):
        return ""
    subject = clauses.child(main.index, *_SUBJECTS)
    if subject is None or subject.index > main.index or not _plain(clauses, reflexive):
        return ""
    below = clauses.below(subject.index)
    known = subject.pos == "PROPN" or spelling(tokens[below[0]]) == "the"
    if not known or clauses.plural(below):
        return ""
    named = clauses.text_of(below)
    named[0] = named[0] if tokens[below[0]].pos == "PROPN" else named[0].lower()
    words: list[str] = []
    for token in tokens:
        words += named if token.index == reflexive.index else [token.text]
    return sentence(words, marking.tree)


def ones(marking: Marking) -> str:
    """The sentence with *a fast one* as *a fast car*, where its first clause has *a red car* there."""
    clauses = Clauses.of(marking.tree)
    tokens = clauses.tree.tokens
    pro = next(
        (
            t
            for t in tokens
            if spelling(t) in ("one", "ones") and t.dep in ("dobj", "attr", "pobj") and t.index > 3
        ),
        None,
    )
    if pro is None:
        return ""
    alone = clauses.child(pro.index, "det", "amod") is None
    if alone and not any(spelling(t) in modifiers("echo") for t in tokens[pro.index :]):
        return ""
    before = [t for t in tokens[: pro.index] if t.dep == pro.dep and t.pos == "NOUN"]
    if not before:
        return ""
    noun = inflect(before[-1].lemma, "NNS" if spelling(pro) == "ones" else "NN")
    named = [article(noun), noun] if alone else [noun]
    return sentence(
        (word for t in tokens for word in (named if t.index == pro.index else [t.text])), marking.tree
    )


def joined(marking: Marking, other: Marking) -> list[str]:
    """The two clauses that *and* or *but* joins, each with its subject; nothing of other sentences.

    Nothing either where the other sentence joins clauses too.
    """
    clauses = Clauses.of(marking.tree)
    if any(token.dep == "conj" and token.pos in ("VERB", "AUX") for token in other.tree.tokens):
        return []
    tokens, main = clauses.tree.tokens, clauses.main
    subject = clauses.child(main.index, *_SUBJECTS) if main is not None else None
    if (
        main is None
        or subject is None
        or clauses.below(subject.index)[0]
        or clauses.child(main.index, "advcl")
    ):
        return []  # what stands before the subject, or hangs on the verb, may hold of both clauses
    second = clauses.child(main.index, "conj")
    if second is None or clauses.child(second.index, *_SUBJECTS) is None:
        return []
    below = clauses.below(second.index)
    if below != [*range(below[0], below[-1] + 1)] or spelling(tokens[below[0] - 1]) not in ("and", "but"):
        return []
    first = [t.text for t in tokens[: below[0] - 1]]
    return [sentence(first, marking.tree), sentence(clauses.text_of(below), marking.tree)]
