"""Shapes of what is sent: every field known, and references that only reach the sender's own studies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from rest_framework import serializers

from apps.accounts.models import User
from apps.studies.access import studies_researched
from apps.studies.models import Study


class Body(serializers.Serializer[Any]):
    """What a request sends. A name that is not among the fields is an error: a misspelt field must not
    leave everything as it was in silence."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            known = ", ".join(sorted(self.fields))
            raise serializers.ValidationError(
                {
                    name: [_("There is no such field here; known are: %(names)s.") % {"names": known}]
                    for name in unknown
                }
            )
        if type(data) is dict:  # JSON; a form has nothing but text
            wrong = {name: [text] for name, text in self._of_another_type(data)}
            if wrong:
                raise serializers.ValidationError(self._errors_beside(data, wrong))
        return super().to_internal_value(data)

    def _errors_beside(self, data: dict[str, Any], wrong: dict[str, list[str]]) -> dict[str, Any]:
        """What is wrong by its type, and whatever else is."""
        try:
            super().to_internal_value(data)
        except serializers.ValidationError as error:
            return {**cast(dict[str, Any], error.detail), **wrong}
        return wrong

    def _of_another_type(self, data: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Values that would have to be bent: "5" is no number, and 1 is neither text nor yes."""
        for name, value in data.items():
            fitting = next((types for kind, types in _JSON if isinstance(self.fields[name], kind)), None)
            if fitting and value is not None and not _is(value, fitting):
                yield name, _("This must be %(kind)s.") % {"kind": _(_NAMES[fitting[0]])}


# What a field is in JSON; the narrower stands before the wider.
_JSON: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], tuple[type, ...]], ...] = (
    (serializers.BooleanField, (bool,)),
    (serializers.IntegerField, (int,)),
    (serializers.FloatField, (float, int)),
    (serializers.CharField, (str,)),
    (serializers.ChoiceField, (str,)),
    (serializers.DateTimeField, (str,)),
    (serializers.SlugRelatedField, (str,)),
    (serializers.ListField, (list,)),
)
_NAMES = {
    bool: gettext_noop("true or false"),
    int: gettext_noop("a whole number"),
    float: gettext_noop("a number"),
    str: gettext_noop("a text in quotation marks"),
    list: gettext_noop("a list"),
}


def _is(value: object, types: tuple[type, ...]) -> bool:
    if isinstance(value, bool):
        return bool in types
    if isinstance(value, float) and value.is_integer():
        return int in types or float in types
    return isinstance(value, types)


class StudyField(serializers.SlugRelatedField[Study]):
    """A study by its address (slug), among those in which the sender is researcher or admin."""

    default_error_messages = {"does_not_exist": gettext_lazy("There is no study “{value}” of yours.")}

    def __init__(self, **options: Any) -> None:
        super().__init__(slug_field="slug", queryset=Study.objects.none(), **options)

    def get_queryset(self) -> QuerySet[Study]:
        request = self.context.get("request")
        return studies_researched(cast(User, request.user)) if request else Study.objects.none()


class Reference(serializers.PrimaryKeyRelatedField[Any]):
    """A row by its number, in one of the sender's studies; another study's is like none.

    In the body of something that belongs to one study (``context["study"]``, or the body's own field
    ``study``), it must be of that study.
    """

    default_error_messages = {
        "does_not_exist": gettext_lazy("There is nothing with the number {pk_value}."),
    }

    def __init__(self, model: type[models.Model], **options: Any) -> None:
        self.model = model
        super().__init__(queryset=model._default_manager.none(), **options)

    def get_queryset(self) -> QuerySet[Any]:
        request, study = self.context.get("request"), self.context.get("study")
        path: str = cast(Any, self.model).STUDY_PATH
        if request is None:
            return self.model._default_manager.none()
        if study is not None:
            return self.model._default_manager.filter(**{path: study})
        mine = studies_researched(cast(User, request.user)).values("pk")
        return self.model._default_manager.filter(**{f"{path}__in": mine})

    def to_internal_value(self, data: Any) -> Any:
        is_form = type(getattr(self.root, "initial_data", {})) is not dict  # which has nothing but text
        if is_form and isinstance(data, str) and data.isascii() and data.isdecimal() and len(data) < 20:
            data = int(data)
        if isinstance(data, bool) or not isinstance(data, int) or not 0 < data < 2**63:
            self.fail("incorrect_type", data_type=type(data).__name__)
        return super().to_internal_value(data)


class StudyBody(Body):
    """The body of something new in a study: the study, and what it refers to in there."""

    study = StudyField(help_text=gettext_lazy("The study's address (slug)."))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for name, field in self.fields.items():
            found = attrs.get(name)
            if isinstance(field, Reference) and found is not None and not self._is_inside(attrs, found):
                raise serializers.ValidationError(
                    {name: [_("There is nothing with the number %(pk)s.") % {"pk": found.pk}]}
                )
        return attrs

    def _is_inside(self, attrs: dict[str, Any], found: models.Model) -> bool:
        path: str = cast(Any, found).STUDY_PATH
        return type(found)._default_manager.filter(pk=found.pk, **{path: attrs["study"]}).exists()
