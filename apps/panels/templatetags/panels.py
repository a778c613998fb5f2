"""How the ledger shows amounts."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def money(cents: int | None) -> str:
    """An amount in hundredths, with two decimals; – for none.

    >>> money(1205), money(0)
    ('12.05', '–')
    """
    return number_format(f"{cents // 100}.{cents % 100:02}") if cents else "–"
