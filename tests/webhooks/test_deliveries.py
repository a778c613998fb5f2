"""Telling: what is signed and sent, tried again, given up; and that it costs those who submit nothing."""

from __future__ import annotations

import os
import signal
import time
from datetime import timedelta

import pytest
from django.db import connection

from apps.campaigns.services import campaign_set_state
from apps.frame.clock import database_now
from apps.webhooks import deliveries, services
from apps.webhooks.deliveries import events_forget, tell_all
from apps.webhooks.models import Delivery, Event, Stopped, Webhook
from apps.webhooks.services import MOST_ATTEMPTS, delivery_resend, wait_after, webhook_rotate
from apps.webhooks.signatures import headers, signature
from tests.webhooks.conftest import HERE
from tests.webhooks.receiver import Receiver, is_authentic

pytestmark = pytest.mark.django_db

# The worked example of the Standard Webhooks reference libraries (github.com/standard-webhooks).
EXAMPLE = {
    "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "message_id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "timestamp": 1614265330,
    "body": b'{"test": 2432232314}',
}


def due_now() -> None:
    """Let the wait before the next try pass."""
    Delivery.objects.filter(state="waiting").update(next_at=database_now() - timedelta(seconds=1))


def test_the_signature_is_that_of_the_standards_worked_example():
    assert signature(**EXAMPLE) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    sent = headers([EXAMPLE["secret"]], EXAMPLE["message_id"], EXAMPLE["timestamp"], EXAMPLE["body"])
    assert is_authentic(EXAMPLE["secret"], sent, EXAMPLE["body"], now=1614265340)
    assert not is_authentic(EXAMPLE["secret"], sent, EXAMPLE["body"] + b" ", now=1614265340)
    assert not is_authentic(EXAMPLE["secret"], sent, EXAMPLE["body"], now=1614269999), "sent again later"


@pytest.mark.both
def test_an_answer_is_told_with_numbers_and_pseudonyms_only(webhook, receiver, answer, ben, campaign, study):
    judgement = answer(ben)
    assert receiver.seen == [], "nobody waits for the receiver"
    assert tell_all() == 1
    message = receiver.taken[0]
    assert message["type"] == "judgement.submitted"
    assert message["timestamp"] == judgement.submitted_at.isoformat()
    assert message["data"] == {
        "study": study.slug,
        "campaign": campaign.pk,
        "item": judgement.item_id,
        "judgement": judgement.pk,
        "annotator": judgement.participant.pseudonym,
        "revision": 1,
        "counted": True,
        "url": f"{HERE}/api/v1/judgements/{judgement.pk}/",
    }
    tell_all()
    assert len(receiver.seen) == 1, "told once"


def test_a_revision_is_told_as_such_and_the_same_again_is_not(webhook, receiver, answer, ben):
    from apps.campaigns.services import judgement_submit

    judgement = answer(ben)
    for _twice in range(2):
        judgement_submit(assignment=judgement.assignment, answer="non-entailment")
    tell_all()
    assert [message["data"]["revision"] for message in receiver.taken] == [1, 2]


def test_the_end_of_a_campaign_is_told_once_and_anew_when_it_was_made_longer(
    webhook, receiver, answer, ben, campaign, ada
):
    from apps.campaigns.services import campaign_update
    from apps.webhooks import watches

    def reasons() -> list[str]:
        watches.watch()
        tell_all()
        return [m["data"]["reason"] for m in receiver.taken if m["type"] == "campaign.finished"]

    for _item in range(2):
        answer(ben)
    assert reasons() == []
    answer(ben)
    assert reasons() == ["complete"]
    assert reasons() == ["complete"]
    campaign_update(campaign=campaign, actor=ada, target=2)
    assert reasons() == ["complete"]
    campaign_update(campaign=campaign, actor=ada, target=1)
    campaign_set_state(campaign=campaign, actor=ada, state="closed")
    assert reasons() == ["complete", "closed"]


def test_a_campaign_whose_time_is_over_is_finished(webhook, receiver, campaign):
    from apps.webhooks import watches

    campaign.closes_at = database_now() - timedelta(minutes=1)
    campaign.save()
    for _twice in range(2):
        watches.watch()
    tell_all()
    assert [message["data"]["reason"] for message in receiver.taken] == ["time"]


def test_a_release_is_told_when_its_file_is_there(webhook, receiver, answer, ben, cleo, campaign, ada, work):
    from apps.releases.gold_rules import Options
    from apps.releases.models import Release
    from apps.releases.services import release_create

    answer(ben)
    release = release_create(
        dataset=campaign.dataset, actor=ada, options=Options(rule="majority", judgements=1)
    )
    tell_all()
    assert "release.ready" not in [message["type"] for message in receiver.taken]
    work()
    tell_all()
    message = next(message for message in receiver.taken if message["type"] == "release.ready")
    frozen = Release.objects.get(pk=release.pk)
    assert message["data"]["sha256"] == frozen.sha256
    assert message["data"]["url"] == f"{HERE}/api/v1/releases/{release.pk}/"


