"""A crowd at work while everything goes wrong: workers killed, connections cut, leases gone, targets changed.

Two hundred annotators on threads answer more than a thousand questions over HTTP (CROWD_ANSWERS in the
environment: more), from a gunicorn with two workers on PostgreSQL. Afterwards no grant ever went beyond the
target in force at its moment, no answer that was confirmed is lost, none is doubled, pay equals answers, and
the doctor finds nothing. The same instrument sees the grants go wrong where the lock is left out.
"""

from __future__ import annotations

import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction
from django.db.models import Avg, F, Sum

from apps.accounts.models import User
from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import (
    assignment_next,
    campaign_create,
    campaign_set_state,
    campaign_update,
    leases_expire,
    leasing,
)
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.jobs.models import Job
from apps.panels.models import SetPrice
from apps.panels.platforms import Arrival
from apps.panels.selectors import accounts_of, consent_of, sets_sent, total_of
from apps.panels.services import panel_create, payout_create, visit_consent, visit_open
from apps.panels.visitors import token_of
from apps.quality import actions, questions, settings
from apps.quality.models import QualityAction
from apps.studies import soundness
from apps.studies.models import Membership, Participant
from tests.campaigns import crowd

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PEOPLE, GUESTS = 200, 150  # the others are members who are signed in
ANSWERS = int(os.environ.get("CROWD_ANSWERS", "1000"))
ITEMS = 200
LONGEST = 900  # seconds until a machine that is busy with other things counts as hung
PRICE = 5


@pytest.fixture
def instrument():
    if connection.vendor != "postgresql":
        pytest.skip("the instrument is a trigger of PostgreSQL's")
    with crowd.every_grant_seen():
        yield


@pytest.fixture
def campaign_of(study, ada):
    """An open validation campaign over as many pairs as asked for."""

    def make(pairs: int, **rules) -> Campaign:
        dataset = dataset_create(study=study, actor=ada, name="Cats")
        for n in range(pairs):
            premises = [(f"No cat of {n} sleeps.", None)]
            hypothesis = f"No old cat of {n} sleeps."
            pair_get_or_create(dataset=dataset, premises=premises, hypothesis=hypothesis, origin="import")
        campaign = campaign_create(study=study, actor=ada, name="Judge", dataset=dataset, seed=1, **rules)
        return campaign_set_state(campaign=campaign, actor=ada, state="open")

    return make


@pytest.fixture
def server(tmp_path):
    running = crowd.Server(tmp_path)
    running.start()
    yield running
    running.kill()


def test_nothing_is_lost_doubled_or_given_away_twice(study, ada, campaign_of, server, instrument, client_of):
    campaign = campaign_of(ITEMS, target=2, page_size=10, price=PRICE, lease_minutes=1)
    for n in range(10):
        draft = questions.Draft(
            (f"Every dog of {n} barks.",), f"Every old dog of {n} barks.", "entailment", ""
        )
        questions.question_create(campaign=campaign, actor=ada, draft=draft)
    settings.quality_update(campaign=campaign, actor=ada, test_share=10)
    panel = panel_create(campaign=campaign, actor=ada, kind="prolific", consent="Agree?")
    people = [
        *(_guest(server, panel, n) for n in range(GUESTS)),
        *(_member(server, study, campaign, client_of, n) for n in range(PEOPLE - GUESTS)),
    ]

    over, began = threading.Event(), time.monotonic()
    with ThreadPoolExecutor(PEOPLE) as pool:
        work = [pool.submit(person.work, over) for person in people]
        try:
            mishaps = _go_wrong(campaign, ada, server, began)
        finally:
            over.set()
    for done in work:
        done.result()

    mishaps |= {
        name: sum(getattr(person, name) for person in people)
        for name in ("lost", "repeated", "changed", "walked_away")
    }
    took = time.monotonic() - began
    print(f"{Judgement.objects.count()} answers, {crowd.grants()} grants, {took:.0f} s; {mishaps}")
    assert Judgement.objects.count() >= ANSWERS, server.log.read_text()[-2000:]
    assert all(mishaps.values()), "everything that may go wrong did"
    assert [odd for person in people for odd in person.odd] == []

    # No grant went beyond the target in force.
    assert crowd.grants() >= Assignment.objects.count()
    assert crowd.grants_beyond() == 0
    # No answer is lost, none is doubled, and each says what its writer said last.
    kept = dict(Judgement.objects.values_list("assignment", "answer"))
    assert len(kept) == Judgement.objects.count()
    for person in people:
        assert person.confirmed <= kept.keys()
        wrong = [pk for pk in person.said if pk in kept and not person.may_stand(pk, kept[pk])]
        assert wrong == []
    assert kept.keys() <= {pk for person in people for pk in person.said}
    # Pay equals answers: once each, at the one price there was.
    paid = sets_sent(panel).count()
    assert paid == Judgement.objects.exclude(participant__panel="").count() == SetPrice.objects.count()
    payout = payout_create(panel=panel, actor=ada)
    assert payout.sets.aggregate(n=Sum("cents"))["n"] == paid * PRICE == total_of(accounts_of(panel)).waiting
    # And whatever else must hold.
    assert [str(fault) for fault in soundness.faults() if not fault.is_note] == []


