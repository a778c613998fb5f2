"""How the dashboard's pages come to what is kept of a dataset (:mod:`apps.tallies`): its numbers
(:mod:`apps.dashboard.counted`), its lists of pairs (:mod:`apps.dashboard.listed`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model

from apps.campaigns.models import Campaign, Judgement
from apps.comparison.judges import Judges, judges_of
from apps.dashboard.sides import Side
from apps.datasets.models import CalculusLabel, Correction, Dataset, GoldLabel, Pair
from apps.inference.models import Prediction, Run
from apps.studies.models import Study
from apps.tallies.counting import row_asked
from apps.tallies.selectors import Found, read

T = TypeVar("T")

# The tables that a counting reads.
PAIRS = (Dataset, Pair, CalculusLabel, GoldLabel, Correction)
PEOPLE = (Campaign, Judgement)
MODELS = (Run, Prediction)
EVERYTHING = (*PAIRS, *PEOPLE, *MODELS)


@dataclass(frozen=True)
class Counted(Generic[T]):
    """``value`` is None until it is ``found``."""

    value: T | None
    found: Found

    @property
    def there(self) -> T:
        """Of who waited for it."""
        assert self.value is not None
        return self.value


# An argument of a counting is a number, or what the page has read by it.


def dataset_of(study: Study, arguments: dict[str, Any]) -> Dataset:
    dataset: Dataset = row_asked(Dataset, study, arguments["dataset"], "study")
    return dataset


def judges_asked(dataset: Dataset, arguments: dict[str, Any]) -> Judges:
    asked = arguments["campaigns"]
    return (asked if isinstance(asked, Judges) else judges_of(dataset).narrowed(asked)).looked_up()


def runs_asked(asked: Sequence[int | Run]) -> list[Run]:
    """In the order that was asked for; those that were deleted meanwhile are left out."""
    numbers = [one for one in asked if not isinstance(one, Run)]
    runs = Run.objects.select_related("model").in_bulk(numbers) if numbers else {}
    found = [runs.get(one) if not isinstance(one, Run) else one for one in asked]
    return [run for run in found if run is not None]


def kept(dataset: Dataset, name: str, made: Callable[[Any], T], *, wait: bool, **asked: Any) -> Counted[T]:
    """What the counting ``name`` came to, ``made`` of its JSON; ``wait`` is for files and the API. Rows,
    judges and sides are arguments by their numbers and keys."""
    at_hand = {"dataset": dataset, **asked}
    said = {name: _said(value) for name, value in at_hand.items()}
    found = read(dataset.study, name, wait=wait, at_hand=at_hand, **said)
    return Counted(made(found.value) if found.is_there else None, found)


def _said(value: Any) -> Any:
    if isinstance(value, Judges):
        return value.numbers
    if isinstance(value, Side):
        return value.key
    if isinstance(value, Model):
        return value.pk
    return [_said(one) for one in value] if isinstance(value, list | tuple) else value
