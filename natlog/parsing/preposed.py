"""What stands between a first *if* and its comma belongs to that clause, wherever the parser hung it."""

from __future__ import annotations

from natlog.arcs import dominates
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft

_OPENERS = frozenset({"if", "unless", "when", "whenever"})
_BEFORE_OPENER = frozenset({"even", "only", "and", "but"})


def keep_preposed(draft: Draft) -> None:
    """Mend a preposed clause in place: "If you see a dog, call me" is parsed as a dog that calls.

    Only where the clause has its verb before the comma and the main verb stands after it. A noun that was
    taken for the main clause's subject becomes the clause's object.
    """
    words = [word.lower() for word in draft.words]
    first = 1 if words[:1] and words[0] in _BEFORE_OPENER else 0
    if first >= len(words) or words[first] not in _OPENERS:
        return
    verb = draft.heads[first]
    if not first < verb or draft.deps[verb] != "advcl":
        return
    comma = next((index for index in range(verb + 1, len(words)) if words[index] == ","), -1)
    if comma < 0 or draft.heads[verb] < comma:
        return
    moved = []
    for index in range(verb + 1, comma):
        if draft.heads[index] > comma and draft.move(index, verb):
            moved.append(draft.words[index])
            if draft.deps[index] in SUBJECTS:
                draft.deps[index] = "dobj"
    if dominates(draft.heads, verb, comma):
        draft.move(comma, draft.heads[verb])
    if moved:
        draft.repairs.append(f"{' '.join(moved)} kept in the clause of {draft.words[first]}")