def _guest(server, panel, n: int) -> crowd.Annotator:
    visit = visit_open(panel=panel, arrival=Arrival(f"p{n}", f"s{n}", "study", ""))
    visit_consent(visit=visit, consent=consent_of(panel))
    start = f"/visit/{token_of(visit)}/work/{panel.campaign_id}/"
    return crowd.Annotator(server.port, start, seed=n)


def _member(server, study, campaign, client_of, n: int) -> crowd.Annotator:
    user = User.objects.create_user(f"m{n}@example.org", None, name=f"M{n}")
    Membership.objects.create(study=study, user=user, role="annotator")
    cookies = crowd.cookies_of(client_of(user).cookies["polarlab_session"].value)
    return crowd.Annotator(server.port, f"/work/{campaign.pk}/", cookies, seed=1_000 + n)


def _go_wrong(campaign: Campaign, ada: User, server: crowd.Server, began: float) -> dict[str, int]:
    """Until there are enough answers and each of these was: kill, restart, let leases run out, change the
    target, requeue."""
    chance = random.Random(1)
    happened = dict.fromkeys(("killed", "restarted", "ran out", "retargeted", "requeued"), 0)
    while time.monotonic() - began < LONGEST:
        if (answers := Judgement.objects.count()) >= ANSWERS and all(happened.values()):
            break
        time.sleep(1)
        _retarget(campaign, ada, chance)
        happened["retargeted"] += 1
        happened["ran out"] += _let_run_out(chance)
        # A start takes seconds of a processor, so that they are few: four times a worker, once all of it.
        if answers > ANSWERS / 5 * (happened["killed"] + 1):
            happened["killed"] += server.kill_a_worker(chance)
        if answers > ANSWERS / 2 and not happened["restarted"]:
            server.kill()
            server.start()
            happened["restarted"] += 1
        if chance.random() < 0.2 and (judgement := Judgement.objects.order_by("?").first()):
            person = judgement.participant
            actions.action_take(campaign=campaign, participant=person, kind=QualityAction.Kind.REQUEUE)
            happened["requeued"] += actions.work_requeue(action=QualityAction.objects.first())
    Job.objects.update(state=Job.State.CANCELLED, finished_at=Campaign.objects.values("created_at")[:1])
    return happened


def _retarget(campaign: Campaign, ada: User, chance: random.Random) -> None:
    """Up and down, around what there is: the places are nearly all taken at every moment."""
    there = campaign.items.filter(is_test=False).aggregate(n=Avg("counted"))["n"]
    target = max(1, round(there + chance.uniform(-0.5, 4)))
    campaign_update(campaign=campaign, actor=ada, target=target, maximum=chance.choice([None, target + 2]))


def _let_run_out(chance: random.Random) -> int:
    """A tenth of the live leases, and the sweeper sees some of them. What somebody has locked at this instant
    is left: a statement that waits for many rows in any order would meet a deadlock."""
    live = Assignment.objects.filter(state="leased")
    some = [pk for pk in live.values_list("pk", flat=True) if chance.random() < 0.1]
    with transaction.atomic():
        free = list(live.filter(pk__in=some).select_for_update(skip_locked=True).values_list("pk", flat=True))
        ended = live.filter(pk__in=free).update(expires_at=F("leased_at"))
    leases_expire()
    return ended


def test_control_without_the_lock_the_instrument_sees_it(study, campaign_of, instrument, monkeypatch):
    """Twenty people on threads, two places an item, and nobody locks anything."""
    campaign = campaign_of(4, target=2)
    people = [Participant.objects.create(study=study, pseudonym=f"p{n}") for n in range(20)]
    grant = leasing._grant

    def slow(*args, **kwargs):
        leases = grant(*args, **kwargs)
        time.sleep(0.1)
        return leases

    def ask(person):
        try:
            return assignment_next(campaign=campaign, participant=person)
        finally:
            connections.close_all()

    monkeypatch.setattr(leasing, "_grant", slow)
    found = leasing.free_items
    monkeypatch.setattr(leasing, "free_items", lambda *a, lock=None, **k: found(*a, **k))
    with ThreadPoolExecutor(len(people)) as pool:
        list(pool.map(ask, people))
    assert crowd.grants_beyond() > 0
    faults = [str(fault) for fault in soundness.faults() if not fault.is_note]
    assert any("[over-target]" in fault for fault in faults)
    assert Item.objects.count() == 4
