"""What people fill in about corpora."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.corpora import encodings
from apps.corpora.formats.readings import MAXIMUM_BYTES, MAXIMUM_CHARACTERS, MAXIMUM_ROWS, Format
from apps.corpora.formats.tables import Layout
from apps.corpora.models import Parse, ParseCheck
from apps.corpora.selectors import MarkingGroup, Table
from apps.frame.edit_forms import EditForm


def _limits() -> str:
    return _(
        "UTF-8, also in .gz or .zip, or an Excel workbook; at most %(megabytes)d MB and %(rows)s rows,"
        " %(characters)s characters a sentence."
    ) % {
        "megabytes": MAXIMUM_BYTES // 2**20,
        "rows": number_format(MAXIMUM_ROWS, force_grouping=True),
        "characters": number_format(MAXIMUM_CHARACTERS, force_grouping=True),
    }


class ImportForm(forms.Form):
    """A file or a pasted text, with what it is called and whose it is."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        allow_empty_file=True,
        help_text=lazy(_limits, str)(),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste sentences"),
        required=False,
        max_length=MAXIMUM_BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=[("", gettext_lazy("as the file's name says")), *Format.choices],
        required=False,
    )
    name = forms.CharField(
        label=gettext_lazy("Name of the corpus"),
        max_length=200,
        required=False,
        help_text=gettext_lazy(
            "Empty: the file's name. The name of a corpus that is there already adds to it."
        ),
    )
    licence = forms.CharField(
        label=gettext_lazy("Licence"), max_length=200, help_text=gettext_lazy("Such as CC BY 4.0.")
    )
    source = forms.CharField(
        label=gettext_lazy("Source"),
        max_length=500,
        help_text=gettext_lazy("Where the sentences come from: an address, a publication, yourself."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        file, text = cleaned.get("file"), cleaned.get("text") or ""
        if self.errors.keys() & {"file", "text"}:
            return cleaned
        if file and text.strip():
            raise forms.ValidationError(_("Give a file or paste sentences, not both."))
        if file:
            if file.size > MAXIMUM_BYTES:
                limit = MAXIMUM_BYTES // 2**20
                self.add_error("file", _("The file is larger than %(n)d MB. Split it.") % {"n": limit})
                return cleaned
            return cleaned | {"file_name": file.name, "data": file.read()}
        if not text:
            raise forms.ValidationError(_("Choose a file, or paste sentences."))
        if not cleaned.get("name"):
            self.add_error("name", _("Give the corpus a name."))
        return cleaned | {"file_name": _("pasted text"), "data": text.encode("utf-8", "replace")}

    def format_of(self, file_name: str) -> Format:
        chosen = self.cleaned_data["format"]
        return Format(chosen) if chosen else Format.of_file(file_name)


class EncodingForm(forms.Form):
    encoding = forms.ChoiceField(
        label=gettext_lazy("Encoding"),
        choices=[(name, encodings.label(name)) for name in encodings.ENCODINGS],
    )


class ColumnForm(EditForm, forms.Form):
    """Which column of a table holds the sentences."""

    column = forms.TypedChoiceField(
        label=gettext_lazy("Column with the sentences"), coerce=int, widget=forms.RadioSelect
    )
    id_column = forms.TypedChoiceField(
        label=gettext_lazy("Column with identifiers"), coerce=int, required=False, empty_value=None
    )
    has_header = forms.BooleanField(label=gettext_lazy("The first row names the columns"), required=False)

    def __init__(self, table: Table, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["has_header"].initial = table.names_columns
        choices = [
            (
                index,
                _found(index, cell, name) if table.names_columns else _("column %(n)d") % {"n": index + 1},
            )
            for index, cell, name, _cells in table.columns
        ]
        self.fields["column"].choices = choices  # type: ignore[attr-defined]
        self.fields["id_column"].choices = [("", _("none")), *choices]  # type: ignore[attr-defined]

    def layout(self) -> Layout:
        cleaned = self.cleaned_data
        return Layout(cleaned["column"], cleaned["id_column"], cleaned["has_header"])


def _found(index: int, cell: str, name: str) -> str:
    """A header as it was found: padding is shown, doubled and missing ones are told apart."""
    if not cell.strip():
        return _("%(n)d: no header") % {"n": index + 1}
    padded = " " + _("(written “%(cell)s”, with spaces)") % {"cell": cell} if cell != cell.strip() else ""
    return f"{index + 1}: {name}{padded}"


class CheckForm(EditForm, forms.Form):
    """A word on one marking of a sample; the buttons are the verdicts."""

    pressed = ("verdict",)

    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"), choices=ParseCheck.Verdict.choices, required=False
    )
    note = forms.CharField(label=gettext_lazy("Note"), required=False)

    def __init__(self, check: ParseCheck, *args: Any, **options: Any) -> None:
        self.check = check
        now = {"verdict": check.verdict, "note": check.note}
        super().__init__(*args, initial=now, auto_id=False, **options)


class ParseForm(forms.Form):
    convention = forms.ChoiceField(label=gettext_lazy("Convention"))

    def __init__(self, *args: Any, **options: Any) -> None:
        from natlog.lexicon.conventions import conventions

        super().__init__(*args, **options)
        self.fields["convention"].choices = [(name, name) for name in conventions()]  # type: ignore[attr-defined]


class SentenceFilterForm(forms.Form):
    """The filters above a corpus' sentences."""

    q = forms.CharField(label=gettext_lazy("Text"), required=False, max_length=200)
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        required=False,
        choices=[
            ("", gettext_lazy("all")),
            *Parse.Kind.choices,
            ("unparsed", gettext_lazy("not parsed")),
            ("aside", gettext_lazy("put aside")),
        ],
    )
    g = forms.ChoiceField(label=gettext_lazy("Marked by"), required=False)

    def __init__(self, groups: list[MarkingGroup], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["g"].choices = [(group.key, str(group)) for group in groups]  # type: ignore[attr-defined]
        if len(groups) < 2:
            del self.fields["g"]


class SampleForm(forms.Form):
    size = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=1000, initial=20)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        help_text=gettext_lazy("The same seed draws the same parses."),
    )
    group = forms.ChoiceField(label=gettext_lazy("Marked by"))

    def __init__(self, groups: list[MarkingGroup], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["group"].choices = [(group.key, str(group)) for group in groups]  # type: ignore[attr-defined]
        self.fields["size"].initial = min([20, *(group.count for group in groups)])
