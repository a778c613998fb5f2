"""What stands in a release's archive, and that it is always the same."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from apps.campaigns.models import Campaign, Guideline, Item, Judgement
from apps.datasets.models import Dataset
from apps.datasets.services import dataset_create
from apps.panels.models import Panel
from apps.quality.models import TestAnswer, TestQuestion
from apps.quality.settings import quality_update
from apps.releases import archive, storage
from apps.releases.gold_rules import Options
from apps.releases.models import Release
from apps.releases.services import release_create
from tests.datasets.conftest import Maker
from tests.releases.conftest import members

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_the_tsv_has_med_s_columns_and_words(make, release, shared_data):
    make(
        "nnu", calculus="n", direction="upward", premise="Some\tdogs\nran.", hypothesis="Some small dogs ran."
    )
    _release, files = release(rule="at-least", swaps=False)
    with (shared_data / "MED_dev.tsv").open() as med:
        assert files.text("data/train.tsv").splitlines()[0] == med.readline().rstrip("\n")
    (row,) = files.tsv("data/train.tsv")
    assert (row["sentence1"], row["gold_label"]) == ("Some dogs ran.", "neutral")
    assert row["genre"] == "crowd:upward_monotone"
    assert sorted([row["label1"], row["label2"], row["label3"]]) == ["neutral", "neutral", "unnatural"]
    assert (row["label4"], row["label5"]) == ("", "")
    assert files.pairs[0]["premises"] == ["Some\tdogs\nran."]


def test_tags_stand_in_the_genre_as_in_med(make, release):
    pair = make("eee", calculus="e")
    for name in ("npi", "lexical_knowledge"):
        pair.tags.create(name=name, source="natlog")
    _release, files = release(swaps=False)
    assert files.tsv("data/train.tsv")[0]["genre"] == "crowd:downward_monotone:lexical_knowledge:npi"


def test_every_judgement_is_in_under_a_pseudonym_of_this_release(make, release, study):
    make("eee", calculus="e")
    make("enusE", calculus="e")
    _one, first = release()
    _two, second = release()
    rows = first.judgements
    assert sorted(row["answer"] or row["skip_reason"] for row in rows) == sorted(
        ["entailment"] * 5 + ["non-entailment", "unnatural", "unclear"]
    )
    assert [row["counted"] for row in rows].count(False) == 1
    assert [row["in_release"] for row in rows].count(True) == 3
    assert {row["guideline_version"] for row in rows} == {1}
    names = {row["annotator"] for row in rows}
    assert len(names) == 5
    assert not names & {row["annotator"] for row in second.judgements}
    for member in first.values():
        assert b"person-" not in member


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
    written.flags.create(position=0, code="odd", message="Odd.", source="text")
    _release, files = release()
    one, two = (row for row in files.judgements if row["task"] == "creation")
    wrote, skip = (one, two) if one["replacements"] else (two, one)
    assert wrote["replacements"] == [
        {"text": "small dog", "hypothesis": "No small dog ran.", "pair": pair.pk, "flags": ["odd"]}
    ]
    assert (wrote["premises"], wrote["blank"]) == (["No dog ran."], {"text": "dog", "start": 3, "end": 6})
    assert (skip["skip_reason"], skip["guideline_version"]) == (skipped.skip_reason, 3)
    table = files.csv("judgements/judgements.csv")
    (row,) = (row for row in table if row["replacement"])
    assert (row["replacement"], row["hypothesis"], row["pair"], row["flags"]) == (
        "small dog",
        "No small dog ran.",
        str(pair.pk),
        "odd",
    )


def test_what_a_killed_worker_left_is_cleared(make, release):
    make("eee", calculus="e")
    made, _files = release()
    archive.write(made, claim="dead")
    folder = storage.final_path(made).parent
    assert len(list(folder.iterdir())) == 2
    storage.clear_unfinished(made)
    assert [path.name for path in folder.iterdir()] == ["pairs-1.zip"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_formulas_are_neutral_in_csv_and_intact_in_json(make, release, text):
    make("eee", calculus="e", premise=text)
    _release, files = release()
    row = files.csv("judgements/judgements.csv")[0]
    assert row["premises"] == f"'{text}"
    assert files.judgements[0]["premises"] == [text]
    assert files.pairs[0]["premises"] == [text]


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
        content = files[entry["name"]]
        assert (entry["bytes"], entry["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    assert {entry["name"] for entry in manifest["files"]} == files.keys() - {"MANIFEST.json"}
    assert manifest["calculus"] == [
        {"engine": "natlog", "engine_version": "1", "convention": "med", "parser": "p"}
    ]


def test_written_again_it_is_the_same_bytes(make, release):
    for answers in ("eee", "nnn", "enu"):
        make(answers, calculus="e")
    made, _files = release()
    again = archive.write(made, claim="again")
    assert again.path.read_bytes() == storage.final_path(made).read_bytes()
    assert again.sha256 == made.sha256


def test_a_frozen_release_stays_as_it_is(make, release, work):
    make("eee", calculus="e")
    made, files = release()
    make("eee", calculus="e")
    made.job.state, made.job.cursor = "queued", 0
    made.job.save()
    work()
    made.refresh_from_db()
    assert members(made) == files
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
def test_an_empty_release_is_refused_with_the_reason(make, dataset, ada, pairs, why):
    for answers, calculus in pairs:
        make(answers, calculus=calculus)
    with pytest.raises(ValidationError, match=why):
        release_create(dataset=dataset, actor=ada, options=Options())
    assert not Release.objects.exists()


def test_a_dataset_that_lost_its_pairs_on_the_way_is_not_published(make, dataset, ada, work):
    pair = make("eee", calculus="e")
    made = release_create(dataset=dataset, actor=ada, options=Options())
    pair.calculus_labels.all().delete()
    work()
    made.refresh_from_db()
    assert not made.frozen_at
    assert (made.job.state, made.job.error) == (
        "failed",
        "Nothing to publish: No pair has a calculus label yet.",
    )


def test_simulated_judgements_are_called_so(make, release):
    pair = make("eee", calculus="e")
    pair.items.get().judgements.first().participant.__class__.objects.update(simulated=True)
    made, files = release()
    assert made.manifest["simulated"]
    assert "Simulated data" in files.text("README.md")
    assert all(row["simulated"] for row in files.judgements)


def test_datasets_whose_names_read_alike_do_not_share_a_file(make, release, study, ada):
    other = dataset_create(study=study, actor=ada, name="pairs!")
    make("eee", calculus="e")
    judging = Campaign.objects.create(study=study, name="Judging too", task="validation", dataset=other)
    Guideline.objects.create(campaign=judging, version=1, body="Judge.")
    Maker(judging)("eee", calculus="e")
    assert release()[0].file_name == "pairs-1.zip"
    assert release(dataset=other)[0].file_name == f"pairs-{other.pk}-1.zip"


# ---- One state of the database ----------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_an_archive_is_written_outside_of_any_other_transaction(make, release):
    make("eee", calculus="e")
    made, _files = release()
    assert not connection.in_atomic_block
    assert archive.write(made, claim="again").sha256 == made.sha256


def test_a_judgement_says_how_it_came_about(make, campaign, release):
    """What was flagged in it, what its writer had seen, and how far they were trusted at that moment."""
    first, second = (make("e").items.get().judgements.get() for _ in range(2))
    early, late = first.submitted_at - timedelta(hours=1), second.submitted_at + timedelta(hours=1)
    tests = Dataset.objects.create(study=campaign.study, name="Tests", kind="tests")
    for number, (at, answer) in enumerate([(early, "entailment"), (late, "non-entailment")]):
        pair = make("e", dataset=tests)
        pair.items.update(is_test=True, is_complete=True, counted=0)
        question = TestQuestion.objects.create(
            campaign=campaign, item=pair.items.get(), expected="entailment", explanation=str(number)
        )
        given = question.item.judgements.get()
        TestAnswer.objects.create(
            question=question, participant=given.participant, judgement=given, answer=answer, at=at
        )
    Judgement.objects.filter(pk=second.pk).update(
        answer="unnatural",
        nonsense=True,
        predictions_shown=True,
        tries=2,
        counted=False,
        could_see_labels=True,
    )
    _made, files = release(rule="majority", judgements=1)
    one, two = files.judgements
    assert (one["trust"], one["trust_then"]) == (0.5, 1.0)
    told = ("nonsense", "predictions_shown", "tries", "could_see_labels", "counted")
    assert [one[name] for name in told] == [False, False, 0, False, True]
    assert [two[name] for name in told] == [True, True, 2, True, False]
    assert files.csv("judgements/judgements.csv")[1]["could_see_labels"] == "True"


def test_the_card_says_what_was_done_about_odd_phrases(make, campaign, release, ada):
    make("eee", calculus="e")
    quality_update(
        campaign=campaign, actor=ada, not_more_specific="refuse", spelling="warn", checks_calculus=True
    )
    _made, files = release()
    card = " ".join(files.text("README.md").split())
    assert "one word for a synonym or a more general one: refused" in card
    assert "spelling: flagged and told to the annotator" in card
    assert "what the calculus found afterwards: flagged" in card
    assert "letters of another script" not in card


@pytest.mark.parametrize(
    ("numbers_from", "panel", "said"),
    [
        ("panel", False, "5000 approved tasks or more (merely recorded)"),
        ("panel", True, "5000 approved tasks or more (declared by the panel)"),
        ("declared", False, "5000 approved tasks or more (enforced)"),
    ],
)
def test_the_card_asserts_only_what_was_enforced(make, campaign, release, ada, numbers_from, panel, said):
    make("eee", calculus="e")
    if panel:
        Panel.objects.create(campaign=campaign, kind="prolific", platform="prolific")
    quality_update(campaign=campaign, actor=ada, approved_tasks=5000, numbers_from=numbers_from, quiz_size=10)
    _made, files = release()
    card = " ".join(files.text("README.md").split())
    assert said in card
    assert "a quiz of 10 questions, 3 wrong at most (merely recorded)" in card
