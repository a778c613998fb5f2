"""A study's rooms: the list of studies, the overview, members, the trail."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts import services as accounts_services
from apps.accounts.models import Invitation, User
from apps.studies import selectors, services
from apps.studies.access import ADMINISTRATION, RESEARCH, Access, study_view, within
from apps.studies.forms import InvitationForm, StudyForm
from apps.studies.models import AuditEvent, Membership
from config.public_address import whole


@login_not_required
def health(request: HttpRequest) -> JsonResponse:
    """For load balancers and containers: the web process answers and reaches its database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


@login_not_required
def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for it whatever the page says."""
    return redirect(static("icon.svg"))


def home(request: HttpRequest) -> HttpResponse:
    """Annotators land on their work; researchers on their one study, or the list."""
    user = cast(User, request.user)
    roles = set(user.memberships.values_list("role", flat=True))
    if roles == {"annotator"}:
        return redirect("work:home")
    slugs = set(user.memberships.filter(role__in=RESEARCH).values_list("study__slug", flat=True))
    if len(slugs) == 1:
        return redirect("studies:overview", slugs.pop())
    return redirect("study_list")


def study_list(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    return render(request, "studies/list.html", {"studies": selectors.studies_of(user)})


def study_new(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if not (user.may_create_studies or user.is_superuser):
        raise PermissionDenied(_("Ask whoever hosts this server for an invitation to create studies."))
    form = StudyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        study = services.study_create(actor=user, **form.cleaned_data)
        return redirect("studies:overview", study.slug)
    return render(request, "studies/new.html", {"form": form})


@study_view()
def overview(request: HttpRequest, access: Access) -> HttpResponse:
    return render(request, "studies/overview.html", {"steps": selectors.steps_of(access.study)})


@study_view()
def members(request: HttpRequest, access: Access) -> HttpResponse:
    """Who is in, who was invited. Only admins invite and remove."""
    form = InvitationForm(request.POST or None)
    if request.method == "POST":
        if not access.administers:
            raise PermissionDenied(_("Only a study's admins invite people."))
        if form.is_valid():
            _invitation, token = accounts_services.invitation_create(
                actor=access.user, study=access.study, **form.cleaned_data
            )
            link = whole(reverse("accounts:invitation", args=[token]), request)
            request.session["invitation_link"] = link
            return redirect("studies:members", access.study.slug)
    context = {
        "form": form,
        "link": request.session.pop("invitation_link", None),
        "memberships": within(Membership, access.study).select_related("user"),
        "invitations": [
            i for i in within(Invitation, access.study).select_related("created_by") if i.is_open
        ],
    }
    return render(request, "studies/members.html", context)


@require_POST
@study_view(ADMINISTRATION)
def member_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    membership = access.get(Membership, pk)
    try:
        services.membership_remove(membership=membership, actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("studies:members", access.study.slug)


@require_POST
@study_view(ADMINISTRATION)
def invitation_withdraw(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    invitation = access.get(Invitation, pk)
    accounts_services.invitation_withdraw(invitation=invitation, actor=access.user)
    messages.info(request, _("The invitation lets nobody in any more."))
    return redirect("studies:members", access.study.slug)


@study_view()
def trail(request: HttpRequest, access: Access) -> HttpResponse:
    events = within(AuditEvent, access.study).select_related("actor", "participant")
    return render(
        request, "studies/trail.html", {"page": Paginator(events, 100).get_page(request.GET.get("page"))}
    )
