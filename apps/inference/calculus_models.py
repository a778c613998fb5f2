"""Registering the calculus as a model: natlog under one convention, with its options."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.datasets.labels import CONTRADICTION, ENTAILMENT, NON_ENTAILMENT
from apps.inference.models import Model
from apps.inference.registration import model_store
from apps.studies.models import Study
from natlog import VERSION
from natlog.lexicon.conventions import conventions

#: What becomes of a pair that no rule reads.
PENDING, AS_NON_ENTAILMENT = "pending", "non-entailment"
UNREAD = (PENDING, AS_NON_ENTAILMENT)
#: What is made of words whose relation no source knows (:class:`natlog.calculus.Labeller`).
UNKNOWN = ("independent", "specific")


def calculus_register(
    *,
    study: Study,
    actor: User | None,
    name: str,
    convention: str = "default",
    unread: str = PENDING,
    unknown: str = "",
    supplement: bool = True,
    existential_import: bool = True,
    coreference: bool = True,
) -> Model:
    """The calculus under ``convention`` as a model. ``unknown`` left open is what the convention takes."""
    chosen = unknown or ("specific" if convention == "med" else "independent")
    for field, value, known in (
        ("convention", convention, conventions()),
        ("unread", unread, UNREAD),
        ("unknown", chosen, UNKNOWN),
    ):
        if value not in known:
            message = _("“%(value)s” is none of %(known)s.")
            raise ValidationError({field: message % {"value": value, "known": ", ".join(known)}})
    config = {
        "convention": convention,
        "unread": unread,
        "unknown": chosen,
        "supplement": supplement,
        "existential_import": existential_import,
        "coreference": coreference,
        "labels": [ENTAILMENT, NON_ENTAILMENT, CONTRADICTION],
        "version": VERSION,
        "parser": settings.PARSER,
    }
    return model_store(
        study=study,
        actor=actor,
        name=name,
        kind=Model.Kind.CALCULUS,
        config=config,
        fingerprint=fingerprint_of(config),
    )


def fingerprint_of(config: Mapping[str, Any]) -> str:
    """SHA-256 of what makes the labels here and now: the configuration, natlog's version, the parser."""
    now = {**config, "version": VERSION, "parser": settings.PARSER}
    return hashlib.sha256(json.dumps(now, sort_keys=True).encode()).hexdigest()
