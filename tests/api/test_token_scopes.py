"""What a token may do is said when it is made."""

import pytest

from apps.accounts.models import ApiToken
from apps.people.services import api_token_create


def make_study(client):
    return client.post("/api/v1/studies/", {"name": "Farm"}, content_type="application/json")


def test_a_token_reads_and_does_nothing_else_unless_it_was_made_for_it(ada, study, token_client):
    client = token_client(ada, "read")
    assert client.get("/api/v1/studies/").status_code == 200
    answer = make_study(client)
    assert answer.status_code == 403
    assert answer.json()["type"].endswith("#problem-scope")
    assert "write" in answer.json()["detail"]
    assert make_study(token_client(ada, "write")).status_code == 201


def test_a_token_from_before_scopes_reads(ada):
    token = ApiToken.objects.create(user=ada, name="old", token_digest="x" * 64)
    assert token.scopes == ["read"]


def test_every_token_reads_and_an_unknown_scope_is_refused(ada):
    from django.core.exceptions import ValidationError

    token, _secret = api_token_create(user=ada, name="script", scopes=["release"])
    assert token.scopes == ["read", "release"]
    with pytest.raises(ValidationError):
        api_token_create(user=ada, name="script", scopes=["everything"])


def test_a_scope_is_never_more_than_its_user_may(ben, study, token_client):
    """An annotator's token with every scope."""
    client = token_client(ben)
    assert client.get("/api/v1/studies/").json()["results"] == []
    assert make_study(client).status_code == 403


def test_a_method_that_is_not_there_is_said_before_the_scope(ada, study, token_client):
    assert token_client(ada, "read").post("/api/v1/sentences/").status_code == 405


def test_whoever_is_signed_in_may_what_the_pages_let_them_with_the_sites_own_form(ada, client_of):
    client = client_of(ada)
    assert make_study(client).status_code == 201
    client.handler.enforce_csrf_checks = True
    assert make_study(client).status_code == 403


def test_the_own_page_makes_tokens_with_scopes_and_shows_them(ada, client_of):
    client = client_of(ada)
    client.post("/profile/", {"name": "Nightly", "scopes": ["write", "people"]})
    assert ApiToken.objects.get().scopes == ["read", "write", "people"]
    page = client.get("/profile/").content.decode()
    assert "read, write, people" in page
