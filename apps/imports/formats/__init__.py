"""The formats, one small module each, and which one a file is in."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext_lazy as _

from apps.imports.formats import fracas, generated, glue, help, mapped, mnli, polarlab, sick, transitivity
from apps.imports.formats.table import Columns

# The ones with more columns first: the transitivity paper's files have MultiNLI's columns too.
KNOWN: tuple[Columns, ...] = tuple(
    module.FORMAT for module in (transitivity, glue, help, sick, polarlab, generated, mnli)
)
BY_KEY = {format.key: format for format in KNOWN}
TITLES = {
    **{format.key: format.title for format in KNOWN},
    fracas.KEY: _("FraCaS (XML)"),
    mapped.KEY: _("columns as you say"),
}


def known_by(columns: Collection[str]) -> Columns | None:
    """The format whose columns (in lower case) these are."""
    return next((format for format in KNOWN if format.required <= set(columns)), None)
