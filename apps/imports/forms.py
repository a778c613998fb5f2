"""What people fill in when pairs come in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.corpora import encodings
from apps.corpora.sources import MAXIMUM_UPLOAD
from apps.datasets.labels import LABEL_NAMES, LABELS
from apps.frame.edit_forms import EditForm
from apps.imports import formats
from apps.imports.formats import mapped
from apps.imports.formats.mapped import ColumnMapping
from apps.imports.labels import NONE, STANDS_FOR
from apps.imports.readers import MAXIMUM_ROWS, Table

STOOD_FOR = {**{label.value: label.name for label in LABELS}, NONE: LABEL_NAMES[NONE]}
ROLES = {
    "premises": gettext_lazy("a premise"),
    "hypothesis": gettext_lazy("the hypothesis"),
    "label": gettext_lazy("the gold label"),
    "direction": gettext_lazy("the direction"),
    "genre": gettext_lazy("the genre"),
    "source": gettext_lazy("the source, a citation"),
    "tags": gettext_lazy("tags"),
    "answers": gettext_lazy("an annotator’s label, or a list of them"),
    "facts": gettext_lazy("something else to keep"),
}


def _limits() -> str:
    return _("At most %(megabytes)d MB and %(rows)s rows; .gz, .zip and Excel workbooks are unpacked.") % {
        "megabytes": MAXIMUM_UPLOAD // 2**20,
        "rows": number_format(MAXIMUM_ROWS, force_grouping=True),
    }


class PairFileForm(forms.Form):
    """A file of pairs, the dataset that it goes to, and whose it is."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=lazy(_limits, str)(),
        allow_empty_file=True,
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        required=False,
        choices=[("", gettext_lazy("as its columns say")), *formats.TITLES.items()],
    )
    name = forms.CharField(
        label=gettext_lazy("Dataset"),
        max_length=200,
        required=False,
        help_text=gettext_lazy(
            "Empty: the file’s name. The name of a dataset that is there already adds to it."
        ),
    )
    licence = forms.CharField(
        label=gettext_lazy("Licence"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Such as CC BY-SA 4.0. It goes with the data to the end."),
    )
    source = forms.CharField(
        label=gettext_lazy("Source"),
        max_length=500,
        required=False,
        help_text=gettext_lazy("A citation or an address of the whole file."),
    )


class EncodingForm(forms.Form):
    encoding = forms.ChoiceField(
        label=gettext_lazy("Encoding"),
        choices=[(name, encodings.label(name)) for name in encodings.ENCODINGS],
    )


class MemberForm(forms.Form):
    member = forms.ChoiceField(label=gettext_lazy("File of the archive"), widget=forms.RadioSelect)

    def __init__(self, members: list[str], *args: Any, sheets: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        if sheets:
            self.fields["member"].label = _("Sheet of the workbook")
        self.fields["member"].choices = [(name, name) for name in members]  # type: ignore[attr-defined]


class LabelsForm(EditForm, forms.Form):
    """What a file's own labels stand for: those that nobody knows, and those that were settled before."""

    def __init__(
        self, unknown: list[dict[str, Any]], settled: Mapping[str, str], data: Any = None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.rows = {item["found"]: item["rows"] for item in unknown}
        guesses = {item["found"]: item["suggested"] for item in unknown}
        guesses |= {found: label or NONE for found, label in settled.items()}
        self.found = list(guesses)
        choices = [("", _("not said: its rows are bad")), *((name, STOOD_FOR[name]) for name in STANDS_FOR)]
        for index, found in enumerate(self.found):
            self.fields[f"label_{index}"] = forms.ChoiceField(
                label=_("What “%(found)s” stands for") % {"found": found[:60]},
                required=False,
                choices=choices,
                initial=guesses[found],
            )

    def labels(self) -> list[tuple[str, int, BoundField]]:
        """Each label as the file has it, the rows that are bad for it, and the choice."""
        return [
            (found, self.rows.get(found, 0), self[f"label_{index}"]) for index, found in enumerate(self.found)
        ]

    def values(self) -> dict[str, str]:
        said = {found: self.cleaned_data[f"label_{index}"] for index, found in enumerate(self.found)}
        return {found: "" if label == NONE else label for found, label in said.items() if label}


class ColumnsForm(EditForm, forms.Form):
    """What each column of a table holds."""

    def __init__(
        self, table: Table, data: Any = None, *, mapping: ColumnMapping | None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.table = table
        roles = _roles(mapping) if mapping else {}
        for index, name in enumerate(table.columns):
            self.fields[f"column_{index}"] = forms.ChoiceField(
                label=_("What column %(n)d holds") % {"n": index + 1},
                required=False,
                choices=[("", "–"), *ROLES.items()],
                initial=roles.get(name.lower(), ""),
            )

    def columns(self) -> list[tuple[str, list[str], BoundField]]:
        """Each column's name, first cells and choice."""
        return [
            (
                name,
                [str(record.cells.get(name.lower(), ""))[:200] for record in self.table.sample],
                self[f"column_{index}"],
            )
            for index, name in enumerate(self.table.columns)
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        said: dict[str, list[str]] = {}
        for index, name in enumerate(self.table.columns):
            if role := cleaned.get(f"column_{index}"):
                said.setdefault(role, []).append(name.lower())
        if not said.get("premises") or not said.get("hypothesis"):
            raise ValidationError(_("Say which column holds a premise and which one the hypothesis."))
        for role in mapped.SINGLE:
            if len(said.get(role, [])) > 1:
                raise ValidationError(_("Only one column can hold %(what)s.") % {"what": ROLES[role]})
        stored: dict[str, Any] = {name: said.get(name, []) for name in mapped.SEVERAL}
        stored |= {name: said.get(name, [""])[0] for name in mapped.SINGLE}
        cleaned["mapping"] = ColumnMapping.of(stored)
        return cleaned


def _roles(mapping: ColumnMapping) -> dict[str, str]:
    roles = {getattr(mapping, role): role for role in mapped.SINGLE if getattr(mapping, role)}
    return roles | {name: role for role in mapped.SEVERAL for name in getattr(mapping, role)}
