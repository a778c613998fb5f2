"""The trail in words: invitations and annotators."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.studies.models import Membership
from apps.studies.vocabulary import Words

WORDS = Words(
    actions={
        "invitation.accepted": _("invitation accepted"),
        "invitation.created": _("invitation made"),
        "invitation.withdrawn": _("invitation withdrawn"),
        "pseudonyms.matched": _("looked up who is behind pseudonyms"),
        "password_link.created": _("link to a new password made"),
        "participant.erased": _("annotator erased"),
    },
    within={"people": ("invitation", "pseudonyms", "password_link")},
    details={
        "count": _("how many"),
        "pseudonyms": _("pseudonyms"),
    },
    kinds={"invitation": _("invitation")},
    choices={
        ("invitation", "role"): Membership._meta.get_field("role"),
    },
)
