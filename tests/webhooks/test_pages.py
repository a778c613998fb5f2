"""The pages: registering, the secret shown once, deliveries and sending again; and whom it is refused."""

import re

import pytest
from django.urls import reverse

from apps.frame.outbound.lines import _reason
from apps.studies.models import AuditEvent
from apps.webhooks.deliveries import tell_all
from apps.webhooks.models import Delivery, Event, Stopped, Webhook
from apps.webhooks.services import delivery_fail, webhook_disable
from tests.webhooks.receiver import is_authentic

pytestmark = pytest.mark.django_db

SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]+")


@pytest.fixture
def rosas(client_of, rosa):
    return client_of(rosa)


def address_of(study, name: str = "list", *numbers: int) -> str:
    return reverse(f"webhooks:{name}", args=[study.slug, *numbers])


def register(client, study, address: str, *events: str):
    data = {"address": address, "events": events or ["judgement.submitted"]}
    return client.post(address_of(study), data, follow=True)


def test_the_secret_is_shown_once_and_signs(rosas, study, receiver, answer, ben):
    page = register(rosas, study, receiver.address)
    receiver.secret = SECRET.search(page.content.decode())[0]
    webhook = Webhook.objects.get()
    again = rosas.get(address_of(study, "webhook", webhook.pk)).content.decode()
    assert not SECRET.search(again)
    answer(ben)
    assert tell_all() == 1
    assert receiver.taken[0]["data"]["url"].startswith("http://testserver/api/v1/judgements/")
    assert AuditEvent.objects.filter(action="webhook.created").get().data == {
        "events": ["judgement.submitted"]
    }


def test_a_new_secret_is_shown_once(rosas, study, webhook, receiver):
    page = rosas.post(address_of(study, "rotate", webhook.pk), follow=True).content.decode()
    shown = SECRET.search(page)[0]
    webhook.refresh_from_db()
    assert shown == webhook.secret != receiver.secret
    assert not SECRET.search(rosas.get(address_of(study, "webhook", webhook.pk)).content.decode())


