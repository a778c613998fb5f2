"""Kinds of models: how each is registered, on its page and through the API.

A new one is an entry here, its word in :class:`KindName` (with a migration), a runtime in workers/runtimes.
What it is told that no other is (a field of the API) stands in :class:`apps.inference.bodies.ModelBody`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.inference import services
from apps.inference.folders import missing_libraries
from apps.inference.forms import FolderForm, MajorityForm, OverlapForm, TrainingForm
from apps.inference.models import Model
from apps.jobs.models import Job


@dataclass(frozen=True)
class ModelKind:
    """``form`` takes what was sent and ``study``; ``register`` takes study, actor, name and the fields, and
    returns the model, or the job that makes it. ``fields`` are what the API takes beside the name, ``needs``
    those without which it is refused; where ``choose_one`` says so, it is exactly one of them. ``missing``
    names what this server lacks for the kind. ``title`` and ``what`` are its card on the page of models."""

    title: str | Promise
    what: str | Promise
    form: Callable[..., forms.Form]
    register: Callable[..., Model | Job]
    fields: frozenset[str]
    needs: frozenset[str] = frozenset()
    choose_one: str | Promise = ""
    missing: Callable[[], list[str]] = list


def _overlap_form(data: Any, *, study: object) -> OverlapForm:
    return OverlapForm(data)


KINDS: dict[str, ModelKind] = {
    Model.Kind.MAJORITY: ModelKind(
        title=_("Majority class"),
        what=_("One label for every pair."),
        form=MajorityForm,
        register=services.model_register_majority,
        fields=frozenset({"label", "dataset"}),
        choose_one=_("Choose either a label or a dataset to learn it from."),
    ),
    Model.Kind.OVERLAP: ModelKind(
        title=_("Word overlap"),
        what=_("Entailment where the premise has enough of the hypothesis' words."),
        form=_overlap_form,
        register=services.model_register_overlap,
        fields=frozenset({"threshold"}),
        needs=frozenset({"threshold"}),
    ),
    Model.Kind.LEARNT: ModelKind(
        title=_("Learnt classifier"),
        what=_("Trained on overlap, negation, length and edits."),
        form=TrainingForm,
        register=services.training_start,
        fields=frozenset({"dataset"}),
        needs=frozenset({"dataset"}),
    ),
    Model.Kind.TRANSFORMERS: ModelKind(
        title=_("Hugging Face folder"),
        what=_("A sequence-classification model on this server."),
        form=FolderForm,
        register=services.folder_register_start,
        fields=frozenset({"folder", "labels"}),
        needs=frozenset({"folder"}),
        missing=lambda: missing_libraries(),
    ),
}
