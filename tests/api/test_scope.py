"""A token sees the studies its user researches in, and nothing of any other."""

import pytest

from tests.api.addresses import LISTS, address


def said(answer):
    """A problem without the path that was asked, which is the sender's own word."""
    return {name: value for name, value in answer.json().items() if name != "instance"}


@pytest.mark.both
@pytest.mark.parametrize("name", LISTS)
def test_researchers_see_their_studys_rows_and_others_see_none(
    name, study, ada, rosa, ben, olaf, fill, token_client
):
    made = fill(study)
    for researcher in (ada, rosa):
        client = token_client(researcher)
        assert made[name].pk in [row["id"] for row in client.get(address(name)).json()["results"]]
        assert client.get(address(name, made[name].pk)).json()["id"] == made[name].pk
    for other in (ben, olaf):
        rows = token_client(other).get(address(name)).json()["results"]
        assert [row["study"] for row in rows if row.get("study") == study.slug] == []
        assert made[name].pk not in [row["id"] for row in rows]


@pytest.mark.parametrize("name", LISTS)
def test_a_foreign_number_is_the_same_404_as_an_unknown_one(name, study, ben, olaf, fill, token_client):
    """CASES 40."""
    made = fill(study)
    for other in (ben, olaf):
        client = token_client(other)
        foreign = client.get(address(name, made[name].pk))
        unknown = client.get(address(name, 10**9))
        assert foreign.status_code == unknown.status_code == 404
        assert said(foreign) == said(unknown)
        assert foreign.headers["Content-Type"] == unknown.headers["Content-Type"]


@pytest.mark.both
def test_a_researcher_in_two_roles_sees_each_row_once(study, ada, fill, token_client):
    fill(study)
    assert len(token_client(ada).get(address("pairs")).json()["results"]) == 1


def test_studies_are_found_by_their_address(study, ada, ben, olaf, token_client):
    assert [row["slug"] for row in token_client(ada).get(address("studies")).json()["results"]] == [
        study.slug
    ]
    assert token_client(ada).get(address("studies", study.slug)).json()["name"] == "Dogs and cats"
    for other in (ben, olaf):
        client = token_client(other)
        foreign, unknown = client.get(address("studies", study.slug)), client.get(address("studies", "none"))
        assert foreign.status_code == unknown.status_code == 404
        assert said(foreign) == said(unknown)


@pytest.mark.parametrize(
    ("name", "filters"),
    [
        ("sentences", {"corpus": "corpora"}),
        ("blanks", {"blank_set": "blank-sets"}),
        ("judgements", {"campaign": "campaigns"}),
        ("pairs", {"dataset": "datasets"}),
        ("runs", {"model": "models"}),
        ("predictions", {"run": "runs"}),
        ("releases", {"dataset": "datasets"}),
    ],
)
def test_a_filter_by_a_foreign_number_finds_nothing(name, filters, study, ada, olaf, fill, token_client):
    made = fill(study)
    query = {parameter: made[other].pk for parameter, other in filters.items()}
    assert token_client(ada).get(address(name), query).json()["results"]
    assert token_client(olaf).get(address(name), query).json()["results"] == []
    assert token_client(ada).get(address(name), dict.fromkeys(query, 10**9)).json()["results"] == []


def test_without_a_token_there_is_a_401_in_json(client, db):
    answers = {name: client.get(address(name)) for name in ["studies", *LISTS]}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(answers, 401)
    assert all("detail" in answer.json() for answer in answers.values())


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer", "Bearer a b", "Bearer \xff"])
def test_a_token_that_is_not_known_is_refused(header, client, db):
    assert client.get(address("pairs"), headers={"Authorization": header}).status_code == 401


def test_a_revoked_token_lets_nobody_in(ada, study, client):
    from apps.people.services import api_token_create, api_token_revoke

    token, secret = api_token_create(user=ada, name="script")
    api_token_revoke(token=token, actor=ada)
    assert client.get(address("pairs"), headers={"Authorization": f"Bearer {secret}"}).status_code == 401
