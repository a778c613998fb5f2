"""Filters of the pairs' pages."""

from __future__ import annotations

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_QUOTED = re.compile(r"\*([^*]+)\*")


@register.filter
def reason(text: str) -> SafeString:
    """A calculus reason, whose quoted words stand between asterisks, with these words in italics."""
    return mark_safe(_QUOTED.sub(r"<i>\1</i>", escape(text)))  # noqa: S308 — escaped before
