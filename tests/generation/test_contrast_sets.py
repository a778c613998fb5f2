"""Contrast sets: a dataset's pairs under another operator, as a dataset of their own."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.datasets.models import Dataset, Pair
from apps.datasets.services import labelling_start, pair_get_or_create
from apps.generation.contrast_sets import contrast_set_create, contrasts_store, first_look
from natlog.generation.contrasts import contrast_pairs

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(dataset, ada, work):
    """Labelled under *med*: a pair with *few*, one with *no*, one with two premises, a swapped twin."""
    for premises, hypothesis, origin in (
        (["Few dogs ran."], "Few small dogs ran.", "import"),
        (["No cat slept."], "No old cat slept.", "crowd"),
        (["Few dogs ran.", "Rex is a dog."], "Few dogs ran.", "import"),
        (["Few small dogs ran."], "Few dogs ran.", "swap"),
    ):
        pair_get_or_create(
            dataset=dataset,
            premises=[(text, None) for text in premises],
            hypothesis=hypothesis,
            origin=origin,
        )
    labelling_start(dataset=dataset, actor=ada, convention="med")
    work()
    dataset.refresh_from_db()
    return dataset


@pytest.mark.both
def test_the_pairs_lead_back_and_are_labelled_as_their_originals_were(dataset, ada, work):
    made, _job = contrast_set_create(
        dataset=dataset, actor=ada, name="Few", wanted=["few → a few", "few deleted"]
    )
    work()
    original = dataset.pairs.get(hypothesis="Few small dogs ran.")
    assert [(pair.premise, pair.hypothesis) for pair in made.pairs.all()] == [
        ("A few dogs ran.", "A few small dogs ran."),
        ("Dogs ran.", "Small dogs ran."),
    ]
    for pair in made.pairs.all():
        assert pair.origin == Pair.Origin.MACHINE
        assert pair.facts["contrast_of"] == original.pk
        assert pair.genre == f"contrast:{pair.facts['contrast']}"
        assert [(tag.name, tag.source) for tag in pair.tags.filter(source="machine")] == [
            (pair.facts["contrast"], "machine")
        ]
        assert pair.profile.words
    labels = made.pairs.values_list("calculus_labels__convention", "calculus_labels__label")
    assert set(labels) == {("med", "non-entailment")}
    assert original.calculus_labels.get().label == "entailment"


def test_a_chunk_that_is_stored_twice_is_stored_once(dataset):
    original = dataset.pairs.first()
    made = [(original.pk, item) for item in contrast_pairs(original.premise, original.hypothesis)]
    target = Dataset.objects.create(study=dataset.study, name="Again")
    for _time in range(2):
        contrasts_store(dataset=target, made=made)
    assert target.pairs.count() == len(made) == 2


def test_what_can_not_be_made_changes_nothing(dataset, ada):
    for name, wanted, field in (
        ("New", [], "contrasts"),
        ("New", ["many → few"], "contrasts"),
        (dataset.name, ["few deleted"], "name"),
    ):
        with pytest.raises(ValidationError) as refused:
            contrast_set_create(dataset=dataset, actor=ada, name=name, wanted=wanted)
        assert field in refused.value.message_dict
    assert Dataset.objects.filter(study=dataset.study).count() == 1


def test_the_first_pairs_are_counted_before_the_choice(dataset, django_assert_num_queries):
    with django_assert_num_queries(1):
        looked_at, found = first_look(dataset)
    counts = {name: count for name, count, _example in found if count}
    assert (looked_at, counts) == (2, {"few → a few": 1, "few deleted": 1, "no → some": 1})
    assert {name: example for name, _count, example in found}["few deleted"].premise == "Dogs ran."


def test_the_page_counts_makes_and_leads_back(client_of, rosa, study, dataset, work):
    client = client_of(rosa)
    address = reverse("generation:contrasts", args=[study.slug, dataset.pk])
    page = client.get(address).content.decode()
    assert "A few small dogs ran." in page and "Counted in the first 2 pairs" in page
    assert page.count(" checked") == 3
    refused = client.post(address, {"name": "Few", "contrasts": []}).content.decode()
    assert "Choose at least one." in refused
    assert client.post(address, {"name": "Few", "contrasts": ["few deleted"]}).status_code == 302
    work()
    pair = Pair.objects.get(hypothesis="Small dogs ran.")
    shown = client.get(reverse("curation:pair", args=[study.slug, pair.pk])).content.decode()
    assert f"contrast of pair {pair.facts['contrast_of']}" in shown
    Pair.objects.get(pk=pair.facts["contrast_of"]).delete()
    shown = client.get(reverse("curation:pair", args=[study.slug, pair.pk])).content.decode()
    assert "contrast of pair" not in shown


def test_an_empty_dataset_says_so(client_of, rosa, study):
    empty = Dataset.objects.create(study=study, name="Empty")
    page = client_of(rosa).get(reverse("generation:contrasts", args=[study.slug, empty.pk]))
    assert "no pairs of one premise yet" in page.content.decode()
