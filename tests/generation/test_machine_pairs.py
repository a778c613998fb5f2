"""Machine-made pairs in a dataset: what is stored of each, nothing doubled, a worker that dies."""

import pytest
from django.core.exceptions import ValidationError

from apps.campaigns.services.lifecycle import campaign_create
from apps.datasets.models import CalculusLabel
from apps.datasets.services import pair_get_or_create
from apps.generation import background
from apps.generation.background import UNSURE
from apps.generation.options import MachineOptions
from apps.generation.services import machine_batch_create, machine_batch_start
from apps.jobs.models import Job
from apps.jobs.runner import run
from apps.releases.gold_rules import Options
from apps.releases.services import release_create
from apps.studies.models import AuditEvent
from tests.generation.conftest import SENTENCES, sentences_add
from tests.releases.conftest import members


def contents(dataset):
    pairs = dataset.pairs.prefetch_related("premises")
    return {(pair.premise, pair.hypothesis): pair for pair in pairs}


@pytest.mark.both
def test_a_pair_keeps_how_it_was_made(run_batch, dataset, parsed):
    batch = run_batch(seed=3)
    pair = contents(dataset)["No dog barked loudly.", "No animal barked loudly."]
    assert (pair.origin, pair.direction, pair.genre) == ("machine", "downward", "machine:downward_monotone")
    assert pair.premises.get().sentence.text == "No dog barked loudly."
    expected = {
        "operation": "substitute",
        "kind": "hypernym",
        "label": "non-entailment",
        "reversed": "no",
        "span": "3–6",
        "before": "dog",
        "after": "animal",
        "polarity": "↓",
        "relation": "⊏",
        "corpus": parsed.name,
        "convention": "med",
        "seed": 3,
        "batch": batch.pk,
    }
    assert expected.items() <= pair.facts.items()
    assert pair.facts["made_by"].startswith("natlog ")
    assert [(tag.name, tag.source) for tag in pair.tags.filter(source="machine")] == [
        ("substitute", "machine")
    ]


@pytest.mark.both
def test_the_calculus_own_reading_is_its_label(run_batch, dataset):
    run_batch()
    for pair in dataset.pairs.prefetch_related("calculus_labels"):
        (label,) = pair.calculus_labels.all()
        assert label.is_current
        assert label.label == pair.facts["label"]
        assert label.direction == pair.direction
        assert label.reason


def test_pairs_of_whose_label_the_calculus_is_not_sure_are_left_out_and_counted(run_batch, dataset):
    run_batch(sure=0.9)
    sure = set(contents(dataset))
    assert all(pair.calculus_labels.get().confidence >= 0.9 for pair in dataset.pairs.all())
    batch = run_batch()
    everything = contents(dataset)
    unsure = {texts for texts, pair in everything.items() if pair.calculus_labels.get().confidence < 0.9}
    assert sure and unsure and sure | unsure == set(everything)
    first = dataset.machine_batches.order_by("pk").first()
    assert first.rejected[UNSURE] == len(unsure) and UNSURE not in batch.rejected


def test_the_other_way_round_is_a_pair_of_its_own(run_batch, dataset):
    run_batch()
    found = contents(dataset)
    back = found["No animal barked loudly.", "No dog barked loudly."]
    assert (back.facts["reversed"], back.facts["label"], back.facts["relation"]) == ("yes", "entailment", "⊐")
    assert back.premises.get().sentence is None
    assert all((hypothesis, premise) in found for premise, hypothesis in found)


def test_pairs_can_be_found_by_their_words(run_batch, dataset):
    from apps.curation.filters import PairFilters

    run_batch()
    found = PairFilters({"origin": "machine", "tag": "shorten"}, dataset=dataset).apply()
    assert {pair.facts["operation"] for pair in found} == {"shorten"}
    assert dataset.pairs.filter(profile__depth__isnull=False).count() == dataset.pairs.count()


def test_what_the_dataset_has_is_neither_doubled_nor_changed(run_batch, dataset):
    mine = pair_get_or_create(
        dataset=dataset,
        premises=[("No dog barked loudly.", None)],
        hypothesis="No animal barked loudly.",
        origin="crowd",
    )
    batch = run_batch()
    mine.refresh_from_db()
    assert (mine.origin, mine.facts, mine.premises.count()) == ("crowd", {}, 1)
    assert batch.known == 1
    before = dataset.pairs.count()
    again = run_batch()
    assert dataset.pairs.count() == before
    assert again.known == before
    assert again.cells == []


def test_the_limit_holds_for_each_operation_direction_and_label(run_batch, dataset):
    batch = run_batch(limit=1)
    assert batch.cells
    assert {count for _operation, _direction, _label, count in batch.cells} == {1}
    assert dataset.pairs.count() == batch.made == len(batch.cells)


def test_only_the_operations_asked_for(run_batch, dataset):
    run_batch(operations=("shorten",))
    assert {pair.facts["operation"] for pair in dataset.pairs.all()} == {"shorten"}


def test_what_was_left_out_is_counted_with_the_reason(run_batch):
    batch = run_batch()
    assert sum(batch.rejected.values()) >= len(batch.refused)
    assert all(item["why"] in batch.rejected and item["sentence"] for item in batch.refused)


