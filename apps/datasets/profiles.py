"""Filling the profiles by which pairs are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from apps.datasets.models import Profile
from apps.datasets.words import spaced, words_of_pair
from apps.frame.rows import insert_many

if TYPE_CHECKING:
    from natlog.criteria import Criteria
    from natlog.profile import Profile as Found


_COLUMNS = ["operators", "verbs", "shared_operators", "argument_of", "depth", "made_by"]
_NAME = re.compile(r"[^\W_]+(-[^\W_]+)*")


def words_store(texts: Iterable[tuple[int, Sequence[str], str]]) -> None:
    """Make pairs (number, premises, hypothesis) findable by their words; whoever makes pairs calls this,
    in the same transaction. A pair that has a profile keeps it."""
    found = ((pk, words_of_pair(premises, hypothesis)) for pk, premises, hypothesis in texts)
    insert_many(Profile(), ("pair", "words"), found)


def profiles_store(*, found: Mapping[int, tuple[Found, Criteria]], made_by: str) -> None:
    """What the calculus found in pairs, by number; earlier findings are replaced. Idempotent."""
    rows = list(Profile.objects.filter(pair__in=list(found)))
    for row in rows:
        one, met = found[row.pair_id]
        row.operators, row.verbs = _named(one.operators), _named(one.verbs)
        row.shared_operators, row.argument_of = _named(met.shared), _named(met.over)
        row.depth, row.made_by = one.depth, made_by[:80]
    Profile.objects.bulk_update(rows, _COLUMNS, batch_size=500)


def _named(names: Iterable[str]) -> str:
    """Names as they are stored. What the parser took for a verb may be a smiley; nobody looks for that."""
    return spaced([name for name in names if _NAME.fullmatch(name)])
