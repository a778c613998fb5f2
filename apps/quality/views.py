"""A campaign's quality: the overview, who may work, test questions, rules and what they did, checks."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count, F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.campaigns.gates import is_open_to_others
from apps.campaigns.models import Campaign
from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Dataset, Pair
from apps.frame.edit_forms import edit_view
from apps.frame.long_lists import is_adding
from apps.people.selectors import annotators_of
from apps.quality import actions, checks, rules
from apps.quality import settings as configuring
from apps.quality import test_questions as questions
from apps.quality.forms import (
    ChecksForm,
    CorrectionForm,
    EligibilityForm,
    QuestionFileForm,
    QuestionForm,
    RuleForm,
    TestingForm,
)
from apps.quality.models import Flag, QualityAction, Rule, TestQuestion
from apps.quality.places import country_name, language_name
from apps.quality.reliability import jobs_of
from apps.quality.standing import Standing, of_numbers, of_tests
from apps.quality.waiting import waiting_cards
from apps.studies.access import Access, study_view

ROWS_A_PAGE = 50


def page(
    request: HttpRequest, template: str, campaign: Campaign, status: int = 200, **context: Any
) -> HttpResponse:
    """A page of this room, with the campaign and its settings at hand."""
    shared = {
        "campaign": campaign,
        "quality": configuring.quality_of(campaign),
        "judges": campaign.task != Campaign.Task.CREATION,
    }
    return render(request, template, shared | context, status=status)


@study_view()
def overview(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What is set, and what waits for somebody."""
    campaign = access.get(Campaign, pk)
    quality = configuring.quality_of(campaign)
    standing = QualityAction.objects.filter(campaign=campaign, undone_at=None)
    waiting = standing.aggregate(
        paused=Count("participant", filter=Q(kind=QualityAction.Kind.PAUSE), distinct=True),
        review=Count("pk", filter=Q(kind=QualityAction.Kind.REVIEW)),
    )
    context: dict[str, Any] = {
        "waiting": waiting,
        "cards": waiting_cards(campaign),
        "flags": Flag.objects.filter(judgement__item__campaign=campaign)
        .values("judgement")
        .distinct()
        .count(),
        "tests": campaign.test_questions.filter(state=TestQuestion.State.ACTIVE).count(),
        "rules": campaign.rules.filter(is_active=True).count(),
        "standing": {
            "asked": Standing.ENFORCED.label,
            "numbers": of_numbers(quality).label,
            "quiz": of_tests(quality, quality.quiz_size).label,
            "tests": of_tests(quality).label,
        },
        "languages": [language_name(code) for code in quality.languages],
        "countries": [country_name(code) for code in quality.countries],
        "allowed": campaign.allowed_people.count()
        if quality.uses_allow_list or not quality.members_work
        else 0,
    }
    return page(request, "quality/overview.html", campaign, **context)


