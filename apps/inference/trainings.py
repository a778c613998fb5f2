"""Trainings' writes: starting one, what it came to epoch by epoch, and the model at its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import mean
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.inference.meanings import MEANINGS
from apps.inference.models import Model
from apps.inference.networks import networks
from apps.inference.training_models import (
    LearningCurve,
    Training,
    TrainingEpoch,
    TrainingRun,
    TrainingSet,
)
from apps.inference.training_sets import name_checked, sets_start, spec_checked
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.studies.models import Study

NETWORK_KIND = "inference.network"
WRITER_KIND = "inference.writer"
MOST_SEEDS = 20
MOST_POINTS = 60


#: Called with a training whose network has become a model, in the transaction that ends its job.
_listeners: list[Callable[[Training], None]] = []


def add_listener(listener: Callable[[Training], None]) -> None:
    """A room above is told of each training whose network has become a model."""
    if listener not in _listeners:
        _listeners.append(listener)


def options_checked(network: str, options: Mapping[str, Any], *, small: bool) -> dict[str, Any]:
    """A network's options in full; ValidationError under what makes no sense."""
    offer = networks().get(network)
    if offer is None:
        raise ValidationError({"network": _("There is no such network here.")})
    return offer.check(options, small)


@transaction.atomic
def training_start(
    *,
    training_set: TrainingSet,
    actor: User | None,
    name: str,
    network: str,
    options: Mapping[str, Any] | None = None,
    small: bool = False,
    seeds: int = 1,
    first_seed: int = 1,
    keeps: bool = True,
) -> Training:
    """Train a network on a set with ``seeds`` seeds from ``first_seed`` on, in the background. ``options``
    replace the network's own, or, where ``small``, those for two processor cores. With ``keeps`` the job
    saves the best run on validation and registers it as a model of the training's name."""
    study = training_set.study
    name = name_checked(name, 200)
    if isinstance(seeds, bool) or not 1 <= seeds <= MOST_SEEDS:
        raise ValidationError({"seeds": _("Choose a number from 1 to %(most)d.") % {"most": MOST_SEEDS}})
    checked = options_checked(network, options or {}, small=small)
    writes = networks()[network].writes
    if writes != (training_set.spec["labels"] == MEANINGS):
        text = _("Networks that write meanings learn from meanings, the others from labelled pairs.")
        raise ValidationError({"network": text})
    if Training.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has another training of that name.")})
    if keeps and Model.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has another model of that name.")})
    training = Training.objects.create(
        study=study,
        name=name,
        training_set=training_set,
        network=network,
        options=checked,
        seeds=seeds,
        first_seed=first_seed,
        keeps=keeps,
        created_by=actor,
    )
    training.job = job_start(
        study=study,
        kind=WRITER_KIND if writes else NETWORK_KIND,
        title=wording(gettext_noop("Training of %(name)s"), name=name[:150]),
        actor=actor,
        training=training.pk,
        name=name,
    )
    training.save(update_fields=["job"])
    audit.record(
        "training.started",
        study=study,
        actor=actor,
        subject=training,
        network=network,
        training_set=training_set.name,
    )
    return training


def runs_wanted(training: Training) -> int:
    """A run for each dropout to choose from with the first seed, then one for each other seed."""
    return max(1, len(_dropouts(training))) + training.seeds - 1


def _dropouts(training: Training) -> list[float]:
    """Those to choose from; networks that write have none."""
    found: list[float] = training.options.get("dropouts", [])
    return found


def run_plan(training: Training, run: int) -> tuple[int, float | None]:
    """The seed and the dropout (None: the network's own) of a run. One query where one is to be chosen."""
    dropouts = _dropouts(training)
    if run < max(1, len(dropouts)):
        return training.first_seed, dropouts[run] if dropouts else None
    best = best_run(list(training.runs.filter(run__lt=len(dropouts)))) if dropouts else None
    later = run - max(1, len(dropouts)) + 1
    return training.first_seed + later, best.dropout if best else None


def best_run(runs: list[TrainingRun]) -> TrainingRun | None:
    """The best on validation, the first of equals; without validation the first."""
    return max(runs, key=lambda run: (run.validation_accuracy or 0.0, -run.run), default=None)


def final_runs(training: Training, runs: list[TrainingRun]) -> list[TrainingRun]:
    """The runs that mean and deviation are of: one for each seed, those of the dropout that was chosen."""
    dropouts = _dropouts(training)
    if not dropouts:
        return runs
    best = best_run([run for run in runs if run.run < len(dropouts)])
    return [run for run in runs if run.run >= len(dropouts) or (best and run.pk == best.pk)]


def epoch_store(*, training: Training, run: int, **told: Any) -> None:
    """What an epoch came to; told again, it stays as it was told first."""
    number = told.pop("number")
    TrainingEpoch.objects.get_or_create(training=training, run=run, number=number, defaults=told)


def run_store(*, training: Training, run: int, **told: Any) -> None:
    """The end of a run; told again, it stays as it was told first."""
    TrainingRun.objects.get_or_create(training=training, run=run, defaults=told)


