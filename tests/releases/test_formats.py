"""docs/formats.md, line by line: what each format of a release holds of a pair, and what it can't."""

from __future__ import annotations

import io
import json

import pytest

from apps.datasets.models import GoldLabel, Pair
from apps.datasets.services import dataset_create, pair_get_or_create

pytestmark = pytest.mark.django_db


class Formats:
    """One pair as each format has it."""

    def __init__(self, files, pair: Pair) -> None:
        import pyarrow.parquet as pq

        def only(rows, name):
            (found,) = [row for row in rows if str(row[name]) == str(pair.pk)]
            return found

        self.json = only(files.pairs, "id")
        self.parquet = only(pq.read_table(io.BytesIO(files["data/train.parquet"])).to_pylist(), "id")
        self.csv = only(files.csv("data/train.csv"), "id")
        self.tsv = only(files.tsv("data/train.tsv"), "pairID")


@pytest.fixture
def formats(make, release):
    """Publish everything there is, whatever the rule says of it; gives the formats of one pair."""

    def publish(pair: Pair, **options) -> Formats:
        options = {"rule": "file", "judgements": 0, "keep_unlabelled": True, "swaps": False, **options}
        _made, files = release(dataset=pair.dataset, **options)
        return Formats(files, pair)

    return publish


def labelled(pair: Pair, label: str) -> Pair:
    GoldLabel.objects.create(pair=pair, source="file", label=label)
    return pair


def test_several_premises(dataset, formats):
    two = pair_get_or_create(
        dataset=dataset, premises=[("A.", None), ("B.", None)], hypothesis="C.", origin="import"
    )
    found = formats(two)
    assert (
        found.json["premises"]
        == found.parquet["premises"]
        == json.loads(found.csv["premises"])
        == ["A.", "B."]
    )
    assert found.csv["premise"] == found.tsv["sentence1"] == "A. B."


@pytest.mark.parametrize(
    ("labels", "label", "in_tsv"),
    [
        (["entailment", "non-entailment"], "non-entailment", "neutral"),
        (["entailment", "non-entailment"], "contradiction", "neutral"),
        (["entailment", "non-entailment", "contradiction"], "contradiction", "contradiction"),
    ],
)
def test_labels(make, study, ada, formats, labels, label, in_tsv):
    other = dataset_create(study=study, actor=ada, name="Other", labels=labels)
    found = formats(labelled(make(dataset=other), label))
    assert found.json["gold_label"] == found.parquet["gold_label"] == found.csv["gold_label"] == label
    assert found.json["file_label"] == found.parquet["file_label"] == found.csv["file_label"] == label
    assert found.tsv["gold_label"] == in_tsv
    assert "file_label" not in found.tsv


def test_no_gold_label(make, formats):
    found = formats(make())
    assert found.json["gold_label"] is found.parquet["gold_label"] is None
    assert (found.csv["gold_label"], found.tsv["gold_label"]) == ("", "-")


def test_answers_and_their_shares(make, formats):
    found = formats(make("eeennuuu"))
    assert len(found.json["answers"]) == 8
    assert found.json["answers"] == found.parquet["answers"] == json.loads(found.csv["answers"])
    five = [found.tsv[f"label{n}"] for n in range(1, 6)]
    said = {"entailment": "entailment", "non-entailment": "neutral", "unnatural": "unnatural"}
    assert five == [said[answer] for answer in found.json["answers"][:5]]
    shares = {"entailment": 0.375, "non-entailment": 0.25, "unnatural": 0.375}
    assert (
        found.json["soft_label"]
        == found.parquet["soft_label"]
        == json.loads(found.csv["soft_label"])
        == shares
    )


def test_scores_and_other_facts(make, formats):
    pair = make(origin="import")
    facts = {"relatedness": 4.5, "again": [{"row": 7}]}
    Pair.objects.filter(pk=pair.pk).update(facts=facts, source="SICK", genre="captions")
    found = formats(pair)
    assert (
        found.json["facts"] == json.loads(found.parquet["facts"]) == json.loads(found.csv["facts"]) == facts
    )
    for name, value in (("source", "SICK"), ("origin", "import")):
        assert found.json[name] == found.parquet[name] == found.csv[name] == value
        assert value not in found.tsv.values()
    assert "relatedness" not in str(found.tsv)


@pytest.mark.parametrize(
    ("origin", "genre"), [("crowd", "crowd:downward_monotone:npi"), ("import", "captions")]
)
def test_tags_and_direction(make, formats, origin, genre):
    pair = make(origin=origin, genre="captions" if origin == "import" else "")
    pair.tags.create(name="npi", source="natlog")
    found = formats(pair)
    assert found.json["tags"] == found.parquet["tags"] == json.loads(found.csv["tags"]) == ["npi"]
    assert found.json["direction"] == found.parquet["direction"] == found.csv["direction"] == "downward"
    assert found.tsv["genre"] == genre


def test_the_calculus(make, formats):
    pair = make(calculus="e")
    pair.calculus_labels.update(confidence=0.85, assumed=True)
    found = formats(pair)
    wanted = {"label", "reason", "confidence", "assumed", "engine", "version", "convention", "parser"}
    assert set(found.json["calculus"]) == set(found.parquet["calculus"]) == wanted
    assert (found.csv["calculus_label"], found.csv["calculus_reason"]) == ("entailment", "more specific at ↓")
    for said in (found.json["calculus"], found.parquet["calculus"]):
        assert (said["confidence"], said["assumed"]) == (0.85, True)
    assert (found.csv["calculus_confidence"], found.csv["calculus_assumed"]) == ("0.85", "true")
    assert not {"natlog", "more specific at ↓", "0.85", "true"} & set(found.tsv.values())


@pytest.mark.parametrize(("assumed", "cell"), [(False, "false"), (None, "")])
def test_an_assumption_that_was_not_kept_is_neither_yes_nor_no(make, formats, assumed, cell):
    pair = make(calculus="e")
    pair.calculus_labels.update(assumed=assumed)
    found = formats(pair)
    assert found.json["calculus"]["assumed"] is found.parquet["calculus"]["assumed"] is assumed
    assert found.csv["calculus_assumed"] == cell


def test_splits_and_twins(make, release):
    original = make("eee", calculus="e")
    _made, files = release()
    twin = Pair.objects.get(swapped_from=original)
    found = Formats(files, twin)
    assert found.json["swapped_from"] == found.parquet["swapped_from"] == original.pk
    assert found.csv["swapped_from"] == found.tsv["promptID"] == str(original.pk)
    assert found.json["split"] == found.parquet["split"] == found.csv["split"] == "train"
    assert found.json["group"] == found.parquet["group"] == int(found.csv["group"])
    assert not {"split", "group"} & set(found.tsv)


def test_odd_characters(make, formats):
    text = "=1+1\tdogs\nran"
    found = formats(make(premise=text, hypothesis="-2 dogs"))
    assert found.json["premise"] == found.parquet["premise"] == text
    assert (found.csv["premise"], found.csv["hypothesis"]) == (f"'{text}", "'-2 dogs")
    assert (found.tsv["sentence1"], found.tsv["sentence2"]) == ("=1+1 dogs ran", "-2 dogs")
