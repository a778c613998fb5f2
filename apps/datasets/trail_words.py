"""The trail in words: datasets and their pairs."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.datasets.models import Dataset
from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "dataset.archived": _("dataset put into the archive"),
        "dataset.unarchived": _("dataset taken out of the archive"),
        "dataset.deleted": _("dataset deleted"),
        "dataset.renamed": _("dataset renamed"),
        "dataset.created": _("dataset made"),
        "pair.created": _("pair made"),
    },
    groups=(Group("pairs", _("pairs"), 70),),
    within={"pairs": ("pair", "dataset")},
    details={
        "origin": _("origin"),
        "label": _("label"),
        "dataset": _("dataset"),
    },
    kinds={"dataset": _("dataset"), "pair": _("pair")},
    named={"dataset": Dataset},
)
