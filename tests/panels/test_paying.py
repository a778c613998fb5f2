"""What is owed: pay equals answers. Bonuses, payouts, and the file for the paymaster."""

import csv
import io
import random
import threading

import pytest
from django.core.exceptions import ValidationError
from django.db import connections
from django.urls import reverse

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import TooSoon, assignment_next, judgement_submit
from apps.panels.models import Bonus, Payout, PayoutSet, SetPrice
from apps.panels.payout_file import csv_of
from apps.panels.selectors import accounts_of, lines_of, total_of
from apps.panels.services import (
    bonus_create,
    payout_cancel,
    payout_create,
    payout_set_paid,
    visit_finish,
)
from apps.people.erasure import participant_erase
from apps.studies.models import Participant

pytestmark = [pytest.mark.both, pytest.mark.django_db]


def owed(panel) -> int:
    return total_of(accounts_of(panel)).owed


def pay_equals_answers(panel) -> None:
    """The invariant: a price for every set that the panel's people sent, once, wherever it stands now."""
    people = Participant.objects.filter(visits__panel=panel).distinct()
    sets = Judgement.objects.filter(item__campaign=panel.campaign, participant__in=people)
    totals = total_of(accounts_of(panel))
    bonuses = sum(Bonus.objects.filter(panel=panel).values_list("cents", flat=True))
    prices = sum(SetPrice.objects.filter(judgement__in=sets).values_list("cents", flat=True))
    assert SetPrice.objects.filter(judgement__in=sets).count() == sets.count()
    assert totals.sets == sets.count()
    assert totals.owed + totals.waiting + totals.paid == prices + bonuses


def test_each_set_is_owed_at_the_price(prolific, come, answer):
    first, second = come(prolific), come(prolific, "p2", "s2")
    for visit in (first, first, second):
        answer(visit)
    accounts = accounts_of(prolific)
    assert [(a.sets, a.owed) for a in accounts] == [(2, 10), (1, 5)]
    pay_equals_answers(prolific)


def test_who_has_an_account_is_not_in_the_ledger(prolific, come, answer, ben, study):
    from apps.quality.settings import quality_update
    from apps.studies.services import participant_for

    quality_update(campaign=prolific.campaign, actor=None, members_work=True)
    lease = assignment_next(campaign=prolific.campaign, participant=participant_for(study, ben))
    judgement_submit(assignment=lease, answer="entailment")
    assert accounts_of(prolific) == []


def test_a_set_sent_twice_or_revised_is_paid_once(prolific, come, answer):
    judgement = answer(come(prolific))
    for label in ("entailment", "neutral", "unnatural", "unnatural"):
        if label in [*prolific.campaign.dataset.labels, "unnatural"]:
            judgement_submit(assignment=judgement.assignment, answer=label)
    assert owed(prolific) == 5
    pay_equals_answers(prolific)


def test_a_new_price_is_for_what_is_sent_from_then_on(prolific, come, answer):
    visit = come(prolific)
    answer(visit)
    Campaign.objects.update(price=7)
    answer(visit)
    assert owed(prolific) == 12


def test_a_late_answer_is_kept_as_surplus_and_paid(prolific, come, let_pass):
    """CASES 15."""
    Campaign.objects.update(target=1)
    Item.objects.update(wanted=1)
    slow = come(prolific)
    lease = assignment_next(campaign=prolific.campaign, participant=slow.participant)
    let_pass(lease, hours=1)
    quick = come(prolific, "p2", "s2")
    while isinstance(
        served := assignment_next(campaign=prolific.campaign, participant=quick.participant), Assignment
    ):
        judgement_submit(assignment=served, answer="entailment")
    late = judgement_submit(assignment=lease, answer="entailment")
    assert not late.counted
    assert Judgement.objects.filter(item=lease.item, counted=True).count() == 1
    account = next(a for a in accounts_of(prolific) if a.participant == slow.participant)
    assert (account.sets, account.surplus, account.owed) == (1, 1, 5)
    pay_equals_answers(prolific)


def test_pay_is_never_refused_for_speed(prolific, come):
    """CASES 22: too soon is refused with the seconds left; once it is taken, it is paid in full."""
    Campaign.objects.update(minimum_seconds=5)
    visit = come(prolific)
    lease = assignment_next(campaign=prolific.campaign, participant=visit.participant)
    with pytest.raises(TooSoon) as refusal:
        judgement_submit(assignment=lease, answer="entailment")
    assert 4 <= refusal.value.seconds <= 5
    assert owed(prolific) == 0
    Campaign.objects.update(minimum_seconds=0)
    judgement = judgement_submit(assignment=lease, answer="entailment")
    assert judgement.seconds < 5 and owed(prolific) == 5


def test_a_blocked_person_is_paid_for_what_they_sent(prolific, come, answer):
    visit = come(prolific)
    answer(visit)
    Participant.objects.update(blocked_at="2026-01-01T00:00Z")
    assert owed(prolific) == 5
    assert payout_create(panel=prolific, actor=None).sets.count() == 1


