"""The trail in words: releases."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "release.created": _("release begun"),
        "release.restored": _("archive of a release made again"),
        "release.frozen": _("release frozen"),
        "gold_rule.created": _("gold rule made"),
        "twins.stored": _("swapped twins stored"),
    },
    groups=(Group("releases", _("releases"), 90),),
    within={"releases": ("release", "gold_rule"), "pairs": ("twins",)},
    details={
        "pairs": _("pairs"),
        "twins": _("twins"),
    },
    kinds={"release": _("release")},
)
