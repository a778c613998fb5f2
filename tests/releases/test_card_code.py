"""What a card says works for that very release: its own lines of code are run as they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.datasets.models import Dataset
from tests.releases.conftest import Files, unpacked

pytestmark = [pytest.mark.django_db]

THREE_SPLITS = {"train": 40, "validation": 30, "test": 30}
FROM_FILE = {"rule": "file", "judgements": 0, "unnatural": "ignore", "swaps": False, "keep_unlabelled": True}
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def offline_and_alone(monkeypatch, tmp_path):
    """`datasets` asks no hub, and remembers nothing of another test. It takes its cache from a variable of
    its own module, which is set before any test of ours changes it."""
    if find_spec("datasets"):
        import datasets

        monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
        monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
        monkeypatch.setattr(datasets.config, "HF_MODULES_CACHE", tmp_path / "modules")


@pytest.fixture
def imported(study, tmp_path) -> Callable[[list[dict]], Dataset]:
    """A dataset of pairs that come with labels and without any judgement."""

    def bring(rows: list[dict]) -> Dataset:
        source = tmp_path / "rows.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        call_command("import_pairs", study.slug, str(source), "--dataset", "Brought in")
        return Dataset.objects.get(name="Brought in")

    return bring


class Cards:
    """Runs a card's code: a function of a release's folder, giving what each block named."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def __call__(self, folder: Path) -> list[dict[str, Any]]:
        self.monkeypatch.chdir(folder.parent)
        found: list[dict[str, Any]] = []
        for block in BLOCK.findall((folder / "README.md").read_text(encoding="utf-8")):
            wanted = set(re.findall(r"^import (\w+)$", block, re.MULTILINE))
            if all(find_spec(name) for name in wanted):
                names: dict[str, Any] = {}
                exec(compile(block, "README.md", "exec"), names)
                found.append({**names, "imports": wanted})
        return found


@pytest.fixture
def run(monkeypatch) -> Cards:
    return Cards(monkeypatch)


def block_of(blocks: list[dict[str, Any]], library: str, name: str) -> dict[str, Any]:
    if not find_spec(library):
        pytest.skip(f"no {library} here")
    return next(block for block in blocks if library in block["imports"] and name in block)


def rows_in(files: Files, splits: list[str]) -> dict[str, int]:
    return {split: len(files.lines(f"data/{split}.jsonl")) for split in splits}


def one_twin_in_four(make) -> None:
    for number in range(12):
        make("eee", calculus="e" if number % 4 == 0 else "", premise=f"No dog {number} ran.")


def texts_that_look_like_nothing(imported) -> Dataset:
    texts = ["None", "NA", "null", "nan", "N/A", "", "TRUE", "1", '"Some', "a,b", "=1+1"]
    return imported(
        [
            {"premise": f"Premise {number}", "hypothesis": text or "x", "gold_label": "entailment"}
            for number, text in enumerate(texts)
        ]
    )


def a_column_empty_in_one_split(imported) -> Dataset:
    """Everything that may be missing is there in one pair alone."""
    rows: list[dict] = [
        {"premise": f"Dog {n} ran.", "hypothesis": "It ran.", "gold_label": "entailment"} for n in range(9)
    ]
    rows[4] |= {"genre": "g", "source": "s", "tags": ["t"], "facts": {"score": 4.5}, "direction": "upward"}
    rows[4] |= {"gold_label": "contradiction"}
    return imported(rows)


KINDS = {
    "judged, three splits": lambda make, imported: (one_twin_in_four(make), THREE_SPLITS)[1],
    "judged, one split": lambda make, imported: (one_twin_in_four(make), {})[1],
    "no judgement": lambda make, imported: {
        **FROM_FILE,
        **THREE_SPLITS,
        "dataset": texts_that_look_like_nothing(imported),
    },
    "a column empty in one split": lambda make, imported: {
        **FROM_FILE,
        **THREE_SPLITS,
        "dataset": a_column_empty_in_one_split(imported),
    },
    "unlabelled": lambda make, imported: (
        make("een", calculus="e"),
        make("eee", calculus="e"),
        {"keep_unlabelled": True},
    )[-1],
}


@pytest.fixture(params=KINDS)
def made(request, make, imported, release, tmp_path) -> tuple[Path, Files]:
    options = KINDS[request.param](make, imported)
    row, files = release(**options)
    return unpacked(row, tmp_path), files


def test_every_line_of_the_card_runs_and_gives_each_row(made, run):
    folder, files = made
    manifest = json.loads(files["MANIFEST.json"])
    splits = list(manifest["splits"]["pairs"])
    wanted = rows_in(files, splits)
    assert sum(wanted.values()) == manifest["counts"]["pairs"]["total"]
    blocks = run(folder)
    for block in blocks:
        for name in ("pairs", "lines", "table", "tsv"):
            if name not in block:
                continue
            if "datasets" in block["imports"]:
                assert {split: part.num_rows for split, part in block[name].items()} == wanted
            else:
                assert len(block[name]) == wanted["train"]
    if find_spec("datasets"):
        asked = any("judgements" in block for block in blocks)
        assert asked == bool(manifest["counts"]["judgements"])


@pytest.mark.parametrize(
    ("library", "name"), [("pandas", "table"), ("pandas", "tsv"), ("polars", "table"), ("polars", "tsv")]
)
def test_texts_that_read_like_nothing_survive_in_tables(imported, release, tmp_path, run, library, name):
    row, files = release(dataset=texts_that_look_like_nothing(imported), **FROM_FILE)
    found = block_of(run(unpacked(row, tmp_path)), library, name)[name]
    column = "hypothesis" if name == "table" else "sentence2"
    texts = [str(text).removeprefix("'") for text in found[column]]
    assert texts == [pair["hypothesis"] for pair in files.pairs]