def test_why_nothing_is_told_is_read_in_the_reader_s_language(rosas, study, webhook, answer, ben):
    answer(ben)
    event = Event.objects.get()
    delivery = Delivery.objects.create(webhook=webhook, event=event, next_at=event.at)
    delivery_fail(delivery=delivery, reason=_reason(TimeoutError()))
    webhook_disable(webhook=webhook, actor=None, reason=Stopped.GONE)
    room = address_of(study, "webhook", webhook.pk)
    page = rosas.get(room).content.decode()
    assert "It answered that it is gone (410)." in page and "no answer in time" in page
    page = rosas.get(room, headers={"accept-language": "de"}).content.decode()
    assert (
        "Die Adresse hat geantwortet, dass es sie nicht mehr gibt (410)." in page
        and "keine Antwort in der" in page
    )


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "This field is required"),
        ("hooks", "Please give an address that begins with https://."),
        ("ftp://127.0.0.1/", "Please give an address that begins with https://."),
        ("https://127.0.0.1:port/", "Please give an address that begins with https://."),
        ("https://user:word@127.0.0.1/", "Please give an address without password"),
        ("https://127.0.0.1/a b", "Please give an address without password"),
        ("https://elsewhere.example/", "This server may not speak to elsewhere.example"),
        ("https://10.0.0.7/", "This server may not speak to 10.0.0.7"),
        ("https://inside.example/", "no public address"),
        ("http://outside.example/", "Only an address on the host"),
        ("https://nowhere.invalid/", "nowhere.invalid can&#x27;t be found"),
    ],
)
def test_an_address_that_makes_no_sense_is_refused_in_words(
    address, said, rosas, study, receiver, settings, monkeypatch
):
    import socket

    known = {"127.0.0.1": "127.0.0.1", "inside.example": "10.0.0.7", "outside.example": "93.184.215.14"}

    def look_up(host, port, **more):
        if host not in known:
            raise socket.gaierror("no address")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (known[host], port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    settings.OUTBOUND_HOSTS = ["127.0.0.1", "inside.example", "outside.example", "nowhere.invalid"]
    page = register(rosas, study, address)
    assert said in page.content.decode()
    assert not Webhook.objects.exists()


def test_an_address_is_registered_once_and_with_an_event(rosas, study, receiver):
    register(rosas, study, receiver.address)
    assert "tells this address already" in register(rosas, study, receiver.address).content.decode()
    page = rosas.post(address_of(study), {"address": receiver.address, "events": []})
    assert "Please choose at least one event." in page.content.decode()
    assert "Select a valid choice" in register(rosas, study, receiver.address, "all").content.decode()
    assert Webhook.objects.count() == 1


def test_a_test_is_sent_to_this_address_alone(rosas, study, webhook, receiver):
    rosas.post(address_of(study, "test", webhook.pk))
    assert tell_all() == 1
    assert receiver.taken == [
        {"type": "webhook.test", "timestamp": receiver.taken[0]["timestamp"], "data": {"study": study.slug}}
    ]


def test_what_was_given_up_is_shown_with_its_answer_and_sent_again(
    rosas, study, webhook, receiver, answer, ben
):
    receiver.answers, receiver.body = [503], b"<b>later</b>"
    answer(ben)
    tell_all()
    Delivery.objects.update(state="given-up")
    page = rosas.get(address_of(study, "webhook", webhook.pk) + "?state=given-up").content.decode()
    assert "given up" in page and "503" in page and "&lt;b&gt;later" in page
    rosas.post(address_of(study, "resend", webhook.pk, Delivery.objects.get().pk))
    assert tell_all() == 1
    assert len(set(receiver.seen)) == 1


def test_switched_off_it_is_told_nothing_and_tells_that_on_its_page(
    rosas, study, webhook, receiver, answer, ben
):
    rosas.post(address_of(study, "switch", webhook.pk), {"tell": "no"})
    answer(ben)
    assert tell_all() == 0
    assert (
        "what happens meanwhile is not kept"
        in rosas.get(address_of(study, "webhook", webhook.pk)).content.decode()
    )
    page = rosas.post(address_of(study, "test", webhook.pk), follow=True).content.decode()
    assert "switch it on first" in page
    rosas.post(address_of(study, "switch", webhook.pk), {"tell": "yes"})
    answer(ben)
    assert tell_all() == 1


def test_events_are_chosen_anew_and_an_address_is_removed(rosas, study, webhook):
    rosas.post(address_of(study, "webhook", webhook.pk), {"events": ["release.ready"]})
    study.refresh_from_db()
    assert study.told_events == ["release.ready"]
    rosas.post(address_of(study, "remove", webhook.pk))
    study.refresh_from_db()
    assert study.told_events == [] and not Webhook.objects.exists()


def test_annotators_and_outsiders_have_no_such_pages(study, webhook, client_of, ben, olaf):
    for name, numbers in [("list", ()), ("webhook", (webhook.pk,)), ("rotate", (webhook.pk,))]:
        address = address_of(study, name, *numbers)
        send = "post" if name == "rotate" else "get"
        assert getattr(client_of(ben), send)(address).status_code == 403
        assert getattr(client_of(olaf), send)(address).status_code == 404


def test_another_studys_delivery_is_not_sent_again(webhook, receiver, answer, ben, olaf, client_of):
    from apps.studies.models import Study

    answer(ben)
    tell_all()
    theirs = Study.objects.get(created_by=olaf)
    address = address_of(theirs, "resend", webhook.pk, Delivery.objects.get().pk)
    assert client_of(olaf).post(address).status_code == 404


def test_the_independent_check_refuses_another_secret(webhook, receiver, answer, ben):
    answer(ben)
    receiver.secret = "whsec_c29tZWJvZHkgZWxzZQ=="
    tell_all()
    headers, body = receiver.raw[0]
    assert not is_authentic(receiver.secret, headers, body, now=int(headers["webhook-timestamp"]))
    assert Delivery.objects.get().status == 401
