"""The stage of the quality tests: a campaign with test questions, and a person who answers them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import assignment_next, campaign_create, campaign_set_state, judgement_submit
from apps.datasets.models import CalculusLabel, Pair
from apps.datasets.services import pair_get_or_create
from apps.jobs.models import Job
from apps.quality import questions, signal_rules
from apps.quality import settings as configuring
from apps.quality.models import TestQuestion
from apps.studies.services import participant_for
from tests.campaigns.conftest import *  # noqa: F403 (the campaigns' stage is this one's too)

WRONG = {"entailment": "non-entailment", "non-entailment": "entailment"}


@pytest.fixture
def judging(study, ada, dataset) -> Campaign:
    """An open validation campaign over twelve pairs, two annotators a pair."""
    for number in range(12):
        pair_get_or_create(
            dataset=dataset,
            premises=[(f"No dog of {number} barks.", None)],
            hypothesis=f"No small dog of {number} barks.",
            origin="import",
        )
    campaign = campaign_create(study=study, actor=ada, name="Judge twelve", dataset=dataset, target=2, seed=1)
    Job.objects.all().delete()  # the calculus' labels, for which a test would load the parser
    return campaign_set_state(campaign=campaign, actor=ada, state="open")


@pytest.fixture
def with_tests(ada, judging) -> Callable[..., list[TestQuestion]]:
    """Give the campaign test questions that expect entailment, and its quality settings."""

    def make(count: int = 10, **settings) -> list[TestQuestion]:
        made = [
            questions.question_create(
                campaign=judging,
                actor=ada,
                draft=questions.Draft(
                    (f"Every cat of {number} sleeps.",),
                    f"Every old cat of {number} sleeps.",
                    "entailment",
                    "Old cats are cats.",
                ),
            )
            for number in range(count)
        ]
        wrong = {"quiz_wrong": max(0, min(3, settings.get("quiz_size", 4) - 1))}
        configuring.quality_update(campaign=judging, actor=ada, **wrong | settings)
        return made

    return make


@pytest.fixture
def trust_rule(ada, judging):
    """Below 70 % of at least four test questions: pause."""
    return signal_rules.rule_create(
        campaign=judging, actor=ada, signal="trust", last=20, least=4, threshold=0.7, action="pause"
    )


class Annotator:
    """Somebody at work in a campaign."""

    def __init__(self, campaign: Campaign, user) -> None:
        self.campaign = campaign
        self.participant = participant_for(campaign.study, user)

    def ask(self):
        """The next assignment, or the reason why there is none."""
        return assignment_next(campaign=self.campaign, participant=self.participant)

    def answer(self, count: int = 1, *, right: bool = True, answer: str = "entailment") -> list[Judgement]:
        """Answer the next cards: test questions right or wrong, others as told."""
        given = []
        for _number in range(count):
            found = self.ask()
            assert isinstance(found, Assignment), found
            question = TestQuestion.objects.filter(item=found.item_id).first()
            expected = question.expected if question else answer
            given.append(
                judgement_submit(
                    assignment=found, answer=expected if right or not question else WRONG[expected]
                )
            )
        return given

    def work(self, most: int = 100):
        """Answer all there is rightly; returns the items, and the reason of the end."""
        items: list[Item] = []
        for _number in range(most):
            found = self.ask()
            if not isinstance(found, Assignment):
                return items, found
            items.append(found.item)
            judgement_submit(assignment=found, answer="entailment")
        return items, None


@pytest.fixture
def annotator(judging) -> Callable[..., Annotator]:
    return lambda user, campaign=None: Annotator(campaign or judging, user)


@pytest.fixture
def disputed(judging, annotator, ben, cleo) -> dict[str, Pair]:
    """Two people on every pair: tied on one, against the calculus on another, agreed on the rest."""
    pairs = list(Pair.objects.filter(dataset=judging.dataset).order_by("pk"))
    for user, answer in ((ben, "entailment"), (cleo, "non-entailment")):
        at_work = annotator(user)
        for _number in range(12):
            lease = at_work.ask()
            tied = lease.item.pair == pairs[3]
            judgement_submit(assignment=lease, answer=answer if tied else "entailment")
    for pair, label in ((pairs[5], "non-entailment"), (pairs[6], "entailment")):
        CalculusLabel.objects.create(
            pair=pair,
            engine="natlog",
            engine_version="1",
            convention="med",
            parser="p",
            label=label,
            direction="downward",
            reason="more specific at ↓",
            detail={"tags": []},
        )
    return {"tied": pairs[3], "disputed": pairs[5]}
