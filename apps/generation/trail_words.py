"""The trail in words: machine-made pairs."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "machine.contrasts": _("contrast set begun"),
        "machine.finished": _("machine-made pairs stored"),
        "machine.prepared": _("machine-made pairs prepared"),
        "machine.started": _("machine-made pairs begun"),
    },
    within={"pairs": ("machine",)},
)
