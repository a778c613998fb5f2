"""What a coordinator links: the clause or noun beside it, and not the main verb."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.lexicon.word_lists import word_list
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft
from natlog.parsing.repairs.rule import Repair

_TEMPORAL = word_list("temporal")
_PAST = frozenset({"VBD", "VBN"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_EMBEDDED = frozenset({"advcl", "ccomp"})


class BareClause(Repair[tuple[int, int, int]]):
    """*before* with a noun and a past form right after it opens a clause.

    >>> from natlog.parsing.examples import show
    >>> show(BareClause, "John left before a dog barked and a cat meowed")
    before/IN prep of left → before/IN mark of barked
    dog/NN pobj of before → dog/NN nsubj of barked
    barked/VBN acl of dog → barked/VBD advcl of left
    and/CC cc of dog → and/CC cc of barked
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """A temporal preposition, its noun, and the participle that is all that modifies it after it."""
        for index, dep in enumerate(draft.deps):
            if dep not in ("prep", "mark") or draft.words[index].lower() not in _TEMPORAL:
                continue
            noun = next((c for c in draft.heads.children[index] if draft.deps[c] == "pobj"), -1)
            verb = noun + 1
            if noun < 0 or verb >= len(draft.words) or draft.heads[verb] != noun:
                continue
            past = draft.deps[verb] == "acl" and draft.tags[verb] in _PAST
            if past and not draft.heads.children[verb]:
                yield index, noun, verb

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Read the noun as the subject of the participle, a verb."""
        index, noun, verb = site
        second = draft.heads[index] if draft.deps[index] == "mark" else -1
        main = draft.heads[second if second >= 0 else index]
        if not (draft.move(verb, main) and draft.move(noun, verb) and draft.move(index, verb)):
            return ""
        for child in draft.heads.children[noun]:
            if child > verb and draft.deps[child] == "cc":
                draft.move(child, verb)
        if second >= 0 and draft.move(second, verb):
            draft.deps[second] = "conj"
        draft.deps[noun], draft.deps[index], draft.deps[verb] = "nsubj", "mark", "advcl"
        draft.tags[verb] = "VBD"
        return f"{draft.words[index]} read as a subordinator"


class LinkedClause(Repair[tuple[int, int]]):
    """A clause after a coordinator stands beside the clause that the coordinator hangs on.

    >>> from natlog.parsing.examples import show
    >>> show(LinkedClause, "Mary doubts that a boy sang and a girl danced")
    danced/VBD conj of doubts → danced/VBD conj of sang
    >>> show(LinkedClause, "John knows whether a dog barked or a cat meowed")
    meowed/VBD ccomp of knows → meowed/VBD conj of barked
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int]]:
        """An embedded verb with a coordinator, and the clause after it that was hung on the verb above."""
        for linker, dep in enumerate(draft.deps):
            inner = draft.heads[linker]
            outer = draft.heads[inner]
            if dep != "cc" or draft.deps[inner] not in _EMBEDDED or not outer < inner < linker:
                continue
            if any(draft.deps[child] == "conj" for child in draft.heads.children[inner]):
                continue
            for clause in draft.heads.children[outer]:
                if (
                    clause > linker
                    and draft.deps[clause] in ("conj", "ccomp")
                    and self._is_next(draft, linker, clause)
                ):
                    yield inner, clause

    @staticmethod
    def _is_next(draft: Draft, linker: int, clause: int) -> bool:
        below = draft.heads.children[clause]
        return any(draft.deps[child] in SUBJECTS for child in below) and all(
            draft.heads.dominates(clause, index) for index in range(linker + 1, clause)
        )

    def change(self, draft: Draft, site: tuple[int, int]) -> str:
        """Hang it there."""
        inner, clause = site
        if not draft.move(clause, inner):
            return ""
        draft.deps[clause] = "conj"
        return f"{draft.words[clause]} read beside {draft.words[inner]}"


class LinkedNoun(Repair[tuple[int, int, int]]):
    """A noun after the object of a preposition and a coordinator is one more object.

    >>> from natlog.parsing.examples import show
    >>> show(LinkedNoun, "John danced without shoes or a hat")
    or/CC cc of danced → or/CC cc of shoes
    hat/NN conj of danced → hat/NN conj of shoes
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """The noun, its coordinator and the object right before that; the noun hangs on their verb."""
        for linker in range(1, len(draft.deps) - 1):
            first = linker - 1
            if draft.deps[linker] != "cc" or draft.deps[first] != "pobj":
                continue
            verb = draft.heads[draft.heads[first]]
            for noun in draft.heads.children[verb]:
                if noun > linker and self._is_listed(draft, linker, noun, verb):
                    yield noun, linker, first

    @staticmethod
    def _is_listed(draft: Draft, linker: int, noun: int, verb: int) -> bool:
        if draft.deps[noun] not in ("conj", "dobj") or draft.tags[noun] not in _NOUNS:
            return False
        verbal = draft.tags[verb].startswith("VB") and draft.heads[linker] in (verb, linker - 1)
        return verbal and all(draft.heads.dominates(noun, index) for index in range(linker + 1, noun))

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Hang it on the object, with the coordinator."""
        noun, linker, first = site
        if not (draft.move(noun, first) and draft.move(linker, first)):
            return ""
        draft.deps[noun] = "conj"
        return f"{draft.words[noun]} read beside {draft.words[first]}"
