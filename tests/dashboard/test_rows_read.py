"""A page of a large dataset, once its numbers are kept, reads few rows: PostgreSQL says how many each of its
statements visits."""

from __future__ import annotations

import pytest

from apps.datasets.models import CalculusLabel, GoldLabel, Pair, Premise
from tests.campaigns.test_rows_read import rows_visited
from tests.dashboard.test_counted import PAGES, address, contrasted, large, pairs

__all__ = ["address", "contrasted", "large", "pairs"]

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

PAIRS = 4000
#: For one statement, of a dataset with :data:`PAIRS` pairs.
FEW = 400


@pytest.fixture(autouse=True)
def postgresql(on_postgresql):
    if not on_postgresql:
        pytest.skip("PostgreSQL's planner")


@pytest.fixture
def many(dataset, pairs, contrasted):
    """The same dataset with thousands more, each with a premise, a file's label and the calculus'."""
    made = Pair.objects.bulk_create(
        Pair(dataset=dataset, hypothesis=f"It {n} ran.", digest=f"many-{n}", origin="import", genre="GLUE",
             facts={"verb": ["know", "hope"][n % 2]})
        for n in range(PAIRS)
    )  # fmt: skip
    Premise.objects.bulk_create(Premise(pair=pair, position=0, text="No dog ran.") for pair in made)
    GoldLabel.objects.bulk_create(GoldLabel(pair=pair, source="file", label="entailment") for pair in made)
    known = CalculusLabel.objects.filter(pair=pairs[0]).values(
        "engine", "engine_version", "convention", "parser", "direction", "label", "detail"
    )[0]
    CalculusLabel.objects.bulk_create(CalculusLabel(pair=pair, **known) for pair in made)
    return made


@pytest.mark.parametrize("name", [*PAGES, "study"])
def test_a_kept_page_reads_few_rows(client, rosa, study, many, address, large, work, name):
    client.force_login(rosa)
    where = f"/s/{study.slug}/" if name == "study" else address(name)
    for _look in range(2):
        client.get(where)
        work()
    with rows_visited() as found:
        page = client.get(where)
    assert b"being counted" not in page.content
    most, statement = max(found)
    assert most <= FEW, statement


def test_a_page_that_has_to_count_reads_them_all(client, rosa, many, address):
    """The control: what is looked at here sees it."""
    client.force_login(rosa)
    with rows_visited() as found:
        client.get(address("norms"))
    assert max(found)[0] > PAIRS
