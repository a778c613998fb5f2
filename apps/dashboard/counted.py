"""What the dashboard counts over many rows, kept (:mod:`apps.tallies`): its pages read nothing else.

Each reader gives what it found beside whether it is there yet; ``wait`` is for files and the API.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext_noop

from apps.campaigns.models import Campaign, Item
from apps.comparison.agreement import Agreements
from apps.comparison.judges import Judges
from apps.dashboard import agreement, artifacts, breakdown, composition, entailed, selectors, soft
from apps.dashboard.kept import (
    EVERYTHING,
    PAIRS,
    PEOPLE,
    Counted,
    dataset_of,
    judges_asked,
    kept,
    runs_asked,
)
from apps.datasets import sureness
from apps.datasets.models import Dataset, Pair, Profile, Tag
from apps.inference.models import Run
from apps.studies.access import within
from apps.studies.models import Participant, Study
from apps.tallies.counting import register
from apps.tallies.selectors import Found, read
from apps.tallies.shapes import as_json, of_json

# ---- People, calculus and models -----------------------------------------------------------------


def _comparison(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = dataset_of(study, arguments)
    judges, runs = judges_asked(dataset, arguments), runs_asked(arguments["runs"])
    found = selectors.comparison(dataset, judges, runs, arguments["only"])
    sure = sureness.sureness(selectors.comparable(dataset, {**arguments["only"], "sure_from": None}))
    return [as_json(found.counts), as_json(found.agreement), as_json(sure)]


def comparison(
    dataset: Dataset, judges: Judges, runs: Sequence[Run], only: dict[str, Any], *, wait: bool = False
) -> Counted[tuple[selectors.Comparison, sureness.Sureness]]:
    """All that the tables need, and how sure the calculus is."""
    asked = {"campaigns": judges, "runs": runs, "only": only}

    def made(value: Any) -> tuple[selectors.Comparison, sureness.Sureness]:
        rows, agreed, sure = value
        *_rest, last = fields(selectors.Combination)
        assert last.name == "predictions"
        combination: Any = selectors.Combination
        counts = Counter({combination(*said[:-1], tuple(said[-1])): n for said, n in rows})
        found = selectors.Comparison(dataset, judges, runs, counts, of_json(Agreements, agreed), only)
        return found, of_json(sureness.Sureness, sure)

    return kept(dataset, "dashboard.comparison", made, wait=wait, **asked)


# ---- Agreement -----------------------------------------------------------------------------------


def _report(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = dataset_of(study, arguments)
    return as_json(agreement.report(dataset, judges_asked(dataset, arguments)))


def report(dataset: Dataset, judges: Judges, *, wait: bool = False) -> Counted[agreement.Report]:
    """How far annotators agree."""
    made = partial(of_json, agreement.Report)
    return kept(dataset, "dashboard.agreement", made, wait=wait, campaigns=judges)


# ---- Composition ---------------------------------------------------------------------------------


def _composition(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = dataset_of(study, arguments)
    asked = {"labels": arguments["labels"], "twins": arguments["twins"]}
    return as_json(composition.composition(dataset, judges_asked(dataset, arguments), **asked))


def composed(
    dataset: Dataset, judges: Judges, *, labels: str, twins: bool, wait: bool = False
) -> Counted[composition.Composition]:
    """What a dataset is made of."""
    asked = {"campaigns": judges, "labels": labels, "twins": twins}
    made = partial(of_json, composition.Composition)
    return kept(dataset, "dashboard.composition", made, wait=wait, **asked)


# ---- Broken down -----------------------------------------------------------------------------------


def _breakdown(study: Study, arguments: dict[str, Any]) -> Any:
    dataset, runs = dataset_of(study, arguments), runs_asked(arguments["runs"])
    one, two = runs_asked(arguments["two"]) if arguments["two"] else (None, None)
    found = breakdown.breakdown(
        dataset,
        arguments["by"],
        arguments["reference"],
        judges_asked(dataset, arguments),
        runs,
        (one, two) if one and two else None,
    )
    return as_json(found)


def broken_down(
    dataset: Dataset,
    by: str,
    reference: str,
    judges: Judges,
    runs: Sequence[Run],
    two: tuple[Run, Run] | None,
    *,
    wait: bool = False,
) -> Counted[breakdown.Breakdown]:
    """Who is how often right, by what tells pairs apart."""
    asked: dict[str, Any] = {"campaigns": judges, "runs": runs}
    asked |= {"by": by, "reference": reference, "two": list(two or ())}
    made = partial(of_json, breakdown.Breakdown)
    return kept(dataset, "dashboard.breakdown", made, wait=wait, **asked)


def _entailed(study: Study, arguments: dict[str, Any]) -> Any:
    dataset, runs = dataset_of(study, arguments), runs_asked(arguments["runs"])
    return as_json(entailed.entailed(dataset, arguments["fact"], judges_asked(dataset, arguments), runs))


def entailed_by(
    dataset: Dataset, fact: str, judges: Judges, runs: Sequence[Run], *, wait: bool = False
) -> Counted[breakdown.Breakdown]:
    """How often each judge says entailment, by the value of a fact."""
    asked = {"campaigns": judges, "runs": runs, "fact": fact}
    made = partial(of_json, breakdown.Breakdown)
    return kept(dataset, "dashboard.entailed", made, wait=wait, **asked)


# ---- Soft labels ---------------------------------------------------------------------------------


def _soft(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = dataset_of(study, arguments)
    judges = judges_asked(dataset, arguments)
    return as_json(soft.foresight(dataset, judges, runs_asked(arguments["runs"])))


def foresight(
    dataset: Dataset, judges: Judges, runs: Sequence[Run], *, wait: bool = False
) -> Counted[list[soft.Foresight]]:
    """How near models are to people's soft labels."""
    asked = {"campaigns": judges, "runs": runs}
    made = partial(of_json, list[soft.Foresight])
    return kept(dataset, "dashboard.soft", made, wait=wait, **asked)


