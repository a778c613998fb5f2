"""The schema is valid and complete; the page made of it needs no script."""

import re

import pytest
from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator

from apps.api.problems import KINDS
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


def test_the_pages_list_every_address_with_an_example_and_load_nothing_from_elsewhere(ada, client_of):
    client = client_of(ada)
    first = client.get("/api/v1/docs/").content.decode()
    rooms = sorted(set(re.findall(r'href="(/api/v1/docs/[a-z]+/)"', first)))
    pages = {room: client.get(room).content.decode() for room in rooms}
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, methods in schema["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}</code>" in first
            assert any(f"{method.upper()} {path}</code>" in page for page in pages.values())
    assert "http://testserver/api/v1/studies/dogs-and-cats/" in pages["/api/v1/docs/studies/"]
    for page in (first, *pages.values()):
        assert not re.search(r'(src|href)="https?://', page)
        assert len(page) < 100_000


def test_every_problem_has_its_entry(ada, client_of):
    page = client_of(ada).get("/api/v1/docs/").content.decode()
    for word in KINDS:
        assert f'id="problem-{word}"' in page


def test_a_room_that_there_is_not_is_a_404(ada, client_of):
    assert client_of(ada).get("/api/v1/docs/kitchen/").status_code == 404


def test_every_body_has_an_example_that_fits_it():
    """So that what the page sends first is understood."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    components = schema["components"]["schemas"]
    without, unfit = [], []
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                continue
            shape = components[content["schema"]["$ref"].rpartition("/")[2]]
            examples = [example["value"] for example in content.get("examples", {}).values()]
            if not examples:
                without.append(f"{method} {path}")
            for example in examples:
                if set(shape.get("required", ())) - set(example) or set(example) - set(shape["properties"]):
                    unfit.append(f"{method} {path}")
    assert (without, unfit) == ([], [])


def test_the_page_is_for_people_who_are_signed_in(client, db):
    assert client.get("/api/v1/docs/").status_code == 302


@pytest.mark.parametrize("name", ["name", "email", "password", "external_id", "user"])
def test_no_person_is_named_in_the_judgements(name):
    from apps.campaigns.serializers import JudgementSerializer

    assert name not in JudgementSerializer().fields
