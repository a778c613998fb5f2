"""A file on its way in: upload, encoding, column, preview, commit."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.corpora import draft_services, encodings, selectors
from apps.corpora.formats.readings import Format
from apps.corpora.forms import ColumnForm, EncodingForm, ImportForm
from apps.corpora.models import CorpusDraft
from apps.frame.edit_forms import digest_of, edit_view, has_moved
from apps.studies.access import Access, study_view

SHOWN = 200


@study_view()
def draft_new(request: HttpRequest, access: Access) -> HttpResponse:
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        cleaned = form.cleaned_data
        try:
            draft = draft_services.draft_create(
                study=access.study,
                actor=access.user,
                file_name=cleaned["file_name"],
                data=cleaned["data"],
                name=cleaned["name"],
                licence=cleaned["licence"],
                source=cleaned["source"],
                format=form.format_of(cleaned["file_name"]),
            )
            return redirect("corpora:draft", access.study.slug, draft.pk)
        except ValidationError as error:
            form.add_error(None, error)
    return render(request, "corpora/new.html", {"form": form})


@study_view()
def draft_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The step that the draft waits for: its encoding, its column, or its commit."""
    draft = access.get(CorpusDraft, pk)
    if draft.committed_at:
        return render(request, "corpora/draft_done.html", {"draft": draft, "result": draft.result})
    if draft.options.get("raw"):
        return _encoding_step(request, draft)
    if not selectors.is_readable(draft) or "column" in request.GET:
        return _column_step(request, draft)
    preview = selectors.preview_of(draft)
    context = {
        "draft": draft,
        "preview": preview,
        "errors": preview.errors[:SHOWN],
        "new": preview.new[:10],
        "duplicates": preview.duplicates[:SHOWN],
        "shown": SHOWN,
        "format": Format(draft.options["format"]),
        "named": selectors.named_columns(draft),
        "opened": digest_of(draft.options),
    }
    return render(request, "corpora/draft.html", context)


def _moved(request: HttpRequest, draft: CorpusDraft) -> bool:
    """Whether somebody else has settled something of the draft since the page was opened; then it says so."""
    if not has_moved(request, draft.options):
        return False
    messages.error(
        request,
        _("Somebody else has said meanwhile how this file is read, as it stands here now. Nothing was done."),
    )
    return True


def _column_step(request: HttpRequest, draft: CorpusDraft) -> HttpResponse:
    if not Format(draft.options["format"]).is_table:
        raise Http404
    table = selectors.table_of(draft)
    context = {"draft": draft, "form": _column_form(draft, table), "table": table}
    return render(request, "corpora/draft_column.html", context)


def _column_form(draft: CorpusDraft, table: selectors.Table, sent: QueryDict | None = None) -> ColumnForm:
    initial = {
        "column": draft.options.get("column"),
        "id_column": draft.options.get("id_column"),
        "has_header": draft.options.get("has_header", table.names_columns),
    }
    return ColumnForm(table, sent, initial=initial)


def _encoding_step(request: HttpRequest, draft: CorpusDraft) -> HttpResponse:
    """The bytes as the guess, or as another encoding that is asked for."""
    form = EncodingForm(request.GET if "encoding" in request.GET else {"encoding": draft.options["encoding"]})
    lines, problem = [], ""
    encoding = draft.options["encoding"]
    if form.is_valid():
        encoding = form.cleaned_data["encoding"]
        try:
            lines = selectors.encoding_preview(draft, encoding)
        except encodings.Undecodable as error:
            problem = str(error)
    context = {
        "draft": draft,
        "form": form,
        "lines": lines,
        "problem": problem,
        "encoding": encoding,
        "label": encodings.label(encoding),
        "guess": encodings.label(draft.options["encoding"]),
        "opened": digest_of(draft.options),
    }
    return render(request, "corpora/draft_encoding.html", context)


@require_POST
@study_view()
@edit_view
def draft_encoding(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    draft = access.hold(CorpusDraft, pk)
    if _moved(request, draft):
        return redirect("corpora:draft", access.study.slug, pk)
    try:
        draft_services.draft_accept_encoding(
            draft=draft, actor=access.user, encoding=request.POST.get("encoding", "")
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("corpora:draft", access.study.slug, pk)


@require_POST
@study_view()
@edit_view
def draft_column(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    draft = access.hold(CorpusDraft, pk)
    if draft.options.get("raw") or not Format(draft.options["format"]).is_table:
        return redirect("corpora:draft", access.study.slug, pk)
    table = selectors.table_of(draft)
    form = _column_form(draft, table, request.POST)
    if not form.is_valid():
        context = {"draft": draft, "form": form, "table": table}
        status = form.status if form.changed_since else 422
        return render(request, "corpora/draft_column.html", context, status=status)
    draft_services.draft_choose_column(draft=draft, actor=access.user, layout=form.layout())
    return redirect("corpora:draft", access.study.slug, pk)


@require_POST
@study_view()
@edit_view
def draft_commit(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    draft = access.hold(CorpusDraft, pk)
    if _moved(request, draft):
        return redirect("corpora:draft", access.study.slug, pk)
    try:
        done = draft_services.draft_commit(
            draft=draft, actor=access.user, skip_bad="skip_bad" in request.POST
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("corpora:draft", access.study.slug, pk)
    stored = done.result["new"]
    messages.success(
        request, ngettext("%(n)d sentence stored.", "%(n)d sentences stored.", stored) % {"n": stored}
    )
    if done.result["skipped"] or done.corpus is None:
        return redirect("corpora:draft", access.study.slug, pk)
    return redirect("corpora:corpus", access.study.slug, done.corpus.pk)


@require_POST
@study_view()
def draft_discard(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    try:
        draft_services.draft_discard(draft=access.get(CorpusDraft, pk), actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("corpora:draft", access.study.slug, pk)
    messages.info(request, _("The file was thrown away; nothing was stored."))
    return redirect("corpora:list", access.study.slug)


@require_POST
@study_view()
def drafts_discard(request: HttpRequest, access: Access) -> HttpResponse:
    """Throw away the files that the list showed."""
    wanted = [int(pk) for pk in request.POST.getlist("draft") if pk.isdecimal() and len(pk) < 19]
    gone = draft_services.drafts_discard(study=access.study, actor=access.user, drafts=wanted)
    text = ngettext(
        "%(n)d file was thrown away; nothing of it was stored.",
        "%(n)d files were thrown away; nothing of them was stored.",
        gone,
    )
    messages.info(request, text % {"n": gone})
    return redirect("corpora:list", access.study.slug)
