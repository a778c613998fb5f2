"""The pages of machine-made pairs, for researchers of the study alone."""

import pytest
from django.urls import reverse
from django.utils.html import escape

from apps.generation.models import MachineBatch


def address(name, study, pk):
    return reverse(name, args=[study.slug, pk])


@pytest.fixture
def rosas(client_of, rosa):
    return client_of(rosa)


def choice(corpus, **changes):
    return {
        "corpus": corpus.pk,
        "operations": ["substitute", "shorten"],
        "per_sentence": 3,
        "limit": "",
        "seed": 4,
        "convention": "med",
    } | changes


def test_from_the_choice_over_examples_to_the_pairs(rosas, study, dataset, parsed, work):
    page = rosas.get(address("generation:new", study, dataset.pk))
    assert b"Show examples" in page.content
    made = rosas.post(address("generation:new", study, dataset.pk), choice(parsed))
    batch = MachineBatch.objects.get()
    assert made.url == address("generation:batch", study, batch.pk)
    assert (batch.options["seed"], batch.options["operations"]) == (4, ["substitute", "shorten"])
    assert "Examples are being made" in rosas.get(made.url).content.decode()

    work()
    examples = rosas.get(made.url).content.decode()
    batch.refresh_from_db()
    assert batch.preview["examples"]
    assert all(escape(example["hypothesis"]) in examples for example in batch.preview["examples"])
    assert "Nothing is stored yet" in examples
    assert not dataset.pairs.exists()

    rosas.post(address("generation:start", study, batch.pk))
    work()
    done = rosas.get(made.url).content.decode()
    assert "put a more general or more specific word" in done
    assert str(dataset.pairs.count()) in done
    listed = rosas.get(address("curation:dataset", study, dataset.pk), {"origin": "machine"}).content.decode()
    assert "machine-made" in listed
    pair = dataset.pairs.filter(facts__kind="hypernym").first()
    shown = rosas.get(address("curation:pair", study, pair.pk)).content.decode()
    assert "How it was made" in shown
    assert "hypernym" in shown


def test_the_choice_can_be_changed(rosas, study, dataset, parsed, prepare):
    batch = prepare(seed=77, limit=5)
    page = rosas.get(address("generation:new", study, dataset.pk), {"batch": batch.pk}).content.decode()
    assert 'value="77"' in page
    assert 'value="5"' in page


def test_a_bad_choice_is_shown_with_its_field(rosas, study, dataset, parsed):
    page = rosas.post(
        address("generation:new", study, dataset.pk), choice(parsed, per_sentence=99, operations=[])
    )
    assert page.status_code == 200
    assert set(page.context["form"].errors) == {"per_sentence", "operations"}
    assert not MachineBatch.objects.exists()


def test_without_a_parsed_corpus_the_page_says_what_to_do(rosas, study, dataset, corpus):
    page = rosas.get(address("generation:new", study, dataset.pk)).content.decode()
    assert "No corpus of this study is parsed yet." in page
    assert "Show examples" not in page


def test_a_batch_is_not_there_for_others(client_of, olaf, ben, study, dataset, prepare):
    batch = prepare()
    for name, pk in (("generation:new", dataset.pk), ("generation:batch", batch.pk)):
        assert client_of(olaf).get(address(name, study, pk)).status_code == 404
        assert client_of(ben).get(address(name, study, pk)).status_code in (403, 404)
    assert client_of(olaf).post(address("generation:start", study, batch.pk)).status_code == 404


def test_a_batch_of_another_study_is_not_found_under_this_one(client_of, olaf, dataset, prepare):
    from apps.studies.models import Study

    batch = prepare()
    other = Study.objects.get(name="Another study")
    assert client_of(olaf).get(address("generation:batch", other, batch.pk)).status_code == 404
    query = {"batch": batch.pk}
    from apps.datasets.services import dataset_create

    own = dataset_create(study=other, actor=olaf, name="Own")
    assert client_of(olaf).get(address("generation:new", other, own.pk), query).status_code == 404


def test_the_pages_ask_the_same_number_of_queries_for_more_batches(
    rosas, study, dataset, parsed, prepare, ada, work, django_assert_max_num_queries
):
    from apps.generation.services import machine_batch_start

    for _turn in range(3):
        machine_batch_start(batch=prepare(), actor=ada)
    work()
    with django_assert_max_num_queries(14):
        rosas.get(address("generation:new", study, dataset.pk))
