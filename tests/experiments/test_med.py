"""MED's protocols: a study's datasets in roles, by genre and tag; registered models beside the trained."""

from __future__ import annotations

import pytest

from apps.datasets.models import Dataset, GoldLabel, Pair, Premise, Tag
from apps.experiments.models import Experiment
from apps.experiments.protocols import protocols
from apps.experiments.results import cells_of, lines_of
from apps.inference.models import Model, Prediction, Run
from apps.inference.trainings import NETWORK_KIND
from apps.jobs import runner
from apps.jobs.models import Job

KEYS = ["med_curves", "med_directions", "med_phenomena"]
WAYS = ("upward", "downward", "non-monotone")
TAGS = ["lexical_knowledge", "npi", "conditionals", "conjunction", "disjunction", "reverse"]


@pytest.fixture
def make(study, ada):
    """A dataset of so many pairs: directions and genres in turn, a tag each or none, labels in turn."""

    def make(name, count=360):
        dataset = Dataset.objects.create(study=study, name=name, created_by=ada)
        pairs = Pair.objects.bulk_create(
            Pair(dataset=dataset, hypothesis=f"{name} {n} ran", digest=f"{name} {n}", origin="import",
                 direction=WAYS[n % 3], genre=f"{'crowd' if n % 2 else 'paper'}:{WAYS[n % 3]}")
            for n in range(count)
        )  # fmt: skip
        Premise.objects.bulk_create(
            Premise(pair=pair, position=0, text=f"{name} {n} ran fast") for n, pair in enumerate(pairs)
        )
        GoldLabel.objects.bulk_create(
            GoldLabel(pair=pair, label=LABELS[n // 2 % 2], source="file") for n, pair in enumerate(pairs)
        )
        Tag.objects.bulk_create(
            Tag(pair=pair, name=(TAGS[n % 12]), source="file") for n, pair in enumerate(pairs) if n % 12 < 6
        )
        return dataset

    return make


LABELS = ("entailment", "non-entailment")


@pytest.fixture
def roles(make):
    return {role: f"dataset:{make(role).pk}" for role in ("nli", "help", "med")}


@pytest.fixture
def dealt(start, roles):
    """An experiment whose rows are dealt; nothing is trained."""

    def deal(key):
        protocol = protocols()[key]
        own = {role: roles[role] for role in protocol.roles}
        experiment = start(name=key, protocol=protocol, roles=own)
        runner.run(experiment.job_id)
        experiment.job.refresh_from_db()
        assert experiment.job.state == Job.State.DONE, experiment.job.error
        return experiment

    return deal


def run(model, dataset, said):
    made = Run.objects.create(model=model, dataset=dataset, fingerprint=f"{Run.objects.count()}")
    Prediction.objects.bulk_create(
        Prediction(run=made, pair=pair, label=label)
        for pair, label in zip(dataset.pairs.all(), said)  # noqa: B905
    )


@pytest.mark.parametrize("key", KEYS)
def test_each_protocol_is_dealt_from_datasets_in_roles(dealt, key):
    experiment = dealt(key)
    protocol = protocols()[key]
    assert experiment.splits.count() == len(protocol.trainings)
    assert Job.objects.filter(kind=NETWORK_KIND).count() >= len(protocol.trainings)
    by_line = {(line.training, line.test): line for line in lines_of(experiment, cells_of(experiment))}
    assert all(line.reached["majority"].seeds == 1 for line in by_line.values() if line.pairs)
    assert sum(bool(line.pairs) for line in by_line.values()) > len(by_line) / 2


def test_directions_genres_and_tags_are_those_of_the_pairs(dealt):
    from apps.inference.training_sets import rows_of

    experiment = dealt("med_phenomena")
    tests = {row.source for row in rows_of(experiment.splits.first().training_set)["test"]}
    assert tests == {"crowd", "paper", "lexical", "non-lexical", *TAGS[1:], "HELP"}
    by_test = {line.test: line.pairs for line in lines_of(experiment, cells_of(experiment))}
    assert by_test["crowd"] == 180 and by_test["crowd, upward"] == 60
    assert (by_test["lexical"], by_test["non-lexical"], by_test["npi"]) == (30, 330, 30)
    # Of what is learnt of, a test takes a quarter at most.
    assert by_test["HELP"] == 90


def test_ratios_of_directions_are_those_of_the_file(dealt):
    from apps.inference.training_sets import rows_of

    experiment = dealt("med_curves")
    for name, share in (
        ("10 % upward", 0.1),
        ("upward, 200 of 5,000", 1.0),
        ("downward, 5,000 of 5,000", 0.0),
    ):
        parts = rows_of(experiment.splits.get(training=name).training_set)
        rows = [*parts["train"], *parts["validation"]]
        # Of each direction there are 120 alone, 30 of them tested on: a part that has fewer gives them all.
        if 0 < share < 1:
            assert {row.direction for row in rows} == {"upward", "downward"}
        else:
            assert {row.direction for row in rows} == {"upward" if share else "downward"}


def test_registered_models_that_said_something_of_every_pair_stand_in_the_table(study, ada, dealt, roles):
    med = Dataset.objects.get(name="med")
    gold = list(GoldLabel.objects.filter(pair__dataset=med).order_by("pair").values_list("label", flat=True))
    right = Model.objects.create(study=study, name="right", kind="overlap")
    turned = Model.objects.create(study=study, name="turned", kind="overlap")
    short = Model.objects.create(study=study, name="short", kind="overlap")
    run(turned, med, gold)  # an older version
    run(turned, med, ["neutral" if label == "entailment" else "entailment" for label in gold])
    run(right, med, gold)
    run(short, med, gold[:-1])
    experiment = dealt("med_directions")
    by_test = {line.test: line for line in lines_of(experiment, cells_of(experiment))}
    assert by_test["downward"].reached["model: right"].mean == 1.0
    assert by_test["all"].reached["model: turned"].mean == 0.0
    assert "model: short" not in by_test["all"].reached and by_test["all"].pairs == 360
    assert by_test["upward"].published["bert"] == [76.0]  # the last training's: with HELP
    assert Experiment.objects.count() == 1
