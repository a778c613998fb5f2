"""``manage.py import_pairs``: pairs come in once, with what their file says of them, or not at all."""

from __future__ import annotations

import gzip
import json

import pytest
from django.core.management import CommandError, call_command

from apps.datasets.models import Dataset, GoldLabel, Pair
from apps.imports.models import PairDraft
from apps.studies.models import AuditEvent

pytestmark = [pytest.mark.django_db, pytest.mark.both]

HEADER = "sentence1\tsentence2\tgold_label\tgenre\n"
ROW = "No dog ran.\tNo small dog ran.\tentailment\tcrowd:downward_monotone:npi\n"


def test_a_row_becomes_a_pair_with_its_gold_label_direction_and_tags(bring):
    assert bring(HEADER + ROW) == "1 rows: 1 new pairs, 0 there already, 1 gold labels added.\n"
    pair = Pair.objects.get()
    assert (pair.premise, pair.hypothesis, pair.origin) == ("No dog ran.", "No small dog ran.", "import")
    assert (pair.direction, pair.genre, pair.source) == ("downward", "crowd:downward_monotone:npi", "crowd")
    assert pair.gold_labels.get().label == "entailment"
    assert list(pair.tags.values_list("name", "source")) == [("npi", "file")]


def test_the_same_file_twice_changes_nothing(bring):
    bring(HEADER + ROW)
    assert bring(HEADER + ROW).startswith("1 rows: 0 new pairs, 1 there already, 0 gold labels added.")
    assert (Pair.objects.count(), GoldLabel.objects.count(), Dataset.objects.count()) == (1, 1, 1)


