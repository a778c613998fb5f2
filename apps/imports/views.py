"""A file of pairs on its way in: upload, what it asks for, preview, commit."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.corpora.sources import FileProblem
from apps.datasets.labels import LABEL_NAMES
from apps.frame.edit_forms import digest_of, edit_view, has_moved
from apps.imports import drafts, formats, services
from apps.imports.formats import mapped
from apps.imports.forms import ColumnsForm, EncodingForm, LabelsForm, MemberForm, PairFileForm
from apps.imports.models import PairDraft
from apps.imports.readers import Choices
from apps.studies.access import Access, study_view


@study_view()
def import_new(request: HttpRequest, access: Access) -> HttpResponse:
    form = PairFileForm(
        request.POST or None, request.FILES or None, initial={"name": request.GET.get("dataset")}
    )
    if request.method == "POST" and form.is_valid():
        cleaned = form.cleaned_data
        try:
            draft = services.draft_create(
                study=access.study,
                actor=access.user,
                file_name=cleaned["file"].name,
                chunks=cleaned["file"].chunks(),
                name=cleaned["name"],
                licence=cleaned["licence"],
                source=cleaned["source"],
                choices=Choices(format=cleaned["format"]),
            )
            services.draft_preview(draft=draft, actor=access.user)
            return redirect("imports:draft", access.study.slug, draft.pk)
        except ValidationError as error:
            form.add_error(None, error)
    context = {"form": form, "drafts": drafts.open_drafts_of(access.study)}
    return render(request, "imports/new.html", context)


@study_view()
def import_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The step that the draft waits for."""
    return _step(request, access.get(PairDraft, pk))


def _step(request: HttpRequest, draft: PairDraft, labels: LabelsForm | None = None) -> HttpResponse:
    preview = draft.preview
    if draft.committed_at:
        return render(request, "imports/done.html", {"draft": draft, "result": draft.result})
    if draft.started_at or not drafts.is_read(draft):
        kind = drafts.IMPORT_KIND if draft.started_at else drafts.PREVIEW_KIND
        return render(request, "imports/wait.html", {"draft": draft, "job": drafts.job_of(draft, kind)})
    if preview.get("step") == "encoding":
        return _encoding_step(request, draft)
    if preview.get("step") == "member":
        context = {
            "draft": draft,
            "form": MemberForm(preview["members"], sheets=preview.get("sheets", False)),
            "opened": _shown_of(draft),
        }
        return render(request, "imports/member.html", context)
    if preview.get("step") == "columns" or "columns" in request.GET:
        return _columns_step(request, draft)
    context = {
        "draft": draft,
        "job": drafts.job_of(draft, drafts.IMPORT_KIND),  # over, and taken back
        "preview": preview,
        "format": formats.TITLES.get(preview.get("format", "")),
        "labels": labels or _labels_form(draft),
        "opened": _shown_of(draft),
        "names": LABEL_NAMES,
        "is_table": preview.get("format") != formats.fracas.KEY,
    }
    return render(request, "imports/draft.html", context, status=labels.status if labels else 200)


def _shown_of(draft: PairDraft) -> str:
    """How the draft is read, as its pages carry it."""
    return digest_of(asdict(drafts.choices_of(draft)))


def _moved(request: HttpRequest, draft: PairDraft) -> bool:
    """Whether somebody else has settled something of the draft since the page was opened; then it says so."""
    if not has_moved(request, asdict(drafts.choices_of(draft))):
        return False
    messages.error(
        request,
        _("Somebody else has said meanwhile how this file is read, as it stands here now. Nothing was done."),
    )
    return True


def _encoding_step(request: HttpRequest, draft: PairDraft) -> HttpResponse:
    guess = draft.preview["guess"]
    form = EncodingForm(request.GET if "encoding" in request.GET else {"encoding": guess})
    lines, problem, encoding = [], "", guess
    if form.is_valid():
        encoding = form.cleaned_data["encoding"]
        try:
            lines = drafts.first_lines(draft, encoding)
        except FileProblem as error:
            problem = str(error)
    context = {
        "draft": draft,
        "form": form,
        "lines": lines,
        "problem": problem,
        "encoding": encoding,
        "opened": _shown_of(draft),
        "label": drafts.encoding_name(encoding),
    }
    return render(request, "imports/encoding.html", context)