@pytest.mark.parametrize("status", [500, 404, 302, 401])
def test_a_failure_is_tried_again_under_the_same_id_and_the_same_body(status, webhook, receiver, answer, ben):
    receiver.answers = [status]
    receiver.headers = {"Location": receiver.address}
    answer(ben)
    assert tell_all() == 0
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.attempts, delivery.status) == ("waiting", 1, status)
    assert tell_all() == 0 and len(receiver.seen) == 1, "not before its time, and no redirect followed"
    due_now()
    assert tell_all() == 1
    assert len(receiver.seen) == 2 and len(set(receiver.seen)) == 1
    assert len({body for _headers, body in receiver.raw}) == 1
    webhook.refresh_from_db()
    assert webhook.failing_since is None


def test_the_waits_grow_threefold_to_a_day_and_make_three_days():
    waits = [wait_after(attempts).total_seconds() for attempts in range(1, MOST_ATTEMPTS)]
    exact = [30, 90, 270, 810, 2430, 7290, 21870, 65610, 86400, 86400]
    assert all(0.9 * want <= wait <= 1.1 * want for want, wait in zip(exact, waits, strict=True))
    assert 72 <= sum(exact) / 3600 <= 78
    assert len({wait_after(3) for _draw in range(5)}) > 1, "what failed together does not return together"


def test_after_the_last_try_it_is_given_up_and_can_be_sent_by_hand(webhook, receiver, answer, ben, ada):
    receiver.answers = [500] * MOST_ATTEMPTS
    answer(ben)
    for _try in range(MOST_ATTEMPTS + 2):
        due_now()
        tell_all()
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.attempts) == ("given-up", MOST_ATTEMPTS)
    assert len(receiver.seen) == MOST_ATTEMPTS
    delivery_resend(delivery=delivery, actor=ada)
    assert tell_all() == 1
    assert len(set(receiver.seen)) == 1, "the same event, however often it is sent"


def test_an_address_that_fails_for_days_is_told_no_more_and_costs_nothing(
    webhook, receiver, answer, ben, cleo, ada, study
):
    receiver.answers = [500, 500]
    answer(ben)
    tell_all()
    Webhook.objects.update(failing_since=database_now() - services.LONGEST_FAILURE)
    due_now()
    tell_all()
    webhook.refresh_from_db()
    study.refresh_from_db()
    assert webhook.disabled_at and webhook.disabled_reason == Stopped.FAILING
    assert study.told_events == []
    answer(cleo)
    assert Event.objects.count() == 1
    services.webhook_enable(webhook=webhook, actor=ada)
    answer(cleo)
    assert tell_all() == 1


def test_an_address_that_says_it_is_gone_is_told_no_more(webhook, receiver, answer, ben):
    receiver.answers = [410]
    answer(ben)
    tell_all()
    webhook.refresh_from_db()
    assert webhook.disabled_reason == Stopped.GONE


def test_a_long_answer_is_kept_to_its_first_kilobyte(webhook, receiver, answer, ben):
    receiver.body = b"\0no " * 100_000
    answer(ben)
    tell_all()
    delivery = Delivery.objects.get()
    assert delivery.state == "delivered" and len(delivery.answer) == 1024 and "\0" not in delivery.answer


def test_who_answers_too_slowly_is_not_waited_for(webhook, receiver, answer, ben, monkeypatch):
    from apps.frame.outbound.lines import Line

    monkeypatch.setattr(Line.__init__, "__kwdefaults__", {"seconds": 0.2})
    receiver.pause = 2.0
    answer(ben)
    begun = time.monotonic()
    tell_all()
    assert time.monotonic() - begun < 1.5
    assert Delivery.objects.get().error == "no answer in time"


def test_nobody_there_fails_no_submit_and_is_tried_later(webhook, receiver, answer, ben):
    Webhook.objects.update(address="http://127.0.0.1:9/hook")
    judgement = answer(ben)
    assert judgement.pk and tell_all() == 0
    delivery = Delivery.objects.get()
    assert delivery.state == "waiting" and delivery.error and delivery.status is None


def test_an_event_that_is_refused_does_not_hold_the_others_up(webhook, receiver, answer, ben):
    receiver.answers = [500]
    for _item in range(3):
        answer(ben)
    assert tell_all() == 2
    assert receiver.connections == 1, "one connection for all that is due"


def test_a_connection_that_was_closed_in_between_is_opened_anew(webhook, receiver, answer, ben):
    receiver.headers = {"Connection": "close"}
    for _item in range(3):
        answer(ben)
    assert tell_all() == 3


