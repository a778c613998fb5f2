"""Balance and leakage reports as JSON."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from apps.api.bodies import Reference
from apps.datasets.bodies import InDataset, PairsReference
from apps.releases.models import Release
from apps.reports.models import BalanceReport

_LABELS = [choice for choice in BalanceReport.Labels.choices if choice[0] != BalanceReport.Labels.RELEASE]


class ReportSerializer(serializers.ModelSerializer[BalanceReport]):
    """A report without its figures; ``finished_at`` is null while ``job`` is at it."""

    campaigns = serializers.ListField(child=serializers.IntegerField(), read_only=True)

    class Meta:
        model = BalanceReport
        fields = [
            "id", "dataset", "release", "other", "other_name", "labels", "campaigns", "seed", "job",
            "created_at", "finished_at",
        ]  # fmt: skip


class FullReportSerializer(ReportSerializer):
    """``facts`` has the figures, section by section, as they are worked out."""

    facts = serializers.DictField(read_only=True)

    class Meta(ReportSerializer.Meta):
        fields = [*ReportSerializer.Meta.fields, "facts"]


class ReportBody(InDataset):
    release = Reference(
        Release,
        required=False,
        allow_null=True,
        help_text=_("A frozen release of the dataset, with its labels and splits."),
    )
    labels = serializers.ChoiceField(
        choices=_LABELS, default=BalanceReport.Labels.FILE.value, help_text=_("Whose labels the pairs have.")
    )
    campaigns = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        default=list,
        max_length=1000,
        help_text=_("Whose answers are people's labels; empty: the campaigns that ask for a label."),
    )
    other = PairsReference(
        required=False, allow_null=True, help_text=_("A dataset to compare words and pairs with.")
    )
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=1)
