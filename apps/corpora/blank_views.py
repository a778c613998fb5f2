"""Blanks: filter, count, pick; sets and pilots; the stop list."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.corpora import blank_selectors, blank_services, pilots
from apps.corpora.blank_forms import BlankFilterForm, BlankSetForm, PilotForm, StopExpressionForm
from apps.corpora.blank_selectors import ANY_OPERATOR, BlankFilters
from apps.corpora.categories import category_title
from apps.corpora.explanation import in_words
from apps.corpora.models import Blank, BlankSet, StopExpression
from apps.corpora.operator_presets import operator_presets
from apps.corpora.selectors import group_by_key, marking_groups
from apps.corpora.stop_lists import StopList
from apps.studies.access import Access, study_view, within
from apps.studies.models import AuditEvent

SAMPLE = 12
PILOT = 50


@study_view()
def blank_set_list(request: HttpRequest, access: Access) -> HttpResponse:
    archived = "archived" in request.GET
    context = {
        "sets": blank_selectors.blank_sets_of(access.study, archived=archived),
        "archived": archived,
        "others": blank_selectors.blank_sets_of(access.study, archived=not archived).count(),
        "parsed": blank_selectors.corpora_with_parses(access.study).exists(),
        "stop_count": within(StopExpression, access.study).count(),
    }
    return render(request, "blanks/list.html", context)


@study_view()
def blank_filter(request: HttpRequest, access: Access) -> HttpResponse:
    """Filters with counts and a sample (GET). One form: *Count* shows what it says (POST, then GET), and
    *Make the set* makes what it says, counted before or not."""
    study = access.study
    groups = marking_groups(study=study)
    preset = operator_presets().get(request.POST.get("preset", ""))
    making = request.method == "POST" and "count" not in request.POST and not preset
    data = request.POST if request.method == "POST" else request.GET
    group = group_by_key(groups, data.get("group"))
    choices = blank_selectors.choices_of(study, group)
    form = BlankFilterForm(
        data,
        corpora=list(blank_selectors.corpora_with_parses(study)),
        groups=groups,
        operators=choices.operators,
        categories=choices.categories,
    )
    pick = BlankSetForm(data) if making else BlankSetForm(initial=_typed(data))
    context = {"form": form, "pick": pick, "groups": groups, "presets": operator_presets().values()}
    if not form.is_valid():
        return render(request, "blanks/new.html", context)
    filters = form.filters()
    if request.method == "POST" and not making:
        typed = _typed(data)
        if preset:
            filters = replace(filters, operator=ANY_OPERATOR, operators=preset.operators, direction="")
            typed |= {f"quota_{sign}": str(most) for sign, most in preset.quotas.items()}
        query = _as_query(filters) | {name: [value] for name, value in typed.items()}
        return redirect(f"{reverse('blanks:new', args=[study.slug])}?{urlencode(query, doseq=True)}")
    if making and pick.is_valid():
        try:
            blank_set = blank_services.blank_set_create(
                study=study,
                actor=access.user,
                name=pick.cleaned_data["name"],
                filters=filters,
                maximum=pick.cleaned_data["maximum_blanks"],
                quotas=pick.quotas(),
                seed=pick.cleaned_data["seed"],
            )
            return redirect("blanks:set", study.slug, blank_set.pk)
        except ValidationError as error:
            pick.add_error(None, error)
    passing = blank_selectors.unstopped(study=study, filters=filters, groups=groups)
    stop_list = StopList.of(study)
    found = stop_list.left(passing, sentences=filters.stop_sentences) if filters.stop_list else passing
    draw = request.GET.get("draw", "")
    shuffle = int(draw) if draw.isdigit() and len(draw) < 10 else 1
    chosen = blank_selectors.draw(
        found, maximum=None, seed=shuffle, one_per_sentence=filters.one_per_sentence
    )
    doubtful = blank_selectors.doubtful(study=study, filters=filters, groups=groups)
    form.say_doubtful(len({item.sentence for item in doubtful}))
    context |= {
        "numbers": blank_selectors.numbers_of(chosen),
        "filters": filters,
        "doubtful": blank_selectors.numbers_of(doubtful),
        "stopped": stop_list.counts(passing) if stop_list.expressions else None,
        "sample": blank_selectors.draw(chosen, maximum=SAMPLE, seed=shuffle, one_per_sentence=False),
        "next_draw": shuffle + 1,
    }
    return render(request, "blanks/new.html", context)


def _typed(data: QueryDict) -> dict[str, str]:
    """What was typed about the set itself: counting keeps it, a preset only changes its quotas."""
    return {name: value for name in BlankSetForm.base_fields if (value := str(data.get(name) or ""))}


@study_view()
def blank_set_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    blank_set = access.get(BlankSet, pk)
    blanks = blank_set.blanks.select_related("sentence").order_by("pk")
    filters = BlankFilters.from_json(blank_set.filters)
    page = Paginator(blanks, 50).get_page(request.GET.get("page"))
    numbers = blank_selectors.numbers_of_set(blank_set)
    context = {
        "set": blank_set,
        "page": page,
        "rows": [(blank, in_words(blank.why), category_title(blank.category)) for blank in page.object_list],
        "numbers": numbers,
        "filters": filters,
        "limit": (limit := blank_set.filters.get("maximum_blanks")),
        "quotas": (quotas := blank_set.filters.get("quotas") or {}).items(),
        "again": urlencode(
            _as_query(filters)
            | {f"quota_{sign}": [most] for sign, most in quotas.items()}
            | ({"maximum_blanks": [limit]} if limit else {}),
            doseq=True,
        ),
        "pilots": blank_set.pilots.all(),
        "pilot_form": PilotForm(initial={"size": min(PILOT, numbers.total), "seed": 1}),
        "rates": pilots.skip_rates(blank_set),
        "doubtful": blank_selectors.doubtful_in(blank_set),
        "line": blank_selectors.SURE_PARSE,
        "campaigns": blank_set.campaigns.all(),
    }
    context["proposed"] = [rate for rate in context["rates"] if rate.is_proposed]
    return render(request, "blanks/set.html", context)


def _as_query(filters: BlankFilters) -> dict[str, list[object]]:
    """The filter page's address for the same filters; a box that is not ticked is left out."""
    query: dict[str, list[object]] = {}
    for name, value in filters.as_json().items():
        if value is True:
            query[name] = ["on"]
        elif value is not None and value is not False:
            query[name] = value if isinstance(value, list) else [value]
    return query


