"""Situations that users of other tools met with published files; each comes out right here."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from apps.campaigns.models import Campaign, Guideline, Item
from apps.datasets.models import Dataset
from apps.studies.models import Membership, Participant
from apps.studies.services import membership_remove
from tests.releases.test_reading_back import content

pytestmark = [pytest.mark.django_db]

FROM_FILE = {"rule": "file", "judgements": 0, "unnatural": "ignore", "swaps": False, "keep_unlabelled": True}
QUOTED = ['She said "no",\nand left.', 'a,b;"c"', '"""', "one\r\ntwo", ' padded "x" ', '5" of rain']


@pytest.fixture
def imported(study, tmp_path):
    def bring(rows: list[dict], name: str) -> Dataset:
        source = tmp_path / f"{name}.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        call_command("import_pairs", study.slug, str(source), "--dataset", name)
        return Dataset.objects.get(name=name)

    return bring


def test_quoted_newlines_commas_and_quotes_go_out_and_in_again_equal(study, imported, release, tmp_path):
    rows = [{"premise": text, "hypothesis": f"={text}", "gold_label": "entailment"} for text in QUOTED]
    one = imported(rows, "One")
    _made, files = release(dataset=one, **FROM_FILE)
    assert [row["premise"] for row in files.csv("data/train.csv")] == [row["premise"] for row in files.pairs]
    assert len(files.tsv("data/train.tsv")) == len(files.pairs) == len(QUOTED)
    back = tmp_path / "back.csv"
    back.write_bytes(files["data/train.csv"])
    call_command("import_pairs", study.slug, str(back), "--dataset", "Two")
    two = Dataset.objects.get(name="Two")
    texts = [(row[1], row[2], row[8]) for row in content(two)]
    assert texts == [(row[1], row[2], row[8]) for row in content(one)]


def test_a_campaign_without_an_answer_gives_valid_files_that_say_so(imported, release, study):
    one = imported([{"premise": "A dog ran.", "hypothesis": "It ran.", "gold_label": "entailment"}], "One")
    campaign = Campaign.objects.create(study=study, name="Empty", task="validation", dataset=one)
    Guideline.objects.create(campaign=campaign, version=1, body="Judge.")
    Item.objects.create(campaign=campaign, pair=one.pairs.get(), position=0)
    made, files = release(dataset=one, **FROM_FILE)
    assert made.manifest["counts"]["agreement"]["value"] is None
    assert files.judgements == []
    assert files.csv("judgements/judgements.csv") == []
    card = files.text("README.md")
    assert "No judgement of the pairs was collected here." in card
    assert "judgements = " not in card and "-judgements" not in card


def test_snlis_dash_is_no_label_and_its_judgements_come_in(study, release, tmp_path):
    """Five answers without a majority: SNLI writes `-`; nobody makes a label, or a class, of it."""
    source = tmp_path / "snli.jsonl"
    row = {
        "sentence1": "A man sleeps.",
        "sentence2": "A man dreams.",
        "gold_label": "-",
        "annotator_labels": ["neutral", "entailment", "neutral", "entailment", "contradiction"],
        "pairID": "1",
        "captionID": "c",
    }
    other = {**row, "gold_label": "entailment", "sentence2": "A person sleeps.", "pairID": "2"}
    source.write_text(json.dumps(row) + "\n" + json.dumps(other) + "\n", encoding="utf-8")
    call_command("import_pairs", study.slug, str(source), "--dataset", "SNLI")
    one = Dataset.objects.get(name="SNLI")
    made, files = release(dataset=one, **FROM_FILE)
    labels = {pair["hypothesis"]: pair["gold_label"] for pair in files.pairs}
    assert labels == {"A man dreams.": None, "A person sleeps.": "entailment"}
    assert "-" not in one.labels
    assert {row["label"] for row in made.manifest["counts"]["labels"]} == {"", "entailment"}
    assert all(pair["file_label"] != "-" for pair in files.pairs)
    assert {row["gold_label"] for row in files.csv("data/train.csv")} == {"", "entailment"}
    assert len(files.judgements) == 10


def test_who_left_stays_in_the_release_and_is_marked(make, release, study, ada, ben):
    pair = make("eee", calculus="e")
    person = Participant.objects.get(study=study, pseudonym="person-0")
    person.user = ben
    person.save()
    membership_remove(membership=Membership.objects.get(study=study, user=ben), actor=ada)
    made, files = release(swaps=False)
    assert made.manifest["counts"]["judgements"] == 3
    assert sorted(row["has_left"] for row in files.judgements) == [False, False, True]
    assert files.pairs[0]["id"] == pair.pk and len(files.pairs[0]["answers"]) == 3


@pytest.mark.parametrize(
    "name", ["../pairs-1.zip", "..%2Fpairs-1.zip", "pairs-1.zip.bak", "pairs-10.zip", "pairs"]
)
def test_another_name_than_the_releases_own_is_not_found(make, release, client_of, ada, study, name):
    make("eee", calculus="e")
    made, _files = release()
    address = reverse("releases:download", args=[study.slug, made.pk, made.file_name])
    client = client_of(ada)
    assert client.get(address).status_code == 200
    assert client.get(address.replace(made.file_name, name)).status_code == 404
