"""What becomes of an experiment that is over: another name, the archive, or deleted with its trainings."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.experiments.elsewhere import models_brought
from apps.experiments.models import Experiment
from apps.experiments.services import experiment_cancel, going_on
from apps.inference.training_models import Training, TrainingSet
from apps.inference.training_sets import name_checked
from apps.studies import audit
from apps.studies.retention import Keepable


@transaction.atomic
def experiment_rename(experiment: Experiment, actor: User, name: str) -> None:
    """Its trainings keep the name that they were started with."""
    held = Experiment.objects.select_for_update(no_key=True).get(pk=experiment.pk)
    name = name_checked(name, 150)
    if name == held.name:
        return
    if Experiment.objects.filter(study=held.study_id, name=name).exists():
        raise ValidationError({"name": _("This study has another experiment of that name.")})
    held.name = name
    held.save(update_fields=["name"])
    audit.record("experiment.renamed", study=held.study, actor=actor, subject=held, name=name)


def busy(experiment: Experiment) -> list[str]:
    """What still runs is not put out of sight."""
    return [_("It still runs. Wait for it, or cancel it.")] if jobs(experiment) else []


def jobs(experiment: Experiment) -> Collection[int]:
    return list(going_on([experiment.pk]).values_list("pk", flat=True))


def before_deleting(experiment: Experiment) -> tuple[list[str], list[str]]:
    """Its trainings and their runs go with it, what still runs is cancelled; models that it kept stay."""
    trainings = _trainings(experiment).count()
    goes = ngettext("%(n)d training, with its runs", "%(n)d trainings, with their runs", trainings)
    told = [goes % {"n": trainings}] if trainings else []
    if brought := len(models_brought(experiment)):
        text = ngettext(
            "the answers of %(n)d model from elsewhere", "the answers of %(n)d models from elsewhere", brought
        )
        told.append(text % {"n": brought})
    if count := len(jobs(experiment)):
        text = ngettext("%(n)d job, which is cancelled", "%(n)d jobs, which are cancelled", count)
        told.append(text % {"n": count})
    return [], told


def stop(experiment: Experiment, actor: User) -> None:
    """Cancel what goes on, and forget the checkpoints. A worker that is still in a chunk finds, once its
    job's row is free again, that it is cancelled."""
    experiment_cancel(experiment=experiment, actor=actor)
    numbers = list(_trainings(experiment).values_list("pk", flat=True))

    def forget() -> None:
        for number in numbers:
            shutil.rmtree(Path(settings.VAR_DIR) / "trainings" / str(number), ignore_errors=True)

    transaction.on_commit(forget)


def _trainings(experiment: Experiment) -> Any:
    return Training.objects.filter(training_set__splits__experiment=experiment)


def _sets(experiment: Experiment) -> list[Any]:
    return list(TrainingSet.objects.filter(splits__experiment=experiment).defer("rows"))


EXPERIMENT = Keepable(
    kind="experiment",
    model=Experiment,
    rename=experiment_rename,
    address=lambda experiment: reverse("experiments:experiment", args=[experiment.study.slug, experiment.pk]),
    among=lambda study: reverse("experiments:list", args=[study.slug]),
    along=_sets,
    jobs=jobs,
    stop=stop,
)
