"""What a researcher fills in who corrects the calculus' direction and tags of a pair."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.datasets.corrections import in_force, said_of
from apps.datasets.models import Direction, Pair
from apps.datasets.tags import MED_TAGS
from apps.frame.edit_forms import EditForm


class CorrectionForm(EditForm, forms.Form):
    """The direction and tags that are in force, corrected or not."""

    direction = forms.ChoiceField(label=_("Direction"), required=False)
    tags = forms.MultipleChoiceField(
        label=_("Tags of the calculus"), required=False, widget=forms.CheckboxSelectMultiple
    )
    note = forms.CharField(
        label=_("Why"), required=False, max_length=500, widget=forms.TextInput(attrs={"size": 60})
    )

    def __init__(self, *args: Any, pair: Pair, **kwargs: Any) -> None:
        said, correction = said_of(pair), in_force(pair)
        tags = said.tags if correction is None or correction.tags is None else tuple(correction.tags)
        direction = (correction.direction if correction else "") or said.direction
        note = correction.note if correction else ""
        super().__init__(*args, initial={"direction": direction, "tags": list(tags), "note": note}, **kwargs)
        fields: Any = self.fields
        nothing = [] if direction else [("", _("none"))]
        fields["direction"].choices = [*nothing, *Direction.choices]
        fields["tags"].choices = [(name, name) for name in dict.fromkeys([*MED_TAGS, *said.tags])]
