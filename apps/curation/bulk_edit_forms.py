"""What researchers fill in for a bulk edit."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from apps.curation.flags import FLAG_NAMES
from apps.curation.models import BulkEdit

TAG = "tag"
TICKED, ALL = "ticked", "all"


class BulkEditForm(forms.Form):
    """Which pairs, what to do, and with which tag or flag.

    It is one form with the filters and the boxes of the pairs that they list (``form="bulk"``), so that what
    is edited is what stands there when the button is pressed, whether it was shown before or not.
    """

    prefix = "edit"

    which = forms.ChoiceField(
        label=_("Pairs"),
        choices=[(TICKED, _("the ticked ones")), (ALL, _("all that pass the filters above"))],
    )
    action = forms.ChoiceField(label=_("Do"), choices=BulkEdit.Action.choices)
    what = forms.ChoiceField(
        label=_("What"),
        choices=[(TAG, _("the tag")), *((name, _flag) for name, _flag in FLAG_NAMES.items())],
    )
    tag = forms.CharField(label=_("Tag"), max_length=60, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["form"] = "bulk"

    @classmethod
    def kept(cls, sent: QueryDict) -> BulkEditForm:
        """As it was sent, and not looked at: for another button of the same page."""
        return cls(initial={name: sent.get(f"{cls.prefix}-{name}") for name in cls.base_fields})

    def clean(self) -> dict[str, Any]:
        chosen: dict[str, Any] = self.cleaned_data
        if chosen.get("what") == TAG and not chosen.get("tag"):
            self.add_error("tag", _("Name the tag."))
        return chosen

    @property
    def name(self) -> str:
        what: str = self.cleaned_data["what"]
        return str(self.cleaned_data["tag"]) if what == TAG else what
