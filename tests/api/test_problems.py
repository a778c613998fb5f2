"""Whatever goes wrong is answered as problem details (RFC 9457)."""

import json

import pytest

from apps.api.problems import KINDS

pytestmark = pytest.mark.both


@pytest.fixture
def client(ada, study, token_client):
    client = token_client(ada)
    client.raise_request_exception = False
    return client


def post(client, body, content_type="application/json"):
    return client.post("/api/v1/studies/", body, content_type=content_type)


def checked(answer, word):
    """The problem in an answer, whose members all say the same."""
    kind, problem = KINDS[word], answer.json()
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.status_code == problem["status"] == kind.status
    assert problem["type"] == f"/api/v1/docs/#problem-{word}"
    assert problem["title"] == kind.title
    assert problem["detail"]
    return problem


def test_the_path_is_in_the_problem_and_nothing_of_the_query(client):
    problem = checked(client.get("/api/v1/pairs/999/?x=1"), "not-found")
    assert problem["instance"] == "/api/v1/pairs/999/"


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_an_unknown_address(method, client):
    checked(getattr(client, method)("/api/v1/nonsense/"), "not-found")


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
def test_a_method_that_the_address_does_not_take(method, client):
    answer = getattr(client, method)("/api/v1/sentences/")
    checked(answer, "method")
    assert answer.headers["Allow"] == "GET, HEAD"


def test_without_a_token(db, client):
    from django.test import Client

    answer = Client().get("/api/v1/studies/")
    checked(answer, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", '"text"', "7", "null", '{"name": NaN}', '{"name": Infinity}', b"\xff", "[" * 100_000],
)
def test_a_body_that_is_no_json_object(body, client):
    checked(post(client, body), "malformed" if body != "" else "invalid")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (r'{"name": "a\u0000b"}', "#/name"),
        (r'{"name": "a\ud800b"}', "#/name"),
        (r'{"other": {"deep": [1, "a\ud800"]}}', "#/other/deep/1"),
        (r'{"a\u0000b": 1}', "#/ab"),
        ('{"name": 1e999}', "#/name"),
        ('{"name": ' + '{"a": ' * 60 + "1" + "}" * 61, "#/name"),
    ],
)
def test_what_no_column_holds_is_refused_at_its_place(body, pointer, client):
    """DESIGN, rule 10."""
    (error,) = checked(post(client, body), "invalid")["errors"]
    assert error["pointer"] == pointer


def test_another_media_type(client):
    checked(post(client, "a,b", "text/csv"), "media-type")


def test_another_format_of_the_answer(client):
    answer = client.get("/api/v1/studies/", headers={"Accept": "text/csv"})
    checked(answer, "not-acceptable")


def test_each_field_at_fault_is_pointed_at(client):
    problem = checked(post(client, {"name": "x" * 201, "description": 7, "nmae": ""}), "invalid")
    assert [error["pointer"] for error in problem["errors"]] == ["#/nmae"]
    problem = checked(post(client, {"name": "x" * 201, "description": []}), "invalid")
    assert [error["pointer"] for error in problem["errors"]] == ["#/name", "#/description"]


def test_a_services_refusal_is_laid_at_its_field(client, monkeypatch):
    from django.core.exceptions import ValidationError

    def refuse(**fields):
        raise ValidationError({"name": "No such name.", "__all__": "Nor anything else."})

    monkeypatch.setattr("apps.studies.services.study_create", refuse)
    problem = checked(post(client, {"name": "A"}), "invalid")
    assert problem["errors"] == [
        {"detail": "No such name.", "pointer": "#/name"},
        {"detail": "Nor anything else.", "pointer": "#"},
    ]


def test_an_error_of_the_program_is_logged_and_says_nothing_of_itself(client, monkeypatch, caplog):
    def fail(**fields):
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr("apps.studies.services.study_create", fail)
    answer = post(client, {"name": "A"})
    checked(answer, "unexpected")
    assert "42" not in answer.content.decode()
    assert "the secret is 42" in caplog.text


def test_a_body_beyond_all_limits(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = post(client, json.dumps({"name": "x" * 1000}))
    checked(answer, "too-large")


@pytest.mark.parametrize("value", [7, True, ["Farm"], {"a": "Farm"}, None])
def test_a_value_of_another_type_is_not_bent(value, client):
    (error,) = checked(post(client, {"name": value}), "invalid")["errors"]
    assert error["pointer"] == "#/name"


@pytest.mark.parametrize("target", ["5", True, 2.5, [5]])
def test_a_number_is_a_number(target, client, study, fill):
    campaign = fill(study)["campaigns"]
    answer = client.patch(
        f"/api/v1/campaigns/{campaign.pk}/", {"target": target}, content_type="application/json"
    )
    (error,) = checked(answer, "invalid")["errors"]
    assert error["pointer"] == "#/target"
