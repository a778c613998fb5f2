"""What a dataset offers to choose from: whose labels, which tags and facts, which labels of the calculus.
Kept, since to say that there is none of something takes looking at everything."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop

from apps.comparison.judges import is_simulated
from apps.dashboard import contrasts
from apps.dashboard.hard_pairs import references_stored, references_there
from apps.dashboard.kept import MODELS, PAIRS, Counted, dataset_of, kept, runs_asked
from apps.dashboard.sides import LabelsThere, labels_there
from apps.datasets.models import Dataset, Tag
from apps.datasets.tags import FLAGS
from apps.inference.models import Run
from apps.inference.selectors import latest_runs
from apps.studies.models import Participant, Study
from apps.tallies.counting import register
from apps.tallies.shapes import as_json, of_json
from apps.testbeds.selectors import factors


@dataclass(frozen=True)
class Choices:
    """``runs`` are the newest of each model, ``stored`` the references (but people) that have a label for at
    least one pair; ``tags`` are without flags; ``facts`` are what a file or a testbed says of pairs that they
    can be counted by, with the values that the first pairs have; programs may be among the study's
    annotators. None of it changes with an answer."""

    runs: list[int]
    stored: list[str]
    tags: list[str]
    facts: dict[str, list[str]]
    labels: LabelsThere
    has_programs: bool
    has_contrasts: bool


def choices(dataset: Dataset) -> Choices:
    """One query of a large dataset whose choices are known."""
    found: Counted[Choices] = kept(dataset, _NAME, partial(of_json, Choices), wait=True)
    return found.there


def latest(there: Choices) -> list[Run]:
    """Each model's newest run, by the models' names. One query."""
    return runs_asked(there.runs)


def references(dataset: Dataset, there: Choices) -> list[str]:
    """Whose labels others can be held against, the usual ones first. Two queries."""
    return references_there(dataset, there.stored)


def is_by_program(dataset: Dataset, there: Choices) -> bool:
    """Whether any of the dataset's judgements was made by a program. No query where the study has none."""
    return dataset.simulated or (there.has_programs and is_simulated(dataset))


def _counted(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = dataset_of(study, arguments)
    tags = Tag.objects.filter(pair__dataset=dataset).exclude(name__in=FLAGS).order_by()
    found = Choices(
        runs=[run.pk for run in latest_runs(dataset)],
        stored=references_stored(dataset),
        tags=sorted(tags.values_list("name", flat=True).distinct()),
        facts=factors(dataset),
        labels=labels_there(dataset),
        has_programs=Participant.objects.filter(study=study, simulated=True).exists(),
        has_contrasts=contrasts.has_contrasts(dataset),
    )
    return as_json(found)


_NAME = "dashboard.offered"


def offer() -> None:
    reads = (*PAIRS, *MODELS, Tag, Participant)
    register(_NAME, gettext_noop("Looking at what there is to choose from"), _counted, reads)
