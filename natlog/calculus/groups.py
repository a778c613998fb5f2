"""What several together do: *Lee and Kim met*, *carried it together* (Link 1983; Lasersohn 1995).

It is said of the group, and of none of its members alone.
"""

from __future__ import annotations

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, sentence
from natlog.lexicon.modifiers import modifiers
from natlog.tree import Marking, Token

_SUBJECTS = ("nsubj", "nsubjpass")


def collective(marking: Marking, noun: Token) -> bool:
    """Whether a coordinated subject that ``noun`` belongs to acts as one group."""
    clauses = Clauses.of(marking.tree)
    tokens = marking.tree.tokens
    for index in clauses.tree.heads.upward(noun.index):
        token = tokens[index]
        if token.pos in ("VERB", "AUX"):
            subject = clauses.child(index, *_SUBJECTS)
            inside = subject is not None and noun.index in clauses.below(subject.index)
            return inside and _of_group(clauses, token)
    return False


def _of_group(clauses: Clauses, verb: Token) -> bool:
    together = any(spelling(clauses.tree.tokens[i]) == "together" for i in clauses.children[verb.index])
    alone = clauses.child(verb.index, "dobj") is None
    return together or (alone and verb.lemma in modifiers("collective"))


def as_group(marking: Marking, other: Marking) -> list[str]:
    """*Lee, Kim and Park met* as *A group of people met*, and *Lee and Kim met* as *Lee met Kim*."""
    clauses = Clauses.of(marking.tree)
    main, tokens = clauses.main, clauses.tree.tokens
    subject = clauses.child(main.index, *_SUBJECTS) if main is not None else None
    if main is None or subject is None or clauses.child(subject.index, "conj") is None:
        return []
    below = clauses.below(subject.index)
    members = [t for t in tokens[below[0] : below[-1] + 1] if t.pos == "PROPN"]
    if below[0] or below[-1] > main.index or len(members) < 2 or "or" in [spelling(tokens[i]) for i in below]:
        return []
    rest = [t.text for t in tokens[below[-1] + 1 :]]
    theirs = Clauses.of(other.tree)
    said = {token.lemma.lower() for token in other.tree.tokens}
    if (
        "group" in said
        and {"people", "person"} & said
        and not any(t.pos == "PROPN" for t in other.tree.tokens)
    ):
        return [sentence(["A", "group", "of", "people", *rest], marking.tree)]
    if len(members) == 2 and len(below) == 3 and _of_group(clauses, main) and rest:
        object_ = theirs.child(theirs.main.index, "dobj") if theirs.main is not None else None
        if object_ is not None and main.lemma in modifiers("symmetric"):
            verb = rest.index(main.text)
            first, second = members[0].text, members[1].text
            if object_.word == first.lower():
                first, second = second, first
            return [sentence([first, *rest[: verb + 1], second, *rest[verb + 1 :]], marking.tree)]
    return []
