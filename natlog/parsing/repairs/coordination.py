"""Which noun a second one is coordinated with, across a relative clause or in a list."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.lexicon.word_lists import word_list
from natlog.parsing.draft import Draft
from natlog.parsing.repairs.rule import Repair, linker_before, siblings, word_before

_FINITE = frozenset({"VBD", "VBP", "VBZ", "VB", "VBN"})
_CLAUSES = frozenset({"relcl", "acl"})
_OBJECTS = frozenset({"conj", "dobj", "pobj", "attr", "prep"})
_NEGATIVE = word_list("negative_conjuncts")
_DETERMINERS = frozenset({"det", "poss", "neg", "nummod", "amod"})


class NearConjunct(Repair[tuple[int, int, int]]):
    """A second noun after a relative clause goes to the clause's noun where it is like that one.

    It has the same determiner, and the outer noun a different one ("every boy who kissed a girl or a woman");
    or *but no* opposes it to what is there.

    >>> from natlog.parsing.examples import show
    >>> show(NearConjunct, "Nobody who has a car but no licence may drive a bus.")
    but/CC cc of Nobody → but/CC cc of car
    licence/NN conj of Nobody → licence/NN conj of car
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """The conjunct, its coordinator and the noun that ends the clause."""
        for conjunct, dep in enumerate(draft.deps):
            if dep != "conj":
                continue
            outer = draft.heads[conjunct]
            clause = self._clause(draft, outer, conjunct) if draft.heads[outer] > conjunct else -1
            linker = linker_before(draft, conjunct, clause) if clause >= 0 else -1
            if linker < 0 or not draft.heads.dominates(clause, linker - 1):
                continue
            inner = _last_noun(draft, clause, linker - 1)
            if inner < 0 or draft.deps[inner] not in ("dobj", "pobj", "attr"):
                continue
            own, near, far = (_determiner(draft, noun) for noun in (conjunct, inner, outer))
            opposed = draft.words[linker].lower() == "but" and own in _NEGATIVE and near not in _NEGATIVE
            if (own == near != far) or opposed:
                yield conjunct, linker, inner

    @staticmethod
    def _clause(draft: Draft, outer: int, conjunct: int) -> int:
        """The first finite relative clause of the outer noun before its conjunct; -1 for none."""
        return next(
            (
                child
                for child in draft.heads.children[outer]
                if outer < child < conjunct and draft.deps[child] in _CLAUSES and draft.tags[child] in _FINITE
            ),
            -1,
        )

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Hang it there, with its coordinator."""
        return _coordinate(draft, *site)


class FarConjunct(Repair[tuple[int, int, int]]):
    """The reverse: a noun that was hung on the clause's noun, and is like the outer one.

    >>> from natlog.parsing.examples import show
    >>> show(FarConjunct, "Every boy who has a cat and every girl left.")
    and/CC cc of cat → and/CC cc of boy
    girl/NN conj of cat → girl/NN conj of boy
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """The conjunct, its coordinator and the noun whose relative clause stands between."""
        for conjunct, dep in enumerate(draft.deps):
            if dep != "conj":
                continue
            inner = draft.heads[conjunct]
            clause = self._clause(draft, inner)
            outer = draft.heads[clause]
            if clause < 0 or draft.deps[clause] != "relcl" or not draft.heads[outer] > conjunct:
                continue
            linker, far = linker_before(draft, conjunct, inner), _determiner(draft, outer)
            if linker < 0 or draft.words[linker].lower() == "but" or not far:
                continue
            if _determiner(draft, conjunct) == far and _determiner(draft, inner) != far:
                yield conjunct, linker, outer

    @staticmethod
    def _clause(draft: Draft, inner: int) -> int:
        """What the noun is in, beyond the objects that it is part of; -1 for nothing."""
        heads, deps = draft.heads, draft.deps
        above = heads.upward(inner)
        return next((word for word in above if deps[word] not in _OBJECTS or heads[word] >= word), -1)

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Hang it there, with its coordinator."""
        return _coordinate(draft, *site)


class ListedObject(Repair[tuple[int, int, int]]):
    """A verb has one direct object: a second after a comma is one more of a list.

    >>> from natlog.parsing.examples import show
    >>> show(ListedObject, "Ann has a scar but no swelling, a small bruise and a cut.")
    ,/, punct of has → ,/, punct of scar
    bruise/NN dobj of has → bruise/NN conj of scar
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """The second object, the comma before it and the first object."""
        for first, second in siblings(draft, "dobj"):
            if first >= draft.heads[first]:
                before = word_before(draft, second, first)
                if draft.words[before] == ",":
                    yield second, before, first

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Hang it on the first, with the comma."""
        said = _coordinate(draft, *site)
        if said:
            draft.deps[site[0]] = "conj"
        return said


def _coordinate(draft: Draft, conjunct: int, linker: int, noun: int) -> str:
    """Hang a conjunct and what links it on a noun; what is said of it."""
    if not draft.move(conjunct, noun):
        return ""
    draft.move(linker, noun)
    return f"{draft.words[conjunct]} read beside {draft.words[noun]}"


def _last_noun(draft: Draft, clause: int, last: int) -> int:
    """The head of the phrase that ends a clause with its word ``last``; -1 where the clause's own verb ends
    it ("every boy who sang and …")."""
    for word in draft.heads.upward(last):
        if word == clause:
            break
        governor = draft.heads[word]
        if governor == clause or draft.tags[governor] in ("IN", "TO"):
            return word
    return -1


def _determiner(draft: Draft, noun: int) -> str:
    """The noun's determiner, *a* for *an*; "" for none."""
    for child in draft.heads.children[noun]:
        if child < noun and draft.deps[child] in _DETERMINERS:
            word = draft.words[child].lower()
            return "a" if word == "an" else word
    return ""