def test_a_skip_is_paid(study, ada, come):
    """A skip with its reason is work: the sentence was read."""
    from apps.campaigns.services import campaign_create, campaign_set_state
    from apps.corpora.models import Blank, BlankSet, Corpus, Sentence
    from apps.datasets.services import dataset_create
    from apps.panels.services import panel_create

    corpus = Corpus.objects.create(study=study, name="Farm", licence="CC0", source="own", created_by=ada)
    sentence = Sentence.objects.create(corpus=corpus, position=0, text="No dogs bark.", digest="d")
    blanks = BlankSet.objects.create(study=study, name="Blanks", created_by=ada)
    Blank.objects.create(
        blank_set=blanks, sentence=sentence, start=3, end=7, text="dogs", category="N", polarity="down",
        engine="by-hand", engine_version="1", convention="default", parser="none",
    )  # fmt: skip
    dataset = dataset_create(study=study, actor=ada, name="New")
    campaign = campaign_create(study=study, actor=ada, name="Write", dataset=dataset, blank_set=blanks)
    Campaign.objects.filter(pk=campaign.pk).update(price=5)
    campaign_set_state(campaign=campaign, actor=ada, state="open")
    panel = panel_create(campaign=campaign, actor=ada, kind="prolific", consent="Fine?")
    visit = come(panel)
    lease = assignment_next(campaign=campaign, participant=visit.participant)
    judgement_submit(assignment=lease, skip_reason="broken")
    account = accounts_of(panel)[0]
    assert (account.sets, account.skips, account.owed) == (1, 1, 5)


# ---- Bonuses ------------------------------------------------------------------------------------


def test_a_bonus_clicked_twice_is_one_row(prolific, come, ada, study, client_of):
    """CASES 34."""
    visit = come(prolific)
    client = client_of(ada)
    address = reverse("panels:bonus", args=[study.slug, prolific.campaign_id, visit.participant_id])
    for _click in range(2):
        answer = client.post(address, {"amount": "0.50", "reason": "careful  work"})
        assert answer.status_code == 302
    assert list(Bonus.objects.values_list("cents", "reason")) == [(50, "careful work")]
    assert owed(prolific) == 50


def test_another_amount_for_the_same_reason_is_refused_in_words(prolific, come, ada):
    person = come(prolific).participant
    bonus_create(panel=prolific, participant=person, actor=ada, cents=50, reason="careful work")
    with pytest.raises(ValidationError, match=r"There is a bonus for this reason already: 0\.50 USD"):
        bonus_create(panel=prolific, participant=person, actor=ada, cents=60, reason="careful work")


@pytest.mark.parametrize(
    "wrong", [{"cents": 0}, {"reason": " "}, {"reason": "x" * 201}], ids=["none", "no reason", "long"]
)
def test_a_bonus_needs_an_amount_and_a_reason(wrong, prolific, come, ada):
    with pytest.raises(ValidationError):
        bonus_create(
            panel=prolific,
            participant=come(prolific).participant,
            actor=ada,
            **{"cents": 50, "reason": "r", **wrong},
        )


def test_only_the_panels_people_get_its_bonuses(prolific, study, ada, ben):
    from apps.studies.services import participant_for

    with pytest.raises(ValidationError, match="did not come from this panel"):
        bonus_create(panel=prolific, participant=participant_for(study, ben), actor=ada, cents=5, reason="r")


# ---- Payouts ------------------------------------------------------------------------------------


def test_a_payout_holds_what_was_owed_then_and_nothing_that_came_after(prolific, come, answer, ada):
    visit = come(prolific)
    answer(visit)
    bonus_create(panel=prolific, participant=visit.participant, actor=ada, cents=50, reason="r")
    payout = payout_create(panel=prolific, actor=ada)
    answer(visit)
    payout_set_paid(payout=payout, actor=ada)
    totals = total_of(accounts_of(prolific))
    assert (totals.owed, totals.waiting, totals.paid) == (5, 0, 55)
    assert [(line.sets, line.cents) for line in lines_of(payout)] == [(1, 55)]
    pay_equals_answers(prolific)


def test_a_second_click_makes_no_second_payout(prolific, come, answer, ada, study, client_of):
    answer(come(prolific))
    client = client_of(ada)
    for _click in range(2):
        client.post(reverse("panels:payout_new", args=[study.slug, prolific.campaign_id]))
    assert Payout.objects.count() == 1 and PayoutSet.objects.count() == 1


