from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class StudyForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    description = forms.CharField(
        label=_("What it is about"), required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class TrailForm(forms.Form):
    """What of the trail is shown."""

    what = forms.ChoiceField(label=_("What"), required=False)
    who = forms.CharField(label=_("Who"), required=False, max_length=254)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, *args: Any, groups: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["what"].choices = [("", _("everything")), *groups]