def training_finish(*, training: Training, labels: list[str], card: Mapping[str, Any]) -> dict[str, Any]:
    """After the last run: register the best one, where it was kept. What the job's page says."""
    runs = final_runs(training, list(training.runs.all()))
    best = best_run(runs)
    told: dict[str, Any] = {"runs": len(runs)}
    validation = [run.validation_accuracy for run in runs if run.validation_accuracy is not None]
    if validation:
        told["validation accuracy"] = round(mean(validation), 4)
    # A network that writes labels no pairs: it is tried on its training's page.
    if training.keeps and best is not None and not networks()[training.network].writes:
        training.model = model_register_network(
            study=training.study,
            actor=training.created_by,
            name=training.name,
            network=training.network,
            labels=labels,
            fingerprint=best.fingerprint,
            card=card,
        )
        training.save(update_fields=["model"])
        for listener in _listeners:
            listener(training)
        told |= {"fingerprint": best.fingerprint, "model": training.model.pk}
    return told


def model_register_network(
    *,
    study: Study,
    actor: User | None,
    name: str,
    network: str,
    labels: list[str],
    fingerprint: str,
    card: Mapping[str, Any],
) -> Model:
    """A trained network by the fingerprint of its folder. The same again is the model that is there."""
    name = name_checked(name, 200)
    there = Model.objects.filter(study=study, name=name).first()
    if there is not None:
        if (there.kind, there.fingerprint) != (Model.Kind.NETWORK, fingerprint):
            raise ValidationError({"name": _("This study has another model of that name.")})
        return there
    model = Model.objects.create(
        study=study,
        name=name,
        kind=Model.Kind.NETWORK,
        config={"network": network, "labels": labels, "card": dict(card)},
        fingerprint=fingerprint,
        created_by=actor,
    )
    audit.record("model.registered", study=study, actor=actor, subject=model, kind=model.kind)
    return model


# ---- Learning curves ------------------------------------------------------------------------


@transaction.atomic
def curve_start(
    *,
    study: Study,
    actor: User | None,
    name: str,
    spec: Mapping[str, Any],
    varied: str,
    sizes: list[int],
    directions: list[str],
    ratios: list[float],
    ratio_size: int | None,
    network: str,
    options: Mapping[str, Any] | None = None,
    small: bool = False,
    seeds: int = 3,
) -> LearningCurve:
    """MED's Figure 2 as one job: to what ``spec`` asks for (its sources may be none), rows of the source
    ``varied`` are added, ``sizes`` of each of ``directions`` alone, and ``ratio_size`` with each of
    ``ratios`` (the upward share). It makes the sets and starts their trainings, whose networks are tested
    and not kept."""
    name = name_checked(name, 150)
    if LearningCurve.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has another learning curve of that name.")})
    if set(directions) - {"upward", "downward"}:
        raise ValidationError({"directions": _("Choose upward, downward, or both.")})
    if ratios and not ratio_size:
        raise ValidationError({"ratio_size": _("Ratios need a size.")})
    points = [(size, float(way == "upward")) for way in directions for size in sizes]
    points += [(ratio_size, ratio) for ratio in ratios if ratio_size]
    points = list(dict.fromkeys(points))
    if not 0 < len(points) <= MOST_POINTS:
        raise ValidationError({"sizes": _("Choose from 1 to %(most)d points.") % {"most": MOST_POINTS}})
    if not spec.get("test"):
        raise ValidationError({"test": _("A learning curve needs something to be tested on.")})
    options_checked(network, options or {}, small=small)
    if isinstance(seeds, bool) or not 1 <= seeds <= MOST_SEEDS:
        raise ValidationError({"seeds": _("Choose a number from 1 to %(most)d.") % {"most": MOST_SEEDS}})
    sets = [
        (point_name(name, size, upward), _with_point(study, spec, varied, size, upward))
        for size, upward in points
    ]
    training = {"network": network, "options": dict(options or {}), "small": small, "seeds": seeds}
    curve = LearningCurve.objects.create(
        study=study,
        name=name,
        spec={"varied": varied, "sizes": sizes, "directions": directions, "ratios": ratios,
              "ratio_size": ratio_size, "set": dict(spec), **training},
        created_by=actor,
    )  # fmt: skip
    curve.job = sets_start(
        study=study,
        actor=actor,
        title=wording(gettext_noop("Training sets of %(name)s"), name=name),
        sets=sets,
        curve=curve.pk,
        training=training,
    )
    curve.save(update_fields=["job"])
    audit.record("curve.started", study=study, actor=actor, subject=curve, points=len(points), seeds=seeds)
    return curve


def point_name(name: str, size: int, upward: float) -> str:
    """A point of a curve in words: English, since names are stored once for all readers."""
    if upward in (0.0, 1.0):
        return f"{name}, {size} {'upward' if upward else 'downward'}"
    return f"{name}, {size}, {round(100 * upward, 1):g} % upward"


def _with_point(
    study: Study, spec: Mapping[str, Any], varied: str, size: int, upward: float
) -> dict[str, Any]:
    added = {"source": varied, "count": size, "upward": upward}
    return spec_checked(study, {**spec, "sources": [*spec.get("sources", []), added]})
