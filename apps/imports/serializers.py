"""Files of pairs on their way in, as JSON: what each waits for, and what a commit would do."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body, StudyBody
from apps.corpora import encodings
from apps.corpora.sources import FileProblem
from apps.imports import drafts, formats
from apps.imports.formats.mapped import SEVERAL, SINGLE
from apps.imports.labels import NONE, STANDS_FOR, spelled
from apps.imports.models import PairDraft

STATES = ["reading", "encoding", "member", "columns", "problem", "ready", "storing", "committed"]
_LONGEST_NAME = 300
_MOST_COLUMNS = 200


def state_of(draft: PairDraft) -> str:
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


class PairRowErrorSerializer(serializers.Serializer[Any]):
    row = serializers.IntegerField(help_text=gettext_lazy("From 1, the header not counted."))
    line = serializers.IntegerField()
    column = serializers.CharField(allow_blank=True, default="")
    message = serializers.CharField()


class PairSampleSerializer(serializers.Serializer[Any]):
    premises = serializers.ListField(child=serializers.CharField())
    hypothesis = serializers.CharField()
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    direction = serializers.CharField(allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField())


class UnknownLabelSerializer(serializers.Serializer[Any]):
    found = serializers.CharField(help_text=gettext_lazy("As the file has it; to be used in ``values``."))
    rows = serializers.IntegerField()
    suggested = serializers.CharField(
        allow_blank=True, help_text=gettext_lazy("What its spelling is near to.")
    )


class PairPreviewSerializer(serializers.Serializer[Any]):
    """What a commit would do, counted over the whole file; the first 200 bad rows are shown."""

    format = serializers.CharField(help_text=gettext_lazy("As recognised, or chosen."))
    rows = serializers.IntegerField()
    pairs = serializers.IntegerField()
    new = serializers.IntegerField()
    twice = serializers.IntegerField(help_text=gettext_lazy("Twice in the file; the first one counts."))
    known = serializers.IntegerField(help_text=gettext_lazy("In the dataset already."))
    several = serializers.IntegerField(help_text=gettext_lazy("With more than one premise."))
    judgements = serializers.IntegerField()
    bad = serializers.IntegerField()
    left = serializers.IntegerField(help_text=gettext_lazy("Rows that the format itself says to leave out."))
    errors = PairRowErrorSerializer(many=True)  # type: ignore[assignment]
    left_out = PairRowErrorSerializer(many=True)
    samples = PairSampleSerializer(many=True)
    labels = serializers.DictField(child=serializers.IntegerField())
    directions = serializers.DictField(child=serializers.IntegerField())
    tags = serializers.DictField(child=serializers.IntegerField())
    sources = serializers.DictField(child=serializers.IntegerField())
    answers = serializers.DictField(child=serializers.IntegerField())
    unknown = UnknownLabelSerializer(
        many=True,
        default=list,
        help_text=gettext_lazy("Labels in no known spelling: their rows are bad until ``values`` says more."),
    )


class SoFarSerializer(serializers.Serializer[Any]):
    """Of a file that is still being read: what is wrong with its first rows."""

    rows = serializers.IntegerField(source="so_far")
    bad = serializers.IntegerField()
    errors = PairRowErrorSerializer(many=True)  # type: ignore[assignment]


class PairColumnSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text=gettext_lazy("To be used in a mapping."))
    cells = serializers.ListField(child=serializers.CharField(), help_text=gettext_lazy("A few of them."))


class PairDraftSerializer(serializers.ModelSerializer[PairDraft]):
    """``state`` is what the file waits for: to be read in the background (``reading``), its ``encoding``, its
    ``member`` (of an archive) or its ``columns`` to be chosen, to be committed (``ready``) or thrown away
    (``problem``); or it is ``storing``, or ``committed``."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    state = serializers.SerializerMethodField()
    name = serializers.CharField(source="options.name", read_only=True)

    class Meta:
        model = PairDraft
        fields = [
            "id", "study", "file_name", "sha256", "bytes", "state", "name", "dataset", "created_at",
            "committed_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(choices=STATES))
    def get_state(self, draft: PairDraft) -> str:
        return state_of(draft)


class FullPairDraftSerializer(PairDraftSerializer):
    """A draft with what helps to choose: the ``problem`` in words, the ``guess`` of its encoding, an
    archive's ``members``, a table's ``columns``; ``so_far``, what is wrong with the first rows while the
    rest is read; the ``preview``; the ``job`` that reads or stores it; and the counts (``result``) of its
    commit. null where there is none."""

    problem = serializers.SerializerMethodField()
    guess = serializers.SerializerMethodField()
    members = serializers.SerializerMethodField()
    columns = serializers.SerializerMethodField()
    so_far = serializers.SerializerMethodField()
    preview = serializers.SerializerMethodField()
    job = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    class Meta(PairDraftSerializer.Meta):
        fields = [
            *PairDraftSerializer.Meta.fields, "problem", "guess", "members", "columns", "so_far", "preview",
            "job", "result",
        ]  # fmt: skip

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_problem(self, draft: PairDraft) -> Any:
        return draft.preview.get("problem")

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_guess(self, draft: PairDraft) -> Any:
        return draft.preview.get("guess")

    @extend_schema_field(serializers.ListField(child=serializers.CharField(), allow_null=True))
    def get_members(self, draft: PairDraft) -> Any:
        return draft.preview.get("members")

    @extend_schema_field(PairColumnSerializer(many=True, allow_null=True))
    def get_columns(self, draft: PairDraft) -> list[dict[str, Any]] | None:
        if state_of(draft) not in ("columns", "ready"):
            return None
        try:
            table = drafts.table_of(draft)
        except (FileProblem, OSError):  # no table at all
            return None
        return [
            {
                "name": name.lower(),
                "cells": [str(record.cells.get(name.lower(), ""))[:200] for record in table.sample],
            }
            for name in table.columns
        ] or None

    @extend_schema_field(SoFarSerializer(allow_null=True))
    def get_so_far(self, draft: PairDraft) -> Any:
        return SoFarSerializer(draft.preview).data if "so_far" in draft.preview else None

    @extend_schema_field(PairPreviewSerializer(allow_null=True))
    def get_preview(self, draft: PairDraft) -> Any:
        return PairPreviewSerializer(draft.preview).data if "rows" in draft.preview else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_job(self, draft: PairDraft) -> int | None:
        kind = {"reading": drafts.PREVIEW_KIND, "storing": drafts.IMPORT_KIND}.get(state_of(draft))
        job = drafts.job_of(draft, kind) if kind else None
        return job.pk if job else None

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField(), allow_null=True))
    def get_result(self, draft: PairDraft) -> dict[str, int] | None:
        if not draft.committed_at:
            return None
        return {name: count for name, count in draft.result.items() if isinstance(count, int)}


