"""Checks of what annotators wrote into a blank: by its text at once, by the calculus in the background.

The calculus needs a parse, which a web process must not load: its findings come as flags a few seconds
after the answer, for the researchers and for rules, and where the campaign wants it the annotator is told
later (notices.py). What is refused is decided by the text and by lists of words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.campaigns.models import Campaign, Item, Judgement, Replacement
from apps.frame.clock import database_now
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.quality import lexical
from apps.quality.folding import folded, nearly_same, scripts_of
from apps.quality.lexical import MORE_GENERAL, SYNONYM
from apps.quality.models import AnswerCheck, Flag, Quality
from apps.quality.settings import quality_or_none

if TYPE_CHECKING:
    from natlog.calculus import Labeller

CHECK = "campaigns.check"
NEAR_DUPLICATE, OTHER_SCRIPT, SPELLING = "near-duplicate", "other-script", "spelling"


@dataclass(frozen=True)
class Finding:
    """What is odd about the replacement at ``position``."""

    position: int
    code: str
    message: str


def name_of(code: str) -> str:
    """A flag's code in words."""
    return {
        NEAR_DUPLICATE: _("nearly the same as another one"),
        OTHER_SCRIPT: _("letters of another script"),
        SPELLING: _("spelling"),
        "empty": _("nothing is written"),
        "unchanged": _("the sentence as it was"),
        "changed-outside-blank": _("changed outside the blank"),
        "not-a-constituent": _("not one constituent"),
        SYNONYM: _("says the same, not something more specific"),
        MORE_GENERAL: _("more general, not more specific"),
    }.get(code, code)


# ---- By the text, at once ----------------------------------------------------------------------


def refuse(item: Item, assignment: int, texts: Sequence[str]) -> None:
    """ValidationError by ``replacements-0`` … for texts that the campaign refuses. One query
    where it refuses any."""
    quality = quality_or_none(item.campaign) if texts else None
    if quality is None:
        return
    found = _findings(item, assignment, texts, _codes(quality, Quality.Response.REFUSE))
    if found:
        raise ValidationError(
            {f"replacements-{finding.position}": finding.message for finding in reversed(found)}
        )


def after_creation(judgement: Judgement) -> None:
    """Flag the present revision by its text, and have the calculus look at it in the background."""
    quality = quality_or_none(judgement.item.campaign)
    if quality is None:
        return
    warned = _codes(quality, Quality.Response.WARN)
    texts = [replacement.text for replacement in judgement.replacements.order_by("position")]
    found = _findings(
        judgement.item, judgement.assignment_id, texts, warned | _codes(quality, Quality.Response.FLAG)
    )
    judgement.flags.all().delete()
    Flag.objects.bulk_create(
        Flag(
            judgement=judgement,
            position=finding.position,
            code=finding.code,
            message=finding.message,
            source=Flag.Source.TEXT,
        )
        for finding in found
    )
    if quality.checks_calculus:
        check_start(judgement.item.campaign)


def _codes(quality: Quality, response: str) -> frozenset[str]:
    chosen = {
        NEAR_DUPLICATE: quality.near_duplicates,
        OTHER_SCRIPT: quality.other_script,
        SYNONYM: quality.not_more_specific,
        MORE_GENERAL: quality.not_more_specific,
        SPELLING: quality.spelling,
    }
    return frozenset(code for code, value in chosen.items() if value == response)


def _findings(item: Item, assignment: int, texts: Sequence[str], codes: frozenset[str]) -> list[Finding]:
    found = []
    if NEAR_DUPLICATE in codes:
        found += _near_duplicates(item, assignment, texts)
    if OTHER_SCRIPT in codes and item.blank:
        own = scripts_of(item.blank.sentence.text)
        message = _("This has letters of another script than the sentence.")
        found += [
            Finding(position, OTHER_SCRIPT, message)
            for position, text in enumerate(texts)
            if scripts_of(text) - own
        ]
    if SYNONYM in codes and item.blank:
        found += _not_more_specific(item.blank.text, texts)
    if SPELLING in codes and item.blank:
        found += _misspelt(item.blank.sentence.text, texts)
    return found


def _not_more_specific(blank: str, texts: Sequence[str]) -> list[Finding]:
    found = []
    for position, text in enumerate(texts):
        change = lexical.word_change(blank, text)
        if change is None:
            continue
        message = {
            SYNONYM: _("“%(new)s” says the same as “%(old)s”: make it more specific."),
            MORE_GENERAL: _("“%(new)s” is more general than “%(old)s”, not more specific."),
        }[change.code]
        found.append(Finding(position, change.code, message % {"new": change.new, "old": change.old}))
    return found


