"""Releases as sources of training sets."""

from __future__ import annotations

import io
import json
from contextlib import contextmanager

import pytest
from django.utils import timezone

from apps.datasets.services import dataset_create
from apps.inference.mixing import MixingError
from apps.inference.training_sources import choices_of, names_of, rows_of
from apps.releases.models import Release


@pytest.fixture
def release(study, ada):
    dataset = dataset_create(study=study, actor=ada, name="farm")
    return Release.objects.create(
        dataset=dataset, number=1, rule="all", frozen_at=timezone.now(),
        manifest={"splits": {"pairs": {"train": 2, "test": 1}}},
    )  # fmt: skip


@pytest.fixture
def archive(monkeypatch):
    """What stands in the archive, a file for each split."""
    row = {"premise": "No dog runs.", "hypothesis": "No black dog runs.", "direction": "downward"}
    files = {
        "data/train.jsonl": [{**row, "gold_label": "entailment"}, {**row, "gold_label": None}],
        "data/test.jsonl": [{**row, "gold_label": "non-entailment", "direction": None}],
    }

    @contextmanager
    def opened(release, name):
        yield io.BytesIO("".join(json.dumps(row) + "\n" for row in files[name]).encode())

    monkeypatch.setattr("apps.releases.training_source.member_opened", opened)


def test_a_release_is_offered_whole_and_by_its_splits(study, release):
    wanted = {f"release:{release.pk}{end}" for end in ("", ":train", ":test")}
    assert wanted <= set(names_of(study))


def test_its_rows_are_those_with_a_gold_label(study, release, archive):
    assert [row.label for row in rows_of(study, f"release:{release.pk}:train")] == ["entailment"]
    rows = rows_of(study, f"release:{release.pk}")
    assert [(row.label, row.direction) for row in rows] == [
        ("entailment", "downward"),
        ("non-entailment", ""),
    ]
    assert {row.source for row in rows} == {"farm 1"}


def test_an_archive_that_is_gone_is_said(study, release):
    with pytest.raises(MixingError, match="can't be read"):
        rows_of(study, f"release:{release.pk}")


def test_a_release_that_is_not_frozen_or_another_studys_is_none(study, olaf, release):
    from apps.studies.models import Study

    assert choices_of(Study.objects.exclude(pk=study.pk).get()) == []
    release.frozen_at = None
    release.save()
    assert not any(reference.startswith("release") for reference in names_of(study))
