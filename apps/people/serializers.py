"""The people of a study as JSON: members, invitations, annotators."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import StudyBody
from apps.people.models import Invitation
from apps.studies.models import Membership, Participant, Role


class MembershipSerializer(serializers.ModelSerializer[Membership]):
    """One role of one person; somebody may have several."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    name = serializers.CharField(source="user.name", read_only=True)
    email = serializers.EmailField(source="user.email", read_only=True)

    class Meta:
        model = Membership
        fields = ["id", "study", "name", "email", "role", "created_at"]


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """``link`` lets one person in; it is shown once, in the answer to the request that made it."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    role = serializers.ChoiceField(choices=Role.choices, read_only=True)
    is_open = serializers.BooleanField(read_only=True)
    accepted_by = serializers.SerializerMethodField()
    link = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields = [
            "id",
            "study",
            "role",
            "email",
            "is_open",
            "created_at",
            "expires_at",
            "accepted_at",
            "accepted_by",
            "link",
        ]

    @extend_schema_field(serializers.EmailField(allow_null=True))
    def get_accepted_by(self, invitation: Invitation) -> str | None:
        return invitation.accepted_by.email if invitation.accepted_by else None

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_link(self, invitation: Invitation) -> str | None:
        link: str | None = self.context.get("link")
        return link


class InvitationBody(StudyBody):
    role = serializers.ChoiceField(choices=Role.choices)
    email = serializers.EmailField(
        allow_blank=True, default="", max_length=254, help_text="For your own memory; no mail is sent."
    )


class PasswordLinkSerializer(serializers.Serializer[Any]):
    """Shown once: whoever has it can sign in as the member."""

    link = serializers.URLField()


class AnnotatorSerializer(serializers.ModelSerializer[Participant]):
    """Whoever judges in a study, under a pseudonym; ``panel`` says where somebody without account is from."""

    study = serializers.SlugField(source="study.slug", read_only=True)

    class Meta:
        model = Participant
        fields = ["id", "study", "pseudonym", "panel", "simulated", "blocked_at", "erased_at", "created_at"]


class ErasureSerializer(serializers.Serializer[Any]):
    """What erasing somebody means, in sentences: what ``goes`` for good, what ``stays``, and what to do
    ``before``, such as paying them."""

    goes = serializers.ListField(child=serializers.CharField())
    stays = serializers.ListField(child=serializers.CharField())
    before = serializers.ListField(child=serializers.CharField())


class MatchBody(StudyBody):
    names = serializers.ListField(
        child=serializers.CharField(max_length=254),
        min_length=1,
        max_length=1000,
        help_text="Pseudonyms, e-mail addresses, or identifiers at a panel.",
    )


class MatchedPersonSerializer(serializers.Serializer[Any]):
    """Whom a ``name`` names; all null where that is nobody of the study, or was erased."""

    name = serializers.CharField()
    annotator = serializers.IntegerField(source="participant.pk", default=None, allow_null=True)
    pseudonym = serializers.CharField(source="participant.pseudonym", default=None, allow_null=True)
    email = serializers.EmailField(source="participant.user.email", default=None, allow_null=True)
    panel = serializers.CharField(source="participant.panel", default=None, allow_null=True)
    external_id = serializers.CharField(source="participant.external_id", default=None, allow_null=True)


class MatchSerializer(serializers.Serializer[Any]):
    people = MatchedPersonSerializer(many=True)
