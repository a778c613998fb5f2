"""The schema is valid and complete; the page made of it needs no script."""

import pytest
from django.core.management import call_command

from tests.api.addresses import LISTS


def test_the_schema_is_valid_without_a_warning(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))
    schema = (tmp_path / "schema.yml").read_text()
    for name in ["studies", *LISTS]:
        assert f"  /api/v1/{name}/:\n" in schema


def test_the_schema_is_served_to_whoever_has_a_token(ada, token_client, client):
    assert client.get("/api/v1/schema/").status_code == 401
    answer = token_client(ada).get("/api/v1/schema/", headers={"Accept": "application/json"})
    assert answer.status_code == 200


def test_the_page_lists_every_address_with_an_example_and_no_script_of_others(ada, client_of):
    page = client_of(ada).get("/api/v1/docs/").content.decode()
    for name in LISTS:
        assert f"GET /api/v1/{name}/</code>" in page
        assert f"/api/v1/{name}/1/</pre>" in page
    assert "http://testserver/api/v1/studies/dogs-and-cats/" in page
    assert "cdn" not in page and "unpkg" not in page


def test_the_page_is_for_people_who_are_signed_in(client, db):
    assert client.get("/api/v1/docs/").status_code == 302


@pytest.mark.parametrize("name", ["name", "email", "password", "external_id", "user"])
def test_no_person_is_named_in_the_judgements(name):
    from apps.campaigns.serializers import JudgementSerializer

    assert name not in JudgementSerializer().fields