class _PairDraftBody(StudyBody):
    name = serializers.CharField(
        max_length=200,
        default="",
        allow_blank=True,
        help_text=gettext_lazy("Of the dataset; one that is there is added to. Left out: the file's name."),
    )
    licence = serializers.CharField(max_length=200, default="", allow_blank=True)
    source = serializers.CharField(max_length=500, default="", allow_blank=True)  # type: ignore[assignment]
    format = serializers.ChoiceField(
        choices=list(formats.TITLES.items()),
        required=False,
        help_text=gettext_lazy("Left out: as its columns say."),
    )


class TextPairDraftBody(_PairDraftBody):
    text = serializers.CharField(
        trim_whitespace=False, allow_blank=True, help_text=gettext_lazy("The content of the file.")
    )
    file_name = serializers.CharField(
        max_length=200, default="pairs.tsv", help_text=gettext_lazy("Its end says what kind of file it is.")
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        data["file_name"] = PurePath(data["file_name"]).name or "pairs.tsv"
        text = data.pop("text")
        return {**data, "chunks": [text.encode()]}


class FilePairDraftBody(_PairDraftBody):
    """``multipart/form-data``, with the file in its bytes."""

    file = serializers.FileField(allow_empty_file=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        file = data.pop("file")
        return {**data, "file_name": file.name, "chunks": file.chunks()}


def _columns(text: Any) -> serializers.ListField:
    child = serializers.CharField(max_length=_LONGEST_NAME)
    return serializers.ListField(child=child, max_length=_MOST_COLUMNS, default=list, help_text=text)


def _column(text: Any) -> serializers.CharField:
    return serializers.CharField(max_length=_LONGEST_NAME, default="", allow_blank=True, help_text=text)


def _values() -> serializers.DictField:
    return serializers.DictField(
        child=serializers.ChoiceField(choices=sorted(STANDS_FOR)),
        required=False,
        help_text=gettext_lazy("What labels of the file stand for, such as 0; ``none`` for no label."),
    )


def values_stored(values: dict[str, str]) -> dict[str, str]:
    return {spelled(found): "" if label == NONE else label for found, label in values.items()}


class MappingBody(Body):
    """Which columns hold what, by the names that the draft shows. Each column holds one thing."""

    premises = serializers.ListField(
        child=serializers.CharField(max_length=_LONGEST_NAME), min_length=1, max_length=_MOST_COLUMNS
    )
    hypothesis = serializers.CharField(max_length=_LONGEST_NAME)
    label = _column(gettext_lazy("The gold label."))  # type: ignore[assignment]
    direction = _column(gettext_lazy("The direction."))
    genre = _column(gettext_lazy("The genre."))
    source = _column(gettext_lazy("A citation."))  # type: ignore[assignment]
    tags = _columns(gettext_lazy("Tags."))
    answers = _columns(gettext_lazy("Annotators' labels, one a cell or a list of them."))
    facts = _columns(gettext_lazy("Something else to keep."))
    values = _values()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Names in lower case, as the file's records have them; no column twice."""
        stored: dict[str, Any] = {name: [column.lower() for column in attrs[name]] for name in SEVERAL}
        stored |= {name: attrs[name].lower() for name in SINGLE}
        said = [column for name in SEVERAL for column in stored[name]]
        said += [stored[name] for name in SINGLE if stored[name]]
        if twice := next((name for name in said if said.count(name) > 1), None):
            raise serializers.ValidationError(_("The column “%(name)s” is named twice.") % {"name": twice})
        return {**stored, "values": values_stored(attrs.get("values", {}))}


class PairChoicesBody(Body):
    """How the file is read. What is left out stays as it was settled."""

    encoding = serializers.ChoiceField(choices=encodings.ENCODINGS, required=False)
    member = serializers.CharField(
        max_length=1000, required=False, help_text=gettext_lazy("A file of the archive.")
    )
    format = serializers.ChoiceField(choices=list(formats.TITLES.items()), required=False)
    has_header = serializers.BooleanField(
        required=False, help_text=gettext_lazy("Whether the first row of a table names its columns.")
    )
    mapping = MappingBody(required=False)
    values = _values()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        return {**data, "values": values_stored(data["values"])} if "values" in data else data


class PairCommitBody(Body):
    skip_bad = serializers.BooleanField(
        default=False, help_text=gettext_lazy("Leave bad rows out; else a bad row stores nothing.")
    )
