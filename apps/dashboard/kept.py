"""How the dashboard's pages come to what is kept of a dataset (:mod:`apps.tallies`): its numbers
(:mod:`apps.dashboard.counted`), its lists of pairs (:mod:`apps.dashboard.listed`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from apps.campaigns.models import Campaign, Judgement
from apps.comparison.judges import Judges, judges_of
from apps.datasets.models import CalculusLabel, Correction, Dataset, GoldLabel, Pair
from apps.inference.models import Prediction, Run
from apps.studies.access import within
from apps.studies.models import Study
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


def dataset_of(study: Study, arguments: dict[str, Any]) -> Dataset:
    return within(Dataset, study).select_related("study").get(pk=arguments["dataset"])


def judges_asked(dataset: Dataset, arguments: dict[str, Any]) -> Judges:
    return judges_of(dataset).narrowed(arguments["campaigns"]).looked_up()


def runs_asked(numbers: Sequence[int]) -> list[Run]:
    """In the order that was asked for; those that were deleted meanwhile are left out."""
    runs = Run.objects.select_related("model").in_bulk(numbers)
    return [runs[pk] for pk in numbers if pk in runs]


def kept(
    dataset: Dataset, name: str, made: Callable[[Any], T], *, wait: bool, **arguments: Any
) -> Counted[T]:
    """What the counting ``name`` came to, ``made`` of its JSON; ``wait`` is for files and the API."""
    found = read(dataset.study, name, wait=wait, dataset=dataset.pk, **arguments)
    return Counted(made(found.value) if found.is_there else None, found)