@study_view()
@edit_view
def eligibility_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    campaign = access.hold(Campaign, pk)
    form = EligibilityForm(
        request.POST or None,
        instance=configuring.quality_of(campaign),
        members=list(annotators_of(access.study)),
        listed=list(campaign.allowed_people.values_list("name", flat=True)),
        has_panel=is_open_to_others(campaign),
    )
    if request.method == "POST" and form.is_valid() and not is_adding(request.POST):
        try:
            configuring.eligibility_update(
                campaign=campaign, actor=access.user, names=form.listed(), **form.changes()
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("quality:overview", access.study.slug, pk)
    return page(request, "quality/eligibility.html", campaign, status=form.status, form=form)


# ---- Test questions ----------------------------------------------------------------------------


@study_view()
def tests_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The test questions with how they were answered, and a form for one more."""
    campaign = access.get(Campaign, pk)
    form = QuestionForm(request.POST or None, campaign=campaign)
    if request.method == "POST" and form.is_valid():
        try:
            questions.question_create(
                campaign=campaign, actor=access.user, draft=_draft(access, form.cleaned_data)
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The test question is in use."))
            return redirect("quality:tests", access.study.slug, pk)
    return _tests(request, campaign, form, TestingForm(instance=configuring.quality_of(campaign)))


def _tests(
    request: HttpRequest, campaign: Campaign, form: QuestionForm, settings: TestingForm
) -> HttpResponse:
    rows = (
        campaign.test_questions.select_related("item__pair")
        .prefetch_related("item__pair__premises")
        .annotate(shown=Count("answers"), right=Count("answers", filter=Q(answers__answer=F("expected"))))
        .order_by("pk")
    )
    quality = configuring.quality_of(campaign)
    in_use = campaign.test_questions.filter(state=TestQuestion.State.ACTIVE).count()
    wanted = quality.quiz_size * quality.quiz_tries
    context = {
        "page": Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page")),
        "form": form,
        "settings": settings,
        "file": QuestionFileForm(),
        "names": LABEL_NAMES,
        "in_use": in_use,
        "few_for_tries": wanted if quality.quiz_size <= in_use < wanted else 0,
    }
    return page(request, "quality/tests.html", campaign, status=settings.status, **context)


def _draft(access: Access, data: dict[str, Any]) -> questions.Draft:
    if not data["pair"]:
        premises = (data["premise"],)
        return questions.Draft(premises, data["hypothesis"], data["expected"], data["explanation"])
    found = Pair.objects.filter(pk=data["pair"], dataset__study=access.study)
    pair = found.exclude(dataset__kind=Dataset.Kind.TESTS).first()
    if pair is None:
        raise ValidationError({"pair": _("This study has no pair of that number.")})
    return questions.draft_from_pair(pair, expected=data["expected"], explanation=data["explanation"])


@require_POST
@study_view()
@edit_view
def tests_settings(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    campaign = access.hold(Campaign, pk)
    form = TestingForm(request.POST, instance=configuring.quality_of(campaign))
    if form.is_valid():
        try:
            configuring.quality_update(campaign=campaign, actor=access.user, **form.changes())
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("quality:tests", access.study.slug, pk)
    return _tests(request, campaign, QuestionForm(campaign=campaign), form)


@study_view()
def tests_import(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """First what the file holds, with every fault by its line; then (``store``) all of it."""
    campaign = access.get(Campaign, pk)
    if request.method == "POST" and "store" in request.POST:
        try:
            count = questions.questions_import(
                campaign=campaign, actor=access.user, text=request.POST.get("text", "")
            )
        except ValidationError as error:
            messages.error(request, " ".join(error.messages[:3]))
            return redirect("quality:tests_import", access.study.slug, pk)
        text = ngettext("%(n)d test question is in use.", "%(n)d test questions are in use.", count)
        messages.success(request, text % {"n": count})
        return redirect("quality:tests", access.study.slug, pk)
    form = QuestionFileForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form, "names": LABEL_NAMES}
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        context |= {"preview": questions.read_csv(campaign, text), "text": text}
    return page(request, "quality/tests_import.html", campaign, **context)


@study_view()
@edit_view
def test_page(request: HttpRequest, access: Access, pk: int, question_pk: int) -> HttpResponse:
    """One test question: who answered what, its expected answer to correct, and forgiving."""
    campaign = access.get(Campaign, pk)
    question = access.hold(TestQuestion, question_pk, campaign=campaign)
    form = CorrectionForm(request.POST or None, instance=access.get(TestQuestion, question_pk))
    if request.method == "POST" and form.is_valid():
        try:
            undone = questions.question_correct(question=question, actor=access.user, **form.cleaned_data)
            _say_undone(request, undone)
            return redirect("quality:test", access.study.slug, pk, question_pk)
        except ValidationError as error:
            form.add_error(None, error)
    context = {
        "question": question,
        "answers": question.answers.select_related("participant").order_by("-at"),
        "form": form,
        "names": LABEL_NAMES,
    }
    return page(request, "quality/test.html", campaign, status=form.status, **context)


@require_POST
@study_view()
def test_state(request: HttpRequest, access: Access, pk: int, question_pk: int) -> HttpResponse:
    question = access.get(TestQuestion, question_pk, campaign=pk)
    try:
        undone = questions.question_set_state(
            question=question, actor=access.user, state=request.POST.get("state", "")
        )
        _say_undone(request, undone)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("quality:test", access.study.slug, pk, question_pk)


def _say_undone(request: HttpRequest, undone: list[int]) -> None:
    text = _("Saved.")
    if undone:
        count = len(undone)
        text += " " + ngettext("%(n)d action was undone.", "%(n)d actions were undone.", count) % {"n": count}
    messages.success(request, text)


# ---- Rules and what they did -------------------------------------------------------------------


@study_view()
def rules_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    campaign = access.get(Campaign, pk)
    form = RuleForm(request.POST or None, campaign=campaign)
    if request.method == "POST" and form.is_valid():
        try:
            rules.rule_create(campaign=campaign, actor=access.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The rule is in force."))
            return redirect("quality:rules", access.study.slug, pk)
    rows = campaign.rules.annotate(fired=Count("actions"))
    return page(request, "quality/rules.html", campaign, form=form, rows=rows)


@require_POST
@study_view()
def rule_active(request: HttpRequest, access: Access, pk: int, rule_pk: int) -> HttpResponse:
    rule = access.get(Rule, rule_pk, campaign=pk)
    rules.rule_set_active(rule=rule, actor=access.user, active=request.POST.get("active") == "yes")
    return redirect("quality:rules", access.study.slug, pk)


@study_view()
def actions_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Everything that rules and researchers did, newest first; ``?open=yes`` leaves out what was undone."""
    campaign = access.get(Campaign, pk)
    found = campaign.quality_actions.select_related("participant", "created_by", "undone_by")
    only_open = request.GET.get("open") == "yes"
    if only_open:
        found = found.filter(undone_at=None)
    rows = Paginator(found, ROWS_A_PAGE).get_page(request.GET.get("page"))
    return page(request, "quality/actions.html", campaign, page=rows, only_open=only_open)


@require_POST
@study_view()
def action_undo(request: HttpRequest, access: Access, pk: int, action_pk: int) -> HttpResponse:
    """Undo it; a review is marked as looked at."""
    action = access.get(QualityAction, action_pk, campaign=pk)
    is_review = action.kind == QualityAction.Kind.REVIEW
    why = QualityAction.Undone.DONE if is_review else QualityAction.Undone.BY_HAND
    counted = actions.action_undo(action=action, actor=access.user, why=why)
    text = _("Marked as looked at.") if is_review else _("Undone.")
    if action.kind == QualityAction.Kind.REQUEUE:
        total = len(action.judgements)
        text += " " + _("%(n)d of %(all)d answers count again; for the others there is no room left.") % {
            "n": counted,
            "all": total,
        }
    messages.success(request, text)
    return redirect("quality:actions", access.study.slug, pk)


# ---- Checks of written answers -----------------------------------------------------------------


@study_view()
@edit_view
def checks_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The settings, and what was flagged."""
    campaign = access.hold(Campaign, pk)
    form = ChecksForm(request.POST or None, instance=configuring.quality_of(campaign))
    if request.method == "POST" and form.is_valid():
        configuring.quality_update(campaign=campaign, actor=access.user, **form.changes())
        messages.success(request, _("Saved."))
        return redirect("quality:checks", access.study.slug, pk)
    flags = Flag.objects.filter(judgement__item__campaign=campaign)
    counts = flags.values_list("code").annotate(n=Count("pk")).order_by("-n", "code")
    code = request.GET.get("code", "")
    shown = flags.filter(code=code) if code else flags
    shown = shown.select_related("judgement__participant", "judgement__item__blank__sentence")
    ordered = shown.prefetch_related("judgement__replacements").order_by("-judgement_id", "position")
    flagged = Paginator(ordered, ROWS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "counts": [(value, checks.name_of(value), n) for value, n in counts],
        "code": code,
        "page": flagged,
        "rows": [(flag, checks.name_of(flag.code), _text_of(flag)) for flag in flagged],
        "unchecked": checks.unchecked(campaign).count(),
        "job": jobs_of(campaign, checks.CHECK).first(),
    }
    return page(request, "quality/checks.html", campaign, status=form.status, **context)


def _text_of(flag: Flag) -> str:
    texts = {r.position: r.text for r in flag.judgement.replacements.all()}
    return texts.get(flag.position, "")


@require_POST
@study_view()
def checks_start(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    checks.check_start(access.get(Campaign, pk))
    return redirect("quality:checks", access.study.slug, pk)
