"""A release made and read in a line."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.releases import storage
from apps.releases.gold_rules import Options
from apps.releases.models import Release
from apps.releases.services import release_create
from tests.datasets.conftest import *  # noqa: F403 (the datasets' stage is this one's too)

ALL_IN_ONE = {"train": 100, "validation": 0, "test": 0}


class Files(dict[str, bytes]):
    """The members of an archive by their name inside its folder."""

    def text(self, name: str) -> str:
        return self[name].decode()

    def lines(self, name: str) -> list[dict]:
        return [json.loads(line) for line in self.text(name).splitlines()]

    def tsv(self, name: str) -> list[dict[str, str]]:
        text = io.StringIO(self.text(name), newline="")
        return list(csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE))

    def csv(self, name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.text(name), newline="")))

    @property
    def pairs(self) -> list[dict]:
        return self.lines("data/train.jsonl")

    @property
    def judgements(self) -> list[dict]:
        return self.lines("judgements/judgements.jsonl")


def members(release: Release) -> Files:
    with zipfile.ZipFile(storage.final_path(release)) as packed:
        (within,) = {name.partition("/")[0] for name in packed.namelist()}
        return Files({name.removeprefix(f"{within}/"): packed.read(name) for name in packed.namelist()})


def unpacked(release: Release, into: Path) -> Path:
    """The archive's one folder, unpacked."""
    with zipfile.ZipFile(storage.final_path(release)) as packed:
        packed.extractall(into)
    return into / release.manifest["folder"]


@pytest.fixture
def release(dataset, ada, work) -> Callable[..., tuple[Release, Files]]:
    """Make a release and read its archive: a function of the options, giving the row and its members.

    All pairs are in one split unless told otherwise.
    """

    def make(**options) -> tuple[Release, Files]:
        of, rule = options.pop("dataset", dataset), options.pop("gold_rule", None)
        chosen = Options(**{**ALL_IN_ONE, **options})
        made = release_create(dataset=of, actor=ada, options=chosen, gold_rule=rule)
        work()
        made.refresh_from_db()
        assert made.frozen_at, made.job.error
        return made, members(made)

    return make
