"""Panels and pay through the API. Whatever names a person or moves money needs the scope ``people``."""

from __future__ import annotations

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.accounts.models import Scope
from apps.api.problems import Conflict
from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.panels import payout_file, selectors, services
from apps.panels.models import Bonus, ConsentText, Panel, Payout, Visit
from apps.panels.serializers import (
    BonusBody,
    BonusSerializer,
    ConsentBody,
    ConsentSerializer,
    FullPayoutSerializer,
    LedgerSerializer,
    PanelBody,
    PanelSerializer,
    PanelSettingsBody,
    PayoutBody,
    PayoutSerializer,
    VisitSerializer,
)


class PanelFilters(StudyFilters):
    campaign = IdFilter("campaign_id", gettext_lazy("The campaign's id."))


@extend_schema(tags=["panels"])
class PanelViewSet(ScopedViewSet[Panel]):
    """Where a campaign's paid annotators come from, and how they return."""

    model = Panel
    serializer_class = PanelSerializer
    filterset_class = PanelFilters

    def get_queryset(self) -> QuerySet[Panel]:
        texts = ConsentText.objects.filter(panel=OuterRef("pk")).order_by("-version")
        version = Subquery(texts.values("version")[:1])
        return super().get_queryset().select_related("campaign__study").annotate(consent_version=version)

    @extend_schema(
        request=PanelBody,
        responses={201: PanelSerializer},
        examples=[
            OpenApiExample(
                "People from Prolific",
                {"campaign": 1, "kind": "prolific", "consent": "# What this is\nA research study."},
                request_only=True,
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """Let a campaign's people come from a panel."""
        return self.made(services.panel_create(actor=self.user, **self.checked(PanelBody)))

    @extend_schema(
        request=PanelSettingsBody,
        responses=PanelSerializer,
        examples=[OpenApiExample("Ten sets a visit", {"sets_wanted": 10}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Change how people arrive and return. Codes that people have stay theirs."""
        panel = self.one()
        body = self.checked(PanelSettingsBody, partial=True)
        return self.shown(services.panel_update(panel=panel, actor=self.user, **body))

    @extend_schema(methods=["get"], responses=ConsentSerializer(many=True), description="The versions.")
    @extend_schema(
        methods=["post"],
        request=ConsentBody,
        responses={201: ConsentSerializer},
        description="A new version of what people agree to; the same text makes none.",
        examples=[OpenApiExample("Another text", {"body": "# What this is\nA study."}, request_only=True)],
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None)
    def consents(self, request: Request, pk: str) -> Response:
        panel = self.one()
        if request.method != "POST":
            return self.page_of(panel.consents.all(), ConsentSerializer)
        made = services.consent_create(panel=panel, actor=self.user, **self.checked(ConsentBody))
        return Response(ConsentSerializer(made).data, status=201)

    @extend_schema(responses=LedgerSerializer)
    @action(detail=True, methods=["get"], pagination_class=None)
    def ledger(self, request: Request, pk: str) -> Response:
        """What is owed, what waits for the paymaster, what is paid. Seven queries."""
        panel = self.one()
        accounts = selectors.accounts_of(panel)
        shown = {
            "currency": panel.campaign.currency,
            "price": panel.campaign.price,
            "totals": selectors.total_of(accounts),
            "accounts": accounts,
        }
        return Response(LedgerSerializer(shown).data)


class OfPanel(StudyFilters):
    panel = IdFilter("panel_id", gettext_lazy("The panel's id."))


class VisitFilters(OfPanel):
    outcome = django_filters.ChoiceFilter(choices=Visit.Outcome.choices, label=gettext_lazy("How it ended."))


@extend_schema(tags=["panels"])
class VisitViewSet(ScopedViewSet[Visit]):
    """Who came from a panel, under their pseudonyms, and how it ended."""

    model = Visit
    serializer_class = VisitSerializer
    filterset_class = VisitFilters

    def get_queryset(self) -> QuerySet[Visit]:
        return super().get_queryset().select_related("participant", "consent")


@extend_schema(tags=["panels"])
class BonusViewSet(ScopedViewSet[Bonus]):
    """Something extra for a person, once for each reason."""

    model = Bonus
    serializer_class = BonusSerializer
    filterset_class = OfPanel
    write_scope = Scope.PEOPLE

    def get_queryset(self) -> QuerySet[Bonus]:
        return super().get_queryset().select_related("participant")

    @extend_schema(
        request=BonusBody,
        responses={201: BonusSerializer},
        examples=[
            OpenApiExample(
                "Half a dollar",
                {"panel": 1, "annotator": 7, "cents": 50, "reason": "Careful notes"},
                request_only=True,
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """A bonus for one of the panel's people."""
        body = self.checked(BonusBody)
        participant = body.pop("annotator")
        try:
            bonus = services.bonus_create(participant=participant, actor=self.user, **body)
        except ValidationError as error:
            renamed = {"amount": "cents", "participant": "annotator"}
            raise ValidationError(
                {renamed.get(name, name): texts for name, texts in error.message_dict.items()}
            ) from error
        return self.made(bonus)


@extend_schema(tags=["panels"])
@extend_schema_view(retrieve=extend_schema(responses=FullPayoutSerializer))
class PayoutViewSet(ScopedViewSet[Payout]):
    """What was put together for the paymaster; one of them alone has its people."""

    model = Payout
    filterset_class = OfPanel
    write_scope = Scope.PEOPLE

    def get_serializer_class(self) -> type[BaseSerializer[Payout]]:
        return PayoutSerializer if self.action == "list" else FullPayoutSerializer

    def get_queryset(self) -> QuerySet[Payout]:
        return super().get_queryset().select_related("panel__campaign__study")

    @extend_schema(
        request=PayoutBody,
        responses={201: FullPayoutSerializer},
        examples=[OpenApiExample("All that is owed", {"panel": 1}, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Put all that is owed at this moment into one payout; 409 where nothing is."""
        payout = services.payout_create(actor=self.user, **self.checked(PayoutBody))
        if payout is None:
            raise Conflict(_("Nothing is owed that is not in a payout already."))
        return self.made(payout)

    @extend_schema(request=None, responses=FullPayoutSerializer)
    @action(detail=True, methods=["post"])
    def paid(self, request: Request, pk: str) -> Response:
        """Say that the paymaster has paid it; said again, it changes nothing."""
        return self.shown(services.payout_set_paid(payout=self.one(), actor=self.user))

    def destroy(self, request: Request, pk: str) -> Response:
        """Take an unpaid payout apart: all in it is owed again."""
        services.payout_cancel(payout=self.one(), actor=self.user)
        return Response(status=204)

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    @action(detail=True, methods=["get"], pagination_class=None, read_scope=Scope.PEOPLE)
    def csv(self, request: Request, pk: str) -> HttpResponse:
        """The paymaster's file, with the people's identifiers at the panel."""
        payout = self.one()
        services.payout_note_fetch(payout=payout, actor=self.user)
        response = HttpResponse(payout_file.csv_of(payout), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{payout_file.file_name(payout)}"'
        return response