def test_the_same_seed_makes_the_same_pairs(run_batch, dataset, monkeypatch):
    run_batch(seed=7, per_sentence=1)
    first = set(contents(dataset))
    dataset.pairs.all().delete()
    monkeypatch.setattr(background, "SENTENCES_A_CHUNK", 2)
    run_batch(seed=7, per_sentence=1)
    assert set(contents(dataset)) == first


@pytest.mark.both
def test_a_worker_that_dies_in_a_chunk_loses_and_doubles_nothing(prepare, dataset, ada, work, monkeypatch):
    monkeypatch.setattr(background, "SENTENCES_A_CHUNK", 2)
    batch = machine_batch_start(batch=prepare(), actor=ada)
    work()
    whole = set(contents(dataset))
    dataset.pairs.all().delete()

    batch = machine_batch_start(batch=prepare(), actor=ada)
    store = background.services.machine_pairs_store
    calls = []

    def dies_in_its_second_chunk(**given):
        calls.append(given)
        store(**given)
        if len(calls) == 2:
            raise MemoryError

    monkeypatch.setattr(background.services, "machine_pairs_store", dies_in_its_second_chunk)
    run(batch.job.pk)
    batch.job.refresh_from_db()
    assert (batch.job.state, batch.job.cursor) == (Job.State.QUEUED, 2)
    work()
    batch.refresh_from_db()
    assert set(contents(dataset)) == whole
    assert batch.made == len(whole)


def test_sentences_that_came_later_are_not_in_it(prepare, dataset, ada, work, parsed):
    from apps.corpora.services import corpus_parse

    batch = prepare()
    sentences_add(parsed, ["No dog howled loudly."], first=50)
    corpus_parse(corpus=parsed, actor=ada)
    machine_batch_start(batch=batch, actor=ada)
    work()
    assert not [1 for premise, _hypothesis in contents(dataset) if "howled" in premise]


def test_starting_twice_starts_once(prepare, ada):
    batch = prepare()
    first = machine_batch_start(batch=batch, actor=ada)
    second = machine_batch_start(batch=batch, actor=ada)
    assert first.job_id == second.job_id
    assert Job.objects.filter(kind="datasets.machine_pairs").count() == 1


def test_every_step_is_on_the_trail(run_batch):
    run_batch()
    trail = AuditEvent.objects.filter(action__startswith="machine.").order_by("pk")
    assert list(trail.values_list("action", flat=True)) == [
        "machine.prepared",
        "machine.started",
        "machine.finished",
    ]


def test_examples_come_first_and_store_no_pair(prepare, dataset, work):
    batch = prepare()
    work()
    batch.refresh_from_db()
    examples = batch.preview["examples"]
    assert 0 < len(examples) <= 10
    assert len({(e["operation"], e["direction"], e["label"]) for e in examples}) >= 5
    assert batch.preview["sentences"] == batch.preview["of"] == 8
    assert not dataset.pairs.exists()


def test_a_corpus_that_is_not_parsed_is_refused(dataset, corpus, ada):
    with pytest.raises(ValidationError, match="Parse"):
        machine_batch_create(dataset=dataset, corpus=corpus, actor=ada, options=MachineOptions())


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("operations", ()),
        ("operations", ("shrink",)),
        ("per_sentence", 0),
        ("per_sentence", 11),
        ("limit", 0),
        ("seed", -1),
        ("convention", "none"),
    ],
)
def test_bad_options_are_named(dataset, parsed, ada, option, value):
    with pytest.raises(ValidationError) as caught:
        machine_batch_create(
            dataset=dataset, corpus=parsed, actor=ada, options=MachineOptions(**{option: value})
        )
    assert option in caught.value.message_dict


def test_a_corpus_parsed_by_another_parser_says_so(prepare, ada, work, parsed):
    from apps.corpora.models import Parse

    batch = prepare()
    Parse.objects.update(parser="another")
    machine_batch_start(batch=batch, actor=ada)
    for job in Job.objects.filter(state=Job.State.QUEUED):
        run(job.pk)
    batch.refresh_from_db()
    assert batch.job.state == Job.State.FAILED
    assert "parse it first" in batch.job.error


@pytest.mark.both
def test_people_judge_them_like_any_other_pair(run_batch, dataset, study, ada, work):
    """A validation campaign takes them all, and leaves them under the convention they were made by."""
    run_batch()
    campaign = campaign_create(study=study, actor=ada, name="Judging", dataset=dataset)
    work()
    assert campaign.items.count() == dataset.pairs.count()
    labels = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    assert set(labels.values_list("convention", flat=True)) == {"med"}
    assert all(label.label == label.pair.facts["label"] for label in labels.select_related("pair"))


def test_a_release_says_that_they_are_machine_made_and_how(run_batch, dataset, ada, work):
    run_batch()
    options = Options(rule="majority", judgements=1, keep_unlabelled=True, train=100, validation=0, test=0)
    release = release_create(dataset=dataset, actor=ada, options=options)
    work()
    release.refresh_from_db()
    rows = members(release).pairs
    assert len([row for row in rows if row["origin"] == "machine"]) == dataset.pairs.count()
    row = next(
        row for row in rows if row["facts"].get("after") == "animal" and row["premise"] == SENTENCES[0]
    )
    assert row["facts"]["operation"] == "substitute"
    assert row["genre"].startswith("machine:downward_monotone:")
    assert "substitute" in row["tags"]
