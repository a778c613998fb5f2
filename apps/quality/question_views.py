"""The pages of test questions: writing them, from a file, correcting and forgiving."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count, F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.campaigns.models import Campaign
from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Dataset, Pair
from apps.frame.edit_forms import edit_view
from apps.quality import questions
from apps.quality import settings as configuring
from apps.quality.forms import CorrectionForm, QuestionFileForm, QuestionForm, TestingForm
from apps.quality.glance import disputed
from apps.quality.models import TestQuestion
from apps.quality.views import ROWS_A_PAGE, page
from apps.studies.access import Access, study_view


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
    """``?disputed=yes`` narrows them to those that the study's page counts."""
    narrowed = request.GET.get("disputed") == "yes"
    there = campaign.test_questions.all()
    found = TestQuestion.objects.filter(pk__in=disputed(there).values("pk")) if narrowed else there
    rows = (
        found.select_related("item__pair")
        .prefetch_related("item__pair__premises")
        .annotate(shown=Count("answers"), right=Count("answers", filter=Q(answers__answer=F("expected"))))
        .order_by("pk")
    )
    quality = configuring.quality_of(campaign)
    in_use = campaign.test_questions.filter(state=TestQuestion.State.ACTIVE).count()
    wanted = quality.quiz_size * quality.quiz_tries
    context = {
        "page": Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page")),
        "is_narrowed": narrowed,
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
