"""Filters of the pairs' pages."""

from __future__ import annotations

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from apps.datasets.labels import FILE, LABEL_NAMES
from apps.datasets.tags import BY_HAND, CORRECTED, NATLOG

register = template.Library()

TAG_SOURCES = {FILE: _("file"), NATLOG: _("calculus"), BY_HAND: _("by hand"), CORRECTED: _("corrected")}

_QUOTED = re.compile(r"\*([^*]+)\*")


@register.filter
def reason(text: str) -> SafeString:
    """A calculus reason, whose quoted words stand between asterisks, with these words in italics."""
    return mark_safe(_QUOTED.sub(r"<i>\1</i>", escape(text)))  # noqa: S308 — escaped before


@register.filter
def tag_source(source: str) -> str:
    """Where a tag comes from, in words."""
    return str(TAG_SOURCES.get(source, source))


@register.filter
def label_name(label: str) -> str:
    """A label or an answer in words; any other text as it is."""
    return str(LABEL_NAMES.get(label, label))
