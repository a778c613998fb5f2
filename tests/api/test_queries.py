"""A bad query is a 400 that names the parameter, never a 500 and never everything."""

import base64

import pytest

from tests.api.addresses import LISTS, address

pytestmark = pytest.mark.both


def parameters(answer):
    return [error["parameter"] for error in answer.json()["errors"]]


@pytest.fixture
def client(ada, study, fill, token_client):
    fill(study)
    client = token_client(ada)
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("study=%ED%A0%80", "study"),  # a lone surrogate
        ("study=%00", "study"),
        ("study=a%FFb", "study"),
        ("%00=1", "query"),
        ("campain=3", "campain"),
        ("cursor=nonsense", "cursor"),
        ("study=", "study"),
        ("study=a&study=b", "study"),
    ],
)
def test_every_list_names_the_bad_parameter(query, named, client):
    """CASES 7."""
    answers = {name: client.get(f"{address(name)}?{query}") for name in ["studies", *LISTS]}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(answers, 400)
    assert [name for name, answer in answers.items() if named not in parameters(answer)] == []


@pytest.mark.parametrize(
    ("name", "query", "named"),
    [
        ("pairs", "dataset=abc", "dataset"),
        ("pairs", "dataset=1.5", "dataset"),
        ("pairs", "dataset=-1", "dataset"),
        ("pairs", "dataset=99999999999999999999", "dataset"),
        ("pairs", "dataset=1e999999999", "dataset"),
        ("pairs", "dataset=NaN", "dataset"),
        ("pairs", "direction=sideways", "direction"),
        ("judgements", "counted=maybe", "counted"),
        ("jobs", "state=asleep", "state"),
        ("sentences", "text=%00", "text"),
        ("sentences", "kind=poem", "kind"),
    ],
)
def test_a_filters_bad_value_is_named(name, query, named, client):
    answer = client.get(f"{address(name)}?{query}")
    assert answer.status_code == 400
    assert named in parameters(answer)


@pytest.mark.parametrize(
    "inside", ["p=abc", "p=-5", "p=99999999999999999999", "p=%00", "o=x", "r=yes", "p=NaN"]
)
def test_a_forged_cursor_is_refused(inside, client):
    cursor = base64.b64encode(inside.encode()).decode()
    assert client.get(address("pairs"), {"cursor": cursor}).status_code == 400


@pytest.mark.parametrize("pk", ["abc", "0", "-1", "1.5", "9" * 18, "9" * 400, "%00", "%ED%A0%80"])
def test_an_odd_number_in_the_address_is_a_404_in_json(pk, client):
    answers = {name: client.get(address(name, pk)) for name in LISTS}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(answers, 404)
    assert all("detail" in answer.json() for answer in answers.values())


@pytest.mark.parametrize("path", ["nonsense/", "pairs", "pairs/1", "pairs/1/edit/"])
def test_an_address_that_does_not_exist_is_a_404_in_json(path, client):
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert "docs" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("name", "query", "count"),
    [
        ("pairs", {"study": "dogs-and-cats"}, 1),
        ("pairs", {"study": "another-study"}, 0),
        ("pairs", {"direction": "downward", "origin": "crowd", "tag": "lexical_knowledge"}, 1),
        ("pairs", {"direction": "upward"}, 0),
        ("pairs", {"calculus": "entailment"}, 1),
        ("pairs", {"calculus": "non-entailment"}, 0),
        ("sentences", {"text": "DOG", "kind": "declarative"}, 1),
        ("sentences", {"kind": "question"}, 0),
        ("blanks", {"polarity": "down", "category": "NP"}, 1),
        ("judgements", {"counted": "true"}, 2),
        ("judgements", {"counted": "false"}, 0),
        ("judgements", {"answer": "entailment"}, 1),
        ("campaigns", {"task": "validation"}, 1),
        ("jobs", {"state": "running"}, 1),
        ("models", {"kind": "learnt"}, 0),
        ("predictions", {"label": "entailment"}, 1),
    ],
)
def test_filters_keep_what_they_say(name, query, count, client):
    assert len(client.get(address(name), query).json()["results"]) == count


def test_a_list_comes_in_pages_that_join_without_gap_or_double(client, study):
    from apps.corpora.models import Corpus, Sentence

    corpus = Corpus.objects.create(study=study, name="long", licence="CC0", source="us")
    Sentence.objects.bulk_create(
        Sentence(corpus=corpus, position=n, text=f"Sentence {n}.", digest=str(n)) for n in range(250)
    )
    url, sizes, seen = f"{address('sentences')}?corpus={corpus.pk}", [], []
    while url:
        page = client.get(url).json()
        sizes.append(len(page["results"]))
        seen += [row["position"] for row in page["results"]]
        url = page["next"]
    assert sizes == [100, 100, 50]
    assert seen == list(range(250))
