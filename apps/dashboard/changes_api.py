"""Two sides of a dataset held against each other, through the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.views import ApiView
from apps.dashboard import changes, listed
from apps.dashboard.choices import choices
from apps.dashboard.forms import SidesForm
from apps.dashboard.model_api import ID, PAGE, dataset_read, form_refused, paged
from apps.dashboard.serializers import AS_OF
from apps.dashboard.sides import sides_of
from apps.datasets.models import Direction


class SideSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()
    group = serializers.CharField()


class SideCountSerializer(serializers.Serializer[Any]):
    direction = serializers.CharField(allow_blank=True)
    first = serializers.CharField()
    second = serializers.CharField()
    pairs = serializers.IntegerField()


class ChangedPairSerializer(serializers.Serializer[Any]):
    pair = serializers.IntegerField(source="pair.pk")
    premises = serializers.ListField(child=serializers.CharField())
    hypothesis = serializers.CharField(source="pair.hypothesis")
    direction = serializers.CharField(source="place", allow_blank=True)
    first = serializers.CharField(source="before")
    second = serializers.CharField(source="after")


class SidesSerializer(serializers.Serializer[Any]):
    """``sides`` are all that there are; the rest is null or empty until two are named."""

    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    sides = SideSerializer(many=True)
    two_way = serializers.BooleanField(
        help_text=gettext_lazy("One side knows entailment and non-entailment alone, so both are read so.")
    )
    only_one = serializers.IntegerField(help_text=gettext_lazy("Pairs on the first side alone."))
    only_two = serializers.IntegerField(help_text=gettext_lazy("Pairs on the second side alone."))
    raw = serializers.FloatField(allow_null=True, help_text=gettext_lazy("Share of pairs with one label."))
    kappa = serializers.FloatField(allow_null=True, help_text=gettext_lazy("Cohen's κ; null: undefined."))
    kappa_from = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("κ's 95 % interval, of 1,000 draws of pairs.")
    )
    kappa_to = serializers.FloatField(allow_null=True)
    counts = SideCountSerializer(many=True)
    count = serializers.IntegerField(help_text=gettext_lazy("Of the pairs that changed."))
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    pairs = ChangedPairSerializer(many=True)


def _text(name: str, text: Any) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.STR, description=text)


class SidesView(ApiView):
    """Two releases, campaigns, runs, versions or conventions of the calculus."""

    moving = ("as_of",)

    @extend_schema(
        tags=["dashboard"],
        responses=SidesSerializer,
        parameters=[
            ID,
            _text("one", gettext_lazy("The key of the first side; left out, the sides are listed.")),
            _text("two", gettext_lazy("The key of the second side.")),
            _text("first", gettext_lazy("Pairs that had this label on the first side.")),
            _text("second", gettext_lazy("Pairs that have this label on the second side.")),
            OpenApiParameter(
                "direction", enum=[*Direction.values, "none"], description=gettext_lazy("Of the pair.")
            ),
            PAGE,
        ],
    )
    def get(self, request: Request, id: str) -> Response:
        """How many pairs have which two labels, and those whose labels differ."""
        query_known(request, {*SidesForm.base_fields, "page"})
        dataset = dataset_read(self.user, id)
        sides = sides_of(dataset, choices(dataset).labels)
        form = SidesForm(request.query_params, sides=sides)
        form_refused(form)
        chosen = form.chosen
        kept = listed.changed(dataset, *chosen, wait=True) if chosen else None
        found = kept.there if kept else None
        these = paged(request, form.listed(found) if found else [])
        numbers = list(these.pop("numbers"))
        whole = found.agreement() if found else None
        low, high = (found.intervals.get(None) if found else None) or (None, None)
        rows = changes.changed_pairs(found, numbers) if found else []
        told = {
            "dataset": dataset.pk,
            "as_of": kept.found.as_of if kept else None,
            "sides": sides,
            "two_way": found.is_two_way if found else False,
            "only_one": found.only_one if found else 0,
            "only_two": found.only_two if found else 0,
            "raw": whole.raw if whole else None,
            "kappa": whole.value if whole else None,
            "kappa_from": low,
            "kappa_to": high,
            "counts": [
                {"direction": place, "first": first, "second": second, "pairs": n}
                for (place, first, second), n in (sorted(found.counts.items()) if found else [])
            ],
            **these,
            "pairs": [
                {**vars(row), "premises": [premise.text for premise in row.pair.premises.all()]}
                for row in rows
            ],
        }
        return Response(SidesSerializer(told).data)
