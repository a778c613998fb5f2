"""Every single judgement of a file is kept, and counts."""

from __future__ import annotations

import json

import pytest

from apps.campaigns.models import Campaign, Judgement
from apps.comparison.judges import judges_of
from apps.comparison.pairs import compared
from apps.datasets.models import Dataset, Pair
from apps.studies.models import Participant

pytestmark = [pytest.mark.django_db, pytest.mark.both]

SNLI = {"sentence1": "A dog runs.", "sentence2": "An animal runs.", "gold_label": "entailment"}


def snli(*answers: str, **more: str) -> str:
    return json.dumps({**SNLI, **more, "annotator_labels": list(answers)}) + "\n"


def test_annotators_labels_become_judgements_of_people_known_by_their_place(bring):
    printed = bring(snli("entailment", "neutral", "entailment"), "snli.jsonl")
    assert "3 judgements added" in printed
    given = Judgement.objects.order_by("pk")
    assert [judgement.answer for judgement in given] == ["entailment", "non-entailment", "entailment"]
    assert [person.external_id[-2:] for person in Participant.objects.order_by("pk")] == [":1", ":2", ":3"]
    assert set(Participant.objects.values_list("panel", "simulated")) == {("import", False)}


def test_they_are_a_closed_campaign_named_after_the_file(bring):
    bring(snli("entailment"), "snli.jsonl")
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.state, campaign.task) == ("In: snli.jsonl", "closed", "validation")
    assert "snli.jsonl" in campaign.guidelines.get().body


def test_comparison_counts_them(bring):
    bring(snli("entailment", "neutral", "contradiction", "entailment", "entailment"), "snli.jsonl")
    pair = compared(Pair.objects.all(), judges_of(Dataset.objects.get())).get()
    assert (pair.entailments, pair.non_entailments, pair.human) == (3, 2, "entailment")


def test_the_same_file_twice_adds_none(bring):
    for _time in range(2):
        bring(snli("entailment", "neutral") + snli("neutral", "neutral"), "snli.jsonl")
    item = Pair.objects.get().items.get()
    assert (Judgement.objects.count(), item.counted, item.wanted, item.is_complete) == (4, 4, 4, True)


def test_the_answers_of_a_pair_s_second_row_are_kept_too(bring):
    bring(snli("entailment") + snli("neutral"), "snli.jsonl")
    assert sorted(Judgement.objects.values_list("answer", flat=True)) == ["entailment", "non-entailment"]


def test_another_file_has_other_people(bring):
    bring(snli("entailment"), "dev.jsonl")
    bring(snli("neutral"), "test.jsonl")
    assert (Campaign.objects.count(), Participant.objects.count(), Judgement.objects.count()) == (2, 2, 2)


def test_a_campaign_of_that_name_is_left_alone(bring, study):
    from apps.datasets.services import dataset_create

    dataset = dataset_create(study=study, actor=None, name="In")
    Campaign.objects.create(study=study, name="In: dev.jsonl", task="validation", dataset=dataset)
    bring(snli("entailment"), "dev.jsonl")
    assert Campaign.objects.get(preset="import").name == "In: dev.jsonl (2)"


def test_ratings_are_kept_with_the_labels_that_the_file_gives_them(bring):
    header = "sentence1\tsentence2\tgold_label\tcrowd_score\tcrowd_label\n"
    bring(header + "A.\tB.\tneutral\t[5, 3, 2]\t['entailment', 'neutral', 'neutral']\n")
    assert Campaign.objects.get().task == "likert"
    assert list(Judgement.objects.order_by("pk").values_list("rating", "answer")) == [
        (5, "entailment"),
        (3, "non-entailment"),
        (2, "non-entailment"),
    ]


def test_a_contradiction_among_the_answers_gives_a_new_dataset_three_labels(bring):
    bring(snli("contradiction", "entailment"), "snli.jsonl")
    assert "contradiction" in Pair.objects.get().dataset.labels
