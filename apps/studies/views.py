"""A study's rooms: the list of studies, the overview, members, the trail."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.frame.exhibits import exhibit_answer
from apps.studies import glance, glance_exhibits, rooms, selectors, services
from apps.studies import trail as trails
from apps.studies.access import RESEARCH, Access, study_view
from apps.studies.forms import StudyForm, TrailForm


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
    """The study at a glance; the steps of the work for as long as there is no campaign."""
    found = glance.glance(access.study, wait="as" in request.GET)
    if not found.campaigns and not found.counting:
        return render(request, "studies/overview.html", {"steps": rooms.steps_of(access.study)})
    exhibits = glance_exhibits.kept(found)
    if file := exhibit_answer(request, exhibits, name=access.study.slug):
        return file
    context = {
        "found": found,
        "figure": exhibits["answers"](),
        "answers": exhibits["days"](),
        "progress": exhibits["progress"](),
        "money": exhibits["money"](),
        "days": glance.DAYS,
    }
    return render(request, "studies/overview.html", context)


@study_view()
def trail(request: HttpRequest, access: Access) -> HttpResponse:
    """What was written in the study, newest first, in words; ``?what=&who=&since=&until=`` narrow it."""
    form = TrailForm(request.GET or None, groups=trails.groups())
    wanted = form.cleaned_data if form.is_bound and form.is_valid() else {}
    page = Paginator(trails.events_of(access.study, **wanted), 100).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "lines": trails.lines_of(list(page))}
    return render(request, "studies/trail.html", context)
