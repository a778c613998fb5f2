"""The trail in words: campaigns and answers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign
from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "campaign.archived": _("campaign put into the archive"),
        "campaign.unarchived": _("campaign taken out of the archive"),
        "campaign.deleted": _("campaign deleted"),
        "campaign.changed": _("campaign settings changed"),
        "campaign.created": _("campaign made"),
        "campaign.state": _("campaign opened, paused or closed"),
        "items.added": _("items added"),
        "guideline.created": _("new instructions"),
        "judgement.revised": _("answer changed"),
        "judgement.submitted": _("answer sent"),
        "leases.released": _("leases given back"),
        "pair.withdrawn": _("pair that nobody's answer makes any more taken out"),
    },
    groups=(
        Group("answers", _("answers"), 20, is_answers=True),
        Group("campaigns", _("campaigns"), 30),
    ),
    within={"answers": ("judgement", "leases"), "campaigns": ("campaign", "items", "guideline", "pilot")},
    details={
        "state": _("state"),
        "version": _("version"),
        "task": _("task"),
        "items": _("items"),
        "counted": _("counted"),
        "revision": _("revision"),
    },
    kinds={"campaign": _("campaign"), "judgement": _("answer")},
    named={"campaign": Campaign},
    choices={
        ("campaign", "state"): Campaign._meta.get_field("state"),
        ("campaign", "task"): Campaign._meta.get_field("task"),
    },
    fields={"campaign": Campaign},
)
