"""``manage.py experiment`` with files in roles: from an empty database in one go, or nothing at all."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from apps.datasets.models import Dataset
from apps.studies.models import Study
from tests.experiments.conftest import neural
from tests.installation import Installation

PROTOCOL = """
title = "Beside SICK"
paper = "ours"
source = "none"
about = "Learnt of one dataset, tested on another."

[sets]
nli = { role = "nli" }
held = { role = "held" }

[[trainings]]
name = "nli"
on = [{ set = "nli" }]

[[tests]]
name = "held"
on = [{ set = "held", where = { direction = ["downward"] } }]

[presets.smoke]
train = 60
test = 40
seeds = 1
pool = 200
networks = ["lstm"]
options.lstm = { epochs = 1, patience = 0, batch = 16, dimensions = 10, sizes = { hidden = 8, layers = 1 } }
"""
HEADER = "sentence1\tsentence2\tgold_label\tdirection\n"


@pytest.fixture
def files(tmp_path):
    """A protocol with two roles, and a file of generated pairs for each."""
    (tmp_path / "beside.toml").write_text(PROTOCOL, "utf-8")
    for name, animal in (("nli", "dogs"), ("held", "cats")):
        rows = [
            f"No {animal} saw {n} mice.\tNo small {animal} saw {n} mice.\tentailment\tdownward\n"
            f"No small {animal} saw {n} mice.\tNo {animal} saw {n} mice.\tnon-entailment\tdownward\n"
            for n in range(10, 110)
        ]
        (tmp_path / f"{name}.tsv").write_text(HEADER + "".join(rows), "utf-8")
    return tmp_path


def arguments(files, **roles):
    roles = {"nli": files / "nli.tsv", "held": files / "held.tsv", **roles}
    return [str(files / "beside.toml"), *(f"--role={role}={name}" for role, name in roles.items())]


@neural
def test_files_play_roles_in_an_empty_database(files):
    elsewhere = Installation(files / "var")
    card = elsewhere.command("experiment", *arguments(files))
    assert "60 rows a training, 40 a test" in card
    assert "200 rows: 200 new pairs" in card
    assert elsewhere.database.execute("SELECT name FROM datasets_dataset ORDER BY name").fetchall() == [
        ("held.tsv",), ("nli.tsv",),
    ]  # fmt: skip


@neural
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("roles", "said"),
    [
        (
            {"held": "nobody.tsv"},
            "--role held: “nobody.tsv” is no file, and no dataset of the study: nli.tsv",
        ),
        ({"help": "nli.tsv"}, "--role help: nothing here asks for it"),
        ({"held": "bad.tsv"}, "“sideways” is none of upward, downward, non-monotone"),
    ],
)
def test_a_role_that_is_refused_leaves_nothing_behind(files, monkeypatch, roles, said):
    monkeypatch.chdir(files)
    (files / "bad.tsv").write_text(HEADER + "No dog ran.\tNo cat ran.\tneutral\tsideways\n", "utf-8")
    with pytest.raises(CommandError, match=said):
        call_command("experiment", *arguments(files, **roles))
    assert not Study.objects.exists() and not Dataset.objects.exists()


@pytest.mark.django_db
def test_a_role_without_a_dataset_is_told_how_it_is_written(files):
    with pytest.raises(CommandError, match="--role nli: ROLE=DATASET is wanted"):
        call_command("experiment", "transitivity_conditions", "--role", "nli")
