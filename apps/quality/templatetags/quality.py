"""What a template says of a rule's signal."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

from apps.quality import signals

register = template.Library()


@register.filter
def amount(value: float | None, signal: str) -> str:
    """A signal's value or threshold in the unit that it is typed in: shares in %, else the number."""
    if value is None:
        return "–"
    is_share = signals.of(signal).is_share
    shown = number_format(f"{100 * value if is_share else value:.2f}".rstrip("0").rstrip("."))
    return f"{shown} %" if is_share else str(shown)


@register.filter
def fires_above(signal: str) -> bool:
    """Whether high values are the bad ones."""
    return signals.of(signal).fires_above
