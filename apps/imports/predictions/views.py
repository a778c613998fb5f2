"""A file of predictions on its way in: upload, what it asks for, preview, commit."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.datasets.models import Dataset
from apps.frame.edit_forms import digest_of, edit_view, has_moved
from apps.imports.forms import EncodingForm, LabelsForm, MemberForm
from apps.imports.models import PredictionDraft
from apps.imports.predictions import drafts, services
from apps.imports.predictions.forms import PredictionFileForm
from apps.inference.models import Model
from apps.studies.access import Access, study_view, within


@study_view()
def predictions_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Upload a file; ``?model=`` begins with a model that is there, ``?dataset=`` with a dataset."""
    form = PredictionFileForm(
        request.POST or None, request.FILES or None, study=access.study, initial=_initial(request, access)
    )
    if request.method == "POST" and form.is_valid():
        cleaned = form.cleaned_data
        try:
            draft = services.predictions_draft_create(
                dataset=cleaned["dataset"],
                actor=access.user,
                model_name=cleaned["model_name"],
                version=cleaned["version"],
                file_name=cleaned["file"].name,
                chunks=cleaned["file"].chunks(),
            )
            services.predictions_preview(draft=draft, actor=access.user)
            return redirect("predictions:draft", access.study.slug, draft.pk)
        except ValidationError as error:
            form.add_error(None, error.messages)
    context = {
        "form": form,
        "drafts": drafts.open_drafts_of(access.study),
        "datasets": within(Dataset, access.study).filter(kind=Dataset.Kind.PAIRS, archived_at=None),
    }
    return render(request, "predictions/new.html", context)


def _initial(request: HttpRequest, access: Access) -> dict[str, Any]:
    asked = {name: request.GET.get(name, "") for name in ("model", "dataset")}
    found: dict[str, Any] = {"dataset": asked["dataset"]} if asked["dataset"].isdecimal() else {}
    if asked["model"].isdecimal() and len(asked["model"]) < 19:
        config = access.get(Model, int(asked["model"]), kind=Model.Kind.FILE).config
        found |= {"model_name": config["model"], "version": config["version"]}
    return found


@study_view()
def predictions_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The step that the draft waits for."""
    return _step(request, access.get(PredictionDraft, pk))


def _step(request: HttpRequest, draft: PredictionDraft, labels: LabelsForm | None = None) -> HttpResponse:
    preview, slug = draft.preview, draft.dataset.study.slug
    if draft.committed_at and draft.run_id:
        return redirect("models:run", slug, draft.run_id)
    if draft.started_at or not drafts.is_read(draft):
        kind = drafts.IMPORT_KIND if draft.started_at else drafts.PREVIEW_KIND
        waiting = {"draft": draft, "job": drafts.job_of(draft, kind)}
        return render(request, "predictions/wait.html", waiting)
    context = {
        "draft": draft,
        "job": drafts.job_of(draft, drafts.IMPORT_KIND),  # over, and taken back
        "preview": preview,
        "labels": labels or _labels_form(draft),
        "opened": digest_of(draft.options),
        "clash": _clash(draft),
        "choice": _choice(preview),
    }
    return render(request, "predictions/draft.html", context, status=labels.status if labels else 200)


def _choice(preview: dict[str, Any]) -> EncodingForm | MemberForm | None:
    """What the file asks to be chosen before it can be read."""
    if preview.get("step") == "encoding":
        return EncodingForm(initial={"encoding": preview["guess"]})
    if preview.get("step") == "member":
        return MemberForm(preview["members"], sheets=preview.get("sheets", False))
    return None


def _clash(draft: PredictionDraft) -> str:
    """Why a commit would be refused for what the study has already; "" where it would not."""
    model, fingerprint = drafts.model_of(draft), draft.preview.get("fingerprint")
    if model is None or model.runs.filter(dataset=draft.dataset, fingerprint=fingerprint).exists():
        return ""
    try:
        services.refuse_other_predictions(draft, model)
    except ValidationError as error:
        return error.messages[0]
    return ""


def _labels_form(draft: PredictionDraft, sent: Any = None) -> LabelsForm | None:
    unknown, settled = draft.preview.get("unknown", []), draft.options.get("values", {})
    return LabelsForm(unknown, settled, sent) if unknown or settled else None


@require_POST
@study_view()
@edit_view
def predictions_labels(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What the file's own labels stand for."""
    draft = access.hold(PredictionDraft, pk)
    form = _labels_form(draft, request.POST)
    if form and not form.is_valid() and form.changed_since:
        return _step(request, draft, form)
    if form is None or not form.is_valid():
        messages.error(request, _("Choose what each label stands for."))
        return redirect("predictions:draft", access.study.slug, pk)
    return _chosen(request, access, draft, {"values": form.values()})


@require_POST
@study_view()
@edit_view
def predictions_choose(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The encoding, or the file of an archive, that a person has chosen."""
    draft = access.hold(PredictionDraft, pk)
    if _moved(request, draft):
        return redirect("predictions:draft", access.study.slug, pk)
    sent = {name: request.POST[name] for name in ("encoding", "member") if name in request.POST}
    return _chosen(request, access, draft, sent)


def _chosen(
    request: HttpRequest, access: Access, draft: PredictionDraft, options: dict[str, Any]
) -> HttpResponse:
    try:
        held = services.predictions_draft_choose(draft=draft, actor=access.user, options=options)
        services.predictions_preview(draft=held, actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("predictions:draft", access.study.slug, draft.pk)


def _moved(request: HttpRequest, draft: PredictionDraft) -> bool:
    """Whether somebody else has settled something of the draft since the page was opened; then it says so."""
    if not has_moved(request, draft.options):
        return False
    messages.error(
        request,
        _("Somebody else has said meanwhile how this file is read, as it stands here now. Nothing was done."),
    )
    return True


@require_POST
@study_view()
@edit_view
def predictions_commit(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    draft = access.hold(PredictionDraft, pk)
    if _moved(request, draft):
        return redirect("predictions:draft", access.study.slug, pk)
    try:
        services.predictions_commit(draft=draft, actor=access.user, skip_bad="skip_bad" in request.POST)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("predictions:draft", access.study.slug, pk)


@require_POST
@study_view()
def predictions_discard(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    try:
        services.predictions_draft_discard(draft=access.get(PredictionDraft, pk), actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("predictions:draft", access.study.slug, pk)
    messages.info(request, _("The file was thrown away; nothing was stored."))
    return redirect("models:list", access.study.slug)
