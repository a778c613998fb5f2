"""The queue of pairs on which people did not come to one word: what is in it, and its pages."""

import pytest
from django.urls import reverse

from apps.campaigns.models import Judgement
from apps.curation import adjudication
from apps.datasets.models import GoldLabel
from apps.jobs.models import Job
from apps.tallies import selectors
from tests.quality.conftest import *  # noqa: F403 (quality's stage is this one's too)

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(judging):
    def address(name: str, *args: int) -> str:
        return reverse(f"adjudication:{name}", args=[judging.study.slug, judging.pk, *args])

    return address


def _counts(campaign):
    return adjudication.counts(adjudication.waiting(campaign).value)


def test_the_queue_has_ties_first_then_what_the_calculus_disputes(disputed, judging):
    assert [(p.pk, p.why) for p in adjudication.queue(judging)] == [
        (disputed["tied"].pk, "tied"),
        (disputed["disputed"].pk, "disputed"),
    ]
    assert _counts(judging) == {
        "all": 2, "sent": 0, "tied": 1, "disputed": 1, "changed": 0,
    }  # fmt: skip


def test_a_pair_waits_until_it_has_all_its_answers(judging, annotator, ben):
    annotator(ben).answer(12, answer="unnatural")
    assert _counts(judging)["all"] == 0


def test_one_press_decides_and_leads_to_the_next(disputed, at, rosa, client_of):
    client = client_of(rosa)
    page = client.get(at("queue"), follow=True)
    text = page.content.decode()
    assert page.request["PATH_INFO"] == at("decide", disputed["tied"].pk)
    assert 'data-key="1"' in text and 'data-key="2"' in text and "No answer has a majority." in text
    page = client.post(at("decide", disputed["tied"].pk), {"label": "non-entailment"}, follow=True)
    assert page.request["PATH_INFO"] == at("decide", disputed["disputed"].pk)
    assert "more specific at" in page.content.decode()
    gold = GoldLabel.objects.get()
    assert (gold.pair, gold.source, gold.label) == (disputed["tied"], "adjudication", "non-entailment")
    page = client.post(at("decide", disputed["disputed"].pk), {"label": "entailment"}, follow=True)
    assert "No pair waits for a decision." in page.content.decode()


def test_left_for_later_it_comes_again(disputed, at, rosa, client_of):
    client = client_of(rosa)
    page = client.get(f"{at('queue')}?after={disputed['tied'].pk}", follow=True)
    assert page.request["PATH_INFO"] == at("decide", disputed["disputed"].pk)
    page = client.get(f"{at('queue')}?after={disputed['disputed'].pk}", follow=True)
    assert page.request["PATH_INFO"] == at("decide", disputed["tied"].pk)


def test_of_a_large_study_a_job_counts_the_queue(
    disputed, at, rosa, client_of, work, monkeypatch, django_assert_max_num_queries
):
    """The page says so and goes on by itself; what was decided since is passed over, old as the count is."""
    monkeypatch.setattr(selectors, "SMALL", -1)
    monkeypatch.setattr(selectors, "QUICK", 0)
    client = client_of(rosa)
    page = client.get(at("queue"))
    assert "These numbers are being counted." in page.content.decode()
    assert Job.objects.get().kind == "tally"
    work()
    assert client.get(at("queue")).headers["Location"] == at("decide", disputed["tied"].pk)
    asked = client.get(at("queue"), headers={"HX-Request": "true"})
    assert asked.headers["HX-Redirect"] == at("decide", disputed["tied"].pk)
    with django_assert_max_num_queries(15):
        client.get(at("decide", disputed["tied"].pk))
    monkeypatch.setattr(selectors, "BEHIND", -selectors.BEHIND)
    page = client.post(at("decide", disputed["tied"].pk), {"label": "non-entailment"}, follow=True)
    assert page.request["PATH_INFO"] == at("decide", disputed["disputed"].pk)
    assert "As of" not in page.content.decode()


def test_what_is_no_label_of_the_dataset_is_refused(disputed, at, rosa, client_of):
    page = client_of(rosa).post(at("decide", disputed["tied"].pk), {"label": "perhaps"}, follow=True)
    assert "not one of the dataset" in page.content.decode() and not GoldLabel.objects.exists()


def test_a_test_question_is_never_in_the_queue(
    with_tests, judging, at, annotator, rosa, ben, cleo, client_of
):
    question = with_tests(2, quiz_size=2)[0]
    for user, right in ((ben, True), (cleo, False)):
        annotator(user).answer(1, right=right)
    assert Judgement.objects.filter(item__is_test=True).count() == 2
    assert _counts(judging)["all"] == 0
    assert client_of(rosa).get(at("decide", question.item.pair_id)).status_code == 404


def test_strangers_and_annotators_see_nothing_of_it(at, olaf, ben, client_of):
    assert client_of(olaf).get(at("queue")).status_code == 404
    assert client_of(ben).get(at("queue")).status_code == 403
