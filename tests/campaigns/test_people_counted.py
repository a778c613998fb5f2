"""What is counted of each annotator, by the database, beside the same done answer by answer."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from datetime import UTC, datetime
from statistics import median, quantiles

import pytest

from apps.campaigns import selectors
from apps.campaigns.models import Assignment, Campaign, Guideline, Item, Judgement
from apps.datasets.models import Dataset, Pair
from apps.studies.models import Participant
from measures.agreement import majority

pytestmark = [pytest.mark.django_db, pytest.mark.both]

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
ANSWERS = ["entailment"] * 3 + ["non-entailment"] * 2 + ["unnatural", ""]


@pytest.fixture
def judged(study, ada) -> Campaign:
    """Thirty items, two of them test questions, with up to six answers of seven people each."""
    draw = random.Random(11)
    dataset = Dataset.objects.create(study=study, name="Some")
    campaign = Campaign.objects.create(study=study, name="Some", task="validation", dataset=dataset, target=3)
    versions = [
        Guideline.objects.create(campaign=campaign, version=n, body="Judge.", created_by=ada) for n in (1, 2)
    ]
    people = [Participant.objects.create(study=study, pseudonym=f"p{n}") for n in range(7)]
    for place in range(30):
        pair = Pair.objects.create(dataset=dataset, hypothesis=f"{place}", digest=f"{place}", origin="import")
        test = place < 2
        item = Item.objects.create(
            campaign=campaign, pair=pair, position=place, is_test=test, is_complete=test, counted=0
        )
        for person in draw.sample(people[: draw.choice([1, 3, 7])], k=draw.choice([0, 1])) + draw.sample(
            people[3:] if draw.random() < 0.7 else people[3:4], k=1
        ):
            _answer(draw, item, person, versions)
        for person in people[1:6]:
            if draw.random() < 0.7 and not Judgement.objects.filter(item=item, participant=person).exists():
                _answer(draw, item, person, versions)
    return campaign


def _answer(draw, item, person, versions) -> None:
    at = AT.replace(minute=draw.randrange(6))  # often the same moment
    assignment = Assignment.objects.create(
        item=item, participant=person, state="submitted", leased_at=at, shown_at=at, expires_at=at
    )
    answer = draw.choice(ANSWERS)
    Judgement.objects.create(
        assignment=assignment,
        item=item,
        participant=person,
        guideline=draw.choice(versions),
        answer=answer,
        skip_reason="" if answer else "unclear",
        counted=not item.is_test and draw.random() < 0.9,
        seconds=draw.choice([draw.uniform(1, 60), 7]),
        submitted_at=at,
    )


def test_each_number_is_the_one_counted_answer_by_answer(judged):
    works, found = selectors.works_of(judged)
    expected = _one_by_one(judged)
    assert found.is_there and len(expected) == 7 and sum(one[3] for one in expected.values()) > 20
    assert works.keys() == expected.keys()
    for pk, work in works.items():
        own = expected[pk]
        assert (work.answers, work.skips, work.surplus, work.compared, work.agreed) == own[:5]
        assert (work.median_seconds, work.low_seconds, work.high_seconds) == pytest.approx(own[5:])


def _one_by_one(campaign):
    given = list(Judgement.objects.filter(item__campaign=campaign, item__is_test=False))
    by_item = defaultdict(list)
    for one in given:
        if one.answer:
            by_item[one.item_id].append(one)
    numbers = {}
    for pk in {one.participant_id for one in given}:
        own = [one for one in given if one.participant_id == pk]
        compared = agreed = 0
        for one in own:
            others = Counter(o.answer for o in by_item[one.item_id] if o.participant_id != pk)
            most = majority(others) if one.answer else None
            compared += most is not None
            agreed += most is not None and most == one.answer
        seconds = sorted(one.seconds for one in own)
        tenths = quantiles(seconds, n=10, method="inclusive") if len(seconds) > 1 else seconds
        skips = sum(bool(one.skip_reason) for one in own)
        surplus = sum(not one.counted for one in own)
        numbers[pk] = (
            len(own), skips, surplus, compared, agreed, median(seconds), tenths[0], tenths[-1],
        )  # fmt: skip
    return numbers


def test_answers_are_gone_through_from_the_newest_in_steps(judged):
    every = Judgement.objects.filter(item__campaign=judged, item__is_test=False)
    expected = list(every.order_by("-submitted_at", "-pk").values_list("pk", flat=True))
    gone_through: list[int] = []
    before = None
    while some := selectors.recent_judgements(judged, 9, before):
        gone_through += [one.pk for one in some]
        before = some[-1]
    assert gone_through == expected and len(expected) > 30


def test_progress_is_the_same_kept_or_not(judged, study):
    kept, found = selectors.progress_kept(study, [judged])
    assert kept == selectors.progress_counts([judged])
    assert found.is_there and kept[judged.pk].items == 28
