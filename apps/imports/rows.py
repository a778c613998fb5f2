"""What a file of pairs holds: pairs, bad rows, and problems that it leaves without a hypothesis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.corpora.sources import FileProblem

# Whatever a file says of a pair beyond the columns that Polarlab has is kept under these limits.
LONGEST_GENRE = 200
LONGEST_SOURCE = 500
LONGEST_TAG = 60
MOST_PREMISES = 50
MOST_ANSWERS = 1000


class NeedsColumns(FileProblem):
    """A table without columns that say what they are."""

    def __init__(self, names: list[str]) -> None:
        found = ", ".join(f"“{name[:60]}”" for name in names[:30]) or "–"
        super().__init__(
            _("its columns are not known: which holds the premise, which the hypothesis? Found: %(found)s")
            % {"found": found}
        )
        self.names = names


class CellError(ValueError):
    """A cell that can't be read: the column's name and why."""

    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column
        self.message = message


class LabelError(CellError):
    """A label in no known spelling, ``found`` as the file has it: somebody can say what it stands for."""

    def __init__(self, column: str, message: str, found: str) -> None:
        super().__init__(column, message)
        self.found = found


@dataclass(frozen=True)
class UnknownLabel(RowError):
    """A bad row whose only fault is such a label."""

    found: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One person's judgement: a label, and its point on the scale of 1 to 5 where there is one."""

    label: str
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class Damage:
    """A cell of a column that no pair needs and nobody can read any more; the pair comes in without it."""

    column: str
    found: str
    why: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """One inference problem of a file.

    ``number`` counts records from 1, ``line`` is where it begins. ``label`` is entailment, neutral,
    non-entailment, contradiction, or "" where the file has none. ``source`` is the publication or
    collection that the file names for this pair; ``facts`` is what else it says (identifier, part, scores).
    ``origin`` is one of :class:`Pair.Origin` where a release says it; "" is an import like any other.
    """

    number: int
    line: int
    premises: tuple[str, ...]
    hypothesis: str
    label: str = ""
    direction: str = ""
    genre: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""
    answers: tuple[Answer, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    damage: tuple[Damage, ...] = ()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A problem that is no pair by the file's own design, and why."""

    number: int
    line: int
    reason: str
