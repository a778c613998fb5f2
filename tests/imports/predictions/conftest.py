"""A dataset of two-way pairs, and files of what a model says of them."""

from __future__ import annotations

import csv
import io
import json

import pytest

from apps.datasets.services import dataset_create, pair_get_or_create
from apps.imports.predictions import services

TEXTS = [
    (["Every dog runs."], "Every black dog runs."),
    (["A dog runs."], "A black dog runs."),
    (["No dog runs.", "Rex is a dog."], "Rex does not run."),
    (["Few dogs ran."], "Few small dogs ran."),
]


@pytest.fixture
def add_pair():
    def add(dataset, premises, hypothesis):
        return pair_get_or_create(
            dataset=dataset, premises=[(text, None) for text in premises], hypothesis=hypothesis,
            origin="import",
        )  # fmt: skip

    return add


@pytest.fixture
def dataset(study, ada, add_pair):
    made = dataset_create(study=study, actor=ada, name="Four pairs")
    for premises, hypothesis in TEXTS:
        add_pair(made, premises, hypothesis)
    return made


@pytest.fixture
def pairs(dataset):
    return list(dataset.pairs.order_by("pk"))


@pytest.fixture
def drafted(dataset, ada):
    """A file as a draft that was looked at."""

    def make(content, name="said.csv", *, model="Elsewhere", version="", into=None, **options):
        data = content if isinstance(content, bytes) else content.encode()
        draft = services.predictions_draft_create(
            dataset=into or dataset, actor=ada, model_name=model, version=version, file_name=name,
            chunks=[data], options=options,
        )  # fmt: skip
        return services.predictions_preview(draft=draft, actor=ada)

    return make


def as_csv(rows):
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def as_parquet(rows):
    import pyarrow
    from pyarrow import parquet

    into = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), into)
    return into.getvalue()
