"""What requests about models and runs send."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from apps.api.bodies import Body, Reference, StudyBody
from apps.datasets.bodies import InDataset
from apps.datasets.models import Dataset
from apps.inference.calculus_models import UNKNOWN, UNREAD
from apps.inference.chat.configs import FORMS
from apps.inference.chat.forms import MOST_SECONDS, MOST_TOKENS
from apps.inference.chat.prompts import shipped
from apps.inference.chat.shots import MOST_SHOTS
from apps.inference.kinds import KINDS
from apps.inference.models import Model
from apps.inference.trying import LONGEST
from natlog.lexicon.conventions import conventions


class ChatFields(serializers.Serializer[Any]):
    """What a chat model is registered with (docs/models.md). ``shots`` examples come from ``dataset``."""

    server = serializers.CharField(
        max_length=500, required=False, help_text=gettext_lazy("The address before /chat/completions.")
    )
    server_model = serializers.CharField(
        max_length=200, required=False, help_text=gettext_lazy("The model's name there.")
    )
    key = serializers.CharField(
        max_length=40,
        required=False,
        help_text=gettext_lazy("The name of a key that whoever hosts the server has given."),
    )
    template = serializers.ChoiceField(choices=list(shipped()), required=False)
    form = serializers.ChoiceField(choices=list(FORMS), required=False)
    system = serializers.CharField(
        max_length=10_000,
        required=False,
        help_text=gettext_lazy("Own instructions, in place of the template's."),
    )
    user = serializers.CharField(
        max_length=10_000,
        required=False,
        help_text=gettext_lazy("Own question, in place of the template's, with {premise} and {hypothesis}."),
    )
    shots = serializers.IntegerField(min_value=1, max_value=MOST_SHOTS, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    max_tokens = serializers.IntegerField(min_value=1, max_value=MOST_TOKENS, required=False)
    seconds = serializers.IntegerField(min_value=1, max_value=MOST_SECONDS, required=False)
    price_in = serializers.DecimalField(
        max_digits=12,
        decimal_places=6,
        min_value=0,
        required=False,
        help_text=gettext_lazy("Of a million tokens sent."),
    )
    price_out = serializers.DecimalField(
        max_digits=12,
        decimal_places=6,
        min_value=0,
        required=False,
        help_text=gettext_lazy("Of a million tokens received."),
    )
    tokens = serializers.IntegerField(
        min_value=1, max_value=10**12, required=False, help_text=gettext_lazy("The budget of a run.")
    )
    cost = serializers.DecimalField(
        max_digits=12,
        decimal_places=6,
        min_value=0,
        required=False,
        help_text=gettext_lazy("The budget of a run, in the currency of the prices."),
    )


class ModelBody(ChatFields, StudyBody):
    """A model of a kind, with that kind's own fields: ``majority`` has ``label`` or a ``dataset`` to learn it
    from, ``overlap`` its ``threshold``, ``learnt`` and ``hypothesis`` the ``dataset`` to be trained on,
    ``transformers`` and ``onnx`` their ``folder`` (and ``labels``, where the folder does not name them or
    names them wrongly), ``calculus`` its ``convention`` and natlog's options, ``chat`` its ``server``,
    ``server_model`` and ``template`` and what else ``ChatFields`` has."""

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


class BudgetBody(Body):
    """What a run of a chat model may use; null: as much as it takes."""

    tokens = serializers.IntegerField(min_value=1, max_value=10**12, allow_null=True, default=None)
    cost = serializers.DecimalField(
        max_digits=12, decimal_places=6, min_value=0, allow_null=True, default=None
    )


class HubBody(StudyBody):
    """A model of the hub that the host allows."""

    hub = serializers.CharField(max_length=200, help_text=gettext_lazy("Its name there: owner/name."))
    revision = serializers.CharField(max_length=40, help_text=gettext_lazy("The whole hash of a commit."))


class RunBody(InDataset):
    """``tokens`` and ``cost`` are the budget of a chat model's run; its own where they are not given."""

    model = Reference(Model)
    tokens = serializers.IntegerField(min_value=1, max_value=10**12, required=False)
    cost = serializers.DecimalField(max_digits=12, decimal_places=6, min_value=0, required=False)


class TryPairBody(Body):
    """A pair that a model is tried on."""

    premise = serializers.CharField(max_length=LONGEST)
    hypothesis = serializers.CharField(max_length=LONGEST)


class TrySentenceBody(Body):
    """A sentence whose meaning a training's network is to write."""

    sentence = serializers.CharField(max_length=LONGEST)