def _misspelt(premise: str, texts: Sequence[str]) -> list[Finding]:
    message = _("Please look at the spelling: %(words)s.")
    return [
        Finding(position, SPELLING, message % {"words": ", ".join(words)})
        for position, text in enumerate(texts)
        if (words := lexical.misspelt(text, premise))
    ]


def _near_duplicates(item: Item, assignment: int, texts: Sequence[str]) -> list[Finding]:
    """Against what the study has for the same place of the same sentence, and within the set. One query."""
    blank = item.blank
    if blank is None:
        return []
    there = Replacement.objects.filter(
        judgement__item__blank__sentence=blank.sentence_id,
        judgement__item__blank__start=blank.start,
        judgement__item__blank__end=blank.end,
    ).exclude(judgement__assignment=assignment)
    before = {folded(text) for text in there.values_list("text", flat=True)}
    found, own = [], list[str]()
    for position, text in enumerate(texts):
        form = folded(text)
        if any(nearly_same(form, other) for other in own):
            message = _("This is nearly the same as another of your answers here.")
            found.append(Finding(position, NEAR_DUPLICATE, message))
        elif any(nearly_same(form, other) for other in before):
            message = _("Somebody has written nearly the same here before.")
            found.append(Finding(position, NEAR_DUPLICATE, message))
        own.append(form)
    return found


def warnings(judgement: Judgement, quality: Quality) -> list[str]:
    """What the annotator is told about an answer that was taken in, once; [] for nothing."""
    codes = _codes(quality, Quality.Response.WARN)
    if not codes:
        return []
    flags = list(judgement.flags.filter(code__in=codes, source=Flag.Source.TEXT, was_told=False))
    Flag.objects.filter(pk__in=[flag.pk for flag in flags]).update(was_told=True)
    return [
        _("Answer %(number)d: %(why)s You may change it.")
        % {"number": flag.position + 1, "why": flag.message}
        for flag in flags
    ]


# ---- By the calculus, in the background --------------------------------------------------------


def unchecked(campaign: Campaign) -> QuerySet[Judgement]:
    """The creation answers whose present revision the calculus has not seen, oldest first."""
    done = AnswerCheck.objects.filter(judgement__revision=F("revision"))
    return (
        Judgement.objects.filter(item__campaign=campaign, item__blank__isnull=False, skip_reason="")
        .exclude(pk__in=done.values("judgement"))
        .order_by("pk")
    )


def check_start(campaign: Campaign) -> Job | None:
    """Start the job that checks what is unchecked, unless one waits or runs, which takes it along."""
    there = Job.objects.filter(
        Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING),
        study=campaign.study_id,
        kind=CHECK,
        params__campaign=campaign.pk,
    )
    if there.exists():
        return None
    return job_start(
        study=campaign.study,
        kind=CHECK,
        title=wording(gettext_noop("Checks of answers: %(name)s"), name=campaign.name),
        actor=None,
        campaign=campaign.pk,
    )


def found_by_calculus(judgement: Judgement, by: Labeller) -> list[Finding]:
    """What :func:`natlog.calculus.checks.check_replacement` says of an answer's replacements."""
    from natlog.calculus.checks import check_replacement

    blank = judgement.item.blank
    if blank is None:
        return []
    premise = by.markings([blank.sentence.text])[blank.sentence.text]
    return [
        Finding(replacement.position, finding.code, finding.message)
        for replacement in judgement.replacements.all()
        for finding in check_replacement(premise, blank.start, blank.end, replacement.text, labeller=by)
    ]


@transaction.atomic
def checks_store(checked: Sequence[tuple[int, int, list[Finding], str]]) -> None:
    """Store what the calculus found: (judgement, revision, findings, failure) each. Idempotent; what was
    revised in the meantime is left for the next look."""
    present = dict(Judgement.objects.filter(pk__in=[row[0] for row in checked]).values_list("pk", "revision"))
    now = database_now()
    for pk, revision, findings, failure in checked:
        if present.get(pk) != revision:
            continue
        kept = {(finding.position, finding.code) for finding in findings}
        for flag in Flag.objects.filter(judgement=pk, source=Flag.Source.CALCULUS):
            if (flag.position, flag.code) not in kept:
                flag.delete()
        Flag.objects.bulk_create(
            (
                Flag(
                    judgement_id=pk,
                    position=finding.position,
                    code=finding.code,
                    message=finding.message,
                    source=Flag.Source.CALCULUS,
                )
                for finding in findings
            ),
            # What the word list had flagged is the calculus' now, and what was told stays told.
            update_conflicts=True,
            update_fields=["source", "message"],
            unique_fields=["judgement", "position", "code"],
        )
        AnswerCheck.objects.update_or_create(
            judgement_id=pk,
            defaults={"revision": revision, "failure": failure[:500], "checked_at": now},
        )
