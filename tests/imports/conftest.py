"""A file on its way in: made, read, previewed, stored in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.datasets.models import Dataset
from apps.imports import services
from apps.imports.models import PairDraft
from apps.imports.readers import Choices, reading
from apps.imports.rows import PairRow
from tests.datasets.conftest import *  # noqa: F403 (the datasets' stage is this one's too)


@pytest.fixture
def events(saved) -> Callable[..., list]:
    """Everything that a file holds, in order; a path is read where it lies."""

    def read(content: str | bytes | Path, name: str = "pairs.tsv", **choices) -> list:
        path = content if isinstance(content, Path) else saved(content, name)
        with reading(path, path.name, Choices(**choices)) as found:
            return list(found.events)

    return read


@pytest.fixture
def pairs_in(events) -> Callable[..., list[PairRow]]:
    """The pairs of a file that has nothing else."""

    def read(*args, **choices) -> list[PairRow]:
        found = events(*args, **choices)
        assert all(isinstance(event, PairRow) for event in found), found
        return found

    return read


@pytest.fixture
def bring(study, saved, capsys) -> Callable[..., str]:
    """Import a file by the command; returns what it printed."""

    def run(content: str | bytes | Path, name: str = "pairs.tsv", *options: str, dataset: str = "In") -> str:
        path = content if isinstance(content, Path) else saved(content, name)
        call_command("import_pairs", study.slug, str(path), "--dataset", dataset, *options)
        return capsys.readouterr().out

    return run


@pytest.fixture
def drafted(study, ada) -> Callable[..., PairDraft]:
    """A file as a draft whose preview was asked for."""

    def make(content: str | bytes, name: str = "pairs.tsv", *, dataset: str = "In", **options) -> PairDraft:
        data = content if isinstance(content, bytes) else content.encode()
        draft = services.draft_create(
            study=study, actor=ada, file_name=name, chunks=[data], name=dataset, **options
        )
        return services.draft_preview(draft=draft, actor=ada)

    return make


@pytest.fixture
def stored() -> Callable[[str], Dataset]:
    return lambda name="In": Dataset.objects.get(name=name)
