"""What requests about models and runs send."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from apps.api.bodies import Reference, StudyBody
from apps.datasets.bodies import InDataset
from apps.datasets.models import Dataset
from apps.inference.calculus_models import UNKNOWN, UNREAD
from apps.inference.kinds import KINDS
from apps.inference.models import Model
from natlog.lexicon.conventions import conventions


class ModelBody(StudyBody):
    """A model of a kind, with that kind's own fields: ``majority`` has ``label`` or a ``dataset`` to learn it
    from, ``overlap`` its ``threshold``, ``learnt`` the ``dataset`` to be trained on, ``transformers`` and
    ``onnx`` their ``folder`` (and ``labels``, where the folder does not name them or names them wrongly),
    ``calculus`` its ``convention`` and natlog's options."""

    name = serializers.CharField(max_length=200)
    kind = serializers.ChoiceField(choices=Model.Kind.choices)
    label = serializers.ChoiceField(  # type: ignore[assignment]
        choices=["entailment", "non-entailment"], required=False
    )
    dataset = Reference(Dataset, required=False)
    threshold = serializers.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        help_text=gettext_lazy("The least share of the hypothesis' words that the premise must have."),
    )
    folder = serializers.CharField(
        max_length=500, required=False, help_text=gettext_lazy("Below the server's folder of models.")
    )
    labels = serializers.ListField(child=serializers.CharField(max_length=40), max_length=10, required=False)
    confirmed = serializers.BooleanField(
        required=False,
        help_text=gettext_lazy(
            "That you have seen which output is which label; it can be said later by /models/{id}/confirm/."
        ),
    )
    convention = serializers.ChoiceField(choices=list(conventions()), required=False)
    unread = serializers.ChoiceField(
        choices=list(UNREAD),
        required=False,
        help_text=gettext_lazy("What becomes of pairs that no rule reads; pending by default."),
    )
    unknown = serializers.ChoiceField(
        choices=list(UNKNOWN),
        required=False,
        help_text=gettext_lazy("What the calculus makes of words whose relation no source knows."),
    )
    supplement = serializers.BooleanField(required=False)
    existential_import = serializers.BooleanField(required=False)
    coreference = serializers.BooleanField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        if data["kind"] not in KINDS:
            raise serializers.ValidationError({"kind": [_("A model of this kind is not registered here.")]})
        kind = KINDS[data["kind"]]
        own = set(data) - {"study", "name", "kind"}
        wrong = {name: [_("A model of this kind has no such field.")] for name in own - kind.fields}
        wrong |= {name: [_("A model of this kind needs this.")] for name in kind.needs - own}
        if wrong:
            raise serializers.ValidationError(wrong)
        if kind.choose_one and len(own) != 1:
            raise serializers.ValidationError(str(kind.choose_one))
        return data


class RunBody(InDataset):
    model = Reference(Model)