@require_POST
@study_view()
def blank_take_out(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """One blank less in its set; back to the page of the list where it stood."""
    blank = within(Blank, access.study).filter(pk=pk).first()
    if blank is None:
        return _out_already(request, access, pk)
    blank_set = blank.blank_set_id
    try:
        blank_services.blank_take_out(blank=blank, actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.info(request, _("“%(text)s” is taken out.") % {"text": blank.text})
    page = request.POST.get("page", "")
    back = redirect("blanks:set", access.study.slug, blank_set)
    back["Location"] += (f"?page={page}" if page.isdigit() else "") + "#blanks"
    return back


def _out_already(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Back to the set that a blank was taken out of before (in another tab, by somebody else); 404 where
    there was none."""
    events = AuditEvent.objects.filter(study=access.study, action="blank.taken_out", data__blank=pk)
    if (taken := events.first()) is None or taken.object_id is None:
        raise Http404
    messages.info(request, _("“%(text)s” is out of the set already.") % {"text": taken.data["text"]})
    return redirect("blanks:set", access.study.slug, access.get(BlankSet, taken.object_id).pk)


@require_POST
@study_view()
def pilot_new(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    blank_set = access.get(BlankSet, pk)
    form = PilotForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say how many blanks the pilot has."))
        return redirect("blanks:set", access.study.slug, pk)
    try:
        pilot = blank_services.pilot_create(blank_set=blank_set, actor=access.user, **form.cleaned_data)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("blanks:set", access.study.slug, pk)
    return redirect("blanks:set", access.study.slug, pilot.pk)


@require_POST
@study_view()
def proposals_accept(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Put one expression that a pilot's annotators skipped on the stop list, or all that are proposed."""
    blank_set = access.get(BlankSet, pk)
    accepted = blank_services.proposals_accept(
        blank_set=blank_set, actor=access.user, expression=request.POST.get("expression", "")
    )
    text = ngettext(
        "%(n)d expression is on the stop list now.",
        "%(n)d expressions are on the stop list now.",
        len(accepted),
    )
    messages.success(request, text % {"n": len(accepted)})
    return redirect("blanks:set", access.study.slug, pk)


@study_view()
def stop_list(request: HttpRequest, access: Access) -> HttpResponse:
    form = StopExpressionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            blank_services.stop_expression_add(
                study=access.study, actor=access.user, expression=form.cleaned_data["expression"]
            )
            return redirect("blanks:stop_list", access.study.slug)
        except ValidationError as error:
            form.add_error(None, error)
    entries = within(StopExpression, access.study)
    page = Paginator(entries, 100).get_page(request.GET.get("page"))
    return render(request, "blanks/stop_list.html", {"form": form, "page": page})


@require_POST
@study_view()
def stop_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    blank_services.stop_expression_remove(entry=access.get(StopExpression, pk), actor=access.user)
    return redirect("blanks:stop_list", access.study.slug)
