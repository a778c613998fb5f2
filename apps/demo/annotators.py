"""Simulated annotators: they take work and answer it through the same services as people do.

Writers give the phrases that stand beside each blank in ``sentences.toml``. Judges follow the
polarity that the sentence's writer gave the blank, not the calculus, and err at a fixed rate, so that
a comparison of people and calculus compares two things. Everything is drawn from the texts themselves:
the same sentences give the same answers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import timedelta

from apps.campaigns.models import Assignment, Campaign
from apps.campaigns.reasons import NothingNow
from apps.campaigns.services import assignment_next, judgement_submit
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT, UNNATURAL
from apps.demo.sentences import by_text
from apps.studies.models import Participant

# How often a judge is right, by the polarity of the blank. People find ↓ easiest (MED, Table 3).
RIGHT = {"↓": 0.92, "↑": 0.86, "=": 0.8}
ODD = 0.03
WRITING_SECONDS = (25, 90)
JUDGING_SECONDS = (4, 20)

Answer = Callable[[Assignment], None]


def write_all(campaign: Campaign, writers: Sequence[Participant], most: int | None = None) -> int:
    """Answer a creation campaign, at most ``most`` blanks; returns how many."""
    return _take_turns(campaign, writers, _write, most)


def judge_all(campaign: Campaign, judges: Sequence[Participant], most: int | None = None) -> int:
    """Answer a validation campaign, at most ``most`` times; returns how often."""
    return _take_turns(campaign, judges, _judge, most)


def _take_turns(
    campaign: Campaign, participants: Sequence[Participant], answer: Answer, most: int | None
) -> int:
    """One after the other takes an item, until nobody gets one any more."""
    count, at_work = 0, list(participants)
    while at_work:
        for participant in tuple(at_work):
            if count == most:
                return count
            assignment = assignment_next(campaign=campaign, participant=participant)
            if isinstance(assignment, NothingNow):
                at_work.remove(participant)
                continue
            answer(assignment)
            count += 1
    return count


def _write(assignment: Assignment) -> None:
    blank = assignment.item.blank
    assert blank is not None, "a creation campaign has blanks"
    sentence = by_text()[blank.sentence.text]
    _spend(assignment, WRITING_SECONDS, blank.sentence.text)
    if sentence.skip:
        judgement_submit(assignment=assignment, skip_reason=sentence.skip)
    else:
        judgement_submit(assignment=assignment, replacements=sentence.narrower)


def _judge(assignment: Assignment) -> None:
    pair = assignment.item.pair
    assert pair is not None, "a validation campaign has pairs"
    assert pair.blank is not None, "the demo's pairs come from blanks"
    sign = by_text()[pair.blank.sentence.text].sign
    _spend(assignment, JUDGING_SECONDS, pair.digest)
    chance = random.Random(f"{pair.digest}:{assignment.participant.pseudonym}")
    judgement_submit(assignment=assignment, answer=judgement_of(sign, chance))


def judgement_of(sign: str, chance: random.Random) -> str:
    """A judge's answer to a hypothesis made more specific at a place of this polarity."""
    draw = chance.random()
    if draw < ODD:
        return UNNATURAL
    expected, other = (ENTAILMENT, NON_ENTAILMENT) if sign == "↓" else (NON_ENTAILMENT, ENTAILMENT)
    return expected if draw < ODD + (1 - ODD) * RIGHT[sign] else other


def _spend(assignment: Assignment, seconds: tuple[int, int], seed: str) -> None:
    """Date the showing of the item back, so that the answer took as long as a person takes."""
    chance = random.Random(f"{seed}:{assignment.participant.pseudonym}:time")
    shown = assignment.shown_at - timedelta(seconds=chance.uniform(*seconds))
    Assignment.objects.filter(pk=assignment.pk).update(leased_at=shown, shown_at=shown)
