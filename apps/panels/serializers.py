"""Panels, visits, payouts and the ledger as JSON. Amounts are whole hundredths of the campaign's currency."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body, Reference
from apps.campaigns.models import Campaign
from apps.frame.public_address import whole
from apps.panels.models import Bonus, ConsentText, Panel, Payout, Visit
from apps.panels.selectors import lines_of
from apps.studies.models import Participant

_SETTINGS = [
    "platform", "sets_wanted", "code_complete", "code_failed_quiz", "code_no_work", "return_address",
    "person_parameter", "session_parameter", "study_parameter", "told_address",
]  # fmt: skip


class PanelSerializer(serializers.ModelSerializer[Panel]):
    """``arrival`` is the address to give to the panel, ``events`` the one that it sends its events to;
    ``has_secret`` whether these are signed. The secret is not shown."""

    arrival = serializers.SerializerMethodField()
    consent_version = serializers.IntegerField(read_only=True, allow_null=True)
    events = serializers.SerializerMethodField()
    has_secret = serializers.SerializerMethodField()

    class Meta:
        model = Panel
        fields = ["id", "campaign", "kind", *_SETTINGS, "arrival", "events", "has_secret", "consent_version",
                  "created_at"]  # fmt: skip

    @extend_schema_field(serializers.URLField())
    def get_arrival(self, panel: Panel) -> str:
        return self._address("visit:arrive", panel)

    @extend_schema_field(serializers.URLField())
    def get_events(self, panel: Panel) -> str:
        return self._address("visit:events", panel)

    def _address(self, name: str, panel: Panel) -> str:
        path = reverse(name, args=[panel.public_id])
        request = self.context.get("request")
        return whole(path, request)

    @extend_schema_field(serializers.BooleanField())
    def get_has_secret(self, panel: Panel) -> bool:
        return bool(panel.secret)


class PanelSettingsBody(Body, serializers.ModelSerializer[Panel]):
    """How people arrive and return. A new ``secret`` replaces the one that is set."""

    secret = serializers.CharField(max_length=200, required=False)

    class Meta:
        model = Panel
        fields = [*_SETTINGS, "secret"]
        extra_kwargs = {
            **{name: {"required": False} for name in _SETTINGS},
            "sets_wanted": {"required": False, "max_value": 2**31 - 1},
        }


class PanelBody(Body):
    """A panel with its platform's usual names and fresh codes."""

    campaign = Reference(Campaign)
    kind = serializers.ChoiceField(choices=Panel.Kind.choices)
    consent = serializers.CharField(max_length=20_000, help_text="What people agree to before they begin.")


class ConsentSerializer(serializers.ModelSerializer[ConsentText]):
    class Meta:
        model = ConsentText
        fields = ["id", "version", "body", "created_at"]


class ConsentBody(Body):
    body = serializers.CharField(max_length=20_000)


class VisitSerializer(serializers.ModelSerializer[Visit]):
    """One person's coming. The identifiers at the panel are not shown."""

    annotator = serializers.CharField(source="participant.pseudonym", read_only=True)
    consent_version = serializers.IntegerField(source="consent.version", read_only=True, default=None)

    class Meta:
        model = Visit
        fields = [
            "id", "panel", "annotator", "arrived_at", "consent_version", "consented_at", "outcome",
            "finished_at", "status", "returned_at",
        ]  # fmt: skip


class AccountSerializer(serializers.Serializer[Any]):
    """One person: what is owed, what waits in payouts that are not paid, what is paid."""

    id = serializers.IntegerField(source="participant.pk", help_text="The annotator's number.")
    pseudonym = serializers.CharField(source="participant.pseudonym")
    sets = serializers.IntegerField()
    quiz = serializers.IntegerField(help_text="Answers to the quiz; paid, and not counted among the sets.")
    surplus = serializers.IntegerField()
    skips = serializers.IntegerField()
    bonus = serializers.IntegerField()
    owed = serializers.IntegerField()
    waiting = serializers.IntegerField()
    paid = serializers.IntegerField()


class TotalsSerializer(serializers.Serializer[Any]):
    sets = serializers.IntegerField()
    quiz = serializers.IntegerField()
    owed = serializers.IntegerField()
    waiting = serializers.IntegerField()
    paid = serializers.IntegerField()


class LedgerSerializer(serializers.Serializer[Any]):
    """What is owed, waits and is paid, in all and by person, most sets first."""

    currency = serializers.CharField()
    price = serializers.IntegerField(help_text="Of a set that is sent now.")
    totals = TotalsSerializer()
    accounts = AccountSerializer(many=True)


class BonusSerializer(serializers.ModelSerializer[Bonus]):
    annotator = serializers.CharField(source="participant.pseudonym", read_only=True)

    class Meta:
        model = Bonus
        fields = ["id", "panel", "annotator", "cents", "reason", "payout", "created_at"]


class BonusBody(Body):
    panel = Reference(Panel)
    annotator = Reference(Participant)
    cents = serializers.IntegerField(min_value=1, max_value=10_000_000)
    reason = serializers.CharField(max_length=200, help_text="The same reason again makes no second bonus.")


class LineSerializer(serializers.Serializer[Any]):
    annotator = serializers.CharField(source="participant.pseudonym")
    sets = serializers.IntegerField()
    sets_cents = serializers.IntegerField()
    bonus_cents = serializers.IntegerField()
    reasons = serializers.ListField(child=serializers.CharField())
    cents = serializers.IntegerField()


class PayoutSerializer(serializers.ModelSerializer[Payout]):
    """What was put together for the paymaster at one moment; ``paid_at`` is null until it is paid."""

    class Meta:
        model = Payout
        fields = ["id", "panel", "number", "created_at", "paid_at"]


class FullPayoutSerializer(PayoutSerializer):
    """A payout by person."""

    lines = serializers.SerializerMethodField()

    class Meta(PayoutSerializer.Meta):
        fields = [*PayoutSerializer.Meta.fields, "lines"]

    @extend_schema_field(LineSerializer(many=True))
    def get_lines(self, payout: Payout) -> Any:
        return LineSerializer(lines_of(payout), many=True).data


class PayoutBody(Body):
    panel = Reference(Panel)
