"""Reports' writes: starting one, storing its sections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.comparison.judges import judges_of
from apps.datasets.models import Dataset
from apps.frame.clock import database_now
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.releases.models import Release
from apps.releases.storage import final_path
from apps.reports.models import BalanceReport
from apps.studies import audit

REPORT_KIND = "datasets.report"


@transaction.atomic
def report_start(
    *,
    dataset: Dataset,
    actor: User,
    labels: str = BalanceReport.Labels.FILE,
    campaigns: Iterable[int] = (),
    release: Release | None = None,
    other: Dataset | None = None,
    seed: int = 1,
) -> BalanceReport:
    """A balance and leakage report in the background, on a dataset or on a frozen release of it. People's
    labels are the majority's in ``campaigns`` (the usual ones where none is told)."""
    if release is not None:
        if release.dataset_id != dataset.pk or not release.frozen_at or not final_path(release).is_file():
            raise ValidationError({"release": _("Choose a frozen release of this dataset.")})
        labels = BalanceReport.Labels.RELEASE
    elif labels not in BalanceReport.Labels.values or labels == BalanceReport.Labels.RELEASE:
        raise ValidationError({"labels": _("There are no such labels.")})
    if other is not None and (other.study_id != dataset.study_id or other.pk == dataset.pk):
        raise ValidationError({"other": _("Choose another dataset of this study.")})
    read = judges_of(dataset, campaigns).numbers if labels == BalanceReport.Labels.HUMAN else ()
    report = BalanceReport.objects.create(
        dataset=dataset,
        release=release,
        other=other,
        other_name=other.name if other else "",
        labels=labels,
        campaigns=list(read),
        seed=seed,
        created_by=actor,
    )
    report.job = job_start(
        study=dataset.study,
        kind=REPORT_KIND,
        title=wording(gettext_noop("Report on %(name)s"), name=str(release or dataset)[:180]),
        actor=actor,
        dataset=dataset.pk,
        report=report.pk,
    )
    report.save(update_fields=["job"])
    audit.record("report.started", study=dataset.study, actor=actor, subject=report, dataset=dataset.name)
    return report


def section_store(*, report: BalanceReport, name: str, facts: Any) -> None:
    """Keep one section; storing it again replaces it."""
    report.facts = {**report.facts, name: facts}
    report.save(update_fields=["facts"])


def report_finish(*, report: BalanceReport) -> None:
    report.finished_at = database_now()
    report.save(update_fields=["finished_at"])
