"""The networks that an experiment keeps are models with runs, which the dashboard reads as any model's."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.html import escape

from apps.datasets.models import GoldLabel
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.experiments.card import card
from apps.experiments.kept_networks import datasets_tested
from apps.experiments.protocols import read
from apps.inference import trying
from apps.inference.models import Model, Run
from apps.inference.selectors import latest_runs
from apps.inference.verdicts import learnt_says
from tests.experiments.conftest import SMALL, neural

WITH_ROLE = (
    SMALL.replace("[[trainings]]", 'nli = { role = "nli" }\n\n[[trainings]]', 1)
    .replace("[presets.smoke]", '[[tests]]\nname = "NLI"\non = [{ set = "nli" }]\n\n[presets.smoke]', 1)
)  # fmt: skip


@pytest.fixture
def dataset(study, ada):
    """Sixty pairs, half of them entailments."""
    dataset = dataset_create(study=study, actor=ada, name="Ours")
    for number in range(60):
        premise, hypothesis = (
            f"{number} dogs ran.",
            f"{number} {'animals' if number % 2 else 'small dogs'} ran.",
        )
        pair = pair_get_or_create(
            dataset=dataset, premises=[(premise, None)], hypothesis=hypothesis, origin="import"
        )
        label = "entailment" if number % 2 else "non-entailment"
        GoldLabel.objects.create(pair=pair, source="file", label=label)
    return dataset


@neural
def test_a_kept_network_is_run_on_the_datasets_that_it_is_tested_on_and_stands_on_the_dashboard(
    start, dataset, work, ada, study, client_of
):
    roles = {"nli": f"dataset:{dataset.pk}"}
    experiment = start(protocol=read(WITH_ROLE, "small"), roles=roles, keeps=True)
    work()
    models = list(Model.objects.order_by("pk"))
    assert len(models) == 4  # two trainings of two seeds; untrained ones are no models
    runs = latest_runs(dataset)
    assert {run.model for run in runs} == set(models)
    assert all(run.predictions.count() == 60 for run in runs)
    # What a run says of a pair that was tested is what the experiment counted of it.
    cell = experiment.splits.get(training="D1").cells.get(contestant="tiny", seed=1)
    counted = cell.training.runs.get().scores["NLI"]["all"]
    gold = {label.pair_id: label.label for label in GoldLabel.objects.all()}
    run = next(run for run in runs if run.model_id == cell.training.model_id)
    right = sum(each.label == gold[each.pair_id] for each in run.predictions.all())
    assert counted == [right, 60]

    assert f'--study {study.slug} --role nli="Ours"' in card(experiment)

    client = client_of(ada)
    page = client.get(reverse("experiments:experiment", args=[study.slug, experiment.pk])).content.decode()
    dashboard = f"{reverse('dashboard:home', args=[study.slug])}?dataset={dataset.pk}"
    assert page.count(dashboard) == 4
    read_there = client.get(dashboard).content.decode()
    for model in models:
        assert reverse("models:model", args=[study.slug, model.pk]) in page
        assert model.name in read_there
        own = client.get(reverse("models:model", args=[study.slug, model.pk])).content.decode()
        assert escape(learnt_says()) not in own  # it learnt of a testbed
    assert client.get(reverse("dashboard:hard", args=[study.slug, dataset.pk])).status_code == 200


@neural
def test_of_a_pair_that_is_tried_the_words_that_a_network_was_never_shown_are_told(
    start, work, ada, study, client_of
):
    start(keeps=True)
    work()
    model, client = Model.objects.order_by("pk").first(), client_of(ada)
    pair = {"premise": "No wug ran", "hypothesis": "No small wug ran"}
    client.post(reverse("models:try", args=[study.slug, model.pk]), pair)
    work()
    assert trying.latest_try(model).result["unknown"] == ["wug"]
    page = client.get(reverse("models:model", args=[study.slug, model.pk])).content.decode()
    assert "Words it was never shown" in page


@neural
def test_of_a_dataset_that_it_learnt_from_a_kept_network_says_so(start, dataset, work, ada, study, client_of):
    from apps.inference.services import run_start

    text = SMALL.replace("[[trainings]]", 'nli = { role = "nli" }\n\n[[trainings]]', 1)
    text = text.replace('on = [{ set = "D1" }]', 'on = [{ set = "nli" }]', 1)
    start(protocol=read(text, "small"), roles={"nli": f"dataset:{dataset.pk}"}, keeps=True)
    work()
    says = {}
    for training in ("D1", "D1 and D2"):
        model = Model.objects.filter(name__contains=f", {training}, ").first()
        run_start(model=model, dataset=dataset, actor=ada)
        work()
        page = client_of(ada).get(reverse("models:model", args=[study.slug, model.pk]))
        says[training] = escape(learnt_says()) in page.content.decode()
    assert says == {"D1": True, "D1 and D2": False}


@neural
def test_without_a_role_they_are_models_and_can_be_run_on_any_dataset(start, dataset, work, ada):
    from apps.inference.services import run_start

    experiment = start(keeps=True)
    work()
    assert Model.objects.count() == 4 and not Run.objects.exists()
    assert datasets_tested(experiment, "D1") == []
    run = run_start(model=Model.objects.first(), dataset=dataset, actor=ada)
    work()
    assert run.predictions.count() == 60


def test_what_an_experiment_does_not_keep_is_no_model(start, dataset, work):
    start()
    assert not Model.objects.exists()
