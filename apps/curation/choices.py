"""What the filters of the pairs' page (apps/curation/filters.py) offer to choose from."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from apps.curation.conditions import (
    ADJUDICATED,
    AGREE,
    CALCULUS,
    DIFFER,
    FILE,
    HUMAN,
    MODEL,
    NO,
    NO_TWINS,
    OF_CROWD,
    OF_OTHERS,
    OF_PAPERS,
    OTHER_MODEL,
    UNDECIDED,
    YES,
)
from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Pair

ANY = ("", _("any"))
YES_OR_NO = [ANY, (YES, _("yes")), (NO, _("no"))]
ORIGINS = [
    ANY,
    (NO_TWINS, _("all but swapped twins")),
    *Pair.Origin.choices,
    (OF_CROWD, _("crowd, as composition counts")),
    (OF_PAPERS, _("paper, as composition counts")),
    (OF_OTHERS, _("neither crowd nor paper")),
]
AGREEMENT = [
    ANY,
    (AGREE, _("agree")),
    (DIFFER, _("differ")),
    (UNDECIDED, _("people undecided: to adjudicate")),
]
BETWEEN = [
    ANY,
    ("people-calculus", _("people and calculus")),
    ("people-model", _("people and model")),
    ("calculus-model", _("calculus and model")),
    ("file-people", _("file and people")),
    ("file-calculus", _("file and calculus")),
    ("file-model", _("file and model")),
    ("people-other", _("people and other model")),
    ("calculus-other", _("calculus and other model")),
    ("file-other", _("file and other model")),
    ("models", _("model and other model")),
]
LABELLERS = [
    (HUMAN, _("people")),
    (CALCULUS, _("calculus")),
    (FILE, _("file")),
    (ADJUDICATED, _("adjudicated")),
    (MODEL, _("model")),
    (OTHER_MODEL, _("other model")),
]


def names(labels: tuple[str, ...]) -> list[tuple[str, Any]]:
    """These labels, or any."""
    return [ANY, *((label, LABEL_NAMES[label]) for label in labels)]
