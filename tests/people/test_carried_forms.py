"""A form that is sent after its writer was signed out comes back after the sign-in, with no JavaScript."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.people.carried_forms import LIMIT, Carried, carried_through

SIGN_IN = {"username": "ben@example.org", "password": "correct horse"}


def hidden_fields(page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page):
        found.setdefault(name, []).append(value)
    return found


@pytest.fixture
def sent_too_late(ben, client):
    """The sign-in page that answers a form of nobody who is signed in."""
    fields = {"note": "A thing said at length", "tag": ["a", "b"], "csrfmiddlewaretoken": "t"}
    return client.post("/studies/new/?from=here", fields)


def sign_in(client, page, **changes):
    from html import unescape

    carried = {name: unescape(values[0]) for name, values in hidden_fields(page.content.decode()).items()}
    return client.post(reverse("people:sign_in"), carried | SIGN_IN | changes)


def test_the_fields_come_back_after_the_sign_in_with_a_button(sent_too_late, client):
    assert "What you wrote is kept" in sent_too_late.content.decode()
    page = sign_in(client, sent_too_late)
    text = page.content.decode()
    assert page.status_code == 200 and "Not sent yet" in text and "A thing said at length" in text
    assert 'action="/studies/new/?from=here"' in text
    fields = hidden_fields(text)
    assert (fields["note"], fields["tag"]) == (["A thing said at length"], ["a", "b"])
    assert fields["csrfmiddlewaretoken"] != ["t"]


def test_a_wrong_password_does_not_lose_them(sent_too_late, client):
    page = sign_in(client, sent_too_late, password="wrong")
    assert "Not sent yet" in sign_in(client, page).content.decode()


@pytest.mark.parametrize("target", ["https://elsewhere.example.org/", "//elsewhere.example.org/", ""])
def test_nothing_is_sent_to_another_site(target, sent_too_late, client):
    page = sign_in(client, sent_too_late, next=target)
    assert page.status_code == 302 and "elsewhere" not in page.headers["Location"]


@pytest.mark.parametrize(
    "fields", [{}, {"password1": "secret"}, {"text": "x" * (LIMIT + 1)}], ids=["none", "secret", "too long"]
)
def test_what_is_not_carried_goes_to_the_plain_sign_in(fields, db, client):
    assert client.post("/studies/new/", fields).status_code == 302


def test_reading_needs_no_carrying(db, client):
    assert client.get("/studies/new/").status_code == 302


@pytest.mark.parametrize("text", ["", "[", "[1]", '{"a": 1}', '"x"', "[[1, 2, 3]]", "[]"])
def test_what_is_broken_is_nothing(text):
    assert carried_through(text, "/work/") is None


def test_fields_go_through_as_text_and_back():
    carried = Carried("/work/1/2/", (("a", "é\n<b>"), ("a", "")))
    assert carried_through(carried.as_text(), "/work/1/2/") == carried


@pytest.mark.parametrize(
    ("origin", "again"),
    [("http://testserver", True), ("http://elsewhere.example.org", False), (None, False)],
)
def test_an_outdated_form_may_be_sent_again_only_from_this_site(origin, again, ben):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ben, backend="django.contrib.auth.backends.ModelBackend")
    headers = {"Origin": origin} if origin else {}
    page = client.post(
        "/profile/preferences/", {"one_key_answers": "on", "csrfmiddlewaretoken": "old"}, headers=headers
    )
    assert ("Send it now" in page.content.decode()) is again
    assert page.status_code == (200 if again else 403)
    ben.refresh_from_db()
