"""Background work on quality: checks by the calculus, requeues, estimates of reliability."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from apps.campaigns.models import Campaign, Judgement
from apps.datasets.labelling import key_of, labeller
from apps.jobs import signs_of_life
from apps.jobs.kinds import Chunk, Failure, JobError, register
from apps.jobs.models import Job
from apps.quality import actions, checks, reliability, signal_rules
from apps.quality.models import QualityAction
from apps.studies.models import Participant

logger = logging.getLogger(__name__)

ANSWERS_A_CHUNK = 10


def _campaign(job: Job) -> Campaign:
    found = Campaign.objects.filter(pk=job.params["campaign"], study=job.study).first()
    if found is None:
        raise JobError(_("The campaign is not there any more."))
    return found


class Checking:
    """Looks at every creation answer whose present revision was not checked; new ones are taken along.

    Storing moves no place in a list: what was checked is not found again, and what could not be checked
    has its failure stored, so that each chunk begins at the oldest unchecked answer.
    """

    items_a_chunk = ANSWERS_A_CHUNK

    def total(self, job: Job) -> int:
        return checks.unchecked(_campaign(job)).count()

    def work(self, job: Job) -> Chunk | None:
        answers = self._next(job, job.at_most(ANSWERS_A_CHUNK))
        if not answers:
            return None
        checked: list[tuple[int, int, list[checks.Finding], str]] = []
        failures = []
        for answer in answers:
            found, failure = self._look_at(answer)
            checked.append((answer.pk, answer.revision, found, failure))
            if failure:
                failures.append(Failure(f"{answer.pk}.{answer.revision}", str(answer), failure))
        return Chunk(job.cursor + 1, len(answers), checked, failures)

    def skipped(self, job: Job, why: str) -> Chunk | None:
        for answer in self._next(job, 1):
            failure = Failure(f"{answer.pk}.{answer.revision}", str(answer), why)
            return Chunk(job.cursor + 1, 1, [(answer.pk, answer.revision, [], why)], [failure])
        return None

    @staticmethod
    def _next(job: Job, count: int) -> list[Judgement]:
        waiting = checks.unchecked(_campaign(job)).select_related("item__blank__sentence")
        return list(waiting.prefetch_related("replacements")[:count])

    @staticmethod
    def _look_at(answer: Judgement) -> tuple[list[checks.Finding], str]:
        blank = answer.item.blank
        convention = blank.convention if blank else "default"
        by = labeller(settings.PARSER, convention)
        key_of(by)  # loads what it reads with, which is no answer's fault
        signs_of_life.item_begins()
        try:
            return checks.found_by_calculus(answer, by), ""
        except Exception as error:  # one odd sentence must not hold up thousands
            logger.warning("answer %s could not be checked: %r", answer.pk, error)
            return [], f"{type(error).__name__}: {error}"

    def store(self, job: Job, chunk: Chunk) -> None:
        checks.checks_store(chunk.payload)
        campaign = _campaign(job)
        writers = Participant.objects.filter(judgements__in=[row[0] for row in chunk.payload])
        for participant in writers.distinct().order_by("pk"):
            signal_rules.evaluate(campaign, participant)

    def finish(self, job: Job) -> dict[str, Any]:
        return {"checked": job.done, "failed": job.failed}


class Requeueing:
    """Carries out one requeue that a rule asked for."""

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        return None if job.cursor else Chunk(1, 1, job.params["action"])

    def store(self, job: Job, chunk: Chunk) -> None:
        action = QualityAction.objects.filter(pk=chunk.payload, campaign__study=job.study).first()
        if action is None:
            raise JobError(_("The action is not there any more."))
        actions.work_requeue(action=action)

    def finish(self, job: Job) -> dict[str, Any]:
        action = QualityAction.objects.get(pk=job.params["action"])
        return {"answers": len(action.judgements)}


class Estimating:
    """Estimates everybody's reliability in a campaign, by Dawid–Skene and by MACE."""

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        return None if job.cursor else Chunk(1, 1, reliability.estimated(_campaign(job)))

    def store(self, job: Job, chunk: Chunk) -> None:
        reliability.reliability_store(campaign=_campaign(job), estimates=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        return {"people": _campaign(job).reliabilities.values("participant").distinct().count()}


register(checks.CHECK, Checking())
register(actions.REQUEUE_KIND, Requeueing(), Job.Urgency.CARD)
register(reliability.ESTIMATE, Estimating())
