"""What opens a clause, and what stands inside it."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.lexicon.word_lists import word_list
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft
from natlog.parsing.repairs.rule import Repair

_TEMPORAL = word_list("temporal")
_BETWEEN = frozenset({"MD", "RB", "VBD", "VBZ", "VBP"})
_OPENERS = word_list("conditionals") | {"when"}
_BEFORE_OPENER = word_list("before_conditionals")


class Subordinator(Repair[tuple[int, int, int]]):
    """*before* with a verb after its noun is no preposition: it opens the clause of that verb.

    >>> from natlog.parsing.examples import show
    >>> show(Subordinator, "The dog barked after dogs left.")
    after/IN prep of barked → after/IN mark of left
    dogs/NNS pobj of after → dogs/NNS nsubj of left
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """A temporal preposition, its noun, and after it a clause without a subject beside it."""
        for index, dep in enumerate(draft.deps):
            if dep == "prep" and draft.words[index].lower() in _TEMPORAL:
                noun = self._noun(draft, index)
                verb = self._verb(draft, index, noun) if noun >= 0 else -1
                if verb >= 0:
                    yield index, noun, verb

    @staticmethod
    def _noun(draft: Draft, index: int) -> int:
        below = draft.heads.children[index]
        return next((child for child in below if child > index and draft.deps[child] == "pobj"), -1)

    @staticmethod
    def _verb(draft: Draft, index: int, noun: int) -> int:
        tags, deps, heads = draft.tags, draft.deps, draft.heads
        after = range(noun + 1, len(heads))
        verb = next((i for i in after if tags[i] not in _BETWEEN or deps[i] == "advcl"), -1)
        if verb < 0 or deps[verb] != "advcl" or heads[verb] != heads[index]:
            return -1
        return -1 if any(deps[child] in SUBJECTS for child in heads.children[verb]) else verb

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Read the noun as the clause's subject."""
        index, noun, verb = site
        if not (draft.move(noun, verb) and draft.move(index, verb)):
            return ""
        draft.deps[noun], draft.deps[index] = "nsubj", "mark"
        return f"{draft.words[index]} read as a subordinator"


class Consequence(Repair[int]):
    """*then* after a conditional begins its consequence.

    >>> from natlog.parsing.examples import show
    >>> show(Consequence, "If it rains then the cat sleeps.")
    then/RB advmod of rains → then/RB advmod of sleeps
    """

    def find(self, draft: Draft) -> Iterator[int]:
        """A *then* that was hung on the conditional before it."""
        for index, word in enumerate(draft.words):
            if word == "then" and draft.deps[index] == "advmod":
                clause = draft.heads[index]
                if clause < index and draft.deps[clause] == "advcl" and draft.heads[clause] > index:
                    yield index

    def change(self, draft: Draft, site: int) -> str:
        """Hang it on the main verb."""
        draft.move(site, draft.heads[draft.heads[site]])
        return ""


class Preposed(Repair[tuple[int, int, int]]):
    """What stands between a first *if* and its comma belongs to that clause, wherever it was hung.

    >>> from natlog.parsing.examples import show
    >>> show(Preposed, "If it is sunny tomorrow, we will go on a picnic.")
    tomorrow/NN npadvmod of go → tomorrow/NN npadvmod of is
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, int, int]]:
        """The opener, verb and comma of a clause with its verb before the comma and the main verb after."""
        words = [word.lower() for word in draft.words[:2]]
        first = 1 if words[:1] and words[0] in _BEFORE_OPENER else 0
        if first >= len(words) or words[first] not in _OPENERS:
            return
        verb = draft.heads[first]
        if not first < verb or draft.deps[verb] != "advcl":
            return
        comma = next((index for index in range(verb + 1, len(draft.words)) if draft.words[index] == ","), -1)
        if comma >= 0 and draft.heads[verb] >= comma:
            yield first, verb, comma

    def change(self, draft: Draft, site: tuple[int, int, int]) -> str:
        """Hang it there; a noun that was taken for the main clause's subject becomes the clause's object."""
        first, verb, comma = site
        moved = []
        for index in range(verb + 1, comma):
            if draft.heads[index] > comma and draft.move(index, verb):
                moved.append(draft.words[index])
                if draft.deps[index] in SUBJECTS:
                    draft.deps[index] = "dobj"
        if draft.heads.dominates(verb, comma):
            draft.move(comma, draft.heads[verb])
        return f"{' '.join(moved)} kept in the clause of {draft.words[first]}" if moved else ""
