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
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.accounts import passwords
from apps.accounts import services as accounts_services
from apps.accounts.models import Invitation, User
from apps.studies import selectors, services
from apps.studies import trail as trails
from apps.studies.access import ADMINISTRATION, RESEARCH, Access, study_view, within
from apps.studies.forms import InvitationForm, StudyForm, TrailForm
from apps.studies.models import Membership
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
    """Annotators land on their work; researchers on their one study, or the list; whoever may make studies
    and has none, on the form for the first."""
    user = cast(User, request.user)
    roles = set(user.memberships.values_list("role", flat=True))
    if roles == {"annotator"}:
        return redirect("work:home")
    slugs = set(user.memberships.filter(role__in=RESEARCH).values_list("study__slug", flat=True))
    if len(slugs) == 1:
        return redirect("studies:overview", slugs.pop())
    if not slugs and (user.may_create_studies or user.is_superuser):
        return redirect("study_new")
    return redirect("study_list")


def study_list(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    archived = "archived" in request.GET
    context = {
        "studies": selectors.studies_of(user, archived=archived),
        "archived": archived,
        "others": selectors.studies_of(user, archived=not archived).count(),
    }
    return render(request, "studies/list.html", context)


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


@never_cache
@study_view()
def members(request: HttpRequest, access: Access) -> HttpResponse:
    """Who is in, who was invited, and who has come. Only admins invite and remove."""
    form = InvitationForm(request.POST or None)
    if request.method == "POST":
        if not access.administers:
            raise PermissionDenied(_("Only a study's admins invite people."))
        if form.is_valid():
            try:
                request.session["links"] = _invite(request, access, **form.cleaned_data)
            except ValidationError as error:
                form.add_error(None, error)
            else:
                return redirect("studies:members", access.study.slug)
    invited = within(Invitation, access.study).select_related("created_by", "accepted_by")
    context = {
        "form": form,
        "links": request.session.pop("links", None),
        "memberships": _with_password_links(access),
        "invitations": Paginator(invited, 100).get_page(request.GET.get("page")),
    }
    return render(request, "studies/members.html", context)


def _invite(request: HttpRequest, access: Access, role: str, emails: list[str]) -> list[tuple[str, str]]:
    """Whom each new link is for, and the link, to be shown once."""
    if emails:
        invited = accounts_services.invitations_create(
            actor=access.user, study=access.study, role=role, emails=emails
        )
        links = invited.links
        if invited.members:
            names = ", ".join(invited.members)
            messages.info(
                request, _("In this role already, and not invited again: %(names)s.") % {"names": names}
            )
    else:
        links = [accounts_services.invitation_create(actor=access.user, study=access.study, role=role)]
    return [
        (invitation.email, whole(reverse("accounts:invitation", args=[token]), request))
        for invitation, token in links
    ]


def _with_password_links(access: Access) -> list[tuple[Membership, bool]]:
    """The memberships, each with whether its person's password can be reset from here: at the first of
    their roles alone. One query, and two for each person where the reader is an admin."""
    rows = list(within(Membership, access.study).select_related("user"))
    if not access.administers:
        return [(row, False) for row in rows]
    seen: set[int] = set()
    found = []
    for row in rows:
        is_first = row.user_id not in seen
        seen.add(row.user_id)
        refused = is_first and passwords.refusal_of_link(actor=access.user, study=access.study, user=row.user)
        found.append((row, is_first and not refused))
    return found


@require_POST
@study_view(ADMINISTRATION)
def member_password(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A link with which a member sets a new password; shown once."""
    user = access.get(Membership, pk).user
    token = passwords.password_link_for_member(actor=access.user, study=access.study, user=user)
    link = whole(reverse("accounts:password_reset", args=[token]), request)
    request.session["links"] = [(user.email, link)]
    return redirect("studies:members", access.study.slug)


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
    """What was written in the study, newest first, in words; ``?what=&who=&since=&until=`` narrow it."""
    form = TrailForm(request.GET or None, groups=trails.groups())
    wanted = form.cleaned_data if form.is_bound and form.is_valid() else {}
    page = Paginator(trails.events_of(access.study, **wanted), 100).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "lines": trails.lines_of(list(page))}
    return render(request, "studies/trail.html", context)
