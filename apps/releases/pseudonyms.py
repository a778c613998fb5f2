"""The people behind a release's judgements, under names that are good for that release alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.utils.crypto import salted_hmac

from apps.quality.models import Reliability, TestAnswer, TestQuestion
from apps.releases.models import Release
from apps.studies.models import Participant
from apps.studies.services import release_pseudonym


class Names(Protocol):
    """What people are called in a file, by the number of their participant."""

    def of(self, participant: int) -> str: ...


class Pseudonyms:
    """Published names of participants; a release's salt keeps two releases from being joined by name.

    One query. The dataset's people are as many as the study has, however many pairs it has.
    """

    def __init__(self, release: Release) -> None:
        # From the server's key, so that it is the same when the release is written again and kept nowhere.
        salt = salted_hmac("polarlab.datasets.release", str(release.pk)).hexdigest()
        people = Participant.objects.filter(study=release.dataset.study)
        self._names = {person.pk: release_pseudonym(person, salt) for person in people.iterator()}

    def of(self, participant: int) -> str:
        return self._names[participant]


@dataclass(frozen=True)
class Standing:
    """What a campaign knows of one person: ``trust`` is the share of right answers to its test questions
    (None without any), ``reliability`` what was estimated from their answers, by method."""

    trust: float | None
    test_answers: int
    reliability: dict[str, float | None]
    # The first answers to test questions in the order of time, and whether each was right.
    tested: tuple[tuple[datetime, bool], ...] = ()

    def trust_at(self, moment: datetime) -> float | None:
        """Trust as it was when somebody sent an answer, that one included, by the questions of today."""
        return _share([entry for entry in self.tested if entry[0] <= moment])


NOTHING_KNOWN = Standing(None, 0, {})


def standings(release: Release) -> dict[tuple[int, int], Standing]:
    """The standing of each person in each of the dataset's campaigns, by campaign and participant.

    Two queries. Test questions that were forgiven say nothing.
    """
    tests = (
        TestAnswer.objects.filter(question__campaign__dataset=release.dataset)
        .exclude(question__state=TestQuestion.State.FORGIVEN)
        .order_by("at", "pk")
        .values_list("question__campaign_id", "participant_id", "at", "answer", "question__expected")
    )
    tested: dict[tuple[int, int], list[tuple[datetime, bool]]] = {}
    for campaign, person, at, answer, expected in tests.iterator():
        tested.setdefault((campaign, person), []).append((at, answer == expected))
    estimates: dict[tuple[int, int], dict[str, float | None]] = {}
    found = Reliability.objects.filter(campaign__dataset=release.dataset)
    for campaign, person, method, value in found.values_list(
        "campaign_id", "participant_id", "method", "value"
    ):
        estimates.setdefault((campaign, person), {})[method] = value
    return {
        key: Standing(
            trust=_share(tested.get(key, [])),
            test_answers=len(tested.get(key, [])),
            reliability=dict(sorted(estimates.get(key, {}).items())),
            tested=tuple(tested.get(key, [])),
        )
        for key in sorted(tested.keys() | estimates.keys())
    }


def _share(tested: Sequence[tuple[datetime, bool]]) -> float | None:
    return round(sum(right for _at, right in tested) / len(tested), 6) if tested else None
