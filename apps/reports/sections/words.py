"""What stands in a report's cells: labels, directions and figures in the reader's language."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from apps.datasets.labels import LABEL_NAMES

NONE = "–"


def label(label: str) -> str:
    return str(LABEL_NAMES.get(label, label)) if label else _("no label")


def direction(direction: str) -> str:
    return {"upward": _("upward"), "downward": _("downward"), "non-monotone": _("non-monotone")}.get(
        direction, _("none")
    )


def percent(value: float | None) -> str:
    return NONE if value is None else f"{number_format(f'{100 * value:.1f}')}\u00a0%"


def count(value: int) -> str:
    return str(value) if value else NONE


def number(value: float | None) -> str:
    return NONE if value is None else number_format(f"{value:.2f}").replace("-", "−")
