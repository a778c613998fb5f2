"""Which language a page speaks: the browser's, the one that was chosen, the visit's own."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-CH,de;q=0.9,en;q=0.5"}

pytestmark = pytest.mark.django_db


def test_a_page_speaks_the_language_that_the_browser_asks_for(client: Client) -> None:
    page = client.get(reverse("people:sign_in"), **GERMAN).content.decode()
    assert '<html lang="de">' in page
    assert "Anmelden" in page


def test_a_language_that_there_is_not_falls_back_to_english(client: Client) -> None:
    page = client.get(reverse("people:sign_in"), HTTP_ACCEPT_LANGUAGE="fr").content.decode()
    assert '<html lang="en">' in page


def test_a_chosen_language_holds_before_and_after_signing_in_and_beats_the_browsers(client: Client) -> None:
    page = client.get(reverse("people:sign_in"), **GERMAN).content.decode()
    assert '<button class="quiet small" name="language" value="en" lang="en">English</button>' in page
    answer = client.post(
        reverse("people:language"), {"language": "en", "next": "/sign-in/?next=/profile/"}, **GERMAN
    )
    assert answer.status_code == 302
    assert answer["Location"] == "/sign-in/?next=/profile/"
    assert '<html lang="en">' in client.get(reverse("people:sign_in"), **GERMAN).content.decode()


def test_choosing_a_language_leads_to_no_other_site(client: Client) -> None:
    answer = client.post(reverse("people:language"), {"language": "de", "next": "https://evil.example/"})
    assert answer["Location"] == "/"


def test_an_error_page_of_the_server_speaks_the_language_too(client: Client) -> None:
    from django.template.loader import render_to_string
    from django.utils import translation

    with translation.override("de"):
        page = render_to_string("500.html")
    assert '<html lang="de">' in page
    assert "schiefgegangen" in page
