"""Shapes that requests about datasets share."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers

from apps.api.bodies import Body, Reference
from apps.datasets.models import Dataset


class PairsReference(Reference):
    """A dataset of pairs by its number; the pairs of test questions are no dataset to anybody."""

    def __init__(self, **options: Any) -> None:
        super().__init__(Dataset, **options)

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().filter(kind=Dataset.Kind.PAIRS)


class InDataset(Body):
    """The body of something new on a dataset; whatever else it refers to is of the same study."""

    dataset = PairsReference()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        study = attrs["dataset"].study_id
        for name, field in self.fields.items():
            found = attrs.get(name)
            if isinstance(field, Reference) and found is not None and _study_of(found) != study:
                raise serializers.ValidationError(
                    {name: [_("There is nothing with the number %(pk)s.") % {"pk": found.pk}]}
                )
        return attrs


def _study_of(found: Any) -> int:
    path = str(found.STUDY_PATH)
    rows = type(found)._default_manager.filter(pk=found.pk)
    return cast(int, rows.values_list(f"{path}__pk", flat=True).get())
