"""Who is signed in, found with the session in one look-up, and by no less than Django asks."""

import pytest
from django.contrib.auth import get_user
from django.test import Client

from apps.accounts.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def bens(ben) -> Client:
    client = Client()
    client.force_login(ben)
    return client


def is_in(client: Client) -> bool:
    return client.get("/work/").status_code == 200


def test_session_and_user_are_one_query(bens, ben, rf, django_assert_num_queries):
    from apps.accounts.sessions import SessionStore, SignedIn

    request = rf.get("/")
    request.session = SessionStore(bens.session.session_key)
    SignedIn(lambda _request: None).process_request(request)
    with django_assert_num_queries(1):
        assert request.user == ben
        assert request.user.is_authenticated
    assert get_user(request) == ben


def test_the_row_names_its_user(bens, ben):
    assert Session.objects.get().user == ben


def test_nobodys_session_has_no_user(client, db):
    client.session["seen"] = "yes"
    client.get("/")
    assert not is_in(client)


def test_a_new_password_ends_the_sessions_of_the_old_one(bens, ben):
    ben.set_password("another horse")
    ben.save()
    assert not is_in(bens)


def test_whoever_may_not_sign_in_any_more_is_out(bens, ben):
    ben.is_active = False
    ben.save()
    assert not is_in(bens)


def test_who_signs_out_is_out(bens):
    key = bens.session.session_key
    bens.logout()
    assert not Session.objects.filter(pk=key).exists()
    assert not is_in(bens)


def test_a_session_that_is_over_is_nobodys(bens):
    from django.utils import timezone

    Session.objects.update(expire_date=timezone.now())
    assert not is_in(bens)


def test_a_row_that_names_somebody_else_signs_nobody_else_in(bens, ben, cleo):
    Session.objects.update(user=cleo)
    response = bens.get("/work/")
    assert response.wsgi_request.user == ben


def test_a_session_goes_with_its_user(bens, ben):
    ben.memberships.all().delete()
    ben.delete()
    assert not Session.objects.exists()
    assert not is_in(bens)