def test_each_address_is_told_what_it_chose(webhook, receiver, answer, ben, study, ada):
    with Receiver().listening() as other:
        chosen = {"study": study, "actor": ada, "server": HERE}
        _hook, other.secret = services.webhook_create(
            address=other.address, events=["release.ready"], **chosen
        )
        with Receiver().listening() as third:
            _hook, third.secret = services.webhook_create(
                address=third.address, events=["judgement.submitted"], **chosen
            )
            answer(ben)
            tell_all()
            assert (len(receiver.taken), len(other.taken), len(third.taken)) == (1, 0, 1)
            assert receiver.seen == third.seen, "one event, one id"


def test_a_new_secret_signs_beside_the_old_one_for_a_day(webhook, receiver, answer, ben, ada):
    old = receiver.secret
    new = webhook_rotate(webhook=webhook, actor=ada)
    answer(ben)
    assert tell_all() == 1, "the receiver still knows the old one only"
    sent, body = receiver.raw[-1]
    assert is_authentic(new, sent, body, now=time.time()) and is_authentic(old, sent, body, now=time.time())
    Webhook.objects.update(previous_until=database_now())
    answer(ben)
    assert tell_all() == 0
    assert receiver.raw[-1][0]["webhook-signature"].count("v1,") == 1


def test_a_worker_that_dies_after_the_answer_tells_it_again_under_the_same_id(
    webhook, receiver, answer, ben, monkeypatch
):
    class Killed(BaseException):
        pass

    def die(**_row):
        raise Killed

    answer(ben)
    with monkeypatch.context() as patch:
        patch.setattr(deliveries.services, "delivery_succeed", die)
        with pytest.raises(Killed):
            tell_all()
    assert tell_all() == 0 and len(receiver.seen) == 1, "the address is still the dead worker's"
    Webhook.objects.update(claimed_until=database_now() - timedelta(seconds=1))
    assert tell_all() == 1
    assert len(receiver.seen) == 2 and len(set(receiver.seen)) == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_with_sigkill_loses_nothing(webhook, receiver, answer, ben):
    """A process of its own, killed while the receiver holds its request."""
    answer(ben)
    receiver.pause = 5.0
    connection.close()
    child = os.fork()
    if child == 0:
        tell_all()
        os._exit(0)
    deadline = time.monotonic() + 20
    while not receiver.seen and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    receiver.pause = 0.0
    assert Delivery.objects.get().state == "waiting"
    Webhook.objects.update(claimed_until=database_now() - timedelta(seconds=1))
    assert tell_all() == 1
    assert len(receiver.seen) == 2 and len(set(receiver.seen)) == 1


@pytest.mark.both
def test_two_workers_never_tell_one_address_at_once(webhook, receiver, answer, ben):
    answer(ben)
    deliveries.events_deal()
    assert deliveries._claimed(webhook.pk)
    assert deliveries._claimed(webhook.pk) is None
    assert tell_all() == 0 and receiver.seen == []


def test_what_is_a_month_old_is_forgotten(webhook, receiver, answer, ben):
    answer(ben)
    tell_all()
    assert events_forget() == 0
    Event.objects.update(at=database_now() - deliveries.KEPT - timedelta(minutes=1))
    assert events_forget() == 1 and not Delivery.objects.exists()


def test_the_receiver_of_the_documentation_takes_a_delivery_and_refuses_a_forged_one(
    webhook, answer, ben, tmp_path
):
    """The example of docs/webhooks.md, run as it stands there."""
    import re
    import socket
    import subprocess
    import sys
    import urllib.error
    import urllib.request
    from pathlib import Path

    text = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text(encoding="utf-8")
    script = tmp_path / "receiver.py"
    script.write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(script), webhook.secret, str(port)], stdout=subprocess.PIPE, text=True
    )
    try:
        for _try in range(100):
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        Webhook.objects.update(address=f"http://127.0.0.1:{port}/")
        answer(ben)
        assert tell_all() == 1
        assert '"type": "judgement.submitted"' in process.stdout.readline()
        forged = headers(["whsec_AAAA"], "msg_1", int(time.time()), b"{}")
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(
                urllib.request.Request(f"http://127.0.0.1:{port}/", b"{}", forged), timeout=5
            )
    finally:
        process.kill()
        process.wait()


def test_a_storm_is_dealt_out_and_told_over_one_connection(webhook, receiver, study):
    from apps.webhooks.events import events_record

    many = 450
    data = ({"judgement": n, "campaign": 1} for n in range(1, many + 1))
    events_record("judgement.submitted", study=study, at=database_now(), data=data)
    assert tell_all(seconds=600) == many == len(set(receiver.seen)) == len(receiver.seen)
    assert receiver.connections == 1
