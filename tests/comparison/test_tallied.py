"""A whole dataset, counted by the database, is what its pairs come to one by one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from apps.campaigns.models import Campaign, Guideline
from apps.comparison.judges import Judges, judges_of
from apps.comparison.pairs import compared, labelled, predicted
from apps.comparison.tallied import Answers, each, tallied
from apps.datasets.models import GoldLabel, Tag
from apps.inference.models import Model, Prediction, Run
from tests.datasets.conftest import Maker

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def runs(study, dataset, make):
    """Forty random pairs, judged in two campaigns by people who are partly the same; two models, which leave
    some out."""
    draw = Random(7)
    other = Campaign.objects.create(study=study, name="Again", task="validation", dataset=dataset)
    Guideline.objects.create(campaign=other, version=1, body="Judge.")
    again, made = Maker(other), []
    for _pair in range(40):
        answers = "".join(draw.choices("enucsEN", k=draw.randrange(5)))
        direction = draw.choice(["upward", "downward", ""])
        pair = make(answers, calculus=draw.choice(["e", "n", "c", ""]), direction=direction)
        if draw.random() < 0.5:
            again.judge(pair, "".join(draw.choices("enus", k=draw.randrange(1, 4))))
        if draw.random() < 0.8:
            label = draw.choice(["entailment", "neutral", "contradiction"])
            GoldLabel.objects.create(pair=pair, source="file", label=label)
        if draw.random() < 0.2:
            GoldLabel.objects.create(pair=pair, source="adjudication", label="unnatural")
        for name in draw.sample(["lexical", "Lexical", "npi"], draw.randrange(3)):
            Tag.objects.create(pair=pair, name=name, source="file")
        made.append(pair)
    model = Model.objects.create(study=study, name="One", kind="overlap")
    runs = [Run.objects.create(model=model, dataset=dataset, fingerprint=f"{n}") for n in range(2)]
    for run in runs:
        for pair in draw.sample(made, 30):
            label = draw.choice(["entailment", "non-entailment", "contradiction"])
            Prediction.objects.create(run=run, pair=pair, label=label)
    return runs


COLUMNS = ("place", "calculus", "file_label", "adjudicated")
PEOPLE = ("entailments", "non_entailments", "unnatural", "judgements", "human", "matches")


def one_by_one(dataset, judges, runs):
    names = [*COLUMNS, *(predicted(run) for run in runs)]
    rows = compared(dataset.pairs.all(), judges, runs).values_list("pk", *names, *PEOPLE)
    return {row[0]: (row[1 : 1 + len(names)], row[1 + len(names) :]) for row in rows}


def told(answers: Answers, calculus: str):
    counts = (answers.entailments, answers.non_entailments, answers.unnatural)
    return (*counts, answers.judgements, answers.human, answers.matches(calculus))


@pytest.mark.parametrize("whose", ["usual", "one", "nobody"])
def test_it_is_what_the_pairs_come_to(dataset, runs, whose):
    usual = judges_of(dataset)
    judges = {
        "usual": usual,
        "one": usual.narrowed([usual.campaigns[0].pk]),
        "nobody": Judges((), ()),
    }[whose]
    expected = one_by_one(dataset, judges, runs)
    columns = [*COLUMNS, *(predicted(run) for run in runs)]
    found = {
        said[0]: (said[1:], told(answers, said[2]))
        for said, answers in each(labelled(dataset.pairs.all(), runs), judges, ["pk", *columns])
    }
    assert found == expected
    counted = Counter()
    for said, answers, number in tallied(labelled(dataset.pairs.all(), runs), judges, columns):
        counted[said, told(answers, said[1])] += number
    assert counted == Counter(expected.values())


def test_a_pair_is_counted_under_each_of_its_values(dataset, runs):
    tags = Tag.objects.order_by()
    rows = tallied(
        labelled(dataset.pairs.all()), judges_of(dataset), ["place"], tags.values_list("pair", "name")
    )
    counted = Counter()
    for (place, name), _answers, number in rows:
        counted[place, name] += number
    places = dict(labelled(dataset.pairs.all()).values_list("pk", "place"))
    assert counted == Counter((places[pair], name) for pair, name in tags.values_list("pair", "name"))


def test_of_no_pairs_there_is_nothing(dataset, runs):
    assert list(tallied(labelled(dataset.pairs.none()), judges_of(dataset), ["place"])) == []
