"""What is said of a run beside its accuracy: each sentence where it is due, and not where it isn't."""

import pytest

from apps.datasets.services import dataset_create, pair_get_or_create
from apps.inference import selectors
from apps.inference.models import Model, Prediction, Run
from apps.inference.training_models import Training, TrainingSet
from apps.inference.verdicts import HYPOTHESIS_ALONE, LEARNT_HERE, NO_BETTER, TURNED, verdicts_of

E, N, C, NOT = "entailment", "neutral", "contradiction", "non-entailment"


@pytest.fixture
def run_of(study, ada):
    """A run whose model said ``said`` of pairs with gold ``wanted``, in this order."""
    from apps.datasets.models import GoldLabel

    def make(said, wanted, *, labels=None, own=None, kind="overlap", smoke=None):
        number = Model.objects.count()
        dataset = dataset_create(study=study, actor=ada, name=f"d{number}", labels=labels or [E, NOT])
        model = Model.objects.create(
            study=study,
            name=f"m{number}",
            kind=kind,
            config={"labels": own or dataset.labels},
            smoke_test=smoke or {},
        )
        run = Run.objects.create(model=model, dataset=dataset)
        for n, (label, gold) in enumerate(zip(said, wanted, strict=True)):
            pair = pair_get_or_create(
                dataset=dataset, premises=[(f"Dog {n}.", None)], hypothesis=f"Cat {n}.", origin="import"
            )
            GoldLabel.objects.create(pair=pair, source="file", label=gold)
            scores = {other: 0.9 if other == label else 0.05 for other in own or dataset.labels}
            fitted = label if label in dataset.labels else NOT
            Prediction.objects.create(run=run, pair=pair, label=fitted, scores=scores)
        return run

    return make


def codes(run):
    return [verdict.code for verdict in verdicts_of(selectors.run_figures(run)[0])]


def test_a_model_that_is_right_has_nothing_said_of_it(run_of):
    wanted = [E, NOT] * 15
    assert codes(run_of([*wanted[:-2], NOT, E], wanted)) == []


def test_a_model_at_chance_is_no_better_than_one_label(run_of):
    """An untrained network: its labels have nothing to do with those wanted."""
    run = run_of([E, E, NOT, NOT] * 8, [E, NOT] * 16)
    (verdict,) = verdicts_of(selectors.run_figures(run)[0])
    assert verdict.code == NO_BETTER and verdict.against == "gold:file"
    assert (
        "no better than always saying “entailment” (right on 50.0 %; always “entailment” on 50.0 %)"
        in verdict.text
    )


def test_a_little_better_on_few_pairs_is_not_clearly_better(run_of):
    run = run_of([E, NOT, E, NOT, E, E], [E, NOT, E, NOT, NOT, E])
    (verdict,) = verdicts_of(selectors.run_figures(run)[0])
    assert verdict.code == NO_BETTER and "not clearly better" in verdict.text


def test_the_majority_class_is_not_told_that_it_is_one(run_of):
    assert codes(run_of([E] * 10, [E] * 6 + [NOT] * 4, kind="majority")) == []


def test_labels_turned_round_are_caught(run_of):
    wanted = [E, N, C] * 8
    turned = {E: C, C: E, N: N}
    run = run_of([turned[label] for label in wanted], wanted, labels=[E, N, C])
    no_better, verdict = verdicts_of(selectors.run_figures(run)[0])
    assert (no_better.code, verdict.code) == (NO_BETTER, TURNED)
    assert "“entailment” for “contradiction”" in verdict.text and "100.0 % would be right" in verdict.text


def test_three_labels_turned_round_are_caught_on_a_dataset_of_two(run_of):
    """Its own labels are asked: that neutral and contradiction are both non-entailment hides half of it."""
    truth = [E, N, C] * 8
    turned = {E: C, C: E, N: N}
    wanted = [E if label == E else NOT for label in truth]
    run = run_of([turned[label] for label in truth], wanted, own=[E, N, C])
    assert TURNED in codes(run)
    right = run_of(truth, wanted, own=[E, N, C])
    assert codes(right) == []


def test_one_label_always_and_wrongly_is_not_turned_round(run_of):
    assert codes(run_of([NOT] * 20, [E] * 14 + [NOT] * 6)) == [NO_BETTER]


def test_where_the_plain_pairs_were_right_the_pairs_may_be_read_the_wrong_way_round(run_of):
    wanted = [E, NOT] * 12
    said = [NOT, E] * 12
    smoke = {"right": 5, "meant": None, "pairs": [{}] * 5}
    texts = {
        name: verdicts_of(selectors.run_figures(run_of(said, wanted, smoke=tried))[0])[-1].text
        for name, tried in (("tried", smoke), ("untried", None))
    }
    assert "these pairs read the wrong way round" in texts["tried"]
    assert "these pairs" not in texts["untried"] and "turned round" in texts["untried"]


def test_a_model_of_the_hypothesis_alone_is_called_so(run_of):
    wanted = [E, NOT] * 15
    assert codes(run_of(wanted, wanted, kind="hypothesis")) == [HYPOTHESIS_ALONE]


def test_the_sentences_stand_on_the_run_s_page_on_the_model_s_and_in_the_api(run_of, study, ada, client_of):
    from django.urls import reverse

    run = run_of([E, E, NOT, NOT] * 8, [E, NOT] * 16)
    client = client_of(ada)
    for room, pk in (("run", run.pk), ("model", run.model_id)):
        page = client.get(reverse(f"models:{room}", args=[study.slug, pk])).content.decode()
        assert "no better than always saying" in page


def test_what_a_model_was_trained_on_says_nothing_of_other_pairs(run_of):
    run = run_of([E, NOT] * 15, [E, NOT] * 15, kind="learnt")
    assert codes(run) == []
    Model.objects.filter(pk=run.model.pk).update(
        config={"labels": [E, NOT], "training": {"source": run.dataset.name}}
    )
    run.refresh_from_db()
    assert codes(run) == [LEARNT_HERE]


def test_a_network_knows_the_datasets_that_its_training_set_was_drawn_from(run_of, study):
    run = run_of([E, NOT] * 15, [E, NOT] * 15, kind="network")
    for number, source in enumerate((run.dataset.pk + 1, run.dataset.pk)):
        drawn = TrainingSet.objects.create(
            study=study,
            name=f"set {number}",
            spec={"sources": [{"source": f"dataset:{source}"}]},
            rows=b"",
            fingerprint="",
        )
        Training.objects.filter(model=run.model).update(model=None)
        Training.objects.create(
            study=study, name=f"t{number}", training_set=drawn, network="esim", model=run.model
        )
        assert codes(run) == [[], [LEARNT_HERE]][number]
