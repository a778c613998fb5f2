"""Batches of machine-made pairs as JSON."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Reference
from apps.corpora.models import Corpus
from apps.datasets.bodies import InDataset
from apps.generation import selectors
from apps.generation.models import MachineBatch
from apps.generation.options import LARGEST_SEED, MOST_PER_SENTENCE, OPERATIONS, MachineOptions
from natlog.generation.contrasts import contrasts
from natlog.lexicon.conventions import conventions

_DEFAULTS = MachineOptions()


class CellSerializer(serializers.Serializer[Any]):
    operation = serializers.CharField()
    direction = serializers.CharField(allow_blank=True)
    label = serializers.CharField()  # type: ignore[assignment]
    pairs = serializers.IntegerField()


class MachineBatchSerializer(serializers.ModelSerializer[MachineBatch]):
    """``made`` pairs were stored, counted in ``cells``; ``known`` were in the dataset already; ``rejected``
    counts by reason what was left out."""

    options = serializers.DictField(read_only=True)
    made = serializers.IntegerField(read_only=True)
    cells = serializers.SerializerMethodField()
    rejected = serializers.DictField(child=serializers.IntegerField(), read_only=True)

    class Meta:
        model = MachineBatch
        fields = [
            "id", "dataset", "corpus", "corpus_name", "options", "made", "known", "cells", "rejected",
            "created_at", "started_at", "finished_at",
        ]  # fmt: skip

    @extend_schema_field(CellSerializer(many=True))
    def get_cells(self, batch: MachineBatch) -> list[dict[str, Any]]:
        names = ("operation", "direction", "label", "pairs")
        return [dict(zip(names, cell, strict=True)) for cell in batch.cells]


class FullMachineBatchSerializer(MachineBatchSerializer):
    """A batch with its examples (``preview``, {} until they are made) and the job that is or was at it."""

    preview = serializers.DictField(read_only=True)
    job = serializers.SerializerMethodField()

    class Meta(MachineBatchSerializer.Meta):
        fields = [*MachineBatchSerializer.Meta.fields, "preview", "job"]

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_job(self, batch: MachineBatch) -> int | None:
        if batch.started_at:
            return batch.job_id
        job = selectors.preview_job_of(batch)
        return job.pk if job else None


class MachineBody(InDataset):
    corpus = Reference(Corpus)
    operations = serializers.ListField(
        child=serializers.ChoiceField(choices=list(OPERATIONS.items())),
        min_length=1,
        max_length=len(OPERATIONS),
        default=list(OPERATIONS),
    )
    per_sentence = serializers.IntegerField(
        min_value=1,
        max_value=MOST_PER_SENTENCE,
        default=_DEFAULTS.per_sentence,
        help_text=_("Changes of a sentence, at most; each gives a pair in both directions."),
    )
    limit = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        allow_null=True,
        default=None,
        help_text=_("Balance: the most pairs of each operation, direction and label."),
    )
    seed = serializers.IntegerField(min_value=0, max_value=LARGEST_SEED, default=_DEFAULTS.seed)
    convention = serializers.ChoiceField(choices=list(conventions()), default=_DEFAULTS.convention)
    sure = serializers.FloatField(
        min_value=0,
        max_value=1,
        default=_DEFAULTS.sure,
        help_text=_("The least confidence of the calculus' label; pairs of less are left out and counted."),
    )


class ContrastBody(InDataset):
    name = serializers.CharField(max_length=200, help_text=_("The new dataset's."))
    contrasts = serializers.ListField(
        child=serializers.ChoiceField(choices=[(name, name) for name in contrasts()]),
        min_length=1,
        max_length=len(contrasts()),
        source="wanted",
    )
