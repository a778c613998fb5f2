"""Files of predictions on their way in, as JSON."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body
from apps.corpora import encodings
from apps.datasets.bodies import InDataset
from apps.datasets.labels import BY_VALUE
from apps.imports.models import PredictionDraft
from apps.imports.predictions import drafts
from apps.imports.serializers import (
    PairRowErrorSerializer,
    SoFarSerializer,
    UnknownLabelSerializer,
    values_stored,
)

STATES = ["reading", "encoding", "member", "problem", "ready", "storing", "committed"]


def state_of(draft: PredictionDraft) -> str:
    """What the file waits for; one of ``STATES``."""
    if draft.committed_at:
        return "committed"
    if draft.started_at:
        return "storing"
    if not drafts.is_read(draft):
        return "reading"
    if "problem" in draft.preview:
        return str(draft.preview["step"] or "problem")
    return "ready"


class PredictionWarningSerializer(serializers.Serializer[Any]):
    row = serializers.IntegerField(help_text=gettext_lazy("From 1, the header not counted."))
    line = serializers.IntegerField()
    message = serializers.CharField()


class PredictionPreviewSerializer(serializers.Serializer[Any]):
    """What a commit would store, counted over the whole file; the first 200 bad rows are shown."""

    rows = serializers.IntegerField()
    predictions = serializers.IntegerField()
    pairs = serializers.IntegerField(help_text=gettext_lazy("Of the dataset."))
    pending = serializers.IntegerField(help_text=gettext_lazy("Pairs that are not in the file."))
    bad = serializers.IntegerField()
    by_id = serializers.IntegerField(help_text=gettext_lazy("Matched by the pair's number."))
    by_text = serializers.IntegerField(help_text=gettext_lazy("Matched by texts, to the letter."))
    by_words = serializers.IntegerField(help_text=gettext_lazy("Matched by texts with other spaces."))
    unknown_pairs = serializers.IntegerField(help_text=gettext_lazy("Bad: no such pair in the dataset."))
    other_texts = serializers.IntegerField(help_text=gettext_lazy("Bad: the pair has other texts."))
    unmatched = serializers.IntegerField(help_text=gettext_lazy("Bad: no pair has these texts."))
    ambiguous = serializers.IntegerField(help_text=gettext_lazy("Bad: several pairs have these texts."))
    doubled = serializers.IntegerField(help_text=gettext_lazy("Bad: the pair stood there before."))
    unreadable = serializers.IntegerField(help_text=gettext_lazy("Bad in itself: its cells."))
    unknown_labels = serializers.IntegerField()
    scored = serializers.IntegerField(help_text=gettext_lazy("With probabilities."))
    contradicting = serializers.IntegerField(
        help_text=gettext_lazy("Another label has the highest probability; the label counts.")
    )
    labels = serializers.DictField(child=serializers.IntegerField())
    unknown = UnknownLabelSerializer(many=True)
    errors = PairRowErrorSerializer(many=True)  # type: ignore[assignment]
    warnings = PredictionWarningSerializer(many=True)
    fingerprint = serializers.CharField(
        help_text=gettext_lazy("SHA-256 of the model's name, its version and the canonical rows.")
    )


class PredictionDraftSerializer(serializers.ModelSerializer[PredictionDraft]):
    """``state`` is what the file waits for: to be read in the background (``reading``), its ``encoding`` or
    its ``member`` (of an archive) to be chosen, to be committed (``ready``) or thrown away (``problem``); or
    it is ``storing``, or ``committed``, and then ``run`` has its predictions."""

    study = serializers.SlugField(source="dataset.study.slug", read_only=True)
    state = serializers.SerializerMethodField()

    class Meta:
        model = PredictionDraft
        fields = [
            "id", "study", "dataset", "model_name", "version", "file_name", "sha256", "bytes", "state", "run",
            "created_at", "committed_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(choices=STATES))
    def get_state(self, draft: PredictionDraft) -> str:
        return state_of(draft)


class FullPredictionDraftSerializer(PredictionDraftSerializer):
    """A draft with what helps to choose: the ``problem`` in words, the ``guess`` of its encoding, an
    archive's ``members``; ``so_far``, what is wrong with the first rows while the rest is read; the
    ``preview``; and the ``job`` that reads or stores it. null where there is none."""

    problem = serializers.CharField(source="preview.problem", default=None, read_only=True, allow_null=True)
    guess = serializers.CharField(source="preview.guess", default=None, read_only=True, allow_null=True)
    members = serializers.ListField(
        source="preview.members", child=serializers.CharField(), default=None, read_only=True, allow_null=True
    )
    so_far = serializers.SerializerMethodField()
    preview = serializers.SerializerMethodField()
    job = serializers.SerializerMethodField()

    class Meta(PredictionDraftSerializer.Meta):
        fields = [
            *PredictionDraftSerializer.Meta.fields, "problem", "guess", "members", "so_far", "preview", "job",
        ]  # fmt: skip

    @extend_schema_field(SoFarSerializer(allow_null=True))
    def get_so_far(self, draft: PredictionDraft) -> Any:
        return SoFarSerializer(draft.preview).data if "so_far" in draft.preview else None

    @extend_schema_field(PredictionPreviewSerializer(allow_null=True))
    def get_preview(self, draft: PredictionDraft) -> Any:
        return PredictionPreviewSerializer(draft.preview).data if "rows" in draft.preview else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_job(self, draft: PredictionDraft) -> int | None:
        kind = {"reading": drafts.PREVIEW_KIND, "storing": drafts.IMPORT_KIND}.get(state_of(draft))
        job = drafts.job_of(draft, kind) if kind else None
        return job.pk if job else None


class _PredictionDraftBody(InDataset):
    model_name = serializers.CharField(max_length=160)
    version = serializers.CharField(
        max_length=38,
        default="",
        allow_blank=True,
        help_text=gettext_lazy("Left out: 1. Another file about the same pairs is another version."),
    )


class TextPredictionDraftBody(_PredictionDraftBody):
    text = serializers.CharField(
        trim_whitespace=False, allow_blank=True, help_text=gettext_lazy("The content of the file.")
    )
    file_name = serializers.CharField(max_length=200, default="predictions.tsv")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        data["file_name"] = PurePath(data["file_name"]).name or "predictions.tsv"
        text = data.pop("text")
        return {**data, "chunks": [text.encode()]}


class FilePredictionDraftBody(_PredictionDraftBody):
    """``multipart/form-data``, with the file in its bytes."""

    file = serializers.FileField(allow_empty_file=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        file = data.pop("file")
        return {**data, "file_name": file.name, "chunks": file.chunks()}


class PredictionChoicesBody(Body):
    """How the file is read. What is left out stays as it was settled."""

    encoding = serializers.ChoiceField(choices=encodings.ENCODINGS, required=False)
    member = serializers.CharField(
        max_length=1000, required=False, help_text=gettext_lazy("A file of the archive.")
    )
    values = serializers.DictField(
        child=serializers.ChoiceField(choices=sorted(BY_VALUE)),
        required=False,
        help_text=gettext_lazy("What labels of the file stand for, such as 0."),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        return {**data, "values": values_stored(data["values"])} if "values" in data else data


class PredictionCommitBody(Body):
    skip_bad = serializers.BooleanField(
        default=False, help_text=gettext_lazy("Leave bad rows out; else a bad row stores nothing.")
    )