def test_the_draft_s_file_does_not_stay(bring, settings, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        bring(HEADER + ROW)
        with pytest.raises(CommandError):
            bring(HEADER + "One.\n")
    assert list((settings.MEDIA_ROOT / "imports").iterdir()) == []
    assert PairDraft.objects.count() == 1


def test_the_trail_says_what_came_in(bring):
    bring(HEADER + ROW)
    data = AuditEvent.objects.get(action="pairs.imported").data
    assert (data["rows"], data["new"], len(data["sha256"])) == (1, 1, 64)


@pytest.mark.parametrize(
    ("label", "labels", "gold"),
    [
        ("neutral", ["entailment", "non-entailment"], "non-entailment"),
        ("contradiction", ["entailment", "non-entailment", "contradiction"], "contradiction"),
    ],
)
def test_a_new_dataset_has_the_file_s_labels(bring, label, labels, gold):
    bring(HEADER + ROW.replace("entailment", label))
    assert Dataset.objects.get().labels == labels
    assert GoldLabel.objects.get().label == gold


def test_a_contradiction_counts_as_non_entailment_where_two_labels_are_compared(bring):
    from apps.comparison.judges import judges_of
    from apps.comparison.pairs import compared

    bring(HEADER + ROW.replace("entailment", "contradiction"))
    pair = Pair.objects.get()
    assert compared(Pair.objects.all(), judges_of(pair.dataset)).get().file_label == "non-entailment"


def test_a_pair_twice_keeps_the_first_label_and_all_that_is_said(bring):
    printed = bring(HEADER + ROW + "\n" + ROW.replace("entailment", "neutral"))
    assert "which was kept: lines 4" in printed
    assert GoldLabel.objects.get().label == "entailment"
    (again,) = Pair.objects.get().facts["repeated"]
    assert (again["file"], again["row"], again["label"]) == ("pairs.tsv", 2, "neutral")


def test_what_is_said_of_a_pair_again_is_kept_once(bring):
    for _time in range(2):
        bring(HEADER + ROW + ROW)
    assert len(Pair.objects.get().facts["repeated"]) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + ROW + "One.\tTwo.\tperhaps\t\n", "row 2 (line 3), gold_label: the label “perhaps”"),
        (HEADER + ROW + "One.\t\tneutral\t\n", "row 2 (line 3), hypothesis: This text is empty"),
        (HEADER + ROW + "One.\tTwo.\n", "row 2 (line 3): Cells in this row: 2"),
        (HEADER + "One\0.\tTwo.\tneutral\t\n", "pairs.tsv, line 2: the line holds a NUL"),
        (HEADER + "x" * 30_000 + "\tTwo.\tneutral\t\n", "row 1 (line 2), premise: This text has 30000"),
        (HEADER.encode() + b"caf\xe9\tTwo.\tneutral\t\n", "pairs.tsv, line 2: not UTF-8"),
        ("first\tsecond\nOne.\tTwo.\n", "its columns are not known"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_stored(bring, text, message):
    with pytest.raises(CommandError) as refusal:
        bring(text)
    assert message in str(refusal.value)
    assert not Pair.objects.exists()
    assert not Dataset.objects.exists()


def test_bad_rows_can_be_left_out(bring):
    printed = bring(HEADER + "One.\n" + ROW, "pairs.tsv", "--skip-bad")
    assert printed.startswith("1 rows: 1 new pairs")


@pytest.mark.parametrize("text", ["", "\n\n", HEADER])
def test_a_file_without_rows_is_zero_pairs(bring, text):
    assert bring(text).startswith("0 rows: 0 new pairs")


def test_an_unknown_study_is_named(tmp_path, db):
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        call_command("import_pairs", "nowhere", str(tmp_path / "x"), "--dataset", "In")


def test_columns_by_name_and_number_without_a_header(bring):
    bring(
        "One.\tTwo.\t1\n",
        "pairs.tsv",
        "--no-header",
        *("--column", "premises=1", "--column", "hypothesis=column 2", "--column", "label=3"),
        *("--value", "1=neutral"),
    )
    pair = Pair.objects.get()
    assert (pair.premise, pair.hypothesis, pair.gold_labels.get().label) == ("One.", "Two.", "non-entailment")


def test_an_encoding_is_asked_for(bring):
    data = (HEADER + ROW.replace("dog", "chién")).encode("cp1252")
    with pytest.raises(CommandError, match="add --encoding cp1252"):
        bring(data)
    bring(data, "pairs.tsv", "--encoding", "cp1252")
    assert Pair.objects.get().premise == "No chién ran."


def test_a_packed_file_is_the_same_file(bring):
    bring(gzip.compress((HEADER + ROW).encode()), "pairs.tsv.gz")
    assert bring(HEADER + ROW).startswith("1 rows: 0 new pairs, 1 there already")


def test_several_premises_stay_in_order(bring):
    bring(json.dumps({"premises": ["B.", "A."], "hypothesis": "C.", "gold_label": "entailment"}), "x.jsonl")
    assert list(Pair.objects.get().premises.values_list("text", flat=True)) == ["B.", "A."]


def test_a_release_s_twin_is_a_twin_again(bring):
    one, two = "No dog ran.", "No pug ran."
    pair = {"premises": [one], "hypothesis": two, "gold_label": "entailment", "origin": "crowd"}
    twin = {"premises": [two], "hypothesis": one, "gold_label": "non-entailment", "origin": "swap"}
    bring("\n".join(map(json.dumps, (pair, twin))), "release.jsonl")
    stored = Pair.objects.get(hypothesis=one)
    assert (stored.origin, stored.swapped_from.hypothesis) == ("swap", two)
    assert stored.swapped_from.origin == "crowd"


def test_a_whole_dataset_takes_few_queries(bring, django_assert_max_num_queries):
    rows = "".join(f"No dog {n} ran.\tNo small dog {n} ran.\tneutral\tfiction\n" for n in range(2000))
    # 25 for the file, and 20 for each 500 rows: pairs, premises, words and gold labels, each inserted by
    # several statements where a statement holds 999 values at most (SQLite).
    with django_assert_max_num_queries(25 + 4 * 20):
        bring(HEADER + rows)