def _columns_step(request: HttpRequest, draft: PairDraft, form: ColumnsForm | None = None) -> HttpResponse:
    has_header = drafts.choices_of(draft).has_header
    context = {"draft": draft, "form": form or _columns_form(draft), "has_header": has_header}
    status = (form.status if form.changed_since else 422) if form else 200
    return render(request, "imports/columns.html", context, status=status)


def _columns_form(draft: PairDraft, sent: QueryDict | None = None) -> ColumnsForm:
    """The form for the columns as the file names them; where there is no table, a 404."""
    choices = drafts.choices_of(draft)
    try:
        table = drafts.table_of(draft)
    except (FileProblem, OSError) as error:
        raise Http404 from error
    if not table.columns:
        raise Http404
    mapping = choices.mapping or table.mapping
    return ColumnsForm(table, sent, mapping=mapping)


@require_POST
@study_view()
@edit_view
def import_columns(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What the columns hold. Whether the first row names them is settled before, by a button of its own."""
    draft = access.hold(PairDraft, pk)
    choices = drafts.choices_of(draft)
    if "turn_header" in request.POST:
        turned = replace(choices, format=mapped.KEY, has_header=not choices.has_header, mapping=None)
        return _chosen(request, access, draft, turned)
    form = _columns_form(draft, request.POST)
    if not form.is_valid():
        return _columns_step(request, draft, form)
    settled = replace(choices, format=mapped.KEY, mapping=form.cleaned_data["mapping"])
    return _chosen(request, access, draft, settled)


def _labels_form(draft: PairDraft, sent: QueryDict | None = None) -> LabelsForm | None:
    """What the file's own labels stand for, where it has any."""
    unknown, settled = draft.preview.get("unknown", []), drafts.choices_of(draft).values
    return LabelsForm(unknown, settled, sent) if unknown or settled else None


@require_POST
@study_view()
@edit_view
def import_labels(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What the file's own labels stand for."""
    draft = access.hold(PairDraft, pk)
    form = _labels_form(draft, request.POST)
    if form and not form.is_valid() and form.changed_since:
        return _step(request, draft, form)
    if form is None or not form.is_valid():
        messages.error(request, _("Choose what each label stands for."))
        return redirect("imports:draft", access.study.slug, draft.pk)
    return _chosen(request, access, draft, replace(drafts.choices_of(draft), values=form.values()))


@require_POST
@study_view()
@edit_view
def import_choose(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The encoding, or the file of an archive, that a person has chosen."""
    draft = access.hold(PairDraft, pk)
    if _moved(request, draft):
        return redirect("imports:draft", access.study.slug, pk)
    choices = drafts.choices_of(draft)
    sent: dict[str, Any] = {
        name: request.POST[name] for name in ("encoding", "member") if name in request.POST
    }
    return _chosen(request, access, draft, replace(choices, **sent))


def _chosen(request: HttpRequest, access: Access, draft: PairDraft, choices: Choices) -> HttpResponse:
    try:
        held = services.draft_choose(draft=draft, actor=access.user, choices=choices)
        services.draft_preview(draft=held, actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("imports:draft", access.study.slug, draft.pk)


@require_POST
@study_view()
@edit_view
def import_commit(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    draft = access.hold(PairDraft, pk)
    if _moved(request, draft):
        return redirect("imports:draft", access.study.slug, pk)
    try:
        services.draft_commit(draft=draft, actor=access.user, skip_bad="skip_bad" in request.POST)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("imports:draft", access.study.slug, pk)


@require_POST
@study_view()
def import_discard(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    try:
        services.draft_discard(draft=access.get(PairDraft, pk), actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("imports:draft", access.study.slug, pk)
    messages.info(request, _("The file was thrown away; nothing was stored."))
    return redirect("datasets:list", access.study.slug)
