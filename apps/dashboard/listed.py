"""The dashboard's lists of pairs, kept in their order (:mod:`apps.tallies`): a page of one reads its own rows
alone. As in :mod:`apps.dashboard.counted`, ``wait`` is for files and the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop

from apps.comparison.judges import Judges
from apps.dashboard import changes, contrasts, disagreements, hard_pairs
from apps.dashboard.kept import (
    EVERYTHING,
    MODELS,
    PAIRS,
    Counted,
    dataset_of,
    judges_asked,
    kept,
    runs_asked,
)
from apps.dashboard.sides import CAMPAIGN, Side, sides_of
from apps.datasets.models import Dataset, Tag
from apps.inference.models import Model, Run
from apps.studies.models import Study
from apps.tallies.counting import register
from apps.tallies.shapes import as_json, of_json

# ---- Hard pairs ----------------------------------------------------------------------------------

_HARD = ("reference", "wrong", "direction", "label", "order")


def _hard(study: Study, arguments: dict[str, Any]) -> Any:
    asked = {name: arguments[name] for name in _HARD}
    runs = runs_asked(arguments["runs"])
    return hard_pairs.hard_numbers(hard_pairs.Hard(dataset=dataset_of(study, arguments), runs=runs, **asked))


def hard_numbers(asked: hard_pairs.Hard, *, wait: bool = False) -> Counted[list[int]]:
    """The numbers of the pairs that models get wrong."""
    said = {name: getattr(asked, name) for name in _HARD} | {"runs": asked.runs}
    return kept(asked.dataset, "dashboard.hard", list, wait=wait, **said)


# ---- Disagreements -------------------------------------------------------------------------------


def _queue(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = dataset_of(study, arguments)
    judges, runs = judges_asked(dataset, arguments), runs_asked(arguments["runs"])
    return as_json(disagreements.queue(dataset, judges, runs, disagreements.Wanted(**arguments["wanted"])))


def queue(
    dataset: Dataset,
    judges: Judges,
    runs: Sequence[Run],
    wanted: disagreements.Wanted,
    *,
    wait: bool = False,
) -> Counted[disagreements.Queue]:
    """The pairs that people, calculus and models differ on. What is marked while one goes through it is left
    out (``wanted.open``) at once, by two queries more."""
    asked: dict[str, Any] = {"campaigns": judges, "runs": runs}
    asked["wanted"] = asdict(replace(wanted, open=False))
    name = "dashboard.queue-of-tag" if wanted.tag else "dashboard.queue"
    found = kept(dataset, name, partial(of_json, disagreements.Queue), wait=wait, **asked)
    if found.value is None or not wanted.open:
        return found
    return Counted(found.value.without(disagreements.closed(dataset)), found.found)


# ---- Two sides -----------------------------------------------------------------------------------


def _changes(study: Study, arguments: dict[str, Any]) -> Any:
    dataset = dataset_of(study, arguments)
    one, two = arguments["one"], arguments["two"]
    if not isinstance(one, Side):
        sides = {side.key: side for side in sides_of(dataset)}
        one, two = sides.get(one), sides.get(two)
    if one is None or two is None:  # it was deleted meanwhile
        return [False, 0, 0, [], [], []]
    found = changes.changes(dataset, one, two)
    return [
        found.is_two_way,
        found.only_one,
        found.only_two,
        as_json(found.counts),
        as_json(found.changed),
        as_json(found.intervals),
    ]


def changed(dataset: Dataset, one: Side, two: Side, *, wait: bool = False) -> Counted[changes.Changes]:
    """How two sides differ."""

    def made(value: Any) -> changes.Changes:
        is_two_way, only_one, only_two, counts, numbers, intervals = value
        return changes.Changes(
            one,
            two,
            is_two_way,
            only_one,
            only_two,
            of_json(Counter[changes.Line], counts),
            {tuple(line): these for line, these in numbers},
            {place: (low, high) for place, (low, high) in intervals},
        )

    of_people = any(side.key.startswith(f"{CAMPAIGN}:") for side in (one, two))
    name = "dashboard.sides-of-people" if of_people else "dashboard.sides"
    return kept(dataset, name, made, wait=wait, one=one, two=two)


# ---- Contrasts -----------------------------------------------------------------------------------


def _contrasts(study: Study, arguments: dict[str, Any]) -> Any:
    return contrasts.contrast_tallies(dataset_of(study, arguments), _models(arguments["models"]))


def contrast_counts(
    dataset: Dataset, models: Sequence[Model], contrast: str = "", *, wait: bool = False
) -> Counted[contrasts.Contrasts]:
    """What changes with the operator and what doesn't, of all contrasts or one."""

    def made(value: Any) -> contrasts.Contrasts:
        return contrasts.contrasts_of(value, models, contrast)

    return kept(dataset, "dashboard.contrasts", made, wait=wait, models=models)


def _contrasted(study: Study, arguments: dict[str, Any]) -> Any:
    chosen = contrasts.Chosen(**arguments["chosen"])
    return list(contrasts.contrast_numbers(dataset_of(study, arguments), chosen))


def contrast_numbers(dataset: Dataset, chosen: contrasts.Chosen, *, wait: bool = False) -> Counted[list[int]]:
    """The numbers of the chosen contrasts."""
    return kept(dataset, "dashboard.contrasted", list, wait=wait, chosen=asdict(chosen))


def _models(asked: Sequence[int | Model]) -> list[Model]:
    there = [one for one in asked if isinstance(one, Model)]
    if len(there) == len(asked):
        return there
    models = Model.objects.in_bulk(asked)
    return [models[pk] for pk in asked]


def offer() -> None:
    """Register all of them."""
    register("dashboard.hard", gettext_noop("Looking for hard pairs"), _hard, EVERYTHING)
    differ = gettext_noop("Looking for pairs on which people, calculus and models differ")
    register("dashboard.queue", differ, _queue, EVERYTHING)
    register("dashboard.queue-of-tag", differ, _queue, (*EVERYTHING, Tag))
    against = gettext_noop("Holding two sides against each other")
    register("dashboard.sides", against, _changes, (*PAIRS, *MODELS))
    register("dashboard.sides-of-people", against, _changes, EVERYTHING)
    before = gettext_noop("Counting contrasts")
    register("dashboard.contrasts", before, _contrasts, (*PAIRS, *MODELS))
    register("dashboard.contrasted", before, _contrasted, (*PAIRS, *MODELS))
