"""Testbeds through the API; what they do is tested with their services."""

import pytest

from apps.campaigns.models import Campaign
from apps.testbeds.models import Testbed

TESTBEDS = "/api/v1/testbeds/"


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def post(client, path, body=None):
    return client.post(path, body or {}, content_type="application/json")


@pytest.mark.both
def test_from_a_testbed_to_a_campaign(client, study, work):
    body = {"study": study.slug, "name": "Bed", "kind": "transitivity", "size": 60, "seed": 3}
    made = post(client, TESTBEDS, body)
    assert made.status_code == 201
    work()
    row = client.get(made["Location"]).json()
    assert row["finished_at"] and row["columns"]["gold_label"]
    cells = client.get(made["Location"] + "cells/", {"by": "kind"}).json()
    assert [cell["value"] for cell in cells] == ["f(s1)-s1", "f(s1)-s2", "s1-s2", None]
    assert [score["judge"] for score in cells[-1]["scores"]] == ["human", "single", "calculus"]
    assert post(client, made["Location"] + "prove/").status_code == 202
    work()
    assert set(client.get(made["Location"]).json()["proved"]) == {"confirmed", "rows"}
    sample = {"name": "Ask", "factor": "kind", "each": 2, "task": "validation"}
    answer = post(client, made["Location"] + "sample/", sample)
    assert answer.status_code == 201
    assert Campaign.objects.get(pk=answer.json()["campaign"]).dataset.pairs.count() == 6


@pytest.mark.parametrize(
    ("change", "field"), [({"kind": "astrology"}, "kind"), ({"depth": 0}, "depth"), ({"size": 0}, "size")]
)
def test_what_can_not_be_generated_is_refused_at_its_field(change, field, client, study):
    body = {"study": study.slug, "name": "Bed", "kind": "systematicity", **change}
    answer = post(client, TESTBEDS, body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"].startswith(f"#/{field}")
    assert not Testbed.objects.exists()


def test_cells_need_a_column_of_few_values(client, study, work):
    body = {"study": study.slug, "name": "Bed", "kind": "sygns", "size": 5}
    made = post(client, TESTBEDS, body)
    work()
    assert client.get(made["Location"] + "cells/", {"by": "depth"}).status_code == 400
