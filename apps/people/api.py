"""Members and invitations through the API."""

from __future__ import annotations

import django_filters
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Scope
from apps.api.viewsets import ScopedViewSet, StudyFilters
from apps.frame.public_address import whole
from apps.people import passwords
from apps.people import services as accounts_services
from apps.people.models import Invitation
from apps.people.serializers import (
    InvitationBody,
    InvitationSerializer,
    MembershipSerializer,
    PasswordLinkSerializer,
)
from apps.studies import services
from apps.studies.access import ADMINISTRATION
from apps.studies.models import Membership, Role


class MemberFilters(StudyFilters):
    role = django_filters.ChoiceFilter(choices=Role.choices, label=_("The role."))


@extend_schema(tags=["people"])
class MemberViewSet(ScopedViewSet[Membership]):
    """Who belongs to a study, and in which role."""

    model = Membership
    serializer_class = MembershipSerializer
    filterset_class = MemberFilters
    read_scope = write_scope = Scope.PEOPLE
    shown_once = ("link",)

    def get_queryset(self) -> QuerySet[Membership]:
        return super().get_queryset().select_related("study", "user")

    def destroy(self, request: Request, pk: str) -> Response:
        """Take the role away; for admins. The last admin stays."""
        membership = self.one()
        self.access_in(membership.study, ADMINISTRATION)
        services.membership_remove(membership=membership, actor=self.user)
        return Response(status=204)

    @extend_schema(request=None, responses={201: PasswordLinkSerializer})
    @action(detail=True, methods=["post"], url_path="password-link")
    def password_link(self, request: Request, pk: str) -> Response:
        """A link with which the member sets a new password, once, within a day; for admins. Refused for an
        account that opens more than the studies that you administer."""
        membership = self.one()
        self.access_in(membership.study, ADMINISTRATION)
        token = passwords.password_link_for_member(
            actor=self.user, study=membership.study, user=membership.user
        )
        link = whole(reverse("people:password_reset", args=[token]), request)
        return Response(PasswordLinkSerializer({"link": link}).data, status=201)


@extend_schema(tags=["people"])
class InvitationViewSet(ScopedViewSet[Invitation]):
    """Links that let one person each into a study."""

    model = Invitation
    serializer_class = InvitationSerializer
    read_scope = write_scope = Scope.PEOPLE
    shown_once = ("link",)

    def get_queryset(self) -> QuerySet[Invitation]:
        return super().get_queryset().select_related("study", "accepted_by")

    @extend_schema(
        request=InvitationBody,
        responses={201: InvitationSerializer},
        examples=[
            OpenApiExample("Invite", {"study": "dogs-and-cats", "role": "annotator"}, request_only=True)
        ],
    )
    def create(self, request: Request) -> Response:
        """Invite somebody; for admins. Send the link on yourself: it is shown once, no mail is sent."""
        body = self.checked(InvitationBody)
        self.access_in(body["study"], ADMINISTRATION)
        invitation, token = accounts_services.invitation_create(actor=self.user, **body)
        link = whole(reverse("people:invitation", args=[token]), request)
        answer = Response(InvitationSerializer(invitation, context={"link": link}).data, status=201)
        answer["Location"] = reverse("api:invitation-detail", args=[invitation.pk])
        return answer

    def destroy(self, request: Request, pk: str) -> Response:
        """Let nobody in by it any more; for admins. One that was accepted stays as it is."""
        invitation = self.one()
        assert invitation.study is not None  # only invitations into a study are found here
        self.access_in(invitation.study, ADMINISTRATION)
        accounts_services.invitation_withdraw(invitation=invitation, actor=self.user)
        return Response(status=204)
