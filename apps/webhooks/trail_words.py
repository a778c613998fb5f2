"""The trail in words: webhooks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "webhook.changed": _("webhook changed"),
        "webhook.created": _("webhook made"),
        "webhook.disabled": _("webhook switched off"),
        "webhook.enabled": _("webhook switched on"),
        "webhook.removed": _("webhook removed"),
        "webhook.resent": _("message sent again to a webhook"),
        "webhook.rotated": _("new secret for a webhook"),
        "webhook.tested": _("webhook tried"),
    },
    within={"study": ("webhook",)},
    details={
        "reason": _("reason"),
        "events": _("events"),
    },
    kinds={"webhook": _("webhook")},
)
