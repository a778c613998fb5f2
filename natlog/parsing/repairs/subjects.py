"""A verb has one subject: what else was hung on it there, given back."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.lexicon.word_lists import word_list
from natlog.parsing.draft import Draft
from natlog.parsing.repairs.rule import Repair, siblings, word_before

_FINITE = frozenset({"VBD", "VBP", "VBZ"})
_NOUNS = frozenset({"NN", "NNS"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
# Objects that make an adverbial of their preposition wherever it stands ("the boys in fact sang").
_ADVERBIAL = word_list("comment_nouns") | word_list("adverbial_nouns")


class SecondSubject(Repair[tuple[int, int, int]]):
    """A second subject is the first one's conjunct, or the object of its relative clause.

    >>> from natlog.parsing.examples import show
    >>> show(SecondSubject, "Every boy who sang and every girl who danced got a prize.")
    and/CC cc of sang → and/CC cc of boy
    girl/NN nsubj of got → girl/NN conj of boy
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """Two subjects of a verb after them, the second behind a coordinator or a clause of the first."""
        for first, second in siblings(draft, "nsubj", "nsubjpass"):
            if draft.heads[first] < second:
                continue
            before = word_before(draft, second, first)
            dep = draft.deps[before]
            relative = dep in ("relcl", "acl") and draft.tags[before] in _FINITE
            if (dep == "cc" or relative) and draft.heads.dominates(first, before):
                yield first, before, second

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Hang it on the first subject, or on the clause."""
        first, before, second = site
        home, dep = before, "dobj"
        if draft.deps[before] == "cc":
            home, dep = first, "conj"
            draft.move(before, first)
        if draft.move(second, home):
            draft.deps[second] = dep
        return ""


class SubjectPhrase(Repair[int]):
    """A phrase between a subject and its verb belongs to the subject.

    >>> from natlog.parsing.examples import show
    >>> show(SubjectPhrase, "The boys at night slept.")
    at/IN prep of slept → at/IN prep of boys
    """

    def find(self, draft: Draft) -> Iterator[int]:
        """A preposition on the verb, right after the verb's subject; "the boys in fact sang" holds none."""
        tags, deps = draft.tags, draft.deps
        for index, dep in enumerate(deps):
            if dep == "prep" and index and tags[index - 1] in _NOUNS and deps[index - 1] in _SUBJECTS:
                heads = draft.heads
                if heads[index] == heads[index - 1] > index and not any(
                    draft.words[child].lower() in _ADVERBIAL for child in heads.children[index]
                ):
                    yield index

    def change(self, draft: Draft, site: int) -> str:
        """Hang it on the subject."""
        draft.move(site, site - 1)
        return ""


class FreeRelativeObject(Repair[tuple[int, int]]):
    """A noun between a clause that is the subject and the verb is the clause's.

    >>> from natlog.parsing.examples import show
    >>> show(FreeRelativeObject, "Whoever steals a car goes to prison.")
    car/NN nsubj of goes → car/NN dobj of steals
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int]]:
        """A clause that is a subject, and a noun that is one too."""
        deps = draft.deps
        for clause, dep in enumerate(deps):
            if dep == "csubj":
                verb = draft.heads[clause]
                for noun in range(clause + 1, verb):
                    if draft.heads[noun] == verb and deps[noun] in _SUBJECTS:
                        yield clause, noun

    def change(self, draft: Draft, site: tuple[int, int]) -> str:
        """Read it as the clause's object."""
        clause, noun = site
        if not draft.move(noun, clause):
            return ""
        draft.deps[noun] = "dobj"
        return f"{draft.words[noun]} read as the object of {draft.words[clause]}"