HARD = [
    '"Some', 'She said "no".', '"quoted"', 'ends in "', '""', "'", "NA", "null", "None", "nan", "",
    "a\tb", "a\nb", "a\r\nb", "a\rb", "a\u2028b", "back\\tslash", "1", "1e5", "#c", " led", "trailed ",
    "a,b;c", "=1+1", "é e\u0301", "no\u00a0break", "猫", "long " * 3_900 + "text",
]  # fmt: skip


def hard_texts(imported) -> Dataset:
    """As premise and hypothesis, where a pair can have them; a genre, which may be empty, in every other."""
    return imported(
        [
            {"premise": text or "x", "hypothesis": f"{text}{n}", "gold_label": "entailment"}
            | ({"genre": text} if n % 2 and len(text) < 100 else {})
            for n, text in enumerate(HARD)
        ]
    )


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_each_row_and_each_cell_of_the_tsv_comes_by_the_card_s_line(
    imported, release, tmp_path, run, library
):
    row, _files = release(dataset=hard_texts(imported), **FROM_FILE)
    folder = unpacked(row, tmp_path)
    found = block_of(run(folder), library, "tsv")["tsv"]
    lines = (folder / "data/train.tsv").read_bytes().decode().split("\n")
    names, *rows = [line.split("\t") for line in lines[:-1]]
    whole = (folder / "data/train.jsonl").read_bytes().decode().split("\n")[:-1]
    assert len(rows) == len(found) == len(whole) == len(HARD)
    assert list(found.columns) == names
    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        assert ["" if cell is None else str(cell) for cell in found[name]] == list(column), name
    told = [" ".join(json.loads(line)["hypothesis"].split()) for line in whole]
    assert [" ".join(cell.split()) for cell in found["sentence2"]] == told


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_with_plain_defaults_texts_are_lost_as_the_card_says(imported, release, tmp_path, library):
    """Were it otherwise, the card should name no options."""
    module = pytest.importorskip(library)
    row, files = release(dataset=texts_that_look_like_nothing(imported), **FROM_FILE)
    table = unpacked(row, tmp_path) / "data/train.tsv"
    try:
        found = module.read_csv(table, **{"sep" if library == "pandas" else "separator": "\t"})
    except Exception as error:  # each library has its own, of a cell that begins with a quotation mark
        assert type(error).__module__.startswith(library)
        return
    assert [str(text) for text in found["sentence2"]] != [pair["hypothesis"] for pair in files.pairs]


def test_texts_that_read_like_nothing_survive_in_datasets(imported, release, tmp_path, run):
    row, files = release(dataset=texts_that_look_like_nothing(imported), **FROM_FILE)
    found = block_of(run(unpacked(row, tmp_path)), "datasets", "tsv")
    texts = [pair["hypothesis"] for pair in files.pairs]
    assert found["pairs"]["train"]["hypothesis"][:] == texts
    assert found["lines"]["train"]["hypothesis"][:] == texts
    assert [text.removeprefix("'") for text in found["table"]["train"]["hypothesis"]] == texts
    assert found["tsv"]["train"]["sentence2"][:] == texts


def test_the_label_is_a_class_with_the_dataset_s_labels_for_names(make, release, tmp_path, run):
    """As training scripts read it; -1 where the rule gives no label."""
    for answers in ("eee", "nnn", "een"):
        make(answers, calculus="e" if "e" in answers else "n")
    row, _files = release(keep_unlabelled=True)
    datasets = pytest.importorskip("datasets")
    pairs = block_of(run(unpacked(row, tmp_path)), "datasets", "pairs")["pairs"]
    assert pairs["train"].features["label"] == datasets.ClassLabel(names=["entailment", "non-entailment"])
    said = {(row["gold_label"], row["label"]) for row in pairs["train"]}
    assert said == {("entailment", 0), ("non-entailment", 1), (None, -1)}


def test_two_releases_are_told_apart_by_one_cache_whatever_their_folders_are_called(
    make, release, tmp_path, monkeypatch
):
    """The cache goes by a folder's and a configuration's name; people rename what they unpack."""
    datasets = pytest.importorskip("datasets")
    make("eee", calculus="e")
    first, _files = release(swaps=False)
    make("eee", calculus="e")
    second, _files = release(swaps=False)
    found = []
    for number, row in enumerate((first, second)):
        folder = unpacked(row, tmp_path / str(number))
        assert re.fullmatch(rf"pairs-{row.number}-[0-9a-f]{{12}}", folder.name)
        own = datasets.load_dataset(str(folder))["train"]
        folder = folder.rename(folder.with_name("rel"))
        judged = datasets.load_dataset(str(folder), f"{row.manifest['folder']}-judgements")["train"]
        found.append((own.num_rows, datasets.load_dataset(str(folder))["train"].num_rows, judged.num_rows))
    assert found == [(1, 1, 3), (2, 2, 6)]


def test_a_first_release_lists_the_files_that_it_holds_and_no_other(make, release):
    make("eee", calculus="e")
    _first, files = release()
    assert "changes.tsv" not in files
    listed = re.findall(r"^\| `([^`]+)` \|", files.text("README.md"), re.MULTILINE)
    for name in listed:
        pattern = re.escape(name).replace(r"\{split\}", r"\w+").replace(r"\*", r"\w+")
        assert any(re.match(pattern, there) for there in files), name
    assert "changes.tsv" not in listed
    _second, files = release()
    assert "`changes.tsv`" in files.text("README.md")
