"""The trail in words: background work."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "job.cancelled": _("job cancelled"),
        "job.retried": _("job tried again"),
        "job.started": _("job started"),
    },
    within={"study": ("job",)},
    details={
        "kind": _("kind"),
        "done": _("done"),
    },
    kinds={"job": _("job")},
)
