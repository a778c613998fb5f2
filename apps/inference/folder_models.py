"""Registering models that lie in a folder on this server: Hugging Face's, and ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.inference.folders import (
    FolderError,
    ModelFolder,
    folder_fingerprint,
    folder_open,
    missing_libraries,
)
from apps.inference.models import Model
from apps.inference.registration import MAKERS, model_store, name_checked, refuse_taken
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.studies.models import Study

FOLDER_KIND = "inference.folder"
MAKERS.add(FOLDER_KIND)


def folder_register_start(
    *,
    study: Study,
    actor: User | None,
    name: str,
    folder: str,
    labels: Sequence[str] = (),
    confirmed: bool = False,
    kind: str = Model.Kind.TRANSFORMERS,
) -> Job:
    """Register a folder in the background, since its weights (gigabytes) are read for their fingerprint, and
    loaded for the smoke test. What its small files say is checked here, with the errors of
    :func:`folder_register`."""
    name = name_checked(name)
    opened = folder_checked(folder, labels, kind)
    refuse_taken(study, name, but={"folder": folder, "labels": list(opened.labels)})
    return job_start(
        study=study,
        kind=FOLDER_KIND,
        title=wording(gettext_noop("Registering %(name)s"), name=name[:150]),
        actor=actor,
        name=name,
        folder=folder,
        labels=list(labels),
        confirmed=confirmed,
        model_kind=str(kind),
    )


def folder_register(
    *,
    study: Study,
    actor: User | None,
    name: str,
    folder: str,
    labels: Sequence[str] = (),
    fingerprint: str = "",
    smoke_test: dict[str, Any] | None = None,
    confirmed: bool = False,
    kind: str = Model.Kind.TRANSFORMERS,
) -> Model:
    """A folder below MODELS_DIR. ``confirmed``: whoever registers it has seen which output is which label.
    Reads the weights, for their fingerprint, unless that is given: web pages use
    :func:`folder_register_start`."""
    opened = folder_checked(folder, labels, kind)
    return model_store(
        study=study,
        actor=actor,
        name=name,
        kind=kind,
        config={"folder": folder, "labels": list(opened.labels)},
        fingerprint=fingerprint or folder_fingerprint(opened.path),
        smoke_test=smoke_test,
        confirmed=confirmed,
    )


def folder_checked(folder: str, labels: Sequence[str], kind: str) -> ModelFolder:
    """The folder, as far as its small files tell; ValidationError under ``folder`` where it is no use."""
    is_onnx = kind == Model.Kind.ONNX
    missing = [] if is_onnx else missing_libraries()
    if missing:
        raise ValidationError(
            {
                "folder": _(
                    "This server cannot run Hugging Face models: %(names)s not installed "
                    "(whoever hosts it can run “make neural”)."
                )
                % {"names": ", ".join(missing)}
            }
        )
    try:
        return folder_open(folder, labels, onnx=is_onnx)
    except FolderError as error:
        raise ValidationError({"folder": str(error)}) from error


@transaction.atomic
def labels_confirm(*, model: Model, actor: User | None) -> Model:
    """A researcher has looked at which output is which label, and it is so. Once is enough."""
    if not model.config.get("labels"):
        raise ValidationError(_("This model has no outputs that could be mixed up."))
    if Model.objects.filter(pk=model.pk, labels_confirmed=False).update(labels_confirmed=True):
        audit.record("model.confirmed", study=model.study, actor=actor, subject=model)
    model.labels_confirmed = True
    return model
