"""An outside norm beside accuracies, as a table that a paper takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from apps.dashboard.norms import Correlated
from apps.frame.exhibits import Cell, Column, Table
from apps.frame.exhibits.tables import Form
from measures.undefined import Undefined


def correlation_table(rows: Sequence[Correlated], names: Mapping[str, str], norm: str) -> Table:
    """A row a judge: Pearson's r and Spearman's ρ of its accuracies and the norm."""
    columns = [
        Column("judge", _("Whose labels")),
        Column("values", _("Values with both"), Form.COUNT),
        Column("pearson", _("Pearson's r"), Form.FIGURE, 3),
        Column("spearman", _("Spearman's ρ"), Form.FIGURE, 3),
    ]
    cells = [
        [Cell(names[row.judge]), Cell(row.n), _figure(row.pearson), _figure(row.spearman)] for row in rows
    ]
    return Table(_("Accuracies and %(norm)s") % {"norm": norm}, columns, cells)


def _figure(number: float | Undefined) -> Cell:
    if not isinstance(number, Undefined):
        return Cell(number)
    few = number is Undefined.NO_OVERLAP
    return Cell(None, beside=_("fewer than two values have both") if few else _("one of them does not vary"))
