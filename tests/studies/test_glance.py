"""A study at a glance: what is next, progress with a forecast, answers a day, money, problems."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from apps.campaigns.models import Campaign, Item, Judgement
from apps.corpora.models import Corpus
from apps.inference.models import Model
from apps.jobs.models import Job
from apps.panels.models import Bonus, Panel, Payout, PayoutSet, Visit
from apps.quality.models import QualityAction, TestAnswer, TestQuestion
from apps.studies.glance import DAYS, glance
from apps.tallies import selectors
from tests.datasets.conftest import campaign, dataset, make

__all__ = ["campaign", "dataset", "make"]

pytestmark = pytest.mark.django_db

#: Of the page of a study with one campaign: counted at once, and kept.
QUERIES, KEPT = 22, 12


@pytest.fixture
def look(study, rosa, client_of):
    client = client_of(rosa)
    return lambda **asked: client.get(reverse("studies:overview", args=[study.slug]), asked)


def opened(campaign: Campaign) -> Campaign:
    Campaign.objects.filter(pk=campaign.pk).update(state="open")
    return campaign


def answered(ago: timedelta) -> None:
    """All answers came in so long ago."""
    Judgement.objects.update(submitted_at=timezone.now() - ago)


def codes(study) -> list[str]:
    return [problem.code for problem in glance(study).problems]


# ---- What to do next -------------------------------------------------------------------------------


def test_a_study_without_campaigns_shows_the_steps(look):
    page = look().content.decode()
    assert "Bring sentences in" in page and "What to do next" not in page


def test_the_first_step_is_the_first_that_nobody_has_done(study):
    assert glance(study).next.said.startswith("Corpora: ")
    Corpus.objects.create(study=study, name="Farm", licence="CC0", source="own")
    assert glance(study).next.said.startswith("Blanks: ")


def test_who_has_pairs_needs_no_sentences(study, dataset):
    assert glance(study).next.said.startswith("Campaigns: ")


def test_a_draft_wants_to_be_opened(study, campaign, look):
    following = glance(study).next
    assert (following.where, following.url) == (
        "Judging",
        reverse("campaigns:campaign", args=[study.slug, campaign.pk]),
    )
    assert f'<a href="{following.url}">Open the campaign' in look().content.decode()


def test_the_steps_go_on_while_answers_come_in(study, make):
    opened(make.campaign)
    make("e")
    assert glance(study).next.said.startswith("Models: ")


def test_what_stands_still_goes_before_everything_else(study, make):
    opened(make.campaign)
    Job.objects.create(study=study, kind="x", title="X", state="failed", finished_at=timezone.now())
    assert glance(study).next.said == "1 job that failed in the last 14 days"


def test_ties_wait_until_no_answers_are_to_come(study, make):
    opened(make.campaign)
    make("en")
    Item.objects.update(is_complete=True, counted=2, wanted=2)
    assert glance(study).next.said == "1 pair without a majority"
    Item.objects.create(campaign=make.campaign, pair=make(), position=9, wanted=3)
    assert glance(study).next.said.startswith("Models: ")
    Model.objects.create(study=study, name="M", kind="majority")
    assert glance(study).next.said.startswith("Releases: ")


# ---- Progress --------------------------------------------------------------------------------------


@pytest.mark.both
def test_a_campaign_ends_when_what_is_wanted_has_come_in_at_the_rate_of_late(study, make):
    opened(make.campaign)
    for _turn in range(4):
        make("eeE")
    Item.objects.update(counted=2, wanted=3)
    answered(timedelta(days=1))
    (one,) = glance(study).campaigns
    assert (one.items, one.complete, one.answers, one.wanted, one.share) == (4, 0, 8, 4, 0.0)
    assert one.rate is not None and 4 < one.rate <= 8  # 8 in one to two days; surplus ones don't count
    assert one.ends_at is not None
    assert (one.ends_at - timezone.now()) / timedelta(days=1) == pytest.approx(4 / one.rate, abs=0.01)


@pytest.mark.parametrize(
    ("state", "days_ago", "why"),
    [
        ("draft", 1, "not opened yet"),
        ("paused", 1, "paused"),
        ("closed", 1, "closed"),
        ("open", 8, "no answers in the last 7 days"),
    ],
)
def test_without_a_forecast_there_is_a_reason(state, days_ago, why, study, make, look):
    make("e")
    Item.objects.update(wanted=3)
    answered(timedelta(days=days_ago))
    Campaign.objects.update(state=state)
    (one,) = glance(study).campaigns
    assert (one.ends_at, one.why) == (None, why)
    assert f"<bdi>–</bdi> <small>{why}</small>" in look().content.decode()


def test_a_campaign_that_has_all_says_so(study, make):
    opened(make.campaign)
    make("e")
    Item.objects.update(counted=1, wanted=1, is_complete=True)
    (one,) = glance(study).campaigns
    assert (one.share, one.why) == (1.0, "complete")


def test_archived_campaigns_are_left_out(study, campaign):
    Campaign.objects.update(archived_at=timezone.now())
    assert glance(study).campaigns == []


# ---- Answers a day ---------------------------------------------------------------------------------


@pytest.mark.both
def test_answers_stand_on_their_day_and_days_without_are_there(study, make):
    make("eenE")
    answered(timedelta(days=2))
    days = dict(glance(study).per_day)
    now = datetime.now(UTC).date()
    assert len(days) == DAYS and max(days) == now
    assert {day: n for day, n in days.items() if n} == {now - timedelta(days=2): 3}


def test_older_answers_are_not_drawn(study, make, look):
    make("ee")
    answered(timedelta(days=DAYS + 1))
    assert "No answers came in in the last 30 days." in look().content.decode()


def test_figure_and_tables_are_files(make, look):
    make("ee")
    page = look().content.decode()
    assert 'alt="2 answers in the last 30 days.' in page
    assert look(**{"as": "answers.svg"}).headers["Content-Type"] == "image/svg+xml"
    assert look(**{"as": "days.csv"}).content.decode().splitlines()[1].endswith(",2")
    assert b"Judging" in look(**{"as": "progress.tex"}).content
    assert look(**{"as": "money.csv"}).status_code == 404


# ---- Money -----------------------------------------------------------------------------------------


@pytest.mark.both
def test_money_is_owed_waits_or_is_paid(study, make, look, ada):
    Campaign.objects.update(price=20, currency="GBP")
    make("een")
    panel = Panel.objects.create(campaign=make.campaign, kind="prolific", platform="prolific")
    one, two, other = Judgement.objects.order_by("pk")
    for person in (one.participant, two.participant):
        Visit.objects.create(
            panel=panel, participant=person, session_id=person.pseudonym, arrived_at=timezone.now()
        )
    payout = Payout.objects.create(panel=panel, number=1, created_at=timezone.now())
    PayoutSet.objects.create(payout=payout, judgement=one, cents=15)
    Bonus.objects.create(panel=panel, participant=two.participant, cents=5, reason="kind")
    (money,) = glance(study).money
    assert (money.currency, money.owed, money.waiting, money.paid) == ("GBP", 25, 15, 0)
    Payout.objects.update(paid_at=timezone.now())
    (money,) = glance(study).money
    assert (money.owed, money.waiting, money.paid) == (25, 0, 15)
    assert money.url == reverse("panels:ledger", args=[study.slug, make.campaign.pk])
    assert look(**{"as": "money.csv"}).content.decode().splitlines()[1] == "GBP,0.25,0.0,0.15"
    assert other.participant_id not in {one.participant_id, two.participant_id}


def test_nobody_to_be_paid_is_no_line(study, campaign):
    assert glance(study).money == []


# ---- Problems --------------------------------------------------------------------------------------


def test_failed_and_stalled_jobs_lead_to_a_list_of_them(study, rosa, client_of, campaign):
    silent = timezone.now() - timedelta(days=1)
    for title, fields in {
        "Fell silent": {"state": "running", "heartbeat_at": silent},
        "Just failed": {"state": "failed", "finished_at": timezone.now()},
        "Failed long ago": {"state": "failed", "finished_at": timezone.now() - timedelta(days=15)},
        "Went well": {"state": "done", "finished_at": timezone.now()},
    }.items():
        Job.objects.create(study=study, kind="x", title=title, **fields)
    found = {one.code: one for one in glance(study).problems}
    assert {code: one.count for code, one in found.items()} == {"jobs-stalled": 1, "jobs-failed": 1}
    stalled = client_of(rosa).get(found["jobs-stalled"].url).content.decode()
    failed = client_of(rosa).get(found["jobs-failed"].url).content.decode()
    assert "Fell silent" in stalled and "Just failed" not in stalled
    assert "Just failed" in failed and "Failed long ago" not in failed


def test_who_is_paused_is_counted_once(study, make):
    make("e")
    person = Judgement.objects.get().participant
    for _turn in range(2):
        QualityAction.objects.create(
            campaign=make.campaign, participant=person, kind="pause", created_at=timezone.now()
        )
    (problem,) = glance(study).problems
    assert (problem.code, problem.count, problem.where) == ("annotators-paused", 1, "Judging")
    QualityAction.objects.update(undone_at=timezone.now(), undone_why="done")
    assert codes(study) == []


@pytest.mark.parametrize(
    ("answers", "is_disputed"), [("nnnee", True), ("nneee", False), ("nnnn", False), ("sssee", True)]
)
def test_a_test_question_that_most_answer_otherwise_is_disputed(
    answers, is_disputed, study, make, rosa, client_of
):
    pair = make(answers)
    item = Item.objects.get()
    question = TestQuestion.objects.create(campaign=make.campaign, item=item, expected="entailment")
    for judgement in Judgement.objects.all():
        TestAnswer.objects.create(
            question=question,
            participant=judgement.participant,
            judgement=judgement,
            answer=judgement.answer,
            at=judgement.submitted_at,
        )
    found = [one for one in glance(study).problems if one.code == "tests-disputed"]
    assert bool(found) is is_disputed
    address = f"{reverse('quality:tests', args=[study.slug, make.campaign.pk])}?disputed=yes"
    assert (pair.hypothesis in client_of(rosa).get(address).content.decode()) is is_disputed
    assert not found or found[0].url == address


def test_pairs_without_a_majority_lead_to_adjudication(study, make):
    opened(make.campaign)
    make("en"), make("ee")
    assert codes(study) == []  # answers are still to come
    Item.objects.update(is_complete=True)
    (problem,) = glance(study).problems
    assert (problem.code, problem.count) == ("pairs-without-majority", 1)
    assert problem.url == f"{reverse('adjudication:queue', args=[study.slug, make.campaign.pk])}?kind=tied"


@pytest.mark.parametrize(("pairs", "found"), [(10, []), (20, ["agreement-low"])])
def test_low_agreement_is_said_of_pairs_enough(pairs, found, study, make):
    for number in range(pairs):
        make("en" if number % 2 else "ne")
    assert codes(study) == found


def test_a_skewed_sample_on_which_people_agree_is_no_problem(study, make):
    for number in range(40):
        make("en" if number == 0 else "ee")
    assert codes(study) == []


# ---- Who, and at what cost -------------------------------------------------------------------------


def test_it_is_for_researchers(study, campaign, ben, olaf, client_of):
    address = reverse("studies:overview", args=[study.slug])
    told = f"/api/v1/studies/{study.slug}/glance/"
    assert client_of(ben).get(address).status_code == 403
    assert client_of(olaf).get(address).status_code == 404
    assert client_of(ben).get(told).status_code == client_of(olaf).get(told).status_code == 404


def test_the_api_says_the_same(study, make, rosa, client_of):
    opened(make.campaign)
    make("een")
    told = client_of(rosa).get(f"/api/v1/studies/{study.slug}/glance/").json()
    assert told["next"]["text"].startswith("Models: ")
    assert told["per_day"][-1] == {"day": datetime.now(UTC).date().isoformat(), "answers": 3}
    assert [one["name"] for one in told["campaigns"]] == ["Judging"]
    assert (told["money"], told["problems"]) == ([], [])


def asks_the_clock():
    """PostgreSQL is asked for its time, SQLite has none of its own."""
    return connection.vendor == "postgresql"


def test_queries_are_few(study, make, look, django_assert_num_queries):
    opened(make.campaign)
    make("een")
    with django_assert_num_queries(QUERIES + asks_the_clock()):
        look()


def test_of_a_large_study_each_part_is_counted_by_a_job_and_then_kept(
    study, make, look, work, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(selectors, "SMALL", -1)
    monkeypatch.setattr(selectors, "QUICK", 0)
    opened(make.campaign)
    make("en")
    Item.objects.update(is_complete=True, counted=2, wanted=2)
    page = look().content.decode()
    assert "These numbers are being counted." in page and "What to do next" not in page
    # What is not counted yet is not said to be nothing.
    assert "No answers came in" not in page and "Open problems" not in page
    assert work() == 3
    with django_assert_num_queries(KEPT + asks_the_clock()):
        page = look().content.decode()
    assert "1 pair without a majority" in page and "being counted" not in page
    told = glance(study, wait=True)
    assert told.counting is None and told.campaigns[0].answers == 2
