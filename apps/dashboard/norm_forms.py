"""A file of numbers by word."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.dashboard.norms import MOST_BYTES, numbers_read


class NormForm(forms.Form):
    """``found`` in the cleaned data are the file's numbers by word."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    source = forms.CharField(
        label=gettext_lazy("Source"),
        max_length=500,
        help_text=gettext_lazy("Who measured it, where it is published."),
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("CSV or TSV, at most 2 MB; the first line names the columns."),
    )
    words = forms.CharField(
        label=gettext_lazy("Column of words"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Empty: the first."),
    )
    numbers = forms.CharField(
        label=gettext_lazy("Column of numbers"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Empty: the second."),
    )

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        file = said.get("file")
        if file is None or self.errors:
            return said
        if file.size > MOST_BYTES:
            self.add_error("file", _("The file is larger than %(n)d MB.") % {"n": MOST_BYTES // 2**20})
            return said
        try:
            said["found"] = numbers_read(file.read(), said["words"], said["numbers"])
        except ValidationError as error:
            self.add_error("file", error)
        return said
