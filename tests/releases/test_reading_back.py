"""A release is what others can read: Hugging Face's datasets, Croissant, Parquet, and the import."""

from __future__ import annotations

import io
import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError

from apps.datasets.models import Dataset
from tests.releases.conftest import unpacked

pytestmark = [pytest.mark.django_db]

SPLITS = {"train": 60, "validation": 20, "test": 20}


@pytest.fixture
def filled(make) -> None:
    for answers in ("eee", "nnn", "een", "eee", "nnn", "eee", "eee", "nnn", "eee", "nnn"):
        make(answers, calculus=answers[0], genre="g")
    make("eee", calculus="e", premise="=1+1\t“a”", hypothesis="<b>ünï</b>\n\"q\", 'r'")


@pytest.fixture
def folder(filled, release, tmp_path) -> Path:
    made, _files = release(**SPLITS)
    if keep := os.environ.get("POLARLAB_KEEP_RELEASE"):
        unpacked(made, Path(keep))
    return unpacked(made, tmp_path)


def rows_of(folder: Path, split: str) -> list[dict]:
    lines = (folder / "data" / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_parquet_json_lines_and_csv_hold_the_same_pairs(folder):
    import csv

    import pyarrow.parquet as pq

    for split in SPLITS:
        rows = rows_of(folder, split)
        assert rows
        parquet = pq.read_table(folder / "data" / f"{split}.parquet").to_pylist()
        numbers = {"entailment": 0, "non-entailment": 1, None: -1}
        assert [row.pop("label") for row in parquet] == [numbers[row["gold_label"]] for row in rows]
        assert [{**row, "facts": json.loads(row["facts"])} for row in parquet] == rows
        text = (folder / "data" / f"{split}.csv").read_text(encoding="utf-8")
        table = list(csv.DictReader(io.StringIO(text, newline="")))
        assert [int(row["id"]) for row in table] == [row["id"] for row in rows]
        assert [row["hypothesis"].removeprefix("'") for row in table] == [row["hypothesis"] for row in rows]
        assert [json.loads(row["premises"]) for row in table] == [row["premises"] for row in rows]


def test_hugging_face_datasets_loads_the_folder_offline(folder, monkeypatch, tmp_path):
    if not find_spec("datasets"):
        pytest.skip("no Hugging Face datasets here")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from datasets import load_dataset

    found = load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
    assert {name: part.num_rows for name, part in found.items()} == {
        split: len(rows_of(folder, split)) for split in SPLITS
    }
    assert found["test"][0]["premises"] == rows_of(folder, "test")[0]["premises"]
    name = f"{folder.name}-judgements"
    judged = load_dataset(str(folder), name, split="train", cache_dir=str(tmp_path / "cache"))
    assert judged.num_rows == 33


def test_mlcroissant_finds_no_fault_and_reads_the_records(folder, monkeypatch):
    if not find_spec("mlcroissant"):
        pytest.skip("no mlcroissant here")
    import mlcroissant

    described = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert not described.metadata.ctx.issues.errors
    records = list(described.records(record_set="test"))
    assert [int(record["test/id"]) for record in records] == [row["id"] for row in rows_of(folder, "test")]


def test_croissant_has_the_parts_that_the_format_asks_for(folder):
    described = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    manifest = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    sums = {entry["name"]: entry["sha256"] for entry in manifest["files"]}
    assert described["@type"] == "sc:Dataset"
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert {"name", "description", "license", "datePublished", "version", "citeAs"} <= described.keys()
    files = {item["@id"]: item for item in described["distribution"]}
    for name, item in files.items():
        assert item["@type"] == "cr:FileObject"
        assert item["sha256"] == sums[item["contentUrl"]] == sums[name]
    assert [item["@id"] for item in described["recordSet"]] == [*SPLITS, "judgements"]
    seen = set()
    for record_set in described["recordSet"]:
        for field in record_set["field"]:
            assert field["@type"] == "cr:Field"
            assert field["@id"] not in seen
            assert field["source"]["fileObject"]["@id"] in files
            assert field["dataType"] in ("sc:Text", "sc:Integer", "sc:Float", "sc:Boolean")
            seen.add(field["@id"])


def test_the_front_matter_names_the_files_of_each_split(folder):
    import yaml

    text = (folder / "README.md").read_text(encoding="utf-8")
    matter = yaml.safe_load(text.split("---\n")[1])
    assert matter["task_ids"] == ["natural-language-inference"]
    assert matter["size_categories"] == ["n<1K"]
    default, judgements = matter["configs"]
    assert default["data_files"] == [{"split": name, "path": f"data/{name}.parquet"} for name in SPLITS]
    for entry in [*default["data_files"], *judgements["data_files"]]:
        assert (folder / entry["path"]).is_file()


def test_a_release_without_pairs_is_refused(release):
    with pytest.raises(ValidationError, match="The dataset has no pairs yet"):
        release(**SPLITS)


# ---- In again ---------------------------------------------------------------------------------

HARD = [
    {"premises": ["Some dogs ran.", "No cat did."], "hypothesis": "A dog ran.", "gold_label": "entailment"},
    {"premises": ["=1+1\t“a”"], "hypothesis": "<b>ünï</b>\n\"q\", 'r'", "gold_label": "contradiction"},
    {"premises": ["No dog ran."], "hypothesis": "No small dog ran.", "direction": "downward"},
    {
        "premises": ["Every dog ran."],
        "hypothesis": "Every animal ran.",
        "gold_label": "non-entailment",
        "genre": "fracas:1",
        "tags": ["lexical_knowledge", "npi"],
        "source": "Cooper et al. 1996",
        "facts": {"score": 4.5, "identifier": "x"},
        "answers": ["entailment", "non-entailment", "unnatural"],
    },
]


def content(dataset: Dataset) -> list[tuple]:
    """What a dataset is: its pairs, and what is said of each, whatever their numbers."""
    return sorted(
        (
            pair.digest,
            [premise.text for premise in pair.premises.all()],
            pair.hypothesis,
            pair.direction,
            pair.genre,
            pair.source,
            {key: value for key, value in pair.facts.items() if key not in ("split", "origin")},
            sorted({tag.name for tag in pair.tags.all()}),
            [gold.label for gold in pair.gold_labels.filter(source="file")],
            sorted(pair.items.values_list("judgements__answer", flat=True)),
        )
        for pair in dataset.pairs.all()
    )


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_release_imported_again_is_the_same_dataset(study, release, tmp_path, ending):
    from django.core.management import call_command

    source = tmp_path / "hard.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in HARD), encoding="utf-8")
    call_command("import_pairs", study.slug, str(source), "--dataset", "One")
    one = Dataset.objects.get(name="One")
    rule = {"rule": "file", "judgements": 0, "unnatural": "ignore", "swaps": False, "keep_unlabelled": True}
    _made, files = release(dataset=one, **rule)
    back = tmp_path / f"back.{ending}"
    back.write_bytes(files[f"data/train.{ending}"])
    call_command("import_pairs", study.slug, str(back), "--dataset", "Two")
    two = Dataset.objects.get(name="Two")
    assert len(content(one)) == len(HARD)
    assert content(two) == content(one)
    assert two.labels == one.labels


PAIR_FILES = [
    "MED_dev.tsv",
    "fracas.xml",
    "glue_diagnostic.tsv",
    "help_or.tsv",
    "nmonli_dev.jsonl",
    "sick_corrected.csv",
    "transitivity_human.tsv",
]


@pytest.mark.parametrize("name", PAIR_FILES)
def test_a_real_file_goes_in_and_out_and_in_again(study, release, shared_data, tmp_path, name):
    """Out in every format with as many rows as pairs; JSON lines and Parquet go in again equal."""
    import csv

    import pyarrow.parquet as pq
    from django.core.management import call_command

    call_command("import_pairs", study.slug, str(shared_data / name), "--dataset", "One", "--skip-bad")
    one = Dataset.objects.get(name="One")
    pairs = one.pairs.count()
    rule = {"rule": "file", "judgements": 0, "unnatural": "ignore", "swaps": False, "keep_unlabelled": True}
    _made, files = release(dataset=one, **rule)
    table = csv.reader(io.StringIO(files.text("data/train.csv"), newline=""))
    rows = {
        "jsonl": files.text("data/train.jsonl").count("\n"),
        "csv": sum(1 for _row in table) - 1,
        "tsv": files.text("data/train.tsv").count("\n") - 1,
        "parquet": pq.read_table(io.BytesIO(files["data/train.parquet"])).num_rows,
    }
    assert pairs
    assert set(rows.values()) == {pairs}
    for ending in ("jsonl", "parquet"):
        back = tmp_path / f"back.{ending}"
        back.write_bytes(files[f"data/train.{ending}"])
        call_command("import_pairs", study.slug, str(back), "--dataset", ending)
        assert content(Dataset.objects.get(name=ending)) == content(one)
