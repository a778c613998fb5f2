"""The trail in words: testbeds."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "testbed.created": _("testbed begun"),
        "testbed.paired": _("pairs of a testbed's sentences begun"),
        "testbed.finished": _("testbed generated"),
        "testbed.sampled": _("sample of a testbed given to people"),
    },
    within={"pairs": ("testbed",)},
)
