"""The job that makes a report: a section a chunk, over the same pairs."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job
from apps.jobs.watching import heartbeat
from apps.reports import duplicates, probe, services, shares, vocabulary
from apps.reports.models import BalanceReport
from apps.reports.rows import OTHER, WHOLE, Row, rows_of, texts_of

SECTIONS = ("balance", "lengths", "cues", "vocabulary", "duplicates", "downward", "probe")


class Reporting:
    """Each chunk is one section, at most half a minute for 100,000 pairs; ``facts`` hold it."""

    def __init__(self) -> None:
        # The runner forgets a job that is over, and its pairs with it.
        self._rows: weakref.WeakKeyDictionary[Job, list[Row]] = weakref.WeakKeyDictionary()

    def total(self, job: Job) -> int:
        return len(SECTIONS)

    def work(self, job: Job) -> Chunk | None:
        if job.cursor >= len(SECTIONS):
            return None
        report = self._report(job)
        if job not in self._rows:
            try:
                self._rows[job] = rows_of(report, heartbeat(job))
            except FileNotFoundError as error:
                raise JobError(_("The release's archive is not there any more.")) from error
        name = SECTIONS[job.cursor]
        return Chunk(job.cursor + 1, 1, (name, section(name, report, self._rows[job], heartbeat(job))))

    def store(self, job: Job, chunk: Chunk) -> None:
        name, facts = chunk.payload
        services.section_store(report=self._report(job), name=name, facts=facts)

    def finish(self, job: Job) -> dict[str, Any]:
        report = self._report(job)
        services.report_finish(report=report)
        return {"pairs": report.facts["balance"]["pairs"]}

    @staticmethod
    def _report(job: Job) -> BalanceReport:
        found = BalanceReport.objects.filter(pk=job.params["report"], dataset__study=job.study)
        report = found.select_related("dataset__study", "release", "other").first()
        if report is None:
            raise JobError(_("The report is not there any more."))
        return report


def section(name: str, report: BalanceReport, rows: list[Row], beat: Callable[[], None]) -> Any:
    """The facts of one section. Heavy libraries are loaded here, in a worker."""
    if name == "balance":
        return shares.balance(rows)
    if name == "lengths":
        return shares.lengths(rows)
    if name == "cues":
        return shares.cues(rows)
    if name == "vocabulary":
        return vocabulary.vocabulary(rows, texts_of(report.other) if report.other else None, beat)
    if name == "duplicates":
        return _duplicates(report, rows, beat)
    if name == "downward":
        return shares.downward(rows)
    return probe.probe(rows, seed=report.seed, beat=beat)


def _duplicates(report: BalanceReport, rows: list[Row], beat: Callable[[], None]) -> dict[str, Any]:
    """Between the splits of a release, within a dataset, and with the other dataset."""
    texts = [duplicates.Text(row.premise, row.hypothesis, row.split) for row in rows]
    splits = list(dict.fromkeys(row.split for row in rows))
    parts = [(one, two) for at, two in enumerate(splits) for one in splits[at + 1 :]]
    if splits == [WHOLE]:
        parts = [(WHOLE, WHOLE)]
    if report.other:
        texts += [duplicates.Text(*text, OTHER) for text in texts_of(report.other)]
        parts += [(split, OTHER) for split in splits]
    return duplicates.near_duplicates(texts, parts, beat)


register(services.REPORT_KIND, Reporting())