# ---- Artifacts -----------------------------------------------------------------------------------


def _artifacts(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = dataset_of(study, arguments)
    judges, runs = judges_asked(dataset, arguments), runs_asked(arguments["runs"])
    return as_json(artifacts.artifacts(dataset, arguments["reference"], judges, runs))


def given_away(
    dataset: Dataset, reference: str, judges: Judges, runs: Sequence[Run], *, wait: bool = False
) -> Counted[artifacts.Artifacts]:
    """What gives labels away to whoever reads the hypothesis alone."""
    asked = {"campaigns": judges, "runs": runs, "reference": reference}
    made = partial(of_json, artifacts.Artifacts)
    return kept(dataset, "dashboard.artifacts", made, wait=wait, **asked)


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
    campaigns = arguments.get("rows") or list(within(Campaign, study).filter(pk__in=arguments["campaigns"]))
    rows = selectors.campaign_progress(campaigns)
    return [[row.campaign.pk, *as_json(replace(row, campaign=None))[1:]] for row in rows]  # type: ignore[arg-type]


def progress(study: Study, campaigns: Sequence[Campaign]) -> Counted[list[selectors.Progress]]:
    """How far some campaigns are."""
    if not campaigns:
        return Counted([], Found([], None))
    numbers = sorted(campaign.pk for campaign in campaigns)
    found = read(study, "dashboard.progress", at_hand={"rows": list(campaigns)}, campaigns=numbers)
    if not found.is_there:
        return Counted(None, found)
    counts_of = {pk: rest for pk, *rest in found.value}
    row: Any = selectors.Progress
    rows = []
    for campaign in campaigns:
        *counts, last = counts_of[campaign.pk]
        at = datetime.fromisoformat(last) if last else None
        rows.append(row(campaign, *counts, at))
    return Counted(rows, found)


def offer() -> None:
    """Register all of them."""
    compared = gettext_noop("Comparing people, calculus and models")
    register("dashboard.comparison", compared, _comparison, EVERYTHING)
    by = (*PAIRS, *PEOPLE, Participant, Tag, Profile)
    register("dashboard.agreement", gettext_noop("Counting how far annotators agree"), _report, by)
    register("dashboard.composition", gettext_noop("Counting pairs"), _composition, (*PAIRS, *PEOPLE))
    register("dashboard.breakdown", compared, _breakdown, (*EVERYTHING, Tag))
    register("dashboard.entailed", compared, _entailed, EVERYTHING)
    beside = gettext_noop("Holding models against people's soft labels")
    register("dashboard.soft", beside, _soft, EVERYTHING)
    register(
        "dashboard.artifacts", gettext_noop("Looking for words that give labels away"), _artifacts, EVERYTHING
    )
    register("dashboard.sizes", gettext_noop("Counting pairs"), _sizes, (Dataset, Pair))
    register("dashboard.progress", gettext_noop("Counting answers"), _progress, (*PEOPLE, Item))
