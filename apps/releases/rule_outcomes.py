"""What gold rules of probabilities (Dawid–Skene, MACE) give each pair, worked out by a job and stored, so
that pairs can be filtered by it. Other rules are the database's own business."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.datasets.models import Dataset
from apps.jobs.kinds import Chunk, JobError
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.releases.gold_rules import PROBABLE, Options, options_of
from apps.releases.models import GoldRule, RuleLabel
from apps.releases.selection import Offer, batch_after

RULE_KIND = "datasets.rule"
PAIRS_A_CHUNK = 1000


def outcomes_start(*, dataset: Dataset, rule: GoldRule, actor: User) -> Job:
    """Work out a rule of probabilities for every pair of a dataset, in the background. While that goes on,
    the job that is at it."""
    if rule.kind not in PROBABLE or rule.study_id != dataset.study_id:
        raise ValidationError({"gold_rule": _("Only rules of probabilities have to be worked out.")})
    going = jobs_of(dataset, rule).filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).first()
    return going or job_start(
        study=dataset.study,
        kind=RULE_KIND,
        title=wording(gettext_noop("%(rule)s on %(name)s"), rule=rule, name=dataset.name),
        actor=actor,
        dataset=dataset.pk,
        rule=rule.pk,
    )


def jobs_of(dataset: Dataset, rule: GoldRule) -> QuerySet[Job]:
    """The jobs that worked the rule out for the dataset, newest first."""
    return Job.objects.filter(
        study=dataset.study_id, kind=RULE_KIND, params__dataset=dataset.pk, params__rule=rule.pk
    ).order_by("-pk")


def last_done(dataset: Dataset, rule: GoldRule) -> Job | None:
    """The job whose outcomes are stored; None where the rule was never worked out here. One query."""
    return jobs_of(dataset, rule).filter(state=Job.State.DONE).first()


def outcomes_store(*, rule: GoldRule, outcomes: Sequence[tuple[int, str, float]]) -> None:
    """Replace the labels that the rule gave some pairs (number, label, probability). Idempotent."""
    RuleLabel.objects.bulk_create(
        [
            RuleLabel(rule=rule, pair_id=pk, label=label, probability=round(min(1.0, probability), 6))
            for pk, label, probability in outcomes
        ],
        update_conflicts=True,
        unique_fields=["rule", "pair"],
        update_fields=["label", "probability"],
    )


class Outcomes:
    """A rule over a dataset's pairs in the order of their numbers; twins are left out, as by releases."""

    def total(self, job: Job) -> int:
        return self._of(job)[0].pairs.exclude(origin="swap").count()

    def work(self, job: Job) -> Chunk | None:
        dataset, rule = self._of(job)
        options = Options(**{**options_of(rule), "swaps": False, "keep_unlabelled": True})
        batch = batch_after(dataset, options, job.cursor, Offer(), PAIRS_A_CHUNK)
        if batch is None:
            return None
        found = [(row.pair.pk, row.pair.gold, row.pair.probability) for row in batch.rows]
        return Chunk(batch.last, batch.considered, found)

    def store(self, job: Job, chunk: Chunk) -> None:
        outcomes_store(rule=self._of(job)[1], outcomes=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        dataset, rule = self._of(job)
        labelled = RuleLabel.objects.filter(rule=rule, pair__dataset=dataset).exclude(label="")
        return {"labelled": labelled.count()}

    @staticmethod
    def _of(job: Job) -> tuple[Dataset, GoldRule]:
        dataset = Dataset.objects.filter(pk=job.params["dataset"], study=job.study).first()
        rule = GoldRule.objects.filter(pk=job.params["rule"], study=job.study).first()
        if dataset is None or rule is None:
            raise JobError(_("The dataset or the rule is not there any more."))
        return dataset, rule
