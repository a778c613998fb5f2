"""Letting people in: invitations, one-time links, throttled passwords, API tokens."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import ApiToken, User
from apps.people import services
from apps.people.models import Invitation
from apps.studies.models import AuditEvent, Membership

REGISTRATION = {"name": "Eve", "email": "Eve@Example.org", "password": "a long pass phrase"}


@pytest.fixture
def offer(study, ada):
    return services.invitation_create(actor=ada, study=study, role="annotator")[1]


def test_an_invitation_makes_an_account_and_a_membership(offer, study, client):
    url = reverse("people:invitation", args=[offer])
    assert study.name in client.get(url).content.decode()
    assert client.post(url, REGISTRATION).status_code == 302
    eve = User.objects.get(email="eve@example.org")
    assert list(eve.memberships.values_list("study", "role")) == [(study.pk, "annotator")]
    assert client.get(reverse("home")).headers["Location"] == reverse("work:home")


def test_an_invitation_says_the_role_in_the_reader_s_language(offer, client):
    url = reverse("people:invitation", args=[offer])
    assert "as annotator." in client.get(url).content.decode()
    assert "Rolle: Annotation." in client.get(url, headers={"accept-language": "de"}).content.decode()


def test_an_invitation_works_once(offer, client, django_user_model):
    url = reverse("people:invitation", args=[offer])
    client.post(url, REGISTRATION)
    client.logout()
    response = client.post(url, {**REGISTRATION, "email": "mallory@example.org"})
    assert response.status_code == 410
    assert not User.objects.filter(email="mallory@example.org").exists()


def test_an_invitation_runs_out(offer, client):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    response = client.get(reverse("people:invitation", args=[offer]))
    assert response.status_code == 410
    assert "has run out" in response.content.decode()


def test_who_has_an_account_signs_in_first(offer, ben, client, client_of, study):
    url = reverse("people:invitation", args=[offer])
    page = client.post(url, {**REGISTRATION, "email": ben.email}).content.decode()
    assert "Sign in, then open the link again" in page
    _invitation, second = services.invitation_create(actor=None, study=study, role="researcher")
    client_of(ben).post(reverse("people:invitation", args=[second]))
    assert set(Membership.objects.filter(user=ben).values_list("role", flat=True)) == {
        "annotator",
        "researcher",
    }


def test_an_easy_password_is_refused_with_the_reason(offer, client):
    page = client.post(reverse("people:invitation", args=[offer]), {**REGISTRATION, "password": "password"})
    assert "too common" in page.content.decode()
    assert not User.objects.filter(email="eve@example.org").exists()


def test_there_is_no_open_sign_up(client, db):
    assert client.get("/sign-up/").status_code in (302, 404)
    assert client.get(reverse("people:invitation", args=["guess"])).status_code == 410


def test_only_admins_invite(study, rosa, ada, client_of):
    url = reverse("members:list", args=[study.slug])
    assert client_of(rosa).post(url, {"role": "admin"}).status_code == 403
    page = client_of(ada).post(url, {"role": "researcher"}, follow=True).content.decode()
    assert "/invitation/" in page


def test_founders_are_invited_without_a_study(client, db):
    _invitation, token = services.invitation_create(actor=None)
    client.post(reverse("people:invitation", args=[token]), REGISTRATION)
    response = client.post(reverse("study_new"), {"name": "Birds"})
    assert response.headers["Location"] == reverse("studies:overview", args=["birds"])


def test_others_can_not_make_studies(ben, client_of):
    assert client_of(ben).post(reverse("study_new"), {"name": "Birds"}).status_code == 403


def test_a_sign_in_link_is_used_by_the_button_and_once(ben, client):
    url = reverse("people:link", args=[services.sign_in_link_create(user=ben)])
    client.get(url)
    assert "_auth_user_id" not in client.session
    assert client.post(url).status_code == 302
    assert client.session["_auth_user_id"] == str(ben.pk)
    client.logout()
    assert client.get(url).status_code == client.post(url).status_code == 410


def test_a_form_without_its_cookie_says_what_to_do(ben):
    strict = Client(enforce_csrf_checks=True)
    response = strict.post(reverse("people:sign_in"), {"username": ben.email, "password": "correct horse"})
    assert response.status_code == 403
    assert "Please sign in and try again" in response.content.decode()


def test_one_wrong_password_locks_nobody_else_out(ben, cleo, client, settings):
    settings.AXES_ENABLED = True
    url = reverse("people:sign_in")
    for _ in range(settings.AXES_FAILURE_LIMIT):
        client.post(url, {"username": ben.email, "password": "wrong"})
    assert client.post(url, {"username": ben.email, "password": "correct horse"}).status_code == 429
    assert client.post(url, {"username": cleo.email, "password": "correct horse"}).status_code == 302


def test_a_token_is_shown_once_and_can_be_revoked(rosa, client_of):
    client = client_of(rosa)
    page = client.post(reverse("people:profile"), {"name": "laptop"}, follow=True).content.decode()
    token = ApiToken.objects.get(user=rosa)
    assert 'id="secret"' in page
    assert token.token_digest not in page
    assert 'id="secret"' not in client.get(reverse("people:profile")).content.decode()
    client.post(reverse("people:token_revoke", args=[token.pk]))
    token.refresh_from_db()
    assert token.revoked_at


def test_the_last_admin_stays(study, ada, client_of):
    membership = Membership.objects.get(study=study, user=ada, role="admin")
    page = client_of(ada).post(reverse("members:remove", args=[study.slug, membership.pk]), follow=True)
    assert "at least one admin" in page.content.decode()
    assert Membership.objects.filter(pk=membership.pk).exists()


def test_what_is_written_leaves_a_trace(offer, client, study, ada, client_of):
    client.post(reverse("people:invitation", args=[offer]), REGISTRATION)
    actions = set(AuditEvent.objects.filter(study=study).values_list("action", flat=True))
    assert {"study.created", "invitation.created", "invitation.accepted"} <= actions
    assert (
        "invitation.accepted"
        in client_of(ada).get(reverse("studies:trail", args=[study.slug])).content.decode()
    )