def test_an_unpaid_payout_can_be_taken_apart_a_paid_one_stays(prolific, come, answer, ada):
    visit = come(prolific)
    answer(visit)
    bonus_create(panel=prolific, participant=visit.participant, actor=ada, cents=50, reason="r")
    payout_cancel(payout=payout_create(panel=prolific, actor=ada), actor=ada)
    assert owed(prolific) == 55
    payout = payout_set_paid(payout=payout_create(panel=prolific, actor=ada), actor=ada)
    when = payout.paid_at
    with pytest.raises(ValidationError):
        payout_cancel(payout=payout, actor=ada)
    assert payout_set_paid(payout=payout, actor=ada).paid_at == when
    pay_equals_answers(prolific)


def test_the_paymasters_file_names_people_by_the_panels_identifier(prolific, come, answer, ada):
    visit = come(prolific, "60bf9310e8dec401be6e9615", "60d9aadeb86739de712faee0")
    answer(visit)
    answer(visit)
    bonus_create(panel=prolific, participant=visit.participant, actor=ada, cents=150, reason="careful, quick")
    text = csv_of(payout_create(panel=prolific, actor=ada))
    row = {
        "panel": "prolific",
        "person": "60bf9310e8dec401be6e9615",
        "session": "60d9aadeb86739de712faee0",
        "pseudonym": visit.participant.pseudonym,
        "sets": "2",
        "for sets": "0.10",
        "bonus": "1.50",
        "reasons": "careful, quick",
        "amount": "1.60",
        "currency": "USD",
    }
    assert list(csv.DictReader(io.StringIO(text))) == [row]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_begins_like_a_formula_is_text_to_a_spreadsheet(start, prolific, come, answer, ada):
    """CASES 39. A reason comes from a form and a name from an address; neither may reach a formula."""
    visit = come(prolific)
    person = f'{start}HYPERLINK("https://evil.example";"pay")'
    Participant.objects.filter(pk=visit.participant_id).update(external_id=person)
    Bonus.objects.create(panel=prolific, participant=visit.participant, cents=5, reason=f"{start}1+1")
    rows = list(csv.reader(io.StringIO(csv_of(payout_create(panel=prolific, actor=ada)), newline="")))
    assert rows[1][1] == f"'{person}" and rows[1][7] == f"'{start}1+1"
    assert not [cell for cell in rows[1] if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert Participant.objects.get().external_id == person, "what is stored stays as it is"


def test_the_file_is_the_same_however_often_it_is_asked_for(prolific, come, answer, ada, study, client_of):
    answer(come(prolific))
    answer(come(prolific, "p2", "s2"))
    payout_create(panel=prolific, actor=ada)
    address = reverse("panels:payout_csv", args=[study.slug, prolific.campaign_id, 1])
    first, second = (client_of(ada).get(address) for _time in range(2))
    assert first.content == second.content
    assert first["Content-Type"] == "text/csv; charset=utf-8"
    assert first["Content-Disposition"].startswith('attachment; filename="payout-dogs-and-cats-')


def test_an_erased_person_stays_in_the_ledger_without_a_name(prolific, come, answer, ada):
    visit = come(prolific, "60bf9310e8dec401be6e9615")
    answer(visit)
    participant_erase(participant=visit.participant, actor=ada)
    text = csv_of(payout_create(panel=prolific, actor=ada))
    assert "60bf9310" not in text and "0.05" in text


def test_pay_equals_answers_whatever_happens_in_which_order(prolific, come, answer, let_pass, ada):
    """Sets, prices, bonuses, payouts, cancellations, blocks and ends of visits, drawn at random."""
    for seed in range(4):
        draw = random.Random(seed)
        visits = [come(prolific, f"p{seed}-{n}", f"s{seed}-{n}") for n in range(4)]
        Campaign.objects.update(target=10)
        Item.objects.update(wanted=10, is_complete=False)
        for step in range(40):
            visit, act = draw.choice(visits), draw.randrange(7)
            if act <= 2:
                answer(visit)
            elif act == 3:
                Campaign.objects.update(price=draw.randint(0, 9))
            elif act == 4:
                bonus_create(
                    panel=prolific, participant=visit.participant, actor=ada, cents=3, reason=f"r{step % 3}"
                )
            elif act == 5:
                payout = payout_create(panel=prolific, actor=ada)
                if payout and draw.random() < 0.5:
                    payout_cancel(payout=payout, actor=ada)
                elif payout:
                    payout_set_paid(payout=payout, actor=ada)
            elif Judgement.objects.filter(participant=visit.participant).exists():
                visit_finish(visit=visit)
            pay_equals_answers(prolific)
    assert Payout.objects.exists() and Judgement.objects.count() > 20


@pytest.mark.django_db(transaction=True)
def test_many_hands_at_once_make_one_payout(prolific, come, answer, ada):
    answer(come(prolific))
    start, made = threading.Barrier(8), []

    def press() -> None:
        try:
            start.wait(timeout=30)
            made.append(payout_create(panel=prolific, actor=ada))
        finally:
            connections.close_all()

    hands = [threading.Thread(target=press) for _hand in range(8)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert len(made) == 8 and sum(payout is not None for payout in made) == 1
    assert PayoutSet.objects.count() == 1
