"""Fields for lists too long to scroll through: one types a part of a name, and the browser offers the rest.

They are plain text inputs with a ``datalist``, so that they work without script. What was chosen before
stays beside the input as ticked boxes. With script (polarlab.js) a chosen name becomes one at once, without
it by the *Add* button; what stands in the input when the form is sent is chosen as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

#: What there is to choose, as (code, name, another name that it is found by).
Entries = Callable[[], Sequence[tuple[str, str, str]]]
_BETWEEN = re.compile(r"[,;\n]")


def folded(name: str) -> str:
    """A name as it is looked up: without capitals, accents and spare spaces.

    >>> folded(" Español ")
    'espanol'
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return " ".join(plain.casefold().split())


def code_of(entries: Sequence[tuple[str, str, str]], typed: str) -> str | None:
    """The code that somebody means by a code, a name or another name; None for none of them."""
    wanted = folded(typed)
    for code, *names in entries:
        if typed == code or wanted in {form for name in names for form in _forms_of(name)}:
            return code
    return None


def _forms_of(name: str) -> set[str]:
    """A name as it stands, and each of the names that stand in it with brackets and commas between.

    >>> sorted(_forms_of("United States (USA, America)"))
    ['america', 'united states', 'united states (usa, america)', 'usa']
    """
    return {folded(part) for part in (name, *re.split(r"[(),]", name)) if folded(part)}


class _LongList(forms.Widget):
    """An input with suggestions; ``choices`` is read when it is drawn, in the reader's language."""

    entries: Entries = staticmethod(lambda: ())

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["entries"] = self.entries()
        context["widget"]["list_id"] = f"{context['widget']['attrs'].get('id', name)}_names"
        return context


class OneOfManyInput(_LongList):
    template_name = "components/one_of_many.html"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        names = {code: shown for code, shown, _other in context["widget"]["entries"]}
        context["widget"]["value"] = names.get(value, value or "")
        return context


class SomeOfManyInput(_LongList):
    template_name = "components/some_of_many.html"
    use_fieldset = True

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        names = {code: shown for code, shown, _other in context["widget"]["entries"]}
        chosen = list(dict.fromkeys(value or ()))
        context["widget"]["chosen"] = [(code, names[code]) for code in chosen if code in names]
        context["widget"]["typed"] = ", ".join(code for code in chosen if code not in names)
        return context

    def format_value(self, value: Any) -> list[str]:
        return [str(code) for code in value or ()]

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        """What is ticked, and what was typed: a name that is none of the list's stays as it was typed."""
        ticked = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
        typed = [part.strip() for part in _BETWEEN.split(data.get(f"{name}-typed", "")) if part.strip()]
        entries = self.entries()
        return list(dict.fromkeys([*ticked, *(code_of(entries, part) or part for part in typed)]))

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return False  # nothing ticked is an answer

    def id_for_label(self, id_: str) -> str:
        return ""


class OneOfMany(forms.CharField):
    """One code; ValidationError for a name that is not on the list."""

    widget = OneOfManyInput

    def __init__(self, *, entries: Entries, **options: Any) -> None:
        super().__init__(**options)
        self.entries = entries
        self.widget.entries = entries

    def clean(self, value: Any) -> str:
        typed = super().clean(value)
        if not typed:
            return ""
        code = code_of(self.entries(), typed)
        if code is None:
            raise ValidationError(not_listed(typed))
        return code


class SomeOfMany(forms.Field):
    """Codes in the order of choosing; ValidationError for a name that is not on the list."""

    widget = SomeOfManyInput

    def __init__(self, *, entries: Entries, **options: Any) -> None:
        super().__init__(**options)
        self.entries = entries
        self.widget.entries = entries

    @property
    def choices(self) -> list[tuple[str, str]]:
        return [(code, name) for code, name, _other in self.entries()]

    def clean(self, value: Any) -> list[str]:
        super().clean(value)
        known = {code for code, _name, _other in self.entries()}
        if unknown := [one for one in value or [] if one not in known]:
            raise ValidationError(not_listed(", ".join(unknown)))
        return list(value or [])

    def has_changed(self, initial: Any, data: Any) -> bool:
        return sorted(initial or []) != sorted(data or [])


def not_listed(typed: str) -> str:
    text = _("“%(name)s” is not on the list. Type a part of the name and choose from what is offered.")
    return text % {"name": typed}


def is_adding(data: Mapping[str, Any] | None) -> bool:
    """Whether a form was sent by an *Add* button: to be shown again with what was typed chosen, not saved."""
    return bool(data) and "add-typed" in (data or {})
