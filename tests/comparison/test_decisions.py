"""A researcher's decision knows the answers that it rests on: one that changes brings the pair back."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.campaigns.models import Item, Judgement
from apps.campaigns.services import judgement_submit
from apps.comparison.decisions import answers_changed, changed_answers
from apps.comparison.invariants import decisions
from apps.curation import adjudication
from apps.curation.adjudication import pair_adjudicate
from apps.datasets.models import GoldLabel
from apps.releases.forecast import preview
from apps.releases.gold_rules import Options

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def decided(make, ada):
    """A pair with two answers against two, decided."""
    pair = make("eenn", calculus="e")
    Item.objects.update(is_complete=True, wanted=4, counted=4)
    pair_adjudicate(pair=pair, actor=ada, label="non-entailment")
    return pair


def revise(pair, place: int, answer: str) -> None:
    judgement = Judgement.objects.filter(item__pair=pair).order_by("pk")[place]
    judgement_submit(assignment=judgement.assignment, answer=answer)


def waiting(campaign) -> dict[int, str]:
    return dict(adjudication.queue(campaign).values_list("pk", "why"))


@pytest.fixture
def open_campaign(campaign):
    campaign.state = "open"
    campaign.save()
    return campaign


def test_a_decided_pair_is_out_of_the_queue(decided, campaign):
    assert waiting(campaign) == {}
    assert not GoldLabel.objects.filter(answers_changed()).exists()


def test_an_answer_that_changes_brings_its_pair_back_whatever_people_say_now(decided, open_campaign):
    revise(decided, 3, "entailment")
    assert waiting(open_campaign) == {decided.pk: "changed"}
    assert adjudication.counts(adjudication.waiting(open_campaign).value) == {
        "all": 1, "sent": 0, "tied": 0, "disputed": 0, "changed": 1,
    }  # fmt: skip
    (was,) = changed_answers(decided)
    assert (was.answer, was.judgement.answer) == ("non-entailment", "entailment")
    assert [fault.is_note for fault in decisions(open_campaign.study)] == [True]


def test_an_answer_that_is_taken_out_of_the_count_brings_it_back_too(decided, campaign):
    Judgement.objects.filter(pk=Judgement.objects.first().pk).update(counted=False)
    assert waiting(campaign) == {decided.pk: "changed"}


def test_an_answer_that_is_changed_back_is_what_it_was(decided, open_campaign):
    revise(decided, 3, "entailment")
    revise(decided, 3, "non-entailment")
    assert waiting(open_campaign) == {}


def test_a_note_alone_changes_no_decision(decided, open_campaign):
    judgement = Judgement.objects.first()
    judgement_submit(assignment=judgement.assignment, answer=judgement.answer, note="Sure.")
    assert waiting(open_campaign) == {}


def test_the_same_word_again_rests_on_the_answers_as_they_are_now(decided, open_campaign, ada):
    revise(decided, 3, "entailment")
    pair_adjudicate(pair=decided, actor=ada, label="non-entailment")
    assert waiting(open_campaign) == {}
    assert GoldLabel.objects.get().rests_on.count() == 4


def test_a_release_says_what_rests_on_changed_answers(decided, open_campaign, dataset):
    revise(decided, 3, "entailment")
    by_majority = preview(dataset, Options(rule="majority", judgements=2)).offer
    assert (by_majority.decided, by_majority.outdated) == (1, 1)
    by_decision = preview(dataset, Options(rule="adjudicated", judgements=0)).offer
    assert (by_decision.decided, by_decision.outdated) == (1, 1)


def test_pages_and_api_mark_it(decided, open_campaign, client_of, rosa, study):
    revise(decided, 3, "entailment")
    client = client_of(rosa)
    queue = reverse("adjudication:queue", args=[study.slug, open_campaign.pk])
    page = client.get(queue, {"kind": "changed"}, follow=True).content.decode()
    assert "rests on answers that changed since" in page and "decided on answers that changed 1" in page
    assert 'value="unnatural"' in page
    pair = client.get(reverse("curation:pair", args=[study.slug, decided.pk])).content.decode()
    assert "rests on answers that changed since" in pair and "Decide on it again" in pair
    shown = client.get(f"/api/v1/pairs/{decided.pk}/").json()
    assert shown["gold"] == [{"source": "adjudication", "label": "non-entailment", "is_outdated": True}]
    rows = client.get(f"/api/v1/campaigns/{open_campaign.pk}/adjudication/").json()
    assert rows == [{"pair": decided.pk, "why": "changed"}]
    page = client.get(
        reverse("releases:new", args=[study.slug, open_campaign.dataset_id]), {"rule": "majority"}
    )
    assert "of them on answers that changed since" in page.content.decode()


def test_a_tie_goes_to_adjudication_and_an_unnatural_pair_is_done(make, campaign, client_of, rosa, study):
    pair = make("eenn", calculus="e")
    Item.objects.update(is_complete=True, wanted=4, counted=4)
    assert waiting(campaign) == {pair.pk: "tied"}
    url = reverse("adjudication:decide", args=[study.slug, campaign.pk, pair.pk])
    assert client_of(rosa).post(url, {"label": "unnatural"}).status_code == 302
    assert waiting(campaign) == {}


def test_answers_of_somebody_who_left_stay_marked(make, campaign, dataset, ben, study, client_of, rosa, ada):
    from apps.comparison.agreement import agreements
    from apps.comparison.judges import judges_of
    from apps.studies.models import Membership, Participant
    from apps.studies.services import membership_remove

    pair = make("eenn", calculus="e")
    Item.objects.update(is_complete=True, wanted=4, counted=4)
    Participant.objects.filter(pseudonym="person-0").update(user=ben)
    before = agreements(dataset, judges_of(dataset))
    page = reverse("curation:pair", args=[study.slug, pair.pk])
    people = reverse("quality:people", args=[study.slug, campaign.pk])
    client = client_of(rosa)
    assert "has left" not in client.get(page).content.decode()
    membership_remove(membership=Membership.objects.get(user=ben), actor=ada)
    assert agreements(dataset, judges_of(dataset)) == before
    assert waiting(campaign) == {pair.pk: "tied"}
    for url in (page, people):
        assert client.get(url).content.decode().count("has left") == 1


def test_a_tie_that_was_decided_is_listed_as_open_again(make, open_campaign, dataset, ada):
    from apps.curation.filters import PairFilters

    pair = make("eennu", calculus="e")
    pair_adjudicate(pair=pair, actor=ada, label="entailment")
    undecided = PairFilters({"agreement": "undecided"}, dataset=dataset)
    assert not undecided.apply()
    Judgement.objects.filter(item__pair=pair, answer="unnatural").update(counted=False)
    assert [row.pk for row in undecided.apply()] == [pair.pk]
