"""Releases: gold rules, choosing one, the counts beforehand, the archive."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.datasets.models import Dataset
from apps.datasets.selectors import datasets_of, sizes_of
from apps.releases.forecast import forecast
from apps.releases.forms import GoldRuleForm, ReleaseForm
from apps.releases.gold_rules import RULE_NAMES, UNNATURAL_WORDS, Options
from apps.releases.models import GoldRule, Release
from apps.releases.services import archive_restore, gold_rule_create, release_create
from apps.releases.storage import DAMAGE_NAMES, damage_found, damage_of, final_path
from apps.studies.access import Access, study_view, within


@study_view()
def release_list(request: HttpRequest, access: Access) -> HttpResponse:
    releases = within(Release, access.study).select_related("dataset", "job", "created_by", "gold_rule")
    page = Paginator(releases, 50).get_page(request.GET.get("page"))
    sizes, _found = sizes_of(access.study)
    datasets = [(dataset, sizes(dataset)) for dataset in datasets_of(access.study)]
    context = {"page": page, "datasets": datasets, "rules": RULE_NAMES}
    return render(request, "releases/list.html", context)


@study_view()
def rule_list(request: HttpRequest, access: Access) -> HttpResponse:
    """The named gold rules with every version, and the form for a new one."""
    form = GoldRuleForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            rule = gold_rule_create(
                study=access.study, actor=access.user, name=form.cleaned_data["name"], options=form.options()
            )
            messages.success(request, _("The rule is kept: %(rule)s") % {"rule": rule})
            return redirect("releases:rules", access.study.slug)
        except ValidationError as error:
            form.add_error(None, error.messages)
    rules = within(GoldRule, access.study).select_related("created_by")
    context = {"form": form, "rules": rules, "names": RULE_NAMES, "unnatural": UNNATURAL_WORDS}
    return render(request, "releases/gold_rules.html", context)


@study_view()
def release_new(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The options, with their counts below; sending the form makes the release, or asks for the counts of
    what is on it, which have an address."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    form = ReleaseForm(request.POST or request.GET or None, dataset=dataset)
    options = form.options() if form.is_bound and form.is_valid() else None
    if options and "count" in request.POST:
        return redirect(f"{request.path}?{_sent(request).urlencode()}")
    if request.method == "POST" and options:
        try:
            release = release_create(
                dataset=dataset,
                actor=access.user,
                options=options,
                gold_rule=form.cleaned_data["gold_rule"],
            )
            return redirect("releases:release", access.study.slug, release.pk)
        except ValidationError as error:
            form.add_error(None, error.messages)
            options = None
    if not form.is_bound:
        options = Options(rule=form.suggestion.rule, judgements=form.suggestion.judgements)
    context = {"dataset": dataset, "form": form}
    if options:
        counts, found = forecast(dataset, options, form.judges.narrowed(options.campaigns))
        context |= {"counts": counts, "found": found, "options": options}
        context["empty_because"] = counts.why_empty(options) if counts else ""
    return render(request, "releases/new.html", context)


def _sent(request: HttpRequest) -> QueryDict:
    """What stands on the form."""
    sent = request.POST.copy()
    for name in ("count", "csrfmiddlewaretoken"):
        sent.pop(name, None)
    return sent


@study_view()
def release_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    release = access.get(Release, pk)
    options = Options.of(release.options)
    context = {
        "release": release,
        "manifest": release.manifest,
        "options": options,
        "rule": RULE_NAMES[release.rule],
        "unnatural": UNNATURAL_WORDS[options.unnatural],
        "job": release.job,
        "damage": DAMAGE_NAMES.get(damage_of(release)) if release.frozen_at else None,
    }
    return render(request, "releases/release.html", context)


@study_view()
def release_download(request: HttpRequest, access: Access, pk: int, name: str) -> HttpResponseBase:
    """The archive, under exactly the name that the release has; anything else is a 404."""
    release = access.get(Release, pk)
    if name != release.file_name or not release.frozen_at:
        raise Http404
    if damage := damage_found(release):
        context = {"release": release, "damage": DAMAGE_NAMES[damage]}
        return render(request, "releases/damaged.html", context, status=503)
    return FileResponse(final_path(release).open("rb"), as_attachment=True, filename=release.file_name)


@require_POST
@study_view()
def release_restore(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Make a damaged archive again."""
    release = access.get(Release, pk)
    try:
        archive_restore(release=release, actor=access.user)
        messages.success(request, _("The archive is on disk again, with the same bytes."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("releases:release", access.study.slug, pk)
