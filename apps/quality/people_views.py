"""Each annotator's trust and reliability in a campaign, and what can be done about it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.campaigns.models import Campaign
from apps.datasets.labels import LABEL_NAMES
from apps.frame.exhibits import exhibit_answer
from apps.quality import (
    actions,
    eligibility,
    people_exhibits,
    question_answers,
    quizzes,
    reliability,
    settings,
)
from apps.quality.forms import BlockForm, NoteForm
from apps.quality.models import QualityAction
from apps.quality.places import country_name, language_name
from apps.quality.views import page
from apps.studies.access import ADMINISTRATION, Access, study_view
from apps.studies.models import Participant

_BY_HAND = frozenset(
    {
        QualityAction.Kind.WARN,
        QualityAction.Kind.PAUSE,
        QualityAction.Kind.REVIEW,
        QualityAction.Kind.REQUEUE,
        QualityAction.Kind.WAIVE_QUIZ,
        QualityAction.Kind.RETRY_QUIZ,
    }
)


@study_view()
def people(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    campaign = access.get(Campaign, pk)
    rows, found = reliability.people_of(campaign, wait="as" in request.GET)
    worked = [one for one in rows if one.has_worked]
    judges = campaign.task != Campaign.Task.CREATION
    exhibits = people_exhibits.kept(worked, judges=judges)
    if file := exhibit_answer(request, exhibits, name=f"annotators-{pk}"):
        return file
    estimates = [one.dawid_skene for one in rows if one.dawid_skene]
    context: dict[str, Any] = {
        "rows": worked,
        "found": found,
        "figures": [(key, figure) for key in ("standing", "time") if (figure := exhibits[key]())],
        "refused": [(one, standing) for one in rows for standing in one.refusals],
        "estimated_at": estimates[0].computed_at if estimates else None,
        "undefined": _(estimates[0].reason) if estimates and estimates[0].reason else "",
        "job": reliability.jobs_of(campaign, reliability.ESTIMATE).first(),
    }
    return page(request, "quality/people.html", campaign, **context)


@require_POST
@study_view()
def estimate(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    reliability.estimate_start(campaign=access.get(Campaign, pk), actor=access.user)
    return redirect("quality:people", access.study.slug, pk)


@study_view()
def person(request: HttpRequest, access: Access, pk: int, participant_pk: int) -> HttpResponse:
    """One annotator: the numbers, the test answers, the declaration, the actions, and the buttons."""
    campaign = access.get(Campaign, pk)
    people, found = reliability.people_of(campaign, only=participant_pk)
    if not people and found.is_there:
        raise Http404
    one = people[0] if people else reliability.Person(access.get(Participant, participant_pk))
    participant, quality = one.participant, settings.quality_or_none(campaign)
    said = one.declaration
    context: dict[str, Any] = {
        "person": one,
        "found": found,
        "participant": participant,
        "quiz": quizzes.quiz_of(quality, participant) if quality and quality.quiz_size else None,
        "answers": question_answers.answers_of(pk, participant.pk)
        .select_related("question__item__pair")
        .prefetch_related("question__item__pair__premises")
        .order_by("-at"),
        "language": language_name(said.language) if said and said.language else "",
        "country": country_name(said.country) if said and said.country else "",
        "before": [_said_before(name, value) for name, value in said.before.items()] if said else [],
        "confusion": _confusion(one),
        "form": NoteForm(),
        "block_form": BlockForm(),
        "names": LABEL_NAMES,
    }
    return page(request, "quality/person.html", campaign, **context)


def _said_before(name: str, value: str | int | None) -> str:
    """What somebody had said before they corrected it, in words."""
    if name == "language":
        return language_name(str(value))
    if name == "country":
        return country_name(str(value))
    return f"{value} %" if name == "approval_rate" else str(value)


def _confusion(one: reliability.Person) -> list[tuple[str, list[float]]]:
    """The rows of Dawid and Skene's table, each with its true class; [] without an estimate."""
    detail = one.dawid_skene.detail if one.dawid_skene else {}
    return list(zip(detail.get("labels", []), detail.get("confusion", []), strict=False))


@require_POST
@study_view()
def act(request: HttpRequest, access: Access, pk: int, participant_pk: int) -> HttpResponse:
    """Warn, pause, let back, send to review, requeue, or let in without the quiz, by hand."""
    campaign = access.get(Campaign, pk)
    participant = access.get(Participant, participant_pk)
    kind = request.POST.get("kind", "")
    if kind == "back":
        actions.pauses_end(campaign=campaign, participant=participant, actor=access.user)
    elif kind in _BY_HAND:
        form = NoteForm(request.POST)
        try:
            actions.action_take(
                campaign=campaign,
                participant=participant,
                kind=kind,
                actor=access.user,
                note=form.cleaned_data["note"] if form.is_valid() else "",
            )
        except ValidationError as error:
            messages.error(request, error.messages[0])
            return redirect("quality:person", access.study.slug, pk, participant_pk)
    else:
        raise Http404
    messages.success(request, _("Done."))
    return redirect("quality:person", access.study.slug, pk, participant_pk)


@require_POST
@study_view(ADMINISTRATION)
def block(request: HttpRequest, access: Access, pk: int, participant_pk: int) -> HttpResponse:
    campaign = access.get(Campaign, pk)
    participant = access.get(Participant, participant_pk)
    try:
        count = actions.participant_block(
            participant=participant, actor=access.user, past=request.POST.get("past", "")
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        text = ngettext(
            "Blocked. %(n)d answer counts no more.", "Blocked. %(n)d answers count no more.", count
        )
        messages.success(request, text % {"n": count})
    return redirect("quality:person", access.study.slug, campaign.pk, participant_pk)


@require_POST
@study_view(ADMINISTRATION)
def unblock(request: HttpRequest, access: Access, pk: int, participant_pk: int) -> HttpResponse:
    campaign = access.get(Campaign, pk)
    actions.participant_unblock(participant=access.get(Participant, participant_pk), actor=access.user)
    return redirect("quality:person", access.study.slug, campaign.pk, participant_pk)


@require_POST
@study_view()
def forget_declaration(request: HttpRequest, access: Access, pk: int, participant_pk: int) -> HttpResponse:
    """Have them asked again."""
    campaign = access.get(Campaign, pk)
    eligibility.declaration_forget(participant=access.get(Participant, participant_pk), actor=access.user)
    messages.success(request, _("They are asked again before their next work."))
    return redirect("quality:person", access.study.slug, campaign.pk, participant_pk)
