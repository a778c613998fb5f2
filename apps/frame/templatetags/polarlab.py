"""The few filters that every template may use."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

register = template.Library()

_ARROWS = {
    "up": ("up", "↑"),
    "down": ("down", "↓"),
    "flat": ("flat", "="),
    "↑": ("up", "↑"),
    "↓": ("down", "↓"),
    "=": ("flat", "="),
    "upward": ("up", "↑"),
    "downward": ("down", "↓"),
    "non-monotone": ("flat", "="),
}


@register.filter
def arrow(polarity: str) -> SafeString | str:
    """A coloured arrow for a polarity or direction, named for screen readers; – for none."""
    if polarity not in _ARROWS:
        return "–"
    kind, sign = _ARROWS[polarity]
    names = {"up": _("upward"), "down": _("downward"), "flat": _("non-monotone")}
    # The arrow often stands within a sentence, and those are English.
    return format_html(
        '<span class="polarity {}"><span aria-hidden="true">{}</span>'
        '<span class="visually-hidden"{}> {}</span></span>',
        kind,
        sign,
        "" if get_language() == "en" else format_html(' lang="{}"', get_language()),
        names[kind],
    )


@register.inclusion_tag("components/conventions.html")
def conventions() -> dict[str, Any]:
    """What the conventions are, each with one sentence as it marks it; beside a field that chooses one."""
    from natlog.lexicon.conventions import conventions as names
    from natlog.lexicon.conventions import load_convention

    rows = []
    for name in names():
        convention = load_convention(name)
        tokens = [(word[:-1], word[-1], False) for word in convention.example.split()]
        rows.append((name, convention.source, tokens))
    return {"rows": rows}


@register.filter
def dash(value: Any) -> Any:
    """The value, or – where there is none."""
    return "–" if value is None or value == "" else value


@register.filter
def time_left(seconds: int) -> str:
    """A guess in words, as rough as it is: under a minute, minutes, hours."""
    if seconds < 60:
        return _("less than a minute left")
    minutes = round(seconds / 60)
    if minutes < 90:
        return ngettext("about %(n)d minute left", "about %(n)d minutes left", minutes) % {"n": minutes}
    hours = round(seconds / 3600)
    return ngettext("about %(n)d hour left", "about %(n)d hours left", hours) % {"n": hours}


@register.filter
def percent(value: float | None) -> str:
    """A share in [0, 1] as 12.3 %; – where it is undefined."""
    return "–" if value is None else f"{number_format(f'{100 * value:.1f}')} %"


@register.filter
def pairs(mapping: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """Names and values. ``mapping.items`` in a template is the value under "items" where there is one."""
    return list(mapping.items())


@register.filter
def key(mapping: dict[Any, Any], name: Any) -> Any:
    """``mapping[name]``, or None."""
    return mapping.get(name)
