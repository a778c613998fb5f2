"""Bulk edits as JSON."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from apps.curation.bulk_edits import MOST_TICKED
from apps.curation.filters import PairFilters
from apps.curation.models import BulkChange, BulkEdit
from apps.datasets.bodies import InDataset


class PairEditSerializer(serializers.ModelSerializer[BulkEdit]):
    """``matched`` pairs were meant, ``changed`` of them were not so already. ``job`` (or ``undo_job``) works
    on it where there are many; ``finished_at`` and ``undone_at`` say that it is over."""

    filters = serializers.DictField(child=serializers.CharField(), read_only=True)
    pairs = serializers.ListField(
        source="ticked", child=serializers.IntegerField(), read_only=True, allow_null=True
    )

    class Meta:
        model = BulkEdit
        fields = [
            "id", "dataset", "action", "tag", "filters", "pairs", "matched", "changed", "job", "created_at",
            "finished_at", "undo_job", "undone_at",
        ]  # fmt: skip


class PairChangeSerializer(serializers.ModelSerializer[BulkChange]):
    class Meta:
        model = BulkChange
        fields = ["id", "pair", "source"]


class PairEditBody(InDataset):
    """Which pairs: ``pairs`` by their numbers, or all that pass ``filters`` (those of the dataset's pairs'
    address; ``{}`` are all pairs)."""

    action = serializers.ChoiceField(choices=BulkEdit.Action.choices)
    tag = serializers.CharField(
        max_length=60, help_text=gettext_lazy("A tag, or one of the flags no-swap and needs-review.")
    )
    filters = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=300), required=False
    )
    pairs = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        min_length=1,
        max_length=MOST_TICKED,
        required=False,
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        if ("filters" in data) == ("pairs" in data):
            raise serializers.ValidationError(_("Send either “filters” or “pairs”."))
        if unknown := sorted(set(data.get("filters", {})) - set(PairFilters.base_fields)):
            known = ", ".join(sorted(PairFilters.base_fields))
            text = _("There is no such filter here; known are: %(names)s.") % {"names": known}
            raise serializers.ValidationError({"filters": {name: [text] for name in unknown}})
        return data
