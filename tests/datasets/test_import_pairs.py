"""Pairs come in from the field's files, once, with their gold labels, or not at all."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from apps.datasets.import_services import direction_of
from apps.datasets.models import Dataset, GoldLabel, Pair

pytestmark = [pytest.mark.django_db, pytest.mark.both]

HEADER = "sentence1\tsentence2\tgold_label\tgenre\n"
ROW = "No dog ran.\tNo small dog ran.\tentailment\tcrowd:downward_monotone:npi\n"


@pytest.fixture
def bring(study, tmp_path, capsys):
    """Import a text as a file; returns what the command printed."""

    def run(text: str | bytes, name: str = "pairs.tsv", dataset: str = "In") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        call_command("import_pairs", study.slug, str(path), "--dataset", dataset)
        return capsys.readouterr().out

    return run


def test_a_row_becomes_a_pair_with_its_gold_label_direction_and_tags(bring):
    assert bring(HEADER + ROW) == "1 rows: 1 new pairs, 0 there already, 1 gold labels added.\n"
    pair = Pair.objects.get()
    assert (pair.premise, pair.hypothesis, pair.origin) == ("No dog ran.", "No small dog ran.", "import")
    assert (pair.direction, pair.genre) == ("downward", "crowd:downward_monotone:npi")
    assert pair.gold_labels.get().label == "entailment"
    assert list(pair.tags.values_list("name", "source")) == [("npi", "file")]


def test_the_same_file_twice_changes_nothing(bring):
    bring(HEADER + ROW)
    assert bring(HEADER + ROW).startswith("1 rows: 0 new pairs, 1 there already, 0 gold labels added.")
    assert (Pair.objects.count(), GoldLabel.objects.count(), Dataset.objects.count()) == (1, 1, 1)


def test_a_byte_order_mark_json_lines_and_neutral(bring):
    bring("\ufeff" + HEADER + ROW.replace("entailment", "neutral"))
    bring(json.dumps({"sentence1": "A.", "sentence2": "B.", "gold_label": "contradiction"}), "x.jsonl")
    assert list(GoldLabel.objects.order_by("pk").values_list("label", flat=True)) == [
        "non-entailment",
        "contradiction",
    ]


@pytest.mark.parametrize(
    ("label", "labels"),
    [
        ("neutral", ["entailment", "non-entailment"]),
        ("contradiction", ["entailment", "non-entailment", "contradiction"]),
    ],
)
def test_a_new_dataset_has_the_file_s_labels(bring, label, labels):
    bring(HEADER + ROW.replace("entailment", label))
    assert Dataset.objects.get().labels == labels


def test_a_pair_twice_with_two_labels_keeps_the_first_and_names_the_line(bring):
    printed = bring(HEADER + ROW + "\n" + ROW.replace("entailment", "neutral"))
    assert "which was kept: lines 4" in printed
    assert GoldLabel.objects.get().label == "entailment"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + ROW + "One.\tTwo.\tperhaps\t\n", "pairs.tsv, line 3: label 'perhaps'"),
        (HEADER + ROW + "One.\t\tneutral\t\n", "pairs.tsv, line 3: sentence2"),
        (HEADER + ROW + "One.\tTwo.\n", "pairs.tsv, line 3: 2 columns"),
        (HEADER + "One\0.\tTwo.\tneutral\t\n", "pairs.tsv, line 2: sentence1"),
        (HEADER + "x" * 30_000 + "\tTwo.\tneutral\t\n", "pairs.tsv, line 2: sentence1: This text has 30000"),
        (HEADER + "x" * 200_000 + "\tTwo.\tneutral\t\n", "pairs.tsv, line 2"),
        (HEADER.encode() + b"caf\xe9\tTwo.\tneutral\t\n", "pairs.tsv, line 2: not UTF-8"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_stored(bring, text, message):
    with pytest.raises(CommandError) as refusal:
        bring(text)
    assert message in str(refusal.value)
    assert not Pair.objects.exists()
    assert not Dataset.objects.exists()


@pytest.mark.parametrize("text", ["", "\n\n", HEADER])
def test_a_file_without_rows_is_zero_pairs(bring, text):
    assert bring(text).startswith("0 rows: 0 new pairs")


def test_an_unknown_study_is_named(tmp_path, db):
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        call_command("import_pairs", "nowhere", str(tmp_path / "x"), "--dataset", "In")


@pytest.mark.parametrize(
    ("genre", "direction"),
    [
        ("crowd:non_monotone", "non-monotone"),
        ("paper:GLUE:lexical_knowledge:upward_monotone", "upward"),
        ("fiction", ""),
        ("upward_monotone:downward_monotone", ""),
    ],
)
def test_med_s_genre_names_the_direction(genre, direction):
    assert direction_of(genre) == direction


def test_med_comes_in_whole(bring, shared_data, django_assert_max_num_queries):
    with django_assert_max_num_queries(100):
        printed = bring((shared_data / "MED_dev.tsv").read_bytes())
    assert printed.startswith("2731 rows: ")
    counts = [Pair.objects.filter(direction=name).count() for name in ("upward", "downward", "non-monotone")]
    assert sum(counts) == Pair.objects.count()
    assert min(counts) > 100
