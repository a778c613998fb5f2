"""The trail in words: studies and their members."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.models import Membership, Study
from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "study.archived": _("study put into the archive"),
        "study.unarchived": _("study taken out of the archive"),
        "study.changed": _("study changed"),
        "study.created": _("study made"),
        "membership.removed": _("role taken away"),
        "participant.created": _("annotator came for the first time"),
        "participant.simulated": _("simulated annotator made"),
    },
    groups=(
        Group("people", _("people"), 10),
        Group("study", _("study, jobs and webhooks"), 100),
    ),
    within={"people": ("membership", "participant"), "study": ("study",)},
    details={
        "name": _("name"),
        "role": _("role"),
        "changed": _("what changed"),
    },
    kinds={"participant": _("annotator"), "study": _("study"), "user": _("member")},
    choices={
        ("membership", "role"): Membership._meta.get_field("role"),
    },
    fields={"study": Study},
)
