"""What the rows hold, in constantly many queries."""

import hashlib

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.addresses import LISTS, address


def rows(client, name, **query):
    return client.get(address(name), query).json()["results"]


@pytest.fixture
def client(ada, token_client):
    return token_client(ada)


def test_a_sentence_has_its_signs_and_alone_its_constituents(study, fill, client):
    made = fill(study)
    (row,) = rows(client, "sentences")
    assert row["polarity"][0]["tokens"] == [
        {"text": "Every", "start": 0, "end": 5, "sign": "↑"},
        {"text": "dog", "start": 6, "end": 9, "sign": "↓"},
    ]
    assert "constituents" not in row["polarity"][0]
    alone = client.get(address("sentences", made["sentences"].pk)).json()
    (constituent,) = alone["polarity"][0]["constituents"]
    assert (constituent["text"], constituent["polarity"], constituent["operator"]) == ("dog", "down", "every")


def test_a_pair_has_every_label_it_got(study, fill, client):
    fill(study)
    (row,) = rows(client, "pairs")
    assert row["premises"] == ["Every dog number 0 runs."]
    assert row["tags"] == [{"name": "lexical_knowledge", "source": "natlog"}]
    assert row["gold"] == [{"source": "file", "label": "entailment", "is_outdated": False}]
    assert [(c["engine"], c["label"], c["is_current"]) for c in row["calculus"]] == [
        ("natlog", "entailment", True)
    ]
    assert row["judgements"] == {"entailment": 1}


def test_judgements_carry_pseudonyms_and_their_history(study, fill, client):
    made = fill(study)
    creation, validation = rows(client, "judgements")
    assert creation["annotator"] == validation["annotator"] == made["judgements"].participant.pseudonym
    assert creation["replacements"][0]["text"] == "black dog"
    assert (creation["pair"], validation["pair"]) == (None, made["pairs"].pk)
    assert validation["revisions"][0]["value"] == {"answer": "entailment"}
    assert "ada" not in str(creation)


def test_a_campaign_tells_how_far_it_is(study, fill, client):
    fill(study)
    expected = {
        "item_count": 1,
        "complete_count": 0,
        "judgement_count": 1,
        "counted_count": 1,
        "skip_count": 0,
    }
    for row in rows(client, "campaigns"):
        assert {name: row[name] for name in expected} == expected


def test_a_job_tells_how_far_it_is(study, fill, client):
    fill(study)
    (row,) = rows(client, "jobs")
    assert (row["state"], row["done"], row["total"], row["percent"]) == ("running", 1, 4, 25)


def test_the_salt_of_published_pseudonyms_stays_inside(study, fill, client):
    made = fill(study)
    assert "salt" not in client.get(address("releases")).content.decode()
    assert "salt" not in client.get(address("releases", made["releases"].pk)).content.decode()


def test_a_release_is_downloaded_once_it_is_frozen(study, fill, client, olaf, token_client):
    from django.utils import timezone

    from apps.releases.storage import final_path

    release = fill(study)["releases"]
    download = f"{address('releases', release.pk)}download/"
    assert rows(client, "releases")[0]["download"] is None
    assert client.get(download).status_code == 404
    final_path(release).parent.mkdir(parents=True)
    final_path(release).write_bytes(b"archive")
    release.sha256, release.frozen_at = hashlib.sha256(b"archive").hexdigest(), timezone.now()
    release.save()
    assert rows(client, "releases")[0]["download"].endswith(download)
    assert b"".join(client.get(download).streaming_content) == b"archive"
    assert token_client(olaf).get(download).status_code == 404


@pytest.mark.parametrize("name", LISTS)
def test_more_rows_take_no_more_queries(name, study, fill, client):
    def cost():
        with CaptureQueriesContext(connection) as queries:
            found = rows(client, name)
        return len(found), len(queries)

    fill(study)
    client.get(address(name))  # a token's first use is written down
    few, queries = cost()
    fill(study, range(1, 6))
    more, queries_then = cost()
    assert more >= few + 5
    assert queries_then == queries <= 12
