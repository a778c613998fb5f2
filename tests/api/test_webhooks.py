"""Webhooks through the API: registering, the secret in one answer only, deliveries and sending again."""

import pytest

from apps.webhooks.deliveries import tell_all
from apps.webhooks.models import Delivery, Webhook
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.both

WEBHOOKS = "/api/v1/webhooks/"


@pytest.fixture
def receiver(settings):
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    with Receiver().listening() as receiver:
        yield receiver


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def post(client, path, body=None, **headers):
    return client.post(path, body or {}, content_type="application/json", headers=headers)


def registered(client, study, receiver):
    body = {"study": study.slug, "address": receiver.address, "events": ["release.ready"]}
    return post(client, WEBHOOKS, body, **{"Idempotency-Key": "one"})


def test_an_address_is_registered_once_and_its_secret_stands_in_the_first_answer_only(
    client, study, receiver
):
    answer = registered(client, study, receiver)
    assert answer.status_code == 201
    assert answer.json()["secret"] == Webhook.objects.get().secret
    again = registered(client, study, receiver)
    assert again.status_code == 201 and again.json()["secret"] is None
    assert Webhook.objects.count() == 1
    shown = client.get(answer["Location"])
    assert shown.json()["events"] == ["release.ready"] and "secret" not in shown.json()


def test_what_the_server_may_not_tell_is_refused_at_its_field(client, study):
    body = {"study": study.slug, "address": "https://10.0.0.7/", "events": ["release.ready"]}
    answer = post(client, WEBHOOKS, body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "#/address"


def test_events_are_chosen_anew(client, study, receiver):
    path = registered(client, study, receiver)["Location"]
    body = {"events": ["judgement.submitted"]}
    answer = client.patch(path, body, content_type="application/json")
    assert answer.json()["events"] == ["judgement.submitted"]
    study.refresh_from_db()
    assert study.told_events == ["judgement.submitted"]
    assert client.patch(path, {"events": ["no"]}, content_type="application/json").status_code == 422


def test_a_test_is_sent_and_sent_again_under_the_same_id(client, study, receiver):
    answer = registered(client, study, receiver)
    receiver.secret = answer.json()["secret"]
    delivery = post(client, answer["Location"] + "test/")
    assert delivery.status_code == 202 and delivery.json()["state"] == "waiting"
    assert tell_all() == 1
    row = client.get(delivery["Location"]).json()
    assert (row["state"], row["status"], row["type"]) == ("delivered", 200, "webhook.test")
    assert post(client, delivery["Location"] + "resend/").status_code == 202
    assert tell_all() == 1 and len(set(receiver.seen)) == 1
    (listed,) = client.get("/api/v1/webhook-deliveries/", {"state": "delivered"}).json()["results"]
    assert listed["message_id"] == receiver.seen[0]


def test_it_is_switched_off_and_on_gets_a_new_secret_and_is_removed(client, study, receiver):
    answer = registered(client, study, receiver)
    path = answer["Location"]
    assert post(client, path + "disable/").json()["disabled_at"]
    assert post(client, path + "test/").status_code == 422
    assert post(client, path + "enable/").json()["disabled_at"] is None
    assert post(client, path + "rotate/").json()["secret"] != answer.json()["secret"]
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == 404


def test_others_find_nothing(client, study, receiver, olaf, ben, token_client):
    path = registered(client, study, receiver)["Location"]
    post(client, path + "test/")
    resend = f"/api/v1/webhook-deliveries/{Delivery.objects.get().pk}/resend/"
    for user in (olaf, ben):
        other = token_client(user)
        assert other.get(path).status_code == 404
        assert post(other, path + "rotate/").status_code == 404
        assert post(other, resend).status_code == 404
        body = {"study": study.slug, "address": receiver.address, "events": ["release.ready"]}
        assert post(other, WEBHOOKS, body).status_code == 422
    assert token_client(study.created_by, "read").delete(path).status_code == 403
