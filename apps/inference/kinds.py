"""Kinds of models: how each is registered, on its page and through the API.

A new one is an entry here, its word in :class:`KindName` (with a migration), a runtime in workers/runtimes.
What it is told that no other is (a field of the API) stands in :class:`apps.inference.bodies.ModelBody`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.inference import services
from apps.inference.calculus_models import calculus_register
from apps.inference.chat.forms import ChatForm
from apps.inference.chat.registration import model_register_chat
from apps.inference.folder_models import folder_register_start
from apps.inference.folders import missing_libraries
from apps.inference.forms import (
    CalculusForm,
    FolderForm,
    MajorityForm,
    NegationForm,
    OverlapForm,
    TrainingForm,
)
from apps.inference.models import Model
from apps.jobs.models import Job


class Group(Enum):
    """Where a kind stands on the page of models: its heading, and a line on what its kinds have in common.
    In the order of the page."""

    MODELS = _("Models on this server"), _("Weights in a folder, or natlog's rules.")
    NETWORKS = _("Networks trained here"), _("The papers' own, and fine-tuned encoders.")
    CHAT = _("Chat models"), _("Any server that speaks OpenAI's protocol.")
    FILES = _("Predictions from elsewhere"), _("Whoever runs a model themselves compares it here.")
    BASELINES = _("Baselines"), _("What a model must beat before it has understood anything.")

    @property
    def title(self) -> str | Promise:
        return self.value[0]

    @property
    def what(self) -> str | Promise:
        return self.value[1]


@dataclass(frozen=True)
class ModelKind:
    """``form`` takes what was sent and ``study``; ``register`` takes study, actor, name and the fields, and
    returns the model, or the job that makes it. ``fields`` are what the API takes beside the name, ``needs``
    those without which it is refused; where ``choose_one`` says so, it is exactly one of them. ``missing``
    names what this server lacks for the kind. ``title`` and ``what`` are its card on the page of models, in
    its ``group``."""

    group: Group
    title: str | Promise
    what: str | Promise
    form: Callable[..., forms.Form]
    register: Callable[..., Model | Job]
    fields: frozenset[str]
    needs: frozenset[str] = frozenset()
    choose_one: str | Promise = ""
    missing: Callable[[], list[str]] = list


@dataclass(frozen=True)
class Elsewhere:
    """A card of the page of models that leads to pages of their own: ``address`` is the name of the first."""

    group: Group
    title: str | Promise
    what: str | Promise
    address: str


#: Rooms above add theirs when Django starts.
ELSEWHERE: list[Elsewhere] = [
    Elsewhere(
        group=Group.NETWORKS,
        title=_("Train a network"),
        what=_("On rows mixed out of datasets and releases."),
        address="models:trainings",
    )
]


def elsewhere_add(card: Elsewhere) -> None:
    """Add a card; adding one twice changes nothing."""
    if card not in ELSEWHERE:
        ELSEWHERE.append(card)


def kinds_by_group() -> list[tuple[Group, dict[str, ModelKind], list[Elsewhere]]]:
    """The kinds and the cards of rooms above under their headings, in the order of the page; headings that
    have one."""
    found = (
        (
            group,
            {name: kind for name, kind in KINDS.items() if kind.group is group},
            [card for card in ELSEWHERE if card.group is group],
        )
        for group in Group
    )
    return [(group, kinds, cards) for group, kinds, cards in found if kinds or cards]


def _without_study(form: type[forms.Form]) -> Callable[..., forms.Form]:
    """A form that offers nothing of the study's own."""

    def make(*args: Any, study: object, **kwargs: Any) -> forms.Form:
        return form(*args, **kwargs)

    return make


KINDS: dict[str, ModelKind] = {
    Model.Kind.MAJORITY: ModelKind(
        group=Group.BASELINES,
        title=_("Majority class, or always entailment"),
        what=_("One label for every pair: the most frequent, or the one you say."),
        form=MajorityForm,
        register=services.model_register_majority,
        fields=frozenset({"label", "dataset"}),
        choose_one=_("Choose either a label or a dataset to learn it from."),
    ),
    Model.Kind.OVERLAP: ModelKind(
        group=Group.BASELINES,
        title=_("Word overlap"),
        what=_("Entailment where the premise has enough of the hypothesis' words."),
        form=_without_study(OverlapForm),
        register=services.model_register_overlap,
        fields=frozenset({"threshold"}),
        needs=frozenset({"threshold"}),
    ),
    Model.Kind.NEGATION: ModelKind(
        group=Group.BASELINES,
        title=_("Negation cue"),
        what=_("Contradiction where one sentence alone is negated, else entailment."),
        form=_without_study(NegationForm),
        register=services.model_register_negation,
        fields=frozenset(),
    ),
    Model.Kind.HYPOTHESIS: ModelKind(
        group=Group.BASELINES,
        title=_("Hypothesis alone"),
        what=_("Never reads the premise: what it gets right, the hypotheses give away."),
        form=TrainingForm,
        register=partial(services.training_start, kind=services.HYPOTHESIS_KIND),
        fields=frozenset({"dataset"}),
        needs=frozenset({"dataset"}),
    ),
    Model.Kind.LEARNT: ModelKind(
        group=Group.BASELINES,
        title=_("Learnt classifier"),
        what=_("Trained on overlap, negation, length and edits."),
        form=TrainingForm,
        register=services.training_start,
        fields=frozenset({"dataset"}),
        needs=frozenset({"dataset"}),
    ),
    Model.Kind.TRANSFORMERS: ModelKind(
        group=Group.MODELS,
        title=_("Hugging Face folder"),
        what=_("A sequence-classification model on this server."),
        form=FolderForm,
        register=folder_register_start,
        fields=frozenset({"folder", "labels", "confirmed"}),
        needs=frozenset({"folder"}),
        missing=lambda: missing_libraries(),
    ),
    Model.Kind.ONNX: ModelKind(
        group=Group.MODELS,
        title=_("ONNX folder"),
        what=_("The same without torch, and faster."),
        form=partial(FolderForm, onnx=True),
        register=partial(folder_register_start, kind=Model.Kind.ONNX),
        fields=frozenset({"folder", "labels", "confirmed"}),
        needs=frozenset({"folder"}),
    ),
    Model.Kind.CALCULUS: ModelKind(
        group=Group.MODELS,
        title=_("Calculus"),
        what=_("natlog under one of its conventions, beside the others."),
        form=_without_study(CalculusForm),
        register=calculus_register,
        fields=frozenset(
            {"convention", "unread", "unknown", "supplement", "existential_import", "coreference"}
        ),
    ),
    Model.Kind.CHAT: ModelKind(
        group=Group.CHAT,
        title=_("Chat model"),
        what=_("Asked in words, for a label: hosted, or by vLLM or Ollama on a machine of yours."),
        form=ChatForm,
        register=model_register_chat,
        fields=frozenset(set(ChatForm.base_fields) - {"name"}),
        needs=frozenset({"server", "server_model", "template"}),
    ),
}
