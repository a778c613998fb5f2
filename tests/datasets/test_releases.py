"""A release: which pairs the rule takes, which get a twin, and what stands in the archive."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import threading
import zipfile

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from apps.campaigns.models import Campaign, Guideline, Item
from apps.datasets.releasing import archive as release_files
from apps.datasets.models import Pair, Release
from apps.datasets.releasing.rules import Options, chosen, preview
from apps.datasets.releasing.services import release_create
from apps.datasets.services import dataset_create, pair_adjudicate, pair_set_swappable

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def release(dataset, ada, work):
    """Make a release and read its archive: a function of the options, giving the row and its members."""

    def make(**options) -> tuple[Release, dict[str, str]]:
        made = release_create(dataset=options.pop("dataset", dataset), actor=ada, options=Options(**options))
        work()
        made.refresh_from_db()
        assert made.frozen_at, made.job.error
        with zipfile.ZipFile(release_files.final_path(made)) as archive:
            return made, {name: archive.read(name).decode() for name in archive.namelist()}

    return make


def tsv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


# ---- Which pairs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "calculus", "options", "gold"),
    [
        ("eee", "e", {}, "entailment"),
        ("nnc", "n", {}, "non-entailment"),
        ("nnn", "c", {}, "non-entailment"),
        ("een", "e", {}, None),
        ("ee", "e", {}, None),
        ("ee", "e", {"judgements": 2, "matches": 1}, "entailment"),
        ("eee", "", {}, None),
        ("eee", "n", {}, None),
        ("een", "e", {"rule": "at-least", "matches": 2}, "entailment"),
        ("enn", "e", {"rule": "at-least", "matches": 2}, None),
        ("eeu", "e", {"rule": "at-least", "matches": 2}, "entailment"),
        ("eeu", "e", {"rule": "at-least", "matches": 2, "drop_unnatural": True}, None),
        ("euu", "e", {"rule": "at-least", "matches": 1}, None),
        ("enn", "e", {"rule": "majority"}, "non-entailment"),
        ("enn", "", {"rule": "majority"}, "non-entailment"),
        ("uue", "e", {"rule": "majority"}, None),
        ("enu", "e", {"rule": "majority"}, None),
        ("eenn", "e", {"rule": "majority"}, None),
    ],
)
def test_the_rule_takes_a_pair_under_its_gold_label(make, dataset, answers, calculus, options, gold):
    make(answers, calculus=calculus)
    found = chosen(dataset, Options(**options)).first()
    assert (found.gold if found else None) == gold


def test_a_tie_takes_the_adjudicated_label(make, dataset, ada):
    pair = make("eenn", calculus="e")
    pair_adjudicate(pair=pair, actor=ada, label="non-entailment")
    assert chosen(dataset, Options(rule="majority")).get().gold == "non-entailment"


@pytest.mark.parametrize("label", ["unnatural", "contradiction", ""])
def test_only_the_dataset_s_labels_adjudicate(make, ada, label):
    with pytest.raises(ValidationError):
        pair_adjudicate(pair=make("eenn"), actor=ada, label=label)


# ---- Twins ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "direction", "label", "twin"),
    [
        ("eee", "downward", "entailment", "non-entailment"),
        ("nnn", "upward", "non-entailment", "entailment"),
    ],
)
def test_a_twin_is_exchanged_and_has_the_other_label(make, release, answers, direction, label, twin):
    pair = make(answers, calculus=answers[0], direction=direction)
    _release, files = release()
    first, second = lines(files["pairs.jsonl"])
    assert (first["gold_label"], second["gold_label"]) == (label, twin)
    assert (second["premises"], second["hypothesis"]) == ([pair.hypothesis], pair.premise)
    assert (second["swapped_from"], second["direction"], second["answers"]) == (pair.pk, direction, [])
    stored = Pair.objects.get(origin="swap")
    assert (stored.pk, stored.swapped_from, stored.genre) == (second["id"], pair, pair.genre)
    assert stored.premise == pair.hypothesis
    assert stored.gold_labels.get(source="swap").label == twin


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"detail": {"swappable": False, "swap_bar": "a synonym was put in"}}, "a synonym was put in"),
        ({"detail": {}}, "no calculus label that allows it"),
        ({"direction": "non-monotone", "calculus": "e"}, "not at an upward or downward place"),
    ],
)
def test_a_pair_that_does_not_turn_over_is_not_swapped_and_says_why(make, release, fields, kind):
    pair = make("eee", **{"calculus": "e", **fields})
    made, files = release()
    assert [row["id"] for row in lines(files["pairs.jsonl"])] == [pair.pk]
    (row,) = tsv(files["not_swapped.tsv"])
    assert row["pairID"] == str(pair.pk)
    assert row["kind"] == kind
    assert row["reason"]
    assert made.manifest["counts"]["not_swapped"] == {kind: 1}


def test_a_pair_excluded_by_hand_is_not_swapped_until_allowed_again(make, dataset, ada):
    pair = make("eee", calculus="e")
    pair_set_swappable(pair=pair, actor=ada, swappable=False)
    assert preview(dataset, Options()).not_swapped == {"excluded by hand": 1}
    pair_set_swappable(pair=pair, actor=ada, swappable=True)
    assert preview(dataset, Options()).twins == 1


def test_an_exchanged_pair_that_people_wrote_too_is_not_made_twice(make, dataset):
    one = make("eee", calculus="e")
    make(premise=one.hypothesis, hypothesis=one.premise)
    assert preview(dataset, Options()).not_swapped == {"the exchanged pair is in the dataset already": 1}


def test_a_second_release_uses_the_same_twins(make, release):
    make("eee", calculus="e")
    _one, first = release()
    _two, second = release()
    assert first["pairs.jsonl"] == second["pairs.jsonl"]
    assert Pair.objects.filter(origin="swap").count() == 1


def test_without_swaps_there_are_no_twins(make, release):
    make("eee", calculus="e")
    _release, files = release(swaps=False)
    assert len(lines(files["pairs.jsonl"])) == 1
    assert not Pair.objects.filter(origin="swap").exists()


# ---- The archive ------------------------------------------------------------------------------


def test_the_tsv_has_med_s_columns_and_words(make, release, shared_data):
    make(
        "nnu", calculus="n", direction="upward", premise="Some\tdogs\nran.", hypothesis="Some small dogs ran."
    )
    _release, files = release(rule="at-least", swaps=False)
    with (shared_data / "MED_dev.tsv").open() as med:
        assert files["pairs.tsv"].splitlines()[0] == med.readline().rstrip("\n")
    (row,) = tsv(files["pairs.tsv"])
    assert (row["sentence1"], row["gold_label"]) == ("Some dogs ran.", "neutral")
    assert row["genre"] == "crowd:upward_monotone"
    assert sorted([row["label1"], row["label2"], row["label3"]]) == ["neutral", "neutral", "unnatural"]
    assert (row["label4"], row["label5"]) == ("", "")
    assert lines(files["pairs.jsonl"])[0]["premises"] == ["Some\tdogs\nran."]


def test_tags_stand_in_the_genre_as_in_med(make, release):
    pair = make("eee", calculus="e")
    for name in ("npi", "lexical_knowledge"):
        pair.tags.create(name=name, source="natlog")
    _release, files = release(swaps=False)
    assert tsv(files["pairs.tsv"])[0]["genre"] == "crowd:downward_monotone:lexical_knowledge:npi"


def test_every_judgement_is_in_under_a_pseudonym_of_this_release(make, release, study):
    make("eee", calculus="e")
    make("enusE", calculus="e")
    _one, first = release()
    _two, second = release()
    rows = lines(first["judgements.jsonl"])
    assert sorted(row["answer"] or row["skip_reason"] for row in rows) == sorted(
        ["entailment"] * 5 + ["non-entailment", "unnatural", "unclear"]
    )
    assert [row["counted"] for row in rows].count(False) == 1
    assert [row["in_release"] for row in rows].count(True) == 3
    assert {row["guideline_version"] for row in rows} == {1}
    names = {row["annotator"] for row in rows}
    assert len(names) == 5
    assert not names & {row["annotator"] for row in lines(second["judgements.jsonl"])}
    for member in first.values():
        assert "person-" not in member


def test_what_writers_wrote_is_in_with_their_replacements(make, release, campaign, blank):
    pair = make("eee", calculus="e", premise="No dog ran.", hypothesis="No small dog ran.")
    creation = Campaign.objects.create(
        study=campaign.study,
        name="Writing",
        task="creation",
        dataset=campaign.dataset,
        blank_set=blank.blank_set,
    )
    Guideline.objects.create(campaign=creation, version=3, body="Write.")
    item = Item.objects.create(campaign=creation, blank=blank, position=0)
    written, skipped = make.answer(item, "es")
    written.answer = ""
    written.save()
    written.replacements.create(position=0, text="small dog", hypothesis="No small dog ran.", pair=pair)
    _release, files = release()
    one, two = (row for row in lines(files["judgements.jsonl"]) if row["task"] == "creation")
    wrote, skip = (one, two) if one["replacements"] else (two, one)
    assert wrote["replacements"] == [
        {"text": "small dog", "hypothesis": "No small dog ran.", "pair": pair.pk}
    ]
    assert (wrote["premises"], wrote["blank"]) == (["No dog ran."], {"text": "dog", "start": 3, "end": 6})
    assert (skip["skip_reason"], skip["guideline_version"]) == (skipped.skip_reason, 3)
    table = list(csv.DictReader(io.StringIO(files["judgements.csv"], newline="")))
    (row,) = (row for row in table if row["replacement"])
    assert (row["replacement"], row["hypothesis"], row["pair"]) == (
        "small dog",
        "No small dog ran.",
        str(pair.pk),
    )


def test_what_a_killed_worker_left_is_cleared(make, release):
    make("eee", calculus="e")
    made, _files = release()
    release_files.write(made, claim="dead")
    folder = release_files.final_path(made).parent
    assert len(list(folder.iterdir())) == 2
    release_files.clear_unfinished(made)
    assert [path.name for path in folder.iterdir()] == ["pairs-1.zip"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_formulas_are_neutral_in_csv_and_intact_in_json(make, release, text):
    make("eee", calculus="e", premise=text)
    _release, files = release()
    row = next(csv.DictReader(io.StringIO(files["judgements.csv"], newline="")))
    assert row["premises"] == f"'{text}"
    assert lines(files["judgements.jsonl"])[0]["premises"] == [text]
    assert lines(files["pairs.jsonl"])[0]["premises"] == [text]


def test_the_manifest_counts_and_checks_every_file(make, release):
    make("eee", calculus="e")
    make("een", calculus="e")
    make("uuu", calculus="e")
    make("", calculus="e")
    made, files = release()
    manifest = json.loads(files["MANIFEST.json"])
    assert manifest == made.manifest
    counts = manifest["counts"]
    assert counts["pairs"] == {"total": 2, "crowd": 1, "swap": 1}
    assert (counts["considered"], counts["with_enough_judgements"]) == (4, 3)
    assert counts["of_these_mostly_unnatural"] == 1
    assert counts["judgements"] == 9
    for entry in manifest["files"]:
        content = files[entry["name"]].encode()
        assert (entry["bytes"], entry["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    assert {entry["name"] for entry in manifest["files"]} == files.keys() - {"MANIFEST.json"}
    assert manifest["calculus"] == [
        {"engine": "natlog", "engine_version": "1", "convention": "med", "parser": "p"}
    ]


def test_written_again_it_is_the_same_bytes(make, release):
    for answers in ("eee", "nnn", "enu"):
        make(answers, calculus="e")
    made, _files = release()
    again = release_files.write(made, claim="again")
    assert again.path.read_bytes() == release_files.final_path(made).read_bytes()
    assert again.sha256 == made.sha256


def test_a_frozen_release_stays_as_it_is(make, release, work):
    make("eee", calculus="e")
    made, files = release()
    make("eee", calculus="e")
    made.job.state, made.job.cursor = "queued", 0
    made.job.save()
    work()
    made.refresh_from_db()
    with zipfile.ZipFile(release_files.final_path(made)) as archive:
        assert archive.read("pairs.tsv").decode() == files["pairs.tsv"]
    assert release()[0].number == 2


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([], "The dataset has no pairs yet."),
        ([("", "e")], "No pair has 3 judgements that count yet."),
        ([("eee", "")], "No pair has a calculus label yet."),
        ([("een", "e")], "No pair meets the rule."),
    ],
)
def test_an_empty_release_is_valid_and_says_why(make, release, pairs, why):
    for answers, calculus in pairs:
        make(answers, calculus=calculus)
    made, files = release()
    assert made.manifest["empty_because"] == why
    assert why in files["README.md"]
    assert (tsv(files["pairs.tsv"]), lines(files["pairs.jsonl"])) == ([], [])
    assert made.manifest["counts"]["pairs"]["total"] == 0


def test_simulated_judgements_are_called_so(make, release):
    pair = make("eee", calculus="e")
    pair.items.get().judgements.first().participant.__class__.objects.update(simulated=True)
    made, files = release()
    assert made.manifest["simulated"]
    assert "Simulated data" in files["README.md"]
    assert all(row["simulated"] for row in lines(files["judgements.jsonl"]))


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"rule": "guess"}, "rule"),
        ({"judgements": 0, "matches": 0}, "judgements"),
        ({"rule": "at-least", "judgements": 3, "matches": 4}, "matches"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(dataset, ada, options, field):
    with pytest.raises(ValidationError) as refusal:
        release_create(dataset=dataset, actor=ada, options=Options(**options))
    assert field in refusal.value.message_dict
    assert not Release.objects.exists()


def test_datasets_whose_names_read_alike_do_not_share_a_file(make, release, study, ada):
    other = dataset_create(study=study, actor=ada, name="pairs!")
    assert release()[0].file_name == "pairs-1.zip"
    assert release(dataset=other)[0].file_name == f"pairs-{other.pk}-1.zip"


# ---- One state of the database ----------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_an_archive_is_written_outside_of_any_other_transaction(make, release):
    make("eee", calculus="e")
    made, _files = release()
    assert not connection.in_atomic_block
    assert release_files.write(made, claim="again").sha256 == made.sha256


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_others_write_meanwhile_does_not_show(make, dataset, on_postgresql):
    if not on_postgresql:
        pytest.skip("an in-memory SQLite has one connection")

    def others_write() -> None:
        make("eee", calculus="e")
        connection.close()

    make("eee", calculus="e")
    with release_files._snapshot():
        before = dataset.pairs.count()
        thread = threading.Thread(target=others_write)
        thread.start()
        thread.join(timeout=20)
        assert not thread.is_alive()
        assert dataset.pairs.count() == before == 1
    assert dataset.pairs.count() == 2
