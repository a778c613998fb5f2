"""Trust and reliability of each annotator in a campaign: what is known, agreed and estimated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.campaigns.models import Campaign, Judgement
from apps.campaigns.selectors import Work, works_of
from apps.frame.clock import database_now
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.quality.models import Declaration, Flag, QualityAction, Reliability, TestAnswer, TestQuestion
from apps.quality.refusals import Standing, standings_of
from apps.studies.models import Participant
from apps.studies.selectors import has_left
from apps.tallies.selectors import Found
from measures.reliability import Estimate, dawid_skene, mace
from measures.undefined import Undefined

ESTIMATE = "campaigns.reliability"
# Why there is no estimate, as it is stored; pages translate it.
_REASONS = {
    Undefined.NO_VARIATION: gettext_noop("no variation: everybody gave one and the same label"),
    Undefined.NO_OVERLAP: gettext_noop("no overlap: no item has answers of two people"),
}


@dataclass
class Person:
    """What is known of one annotator; ``work`` is what they did in the campaign (None: nothing, or it is
    still being counted)."""

    participant: Participant
    work: Work | None = None
    tests_shown: int = 0
    tests_right: int = 0
    flags: int = 0
    actions: list[QualityAction] = field(default_factory=list)
    estimates: dict[str, Reliability] = field(default_factory=dict)
    declaration: Declaration | None = None
    refusals: list[Standing] = field(default_factory=list)

    @property
    def answers(self) -> int:
        return self.work.answers if self.work else 0

    @property
    def skips(self) -> int:
        return self.work.skips if self.work else 0

    @property
    def surplus(self) -> int:
        return self.work.surplus if self.work else 0

    @property
    def compared(self) -> int:
        return self.work.compared if self.work else 0

    @property
    def agreed(self) -> int:
        return self.work.agreed if self.work else 0

    @property
    def trust(self) -> float | None:
        return self.tests_right / self.tests_shown if self.tests_shown else None

    @property
    def agreement(self) -> float | None:
        return self.agreed / self.compared if self.compared else None

    @property
    def median_seconds(self) -> float | None:
        return self.work.median_seconds if self.work else None

    @property
    def dawid_skene(self) -> Reliability | None:
        return self.estimates.get(Reliability.Method.DAWID_SKENE)

    @property
    def mace(self) -> Reliability | None:
        return self.estimates.get(Reliability.Method.MACE)

    @property
    def is_paused(self) -> bool:
        return any(a.kind == QualityAction.Kind.PAUSE and not a.undone_at for a in self.actions)

    @property
    def has_worked(self) -> bool:
        """Whether there is more to show of them than that they were not let in."""
        return bool(self.answers or self.tests_shown or self.actions)

    @property
    def is_refused(self) -> bool:
        return any(one.holds for one in self.refusals)

    @property
    def is_in_review(self) -> bool:
        return any(a.kind == QualityAction.Kind.REVIEW and not a.undone_at for a in self.actions)


def people_of(
    campaign: Campaign, only: int | None = None, *, wait: bool = False
) -> tuple[list[Person], Found]:
    """Everybody who answered in the campaign, was acted upon, or was not let in, and what was found of the
    counting of their work. Six to ten queries, whatever their number, and those of what is kept. ``only``
    is a participant's number."""
    works, counted = works_of(campaign, wait=wait)
    people = {pk: Person(Participant(pk=pk), work) for pk, work in works.items()}

    def person(pk: int) -> Person:
        if pk not in people:
            people[pk] = Person(Participant(pk=pk))
        return people[pk]

    _add_tests(campaign, person)
    for action in QualityAction.objects.filter(campaign=campaign).select_related("rule", "created_by"):
        person(action.participant_id).actions.append(action)
    for standing in standings_of(campaign, only):
        person(standing.refusal.participant_id).refusals.append(standing)
    for estimate in Reliability.objects.filter(campaign=campaign):
        person(estimate.participant_id).estimates[estimate.method] = estimate
    flagged = Flag.objects.filter(judgement__item__campaign=campaign).order_by()
    for pk, count in flagged.values_list("judgement__participant").annotate(n=Count("pk")):
        person(pk).flags = count
    if only is not None:
        people = {pk: one for pk, one in people.items() if pk == only}
    known = Participant.objects.select_related("user", "declaration").annotate(has_left=has_left())
    found = known.in_bulk(people)
    for pk, participant in found.items():
        people[pk].participant = participant
        people[pk].declaration = getattr(participant, "declaration", None)
    chosen = [people[pk] for pk in found]
    return sorted(chosen, key=lambda one: (-one.answers, one.participant.pseudonym)), counted


def _add_tests(campaign: Campaign, person: Callable[[int], Person]) -> None:
    answers = TestAnswer.objects.filter(question__campaign=campaign).exclude(
        question__state=TestQuestion.State.FORGIVEN
    )
    right = Count("pk", filter=Q(answer=F("question__expected")))
    counts = answers.order_by().values_list("participant").annotate(shown=Count("pk"), right=right)
    for pk, shown, known in counts:
        one = person(pk)
        one.tests_shown, one.tests_right = shown, known


# ---- Estimates ---------------------------------------------------------------------------------


def estimated(campaign: Campaign) -> dict[str, Estimate]:
    """Both estimates over the campaign's answers, surplus ones too, test questions and skips left out."""
    given = Judgement.objects.filter(item__campaign=campaign, item__is_test=False).exclude(answer="")
    ratings = list(given.order_by("pk").values_list("item_id", "participant_id", "answer"))
    return {
        Reliability.Method.DAWID_SKENE: dawid_skene(ratings),
        Reliability.Method.MACE: mace(ratings, seed=campaign.seed),
    }


@transaction.atomic
def reliability_store(*, campaign: Campaign, estimates: Mapping[str, Estimate]) -> None:
    """Replace the campaign's estimates. Idempotent."""
    given = Judgement.objects.filter(item__campaign=campaign, item__is_test=False).exclude(answer="")
    answers = Counter(given.values_list("participant", flat=True))
    now = database_now()
    Reliability.objects.filter(campaign=campaign).delete()
    Reliability.objects.bulk_create(
        Reliability(
            campaign=campaign,
            participant_id=pk,
            method=method,
            value=estimate.raters.get(pk),
            reason=_REASONS[estimate.undefined] if estimate.undefined else "",
            answers=count,
            detail={
                "labels": estimate.labels,
                "confusion": estimate.confusion.get(pk, []),
                "prior": estimate.prior,
            },
            computed_at=now,
        )
        for method, estimate in estimates.items()
        for pk, count in sorted(answers.items())
    )


def estimate_start(*, campaign: Campaign, actor: User) -> Job:
    return job_start(
        study=campaign.study,
        kind=ESTIMATE,
        title=wording(gettext_noop("Reliability: %(name)s"), name=campaign.name),
        actor=actor,
        campaign=campaign.pk,
    )


def jobs_of(campaign: Campaign, kind: str) -> QuerySet[Job]:
    """The campaign's background work of one kind, newest first."""
    found = Job.objects.filter(study=campaign.study_id, kind=kind, params__campaign=campaign.pk)
    return found.select_related("study").order_by("-pk")
