"""A study's members: who is in, who was invited, links to get in."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.frame.public_address import whole
from apps.people import passwords
from apps.people import services as accounts_services
from apps.people.forms import InvitationForm
from apps.people.models import Invitation
from apps.studies import services
from apps.studies.access import ADMINISTRATION, Access, study_view, within
from apps.studies.models import Membership


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
                return redirect("members:list", access.study.slug)
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
        (invitation.email, whole(reverse("people:invitation", args=[token]), request))
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
    link = whole(reverse("people:password_reset", args=[token]), request)
    request.session["links"] = [(user.email, link)]
    return redirect("members:list", access.study.slug)


@require_POST
@study_view(ADMINISTRATION)
def member_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    membership = access.get(Membership, pk)
    try:
        services.membership_remove(membership=membership, actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("members:list", access.study.slug)


@require_POST
@study_view(ADMINISTRATION)
def invitation_withdraw(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    invitation = access.get(Invitation, pk)
    accounts_services.invitation_withdraw(invitation=invitation, actor=access.user)
    messages.info(request, _("The invitation lets nobody in any more."))
    return redirect("members:list", access.study.slug)
