"""Corpora, their sentences with trees and arrows, and samples to check by hand."""

from __future__ import annotations

from typing import TypeVar

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.corpora import selectors, services
from apps.corpora.categories import category_title
from apps.corpora.explanation import reasons_of
from apps.corpora.forms import CheckForm, ParseForm, SampleForm, SentenceFilterForm
from apps.corpora.models import Constituent, Corpus, ParseCheck, ParseSample, PolarityMarking, Sentence
from apps.corpora.tree_svg import tree_svg_of
from apps.frame.edit_forms import edit_view
from apps.studies.access import Access, study_view

Row = TypeVar("Row", PolarityMarking, Constituent)


@study_view()
def corpus_list(request: HttpRequest, access: Access) -> HttpResponse:
    archived = "archived" in request.GET
    context = {
        "corpora": selectors.corpora_of(access.study, archived=archived),
        "archived": archived,
        "others": selectors.corpora_of(access.study, archived=not archived).count(),
        "drafts": selectors.open_drafts_of(access.study),
    }
    return render(request, "corpora/list.html", context)


@study_view()
def corpus_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    corpus = access.get(Corpus, pk)
    groups = selectors.marking_groups(study=access.study, corpus=corpus)
    group = selectors.group_by_key(groups, request.GET.get("g"))
    form = SentenceFilterForm(groups, request.GET)
    form.is_valid()
    cleaned = form.cleaned_data
    sentences = selectors.sentences_of(corpus, group, text=cleaned.get("q", ""), kind=cleaned.get("kind", ""))
    page = Paginator(sentences, 50).get_page(request.GET.get("page"))
    markings = selectors.markings_of(list(page.object_list), group)
    total = corpus.sentences.count()
    kinds = selectors.kinds_of(corpus, group)
    context = {
        "corpus": corpus,
        "form": form,
        "group": group,
        "page": page,
        "rows": [
            (sentence, marking, selectors.tokens_of(marking) if marking else [])
            for sentence in page.object_list
            for marking in [markings.get(sentence.pk)]
        ],
        "total": total,
        "kinds": kinds,
        "unparsed": total - sum(kinds.values()),
        "job": selectors.parse_jobs_of(corpus).first(),
        "parse_form": ParseForm(initial={"convention": group.convention if group else "default"}),
        "sample_form": SampleForm(groups) if groups else None,
        "samples": selectors.samples_of(corpus),
    }
    return render(request, "corpora/corpus.html", context)


@require_POST
@study_view()
def corpus_parse(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    corpus = access.get(Corpus, pk)
    form = ParseForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the conventions."))
        return redirect("corpora:corpus", access.study.slug, pk)
    services.corpus_parse(corpus=corpus, actor=access.user, convention=form.cleaned_data["convention"])
    return redirect("corpora:corpus", access.study.slug, pk)


@study_view()
def sentence_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A sentence's markings; of the chosen one (``?m=``) the tree, and of a constituent (``?c=``) why."""
    sentence = access.get(Sentence, pk)
    markings = selectors.markings_with_parses(sentence)
    marking = _chosen(request, "m", markings) or (markings[0] if markings else None)
    constituents = list(marking.constituents.all()) if marking else []
    chosen = _chosen(request, "c", constituents)
    context = {
        "sentence": sentence,
        "corpus": sentence.corpus,
        "previous": selectors.neighbour(sentence, -1),
        "next": selectors.neighbour(sentence, 1),
        "markings": [(item, selectors.tokens_beside(item, marking)) for item in markings],
        "marking": marking,
        "constituents": [(item, category_title(item.category)) for item in constituents],
        "chosen": chosen,
        "before": sentence.text[: chosen.start] if chosen else "",
        "after": sentence.text[chosen.end :] if chosen else "",
        "reasons": reasons_of(chosen.why) if chosen else [],
        "svg": tree_svg_of(marking, constituents, chosen) if marking else "",
    }
    return render(request, "corpora/sentence.html", context)


@require_POST
@study_view()
def sentence_aside(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Out of the pool, or back into it."""
    sentence = access.get(Sentence, pk)
    services.sentence_put_aside(sentence=sentence, actor=access.user, aside="aside" in request.POST)
    return redirect("corpora:sentence", access.study.slug, pk)


def _chosen(request: HttpRequest, name: str, among: list[Row]) -> Row | None:
    """The row that a link asks for; a number that is not among them is a 404."""
    wanted = request.GET.get(name)
    if not wanted:
        return None
    found = next((item for item in among if str(item.pk) == wanted), None)
    if found is None:
        raise Http404
    return found


@require_POST
@study_view()
def sample_draw(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    corpus = access.get(Corpus, pk)
    groups = selectors.marking_groups(study=access.study, corpus=corpus)
    form = SampleForm(groups, request.POST)
    group = selectors.group_by_key(groups, request.POST.get("group"))
    if not form.is_valid() or group is None:
        messages.error(request, _("Say how many parses to draw: 1 to 1,000, of a parsed corpus."))
        return redirect("corpora:corpus", access.study.slug, pk)
    try:
        sample = services.parse_sample_draw(
            corpus=corpus,
            actor=access.user,
            size=form.cleaned_data["size"],
            seed=form.cleaned_data["seed"],
            group=group,
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("corpora:corpus", access.study.slug, pk)
    return redirect("corpora:sample", access.study.slug, sample.pk)


@study_view()
def sample_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _sample(request, access.get(ParseSample, pk), request.GET.get("page"))


def _sample(
    request: HttpRequest, sample: ParseSample, number: str | None, refused: CheckForm | None = None
) -> HttpResponse:
    checks = sample.checks.select_related("marking__parse__sentence", "checked_by")
    page = Paginator(checks, 25).get_page(number)
    forms = {refused.check.pk: refused} if refused else {}
    context = {
        "sample": sample,
        "corpus": sample.corpus,
        "score": selectors.score_of(sample),
        "page": page,
        "rows": [
            (check, selectors.tokens_of(check.marking), forms.get(check.pk) or CheckForm(check))
            for check in page.object_list
        ],
    }
    return render(request, "corpora/sample.html", context, status=refused.status if refused else 200)


@require_POST
@study_view()
@edit_view
def check_record(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    check = access.hold(ParseCheck, pk)
    form = CheckForm(check, request.POST)
    if not form.is_valid() and form.changed_since:
        return _sample(request, check.sample, request.POST.get("page"), form)
    try:
        services.parse_check_record(
            check=check,
            actor=access.user,
            verdict=request.POST.get("verdict", ""),
            note=request.POST.get("note", ""),
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    back = redirect("corpora:sample", access.study.slug, check.sample_id)
    page = request.POST.get("page", "")
    back["Location"] += (f"?page={page}" if page.isdigit() else "") + f"#check-{check.position}"
    return back
