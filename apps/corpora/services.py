"""Everything that is written about corpora: parse jobs, checks of parses, sentences put aside.

Files on their way in and blanks have their own: :mod:`apps.corpora.draft_services`, :mod:`.blank_services`.
"""

from __future__ import annotations

import random

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.corpora import selectors
from apps.corpora.models import Corpus, ParseCheck, ParseSample, PolarityMarking, Sentence
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit

PARSE_KIND = "corpora.parse"


# ---- Parsing: a background job -----------------------------------------------------------------
def corpus_parse(*, corpus: Corpus, actor: User | None, convention: str = "default") -> Job:
    """Parse and polarise a corpus in the background, or return the job that is already at it."""
    from natlog.lexicon.conventions import conventions

    if convention not in conventions():
        raise ValidationError(_("There is no convention “%(name)s”.") % {"name": convention})
    with transaction.atomic():
        # Two clicks meet at this lock, so that one job is made.
        Corpus.objects.select_for_update().get(pk=corpus.pk)
        running = selectors.parse_jobs_of(corpus).filter(params__convention=convention)
        if job := running.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).first():
            return job
        return job_start(
            study=corpus.study,
            kind=PARSE_KIND,
            title=wording(gettext_noop("Parse and polarise %(corpus)s"), corpus=corpus.name),
            actor=actor,
            corpus=corpus.pk,
            convention=convention,
        )


# ---- Checking parses by hand -------------------------------------------------------------------
@transaction.atomic
def parse_sample_draw(
    *, corpus: Corpus, actor: User, size: int, seed: int, group: selectors.MarkingGroup
) -> ParseSample:
    """Draw ``size`` markings of one engine and convention at random; the same seed draws the same."""
    markings = list(
        group.of(PolarityMarking.objects.filter(parse__sentence__corpus=corpus))
        .order_by("parse__sentence__position")
        .values_list("pk", flat=True)
    )
    if not markings:
        raise ValidationError(_("Nothing is parsed yet."))
    if size > len(markings):
        raise ValidationError(
            _("%(size)d can't be drawn: there are %(n)d parses. Draw that many, or fewer.")
            % {"size": size, "n": len(markings)}
        )
    drawn = random.Random(seed).sample(markings, size)
    sample = ParseSample.objects.create(corpus=corpus, size=len(drawn), seed=seed, created_by=actor)
    ParseCheck.objects.bulk_create(
        [ParseCheck(sample=sample, marking_id=pk, position=place) for place, pk in enumerate(drawn, 1)]
    )
    audit.record(
        "parse_sample.drawn", study=corpus.study, actor=actor, subject=sample, size=len(drawn), seed=seed
    )
    return sample


@transaction.atomic
def sentence_put_aside(*, sentence: Sentence, actor: User, aside: bool = True) -> Sentence:
    """Take a sentence out of the pool that blanks and machine-made pairs come from, or back into it. What was
    made of it stays."""
    held = Sentence.objects.select_for_update().select_related("corpus__study").get(pk=sentence.pk)
    if bool(held.put_aside_at) == aside:
        return held
    held.put_aside_at = timezone.now() if aside else None
    held.save(update_fields=["put_aside_at"])
    action = "sentence.put_aside" if aside else "sentence.taken_back"
    audit.record(action, study=held.corpus.study, actor=actor, subject=held)
    return held


@transaction.atomic
def parse_check_record(*, check: ParseCheck, actor: User, verdict: str, note: str = "") -> ParseCheck:
    """A researcher's word on one marking; "" takes an earlier word back. The sentence of a marking that is
    called wrong is put aside; it comes back when no check calls one of its markings wrong any more."""
    if verdict not in ("", *ParseCheck.Verdict.values):
        raise ValidationError({"verdict": _("Say right or wrong.")})
    held = ParseCheck.objects.select_for_update().select_related("sample__corpus").get(pk=check.pk)
    before = held.verdict
    held.verdict, held.note = verdict, note.replace("\0", "")
    held.checked_by, held.checked_at = (actor, timezone.now()) if verdict else (None, None)
    held.save()
    audit.record(
        "parse_check.recorded", study=held.sample.corpus.study, actor=actor, subject=held, verdict=verdict
    )
    sentence = Sentence.objects.get(parses__markings=held.marking_id)
    calls = ParseCheck.objects.filter(marking__parse__sentence=sentence)
    if verdict == ParseCheck.Verdict.WRONG:
        sentence_put_aside(sentence=sentence, actor=actor)
    elif before == ParseCheck.Verdict.WRONG and not calls.filter(verdict=ParseCheck.Verdict.WRONG).exists():
        sentence_put_aside(sentence=sentence, actor=actor, aside=False)
    return held
