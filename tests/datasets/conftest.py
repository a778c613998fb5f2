"""Pairs with judgements and calculus labels, made in a line each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest
from django.utils import timezone

from apps.campaigns.models import Assignment, Campaign, Guideline, Item, Judgement, JudgementRevision
from apps.corpora.models import Blank, BlankSet, Corpus, Sentence
from apps.datasets.models import CalculusLabel, Dataset, Pair
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.studies.models import Participant


@pytest.fixture
def dataset(study, ada) -> Dataset:
    return dataset_create(study=study, actor=ada, name="Pairs")


@pytest.fixture
def campaign(study, dataset, ada) -> Campaign:
    made = Campaign.objects.create(study=study, name="Judging", task="validation", dataset=dataset)
    Guideline.objects.create(campaign=made, version=1, body="Judge.")
    return made


class Maker:
    """Makes pairs; answers are single letters: e, n, u(nnatural), c(ontradiction), s(kip), E/N = surplus."""

    ANSWERS = {"e": "entailment", "n": "non-entailment", "u": "unnatural", "c": "contradiction", "s": ""}

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.number = count(1)

    def __call__(
        self,
        answers: str = "",
        *,
        calculus: str = "",
        direction: str = "downward",
        premise: str | None = None,
        hypothesis: str | None = None,
        detail: dict | None = None,
        **fields,
    ) -> Pair:
        number = next(self.number)
        pair = pair_get_or_create(
            dataset=fields.pop("dataset", self.campaign.dataset),
            premises=[(premise or f"No dog {number} ran.", None)],
            hypothesis=hypothesis or f"No small dog {number} ran.",
            origin=fields.pop("origin", "crowd"),
            direction=direction,
            **fields,
        )
        if calculus:
            self.label(pair, calculus, detail=detail)
        if answers:
            self.judge(pair, answers)
        return pair

    def label(self, pair: Pair, letter: str, **fields) -> CalculusLabel:
        fields = {
            "engine": "natlog",
            "engine_version": "1",
            "convention": "med",
            "parser": "p",
            "direction": pair.direction,
            "reason": "more specific at ↓",
            "detail": {"swappable": True, "swap_reason": ""},
        } | {k: v for k, v in fields.items() if v is not None}
        return CalculusLabel.objects.create(pair=pair, label=self.ANSWERS[letter], **fields)

    def judge(self, pair: Pair, answers: str) -> list[Judgement]:
        item = Item.objects.create(campaign=self.campaign, pair=pair, position=pair.pk)
        return self.answer(item, answers)

    def answer(self, item: Item, answers: str) -> list[Judgement]:
        campaign = item.campaign
        now = timezone.now()
        made = []
        for place, letter in enumerate(answers):
            person, _new = Participant.objects.get_or_create(
                study=campaign.study, pseudonym=f"person-{place}"
            )
            slot = Assignment.objects.create(
                item=item, participant=person, state="submitted", leased_at=now, shown_at=now, expires_at=now
            )
            judgement = Judgement.objects.create(
                assignment=slot,
                item=item,
                participant=person,
                guideline=campaign.guidelines.get(),
                answer=self.ANSWERS[letter.lower()],
                skip_reason="unclear" if letter == "s" else "",
                counted=letter.islower(),
                seconds=12.5,
                submitted_at=now,
            )
            JudgementRevision.objects.create(
                judgement=judgement, number=1, value={}, guideline=judgement.guideline, at=now
            )
            made.append(judgement)
        return made


@pytest.fixture
def blank(study) -> Blank:
    """The dog of "No dog ran."."""
    corpus = Corpus.objects.create(study=study, name="Sentences", licence="CC0", source="ourselves")
    sentence = Sentence.objects.create(corpus=corpus, position=0, text="No dog ran.", digest="d")
    return Blank.objects.create(
        blank_set=BlankSet.objects.create(study=study, name="Blanks"),
        sentence=sentence,
        start=3,
        end=6,
        text="dog",
        category="NP",
        polarity="down",
        engine="natlog",
        engine_version="1",
        convention="med",
        parser="p",
    )


@pytest.fixture
def make(campaign) -> Callable[..., Pair]:
    return Maker(campaign)
