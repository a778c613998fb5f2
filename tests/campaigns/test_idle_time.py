"""Which of an answer's seconds are work (CASES 24, 54)."""

import pytest

from apps.campaigns import selectors
from apps.campaigns.models import Judgement
from apps.campaigns.services import assignment_next, judgements_submit
from apps.campaigns.services.values import Sent

pytestmark = pytest.mark.both


@pytest.fixture
def answered(validation, ben, participant, pass_time):
    """An answer of Ben's, so many minutes after his card was shown, of which its page saw some idle."""

    def after(minutes, idle_minutes=0.0):
        lease = assignment_next(campaign=validation, participant=participant(ben))
        pass_time(lease, minutes=minutes)
        sent = Sent(answer="entailment", idle=60 * idle_minutes)
        return judgements_submit(campaign=validation.pk, sent={lease: sent})[0]

    return after


def test_seconds_are_from_the_showing_to_the_sending(answered):
    judgement = answered(2)
    assert judgement.seconds == pytest.approx(120, abs=5)
    assert judgement.idle_seconds == 0


def test_a_lunch_within_the_lease_is_idle_time(answered):
    judgement = answered(25, idle_minutes=24)
    assert judgement.seconds == pytest.approx(60, abs=5)
    assert judgement.idle_seconds == pytest.approx(24 * 60, abs=5)


def test_what_comes_after_the_lease_is_idle_time_whatever_the_page_says(answered):
    judgement = answered(24 * 60)
    assert judgement.seconds == pytest.approx(30 * 60, abs=5)
    assert judgement.seconds + judgement.idle_seconds == pytest.approx(24 * 3600, abs=5)


def test_a_page_can_claim_no_more_than_there_was(answered):
    judgement = answered(1, idle_minutes=500)
    assert (judgement.seconds, judgement.idle_seconds) == (0, pytest.approx(60, abs=5))


def test_the_minimum_time_is_of_the_clock(validation, answered):
    """Who thought for a while without a key has waited long enough."""
    type(validation).objects.update(minimum_seconds=50)
    assert answered(1, idle_minutes=0.9).pk


def test_medians_are_of_work(validation, answered):
    answered(25, idle_minutes=24)
    assert selectors.annotators_of(validation)[0][0].seconds == pytest.approx(60, abs=5)


@pytest.mark.parametrize(
    ("said", "kept"), [("12", 12), ("12.5", 12.5), ("", 0), ("-3", 0), ("1e9", 0), ("nan", 0), ("٣", 0)]
)
def test_what_a_page_sends_is_a_number_or_nothing(said, kept):
    from apps.annotation.cards import _seconds_in

    assert _seconds_in(said) == kept


def test_the_pages_word_comes_with_the_answer(validation, ben, client_of):
    client = client_of(ben)
    card = client.get(f"/work/{validation.pk}/").headers["Location"]
    client.post(card, {"answer": "entailment", "idle": "1000"})
    judgement = Judgement.objects.get()
    assert judgement.seconds == 0 and judgement.idle_seconds < 60
