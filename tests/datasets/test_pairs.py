"""A pair is stored once for its premises and hypothesis, whoever writes it and however it is composed."""

from __future__ import annotations

import threading

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from apps.datasets.models import Pair
from apps.datasets.services import dataset_create, pair_get_or_create

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def dataset(study, ada):
    return dataset_create(study=study, actor=ada, name="Pairs")


def make(dataset, *premises: str, hypothesis: str, **fields) -> Pair:
    fields.setdefault("origin", Pair.Origin.CROWD)
    return pair_get_or_create(
        dataset=dataset, premises=[(text, None) for text in premises], hypothesis=hypothesis, **fields
    )


@pytest.mark.parametrize(
    ("direction", "origin", "genre"),
    [
        ("upward", "crowd", "crowd:upward_monotone"),
        ("downward", "crowd", "crowd:downward_monotone"),
        ("non-monotone", "crowd", "crowd:non_monotone"),
        ("", "crowd", ""),
        ("upward", "import", ""),
    ],
)
def test_genre_of_a_crowd_pair_is_spelled_as_in_med(dataset, direction, origin, genre):
    pair = make(dataset, "A dog ran.", hypothesis="A dog moved.", direction=direction, origin=origin)
    assert pair.genre == genre


def test_the_second_writer_gets_the_first_one_s_pair(dataset):
    first = make(dataset, "No dog ran.", hypothesis="No dog ran far.", direction="downward")
    second = make(dataset, "No dog ran.", hypothesis="No dog ran far.", direction="upward")
    assert (second.pk, second.direction, second.premises.count()) == (first.pk, "downward", 1)


def test_composed_and_decomposed_letters_are_one_pair_and_the_original_is_kept(dataset):
    first = make(dataset, "Zoe\u0301 ran.", hypothesis="She ran.")
    assert make(dataset, "Zo\u00e9 ran.", hypothesis="She ran.") == first
    assert first.premise == "Zoe\u0301 ran."


def test_the_order_and_borders_of_premises_matter(dataset):
    pairs = {
        make(dataset, "A.", "B.", hypothesis="C.").pk,
        make(dataset, "B.", "A.", hypothesis="C.").pk,
        make(dataset, "A. B.", hypothesis="C.").pk,
        make(dataset, "A.", hypothesis="B. C.").pk,
    }
    assert len(pairs) == 4
    assert [p.text for p in make(dataset, "B.", "A.", hypothesis="C.").premises.all()] == ["B.", "A."]


def test_the_same_pair_may_stand_in_two_datasets(dataset, study, ada):
    other = dataset_create(study=study, actor=ada, name="Others")
    assert make(dataset, "A.", hypothesis="B.") != make(other, "A.", hypothesis="B.")


@pytest.mark.parametrize(
    ("premises", "hypothesis", "field"),
    [
        ([], "A.", "premises"),
        (["A."], " ", "hypothesis"),
        (["A\0."], "B.", "premise"),
        (["A."], "B\ud800.", "hypothesis"),
        (["A."], "B" * 200_000, "hypothesis"),
    ],
)
def test_text_that_cannot_be_stored_is_refused_by_field(dataset, premises, hypothesis, field):
    with pytest.raises(ValidationError) as refusal:
        make(dataset, *premises, hypothesis=hypothesis)
    assert field in refusal.value.message_dict
    assert not Pair.objects.exists()


def test_a_dataset_s_name_is_its_own_in_the_study(dataset, study, ada):
    with pytest.raises(ValidationError):
        dataset_create(study=study, actor=ada, name=" Pairs ")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_twenty_writers_at_once_make_one_pair(dataset, on_postgresql):
    if not on_postgresql:
        pytest.skip("writers wait for each other on SQLite")
    barrier, made, errors = threading.Barrier(20), [], []

    def write() -> None:
        try:
            barrier.wait()
            made.append(make(dataset, "No dog ran.", hypothesis="No dog ran far.").pk)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(set(made)) == 1
    assert Pair.objects.count() == 1
