"""What the dashboard counts over many rows, kept (:mod:`apps.tallies`): its pages read nothing else.

Each reader gives what it found beside whether it is there yet; ``wait`` is for files and the API.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Count
from django.utils.translation import gettext_noop

from apps.campaigns.models import Campaign, Item, Judgement
from apps.comparison.agreement import Agreements
from apps.comparison.judges import Judges, judges_of
from apps.dashboard import agreement, composition, hard_pairs, selectors
from apps.datasets import sureness
from apps.datasets.models import CalculusLabel, Correction, Dataset, GoldLabel, Pair, Profile, Tag
from apps.inference.models import Prediction, Run
from apps.studies.access import within
from apps.studies.models import Participant, Study
from apps.tallies.counting import register
from apps.tallies.selectors import Found, read
from apps.tallies.shapes import as_json, of_json

T = TypeVar("T")

_PAIRS = (Dataset, Pair, CalculusLabel, GoldLabel, Correction)
_PEOPLE = (Campaign, Judgement)
_MODELS = (Run, Prediction)


@dataclass(frozen=True)
class Counted(Generic[T]):
    """``value`` is None until it is ``found``."""

    value: T | None
    found: Found


def _dataset(study: Study, pk: int) -> Dataset:
    return within(Dataset, study).select_related("study").get(pk=pk)


def _judges(dataset: Dataset, arguments: dict[str, Any]) -> Judges:
    return judges_of(dataset).narrowed(arguments["campaigns"])


def _runs(arguments: dict[str, Any]) -> list[Run]:
    """In the order that was asked for."""
    runs = Run.objects.select_related("model").in_bulk(arguments["runs"])
    return [runs[pk] for pk in arguments["runs"]]


def _read(dataset: Dataset, name: str, *, wait: bool, **arguments: Any) -> Found:
    return read(dataset.study, name, wait=wait, dataset=dataset.pk, **arguments)


# ---- People, calculus and models -----------------------------------------------------------------


def _comparison(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = _dataset(study, arguments["dataset"])
    judges, runs = _judges(dataset, arguments), _runs(arguments)
    found = selectors.comparison(dataset, judges, runs, arguments["only"])
    sure = sureness.sureness(selectors.comparable(dataset, {**arguments["only"], "sure_from": None}))
    return [as_json(found.counts), as_json(found.agreement), as_json(sure)]


def comparison(
    dataset: Dataset, judges: Judges, runs: Sequence[Run], only: dict[str, Any], *, wait: bool = False
) -> Counted[tuple[selectors.Comparison, sureness.Sureness]]:
    """All that the tables need, and how sure the calculus is."""
    asked = {"campaigns": judges.numbers, "runs": [run.pk for run in runs], "only": only}
    found = _read(dataset, "dashboard.comparison", wait=wait, **asked)
    if not found.is_there:
        return Counted(None, found)
    rows, agreed, sure = found.value
    *_rest, last = fields(selectors.Combination)
    assert last.name == "predictions"
    combination: Any = selectors.Combination
    counts = Counter({combination(*said[:-1], tuple(said[-1])): n for said, n in rows})
    kept = selectors.Comparison(dataset, judges, runs, counts, of_json(Agreements, agreed), only)
    return Counted((kept, of_json(sureness.Sureness, sure)), found)


# ---- Agreement -----------------------------------------------------------------------------------


def _report(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = _dataset(study, arguments["dataset"])
    return as_json(agreement.report(dataset, _judges(dataset, arguments)))


def report(dataset: Dataset, judges: Judges, *, wait: bool = False) -> Counted[agreement.Report]:
    """How far annotators agree."""
    found = _read(dataset, "dashboard.agreement", wait=wait, campaigns=judges.numbers)
    return Counted(of_json(agreement.Report, found.value) if found.is_there else None, found)


# ---- Composition ---------------------------------------------------------------------------------


def _composition(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = _dataset(study, arguments["dataset"])
    asked = {"labels": arguments["labels"], "twins": arguments["twins"]}
    return as_json(composition.composition(dataset, _judges(dataset, arguments), **asked))


def composed(
    dataset: Dataset, judges: Judges, *, labels: str, twins: bool, wait: bool = False
) -> Counted[composition.Composition]:
    """What a dataset is made of."""
    asked = {"campaigns": judges.numbers, "labels": labels, "twins": twins}
    found = _read(dataset, "dashboard.composition", wait=wait, **asked)
    return Counted(of_json(composition.Composition, found.value) if found.is_there else None, found)


# ---- Hard pairs ----------------------------------------------------------------------------------

_HARD = ("reference", "wrong", "direction", "label", "order")


def _hard(study: Study, arguments: dict[str, Any]) -> Any:
    asked = {name: arguments[name] for name in _HARD}
    dataset = _dataset(study, arguments["dataset"])
    return hard_pairs.hard_numbers(hard_pairs.Hard(dataset=dataset, runs=_runs(arguments), **asked))


def hard_numbers(asked: hard_pairs.Hard, *, wait: bool = False) -> Counted[list[int]]:
    """The numbers of the pairs that models get wrong."""
    said = {name: getattr(asked, name) for name in _HARD} | {"runs": [run.pk for run in asked.runs]}
    found = _read(asked.dataset, "dashboard.hard", wait=wait, **said)
    return Counted(found.value if found.is_there else None, found)


# ---- Datasets ------------------------------------------------------------------------------------


def _sizes(study: Study, arguments: dict[str, Any]) -> Any:
    return list(within(Pair, study).order_by().values_list("dataset").annotate(Count("pk")))


def largest(study: Study, datasets: Sequence[Dataset]) -> Dataset | None:
    """The one with most pairs; nothing is counted where there is no choice."""
    if len(datasets) < 2:
        return next(iter(datasets), None)
    sizes = dict(read(study, "dashboard.sizes", wait=True).value)
    return max(datasets, key=lambda dataset: sizes.get(dataset.pk, 0))


# ---- Campaigns -----------------------------------------------------------------------------------


def _progress(study: Study, arguments: dict[str, Any]) -> Any:
    campaigns = within(Campaign, study).filter(pk__in=arguments["campaigns"])
    rows = selectors.campaign_progress(list(campaigns))
    return [[row.campaign.pk, *as_json(replace(row, campaign=None))[1:]] for row in rows]  # type: ignore[arg-type]


def progress(study: Study, campaigns: Sequence[Campaign]) -> Counted[list[selectors.Progress]]:
    """How far some campaigns are."""
    if not campaigns:
        return Counted([], Found([], None))
    found = read(study, "dashboard.progress", campaigns=sorted(campaign.pk for campaign in campaigns))
    if not found.is_there:
        return Counted(None, found)
    numbers = {pk: rest for pk, *rest in found.value}
    row: Any = selectors.Progress
    rows = []
    for campaign in campaigns:
        *counts, last = numbers[campaign.pk]
        at = datetime.fromisoformat(last) if last else None
        rows.append(row(campaign, *counts, at))
    return Counted(rows, found)


def offer() -> None:
    """Register all of them."""
    everything = (*_PAIRS, *_PEOPLE, *_MODELS)
    compared = gettext_noop("Comparing people, calculus and models")
    register("dashboard.comparison", compared, _comparison, everything)
    by = (*_PAIRS, *_PEOPLE, Participant, Tag, Profile)
    register("dashboard.agreement", gettext_noop("Counting how far annotators agree"), _report, by)
    register("dashboard.composition", gettext_noop("Counting pairs"), _composition, (*_PAIRS, *_PEOPLE))
    register("dashboard.hard", gettext_noop("Looking for hard pairs"), _hard, everything)
    register("dashboard.sizes", gettext_noop("Counting pairs"), _sizes, (Dataset, Pair))
    register("dashboard.progress", gettext_noop("Counting answers"), _progress, (*_PEOPLE, Item))
