"""Studies, their members and invitations through the API."""

import pytest

from apps.api.models import KeptAnswer
from apps.people.models import Invitation
from apps.studies.models import AuditEvent, Membership, Study

pytestmark = pytest.mark.both


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def send(client, method, address, body=None, **headers):
    return getattr(client, method)(
        f"/api/v1/{address}", body or {}, content_type="application/json", headers=headers
    )


def test_a_study_is_made_by_who_may(client, ada, rosa, token_client):
    answer = send(client, "post", "studies/", {"name": "Farm", "description": "Animals."})
    assert answer.status_code == 201
    assert answer.headers["Location"] == "/api/v1/studies/farm/"
    made = Study.objects.get(slug="farm")
    roles = made.memberships.filter(user=ada).values_list("role", flat=True)
    assert set(roles) == {"admin", "researcher"}
    assert send(token_client(rosa), "post", "studies/", {"name": "Zoo"}).status_code == 403


def test_an_admin_gives_it_another_name_and_the_address_stays(client, study):
    answer = send(client, "patch", f"studies/{study.slug}/", {"name": "Cats and dogs"})
    assert (answer.status_code, answer.json()["name"]) == (200, "Cats and dogs")
    assert answer.json()["slug"] == study.slug
    assert AuditEvent.objects.filter(study=study, action="study.changed").count() == 1
    send(client, "patch", f"studies/{study.slug}/", {"name": "Cats and dogs"})
    assert AuditEvent.objects.filter(study=study, action="study.changed").count() == 1


def test_an_invitation_shows_its_link_once(client, study, client_of):
    body = {"study": study.slug, "role": "annotator", "email": "new@example.org"}
    first = send(client, "post", "invitations/", body, **{"Idempotency-Key": "k"})
    assert first.status_code == 201
    link = first.json()["link"]
    again = send(client, "post", "invitations/", body, **{"Idempotency-Key": "k"})
    assert again.json() == {**first.json(), "link": None}
    assert client.get(first.headers["Location"]).json()["link"] is None
    assert link.rpartition("/invitation/")[2].strip("/") not in KeptAnswer.objects.get().body
    from django.test import Client

    assert Client().get(link.removeprefix("http://testserver")).status_code == 200


def test_a_withdrawn_invitation_lets_nobody_in(client, study):
    made = send(client, "post", "invitations/", {"study": study.slug, "role": "researcher"}).json()
    assert client.delete(f"/api/v1/invitations/{made['id']}/").status_code == 204
    assert not Invitation.objects.get(pk=made["id"]).is_open


def test_a_role_is_taken_away_and_the_last_admin_stays(client, study, ben, ada):
    member = Membership.objects.get(user=ben)
    assert client.delete(f"/api/v1/members/{member.pk}/").status_code == 204
    admin = Membership.objects.get(user=ada, role="admin")
    answer = client.delete(f"/api/v1/members/{admin.pk}/")
    assert answer.status_code == 422
    assert "at least one admin" in answer.json()["detail"]


def test_the_trail_says_who_did_it(client, study):
    send(client, "patch", f"studies/{study.slug}/", {"description": "New."})
    rows = client.get("/api/v1/events/", {"study": study.slug, "action": "study.changed"}).json()["results"]
    assert [(row["actor"], row["data"]) for row in rows] == [("Ada", {"changed": ["description"]})]


def test_a_job_is_cancelled_and_queued_again(client, study, fill):
    job = fill(study)["jobs"]
    job.failures.create(item="7", text="odd", message="no verb")
    failures = client.get(f"/api/v1/jobs/{job.pk}/failures/").json()["results"]
    assert [(f["item"], f["message"]) for f in failures] == [("7", "no verb")]
    send(client, "post", f"jobs/{job.pk}/cancel/")
    job.refresh_from_db()
    assert job.cancel_requested
    type(job).objects.filter(pk=job.pk).update(state="failed", error="no")
    assert send(client, "post", f"jobs/{job.pk}/retry/").json()["state"] == "queued"
