"""Files on their way in, as JSON: what each step waits for, and what a commit would do."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body, StudyBody
from apps.corpora import encodings, selectors
from apps.corpora.formats.readings import MAXIMUM_BYTES, Format
from apps.corpora.models import CorpusDraft

# Of each kind, as many rows are shown; the counts are of all.
SHOWN = 200


class RowSerializer(serializers.Serializer[Any]):
    row = serializers.IntegerField(source="number", help_text="From 1, the header not counted.")
    line = serializers.IntegerField(help_text="The line of the file where it begins.")
    text = serializers.CharField()
    external_id = serializers.CharField(allow_blank=True)


class RowErrorSerializer(serializers.Serializer[Any]):
    row = serializers.IntegerField(source="number")
    line = serializers.IntegerField()
    column = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class ColumnSerializer(serializers.Serializer[Any]):
    index = serializers.IntegerField()
    header = serializers.CharField(allow_blank=True, help_text="As the file has it.")
    name = serializers.CharField(allow_blank=True)
    cells = serializers.ListField(child=serializers.CharField(allow_blank=True), help_text="A few of them.")


class PreviewSerializer(serializers.Serializer[Any]):
    """What a commit would do. The first rows of each kind are shown, and how many there are in all."""

    new = serializers.IntegerField()
    duplicates = serializers.IntegerField(help_text="Twice in the file; the first one counts.")
    stored = serializers.IntegerField(help_text="In the corpus of that name already.")
    bad = serializers.IntegerField()
    elsewhere = serializers.IntegerField(help_text="Of the new ones, in another corpus of the study.")
    adds_to = serializers.IntegerField(help_text="Sentences that the corpus of that name has.")
    errors = RowErrorSerializer(many=True)  # type: ignore[assignment]
    rows = RowSerializer(many=True)


class ResultSerializer(serializers.Serializer[Any]):
    """What the commit did."""

    new = serializers.IntegerField()
    duplicates = serializers.IntegerField()
    stored = serializers.IntegerField()
    skipped = serializers.IntegerField()
    skipped_rows = serializers.ListField(child=serializers.CharField())


class DraftSerializer(serializers.ModelSerializer[CorpusDraft]):
    """``state`` is what the file waits for: its ``encoding`` or its ``column`` to be chosen, or to be
    committed (``ready``); or it is ``committed``."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    state = serializers.SerializerMethodField()
    name = serializers.CharField(source="options.name", read_only=True)
    licence = serializers.CharField(source="options.licence", read_only=True)
    source = serializers.CharField(source="options.source", read_only=True)  # type: ignore[assignment]
    format = serializers.ChoiceField(source="options.format", choices=Format.choices, read_only=True)
    encoding = serializers.CharField(source="options.encoding", read_only=True)

    class Meta:
        model = CorpusDraft
        fields = [
            "id", "study", "file_name", "state", "name", "licence", "source", "format", "encoding", "corpus",
            "created_at", "committed_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(choices=["encoding", "column", "ready", "committed"]))
    def get_state(self, draft: CorpusDraft) -> str:
        if draft.committed_at:
            return "committed"
        if draft.options.get("raw"):
            return "encoding"
        return "ready" if selectors.is_readable(draft) else "column"


class FullDraftSerializer(DraftSerializer):
    """A draft with what helps to choose: ``lines`` in the guessed encoding, ``columns`` of a table, and the
    ``preview`` once both are settled; then the ``result`` of its commit. null where there is none yet."""

    lines = serializers.SerializerMethodField()
    columns = serializers.SerializerMethodField()
    preview = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    class Meta(DraftSerializer.Meta):
        fields = [*DraftSerializer.Meta.fields, "lines", "columns", "preview", "result"]

    @extend_schema_field(serializers.ListField(child=serializers.CharField(), allow_null=True))
    def get_lines(self, draft: CorpusDraft) -> list[str] | None:
        if self.get_state(draft) != "encoding":
            return None
        try:
            return selectors.encoding_preview(draft, draft.options["encoding"])
        except encodings.Undecodable:  # the guess was wrong
            return []

    @extend_schema_field(ColumnSerializer(many=True, allow_null=True))
    def get_columns(self, draft: CorpusDraft) -> list[dict[str, Any]] | None:
        if self.get_state(draft) == "encoding" or not Format(draft.options["format"]).is_table:
            return None
        return [
            {"index": index, "header": header, "name": name, "cells": cells}
            for index, header, name, cells in selectors.table_of(draft).columns
        ]

    @extend_schema_field(PreviewSerializer(allow_null=True))
    def get_preview(self, draft: CorpusDraft) -> Any:
        if self.get_state(draft) != "ready":
            return None
        found = selectors.preview_of(draft)
        shown = {
            "new": len(found.new),
            "duplicates": len(found.duplicates),
            "stored": len(found.stored),
            "bad": len(found.errors),
            "elsewhere": found.elsewhere,
            "adds_to": found.adds_to,
            "errors": found.errors[:SHOWN],
            "rows": found.new[:SHOWN],
        }
        return PreviewSerializer(shown).data

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, draft: CorpusDraft) -> Any:
        return draft.result if draft.committed_at else None


class DraftBody(StudyBody):
    """What a file is, and whose."""

    format = serializers.ChoiceField(
        choices=Format.choices, required=False, help_text="Left out: as the file's name says."
    )
    licence = serializers.CharField(max_length=200)
    source = serializers.CharField(max_length=500)  # type: ignore[assignment]


class TextDraftBody(DraftBody):
    name = serializers.CharField(max_length=200, help_text="Of the corpus; one that is there is added to.")
    text = serializers.CharField(
        trim_whitespace=False, max_length=MAXIMUM_BYTES, help_text="The content of the file."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        text = data.pop("text")
        return {"format": Format.LINES, **data, "file_name": "text", "data": text.encode()}


class FileDraftBody(DraftBody):
    """``multipart/form-data``, with the file in its bytes."""

    name = serializers.CharField(
        max_length=200, default="", allow_blank=True, help_text="Of the corpus. Left out: the file's name."
    )
    file = serializers.FileField(allow_empty_file=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        file = data.pop("file")
        return {"format": Format.of_file(file.name), **data, "file_name": file.name, "data": file.read()}


class EncodingBody(Body):
    encoding = serializers.ChoiceField(choices=encodings.ENCODINGS)


class ColumnBody(Body):
    column = serializers.IntegerField(
        min_value=0, max_value=10_000, help_text="The index of the column with the sentences."
    )
    id_column = serializers.IntegerField(
        min_value=0, max_value=10_000, allow_null=True, default=None, help_text="That with identifiers."
    )
    has_header = serializers.BooleanField(default=True, help_text="The first row names the columns.")


class CommitBody(Body):
    skip_bad = serializers.BooleanField(
        default=False, help_text="Leave bad rows out; else a bad row stores nothing."
    )
