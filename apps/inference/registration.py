"""How a model of any kind gets into the registry: under a name of its own, and nothing is overwritten."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.frame.texts import line_checked
from apps.inference.models import Model
from apps.jobs.models import Job
from apps.studies import audit
from apps.studies.models import Study

#: The kinds of jobs that register a model under the ``name`` among their parameters.
MAKERS: set[str] = set()


def model_store(
    *,
    study: Study,
    actor: User | None,
    name: str,
    kind: str,
    config: dict[str, Any],
    fingerprint: str = "",
    smoke_test: dict[str, Any] | None = None,
    confirmed: bool = False,
) -> Model:
    """Store a model. The same name with the same content again is the model that is there; ``smoke_test`` and
    whether its labels were ``confirmed`` are those of the first time."""
    name = name_checked(name)
    there = Model.objects.filter(study=study, name=name).first()
    if there is None:
        try:
            with transaction.atomic():
                model = Model.objects.create(
                    study=study,
                    name=name,
                    kind=kind,
                    config=config,
                    fingerprint=fingerprint,
                    smoke_test=smoke_test or {},
                    labels_confirmed=confirmed,
                    created_by=actor,
                )
                audit.record("model.registered", study=study, actor=actor, subject=model, kind=kind)
                return model
        except IntegrityError:  # registered by another request in the meantime
            there = Model.objects.get(study=study, name=name)
    if (there.kind, there.config, there.fingerprint) != (kind, config, fingerprint):
        raise ValidationError({"name": _("This study has another model of that name.")})
    return there


def refuse_taken(study: Study, name: str, but: dict[str, Any] | None = None) -> None:
    """ValidationError where a model has the name already (but one of just this configuration), or a job is
    about to give it: the form can say so, a job only later."""
    taken = Model.objects.filter(study=study, name=name)
    if taken.exclude(config=but).exists() if but else taken.exists():
        raise ValidationError({"name": _("This study has another model of that name.")})
    waiting = Job.objects.filter(
        study=study,
        kind__in=MAKERS,
        state__in=(Job.State.QUEUED, Job.State.RUNNING),
        params__name=name,
    )
    if waiting.exists():
        raise ValidationError({"name": _("A model of that name is being made already.")})


def name_checked(name: str) -> str:
    name = name.strip()
    if not name or len(name) > 200:
        raise ValidationError({"name": _("Give the model a name of at most 200 characters.")})
    return line_checked(name, "name")
