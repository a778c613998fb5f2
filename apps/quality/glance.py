"""What a study's page says of the quality of its campaigns: people who are paused, and test questions that
their answers speak against."""

from __future__ import annotations

from collections import Counter

from django.db.models import Count, F, Q, QuerySet
from django.urls import reverse
from django.utils.translation import ngettext

from apps.campaigns.models import Campaign
from apps.quality.models import QualityAction, TestQuestion
from apps.studies.access import within
from apps.studies.glance import Problem, Reading, Urgency
from apps.studies.models import Study

#: A question is disputed where so many answered it, and more than half of them otherwise than expected.
ANSWERS_AT_LEAST = 5


def disputed(questions: QuerySet[TestQuestion]) -> QuerySet[TestQuestion]:
    """Those in use that most people answer otherwise than expected: the question may be wrong, not they."""
    counted = questions.filter(state=TestQuestion.State.ACTIVE).annotate(
        given=Count("answers"), missed=Count("answers", filter=~Q(answers__answer=F("expected")))
    )
    return counted.filter(given__gte=ANSWERS_AT_LEAST, missed__gt=F("given") / 2.0)


def problems(study: Study, reading: Reading) -> list[Problem]:
    """By campaign, those that are not archived. Two queries."""
    return [*_paused(study), *_disputed(study)]


def _paused(study: Study) -> list[Problem]:
    rows = (
        within(QualityAction, study)
        .filter(kind=QualityAction.Kind.PAUSE, undone_at=None, campaign__archived_at=None)
        .exclude(campaign__state=Campaign.State.CLOSED)
        .order_by("campaign")
        .values_list("campaign", "campaign__name")
        .annotate(n=Count("participant", distinct=True))
    )
    return [
        Problem(
            "annotators-paused",
            Urgency.PEOPLE,
            n,
            ngettext("annotator is paused", "annotators are paused", n),
            reverse("quality:people", args=[study.slug, pk]),
            name,
        )
        for pk, name, n in rows
    ]


def _disputed(study: Study) -> list[Problem]:
    questions = disputed(within(TestQuestion, study).filter(campaign__archived_at=None)).order_by("campaign")
    counts = Counter((one.campaign_id, one.campaign.name) for one in questions.select_related("campaign"))
    return [
        Problem(
            "tests-disputed",
            Urgency.PEOPLE,
            n,
            ngettext(
                "test question that most answer otherwise", "test questions that most answer otherwise", n
            ),
            f"{reverse('quality:tests', args=[study.slug, pk])}?disputed=yes",
            name,
        )
        for (pk, name), n in counts.items()
    ]
