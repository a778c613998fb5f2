"""The people behind a release's judgements, under names that are good for that release alone."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Q
from django.utils.crypto import salted_hmac

from apps.campaigns.models import Reliability, TestAnswer, TestQuestion
from apps.datasets.models import Release
from apps.studies.models import Participant
from apps.studies.services import release_pseudonym


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


NOTHING_KNOWN = Standing(None, 0, {})


def standings(release: Release) -> dict[tuple[int, int], Standing]:
    """The standing of each person in each of the dataset's campaigns, by campaign and participant.

    Two queries. Test questions that were forgiven say nothing.
    """
    tests = (
        TestAnswer.objects.filter(question__campaign__dataset=release.dataset)
        .exclude(question__state=TestQuestion.State.FORGIVEN)
        .values_list("question__campaign_id", "participant_id")
        .annotate(shown=Count("pk"), right=Count("pk", filter=Q(answer=F("question__expected"))))
        .order_by("question__campaign_id", "participant_id")
    )
    trust = {(campaign, person): (right, shown) for campaign, person, shown, right in tests}
    estimates: dict[tuple[int, int], dict[str, float | None]] = {}
    found = Reliability.objects.filter(campaign__dataset=release.dataset)
    for campaign, person, method, value in found.values_list(
        "campaign_id", "participant_id", "method", "value"
    ):
        estimates.setdefault((campaign, person), {})[method] = value
    return {
        key: Standing(
            trust=round(trust[key][0] / trust[key][1], 6) if key in trust else None,
            test_answers=trust[key][1] if key in trust else 0,
            reliability=dict(sorted(estimates.get(key, {}).items())),
        )
        for key in trust.keys() | estimates.keys()
    }
