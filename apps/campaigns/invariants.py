"""What must hold of items, leases and judgements (docs/developers.md, *A lease*).

Each function is a check of :mod:`apps.studies.soundness`: one statement over the rows, whatever their number.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby

from django.db.models import Case, Count, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce, Now

from apps.campaigns.models import (
    IMPORTED,
    Assignment,
    Campaign,
    Item,
    Judgement,
    JudgementRevision,
    Replacement,
    Tally,
)
from apps.campaigns.targets import wanted
from apps.datasets.labels import UNNATURAL
from apps.studies.models import AuditEvent, Study
from apps.studies.soundness import Fault, lacking, rows

SETTLE = "lock the item and call campaigns.services.item_settle on it"
ASK = "this can't come from the program alone: find out who wrote to the database, and restore from a backup"
# A lease that ends in this moment may be in other hands already; the check leaves it out.
_LIVE = timedelta(seconds=5)
# How long after its end a lease is marked at the latest, where a worker runs.
_SWEPT = timedelta(hours=1)


# ---- Items ---------------------------------------------------------------------------------------


def counted(study: Study | None) -> Iterator[Fault]:
    """``counted`` is the number of the item's answers that count."""
    found = rows(Item, study).annotate(n=Count("judgements", filter=Q(judgements__counted=True)))
    found = found.filter(is_test=False).exclude(counted=F("n"))
    for pk, campaign, said, n in found.values_list("pk", "campaign_id", "counted", "n").iterator():
        text = f"item {pk} (campaign {campaign}) says that {said} answers count; {n} do"
        yield Fault("counted", text, SETTLE)


def complete(study: Study | None) -> Iterator[Fault]:
    """``is_complete`` says whether the item has what it wants."""
    has_all = Q(counted__gte=F("wanted"))
    found = rows(Item, study).filter(has_all & Q(is_complete=False) | ~has_all & Q(is_complete=True))
    columns = ("pk", "campaign_id", "counted", "wanted", "is_complete")
    for pk, campaign, said, of, is_complete in found.filter(is_test=False).values_list(*columns).iterator():
        word = "complete" if is_complete else "incomplete"
        yield Fault("complete", f"item {pk} (campaign {campaign}) is {word} with {said} of {of}", SETTLE)


def target(study: Study | None) -> Iterator[Fault]:
    """Without a maximum an item wants its campaign's target; with one, what its answers ask for."""
    items = rows(Item, study).filter(is_test=False).exclude(campaign__preset=IMPORTED)
    plain = Q(campaign__maximum=None) | Q(campaign__maximum__lte=F("campaign__target"))
    found = items.filter(plain).exclude(wanted=F("campaign__target"))
    columns = ("pk", "campaign_id", "wanted", "campaign__target")
    for pk, campaign, said, due in found.values_list(*columns).iterator():
        yield _wants(pk, campaign, said, due)
    asking = items.exclude(plain).order_by("pk", "judgements__pk")
    more = ("campaign__maximum", "judgements__counted", "judgements__answer")
    answers = asking.values_list(*columns, *more).iterator()
    for (pk, campaign, said, least, most), group in groupby(answers, key=lambda row: row[:5]):
        due = wanted([answer for *_item, counts, answer in group if counts], least, most)
        if said != due:
            yield _wants(pk, campaign, said, due)


def _wants(item: int, campaign: int, said: int, due: int) -> Fault:
    return Fault("target", f"item {item} (campaign {campaign}) wants {said} answers instead of {due}", SETTLE)


def over_target(study: Study | None) -> Iterator[Fault]:
    """Counted answers and live leases are not more than the target in force when each was granted.

    A target that was lowered later leaves more behind, and so does an answer that is changed into
    agreement where disagreement had asked for one more: up to the campaign's maximum, that is no fault.
    """
    live = Q(
        assignments__state=Assignment.State.LEASED,
        assignments__expires_at__gt=Now() + _LIVE,
    )
    held = Count("assignments", filter=live)
    found = (
        rows(Item, study)
        .filter(is_test=False)
        .annotate(
            held=held,
            granted=Max("assignments__leased_at", filter=live),
            most=Coalesce("campaign__maximum", "wanted", output_field=IntegerField()),
        )
        .filter(counted__gt=F("most") - F("held"))
    )
    changes: dict[int, datetime | None] = {}
    columns = ("pk", "campaign_id", "counted", "held", "most", "granted")
    for pk, campaign, said, live_now, most, granted in found.values_list(*columns).iterator():
        if campaign not in changes:
            changes[campaign] = _lowered(campaign)
        since = changes[campaign]
        if since and not (granted and granted > since):
            continue
        text = (
            f"item {pk} (campaign {campaign}) has {said} counted answers and {live_now} live leases; "
            f"at most {most} are wanted"
        )
        yield Fault("over-target", text, ASK)


def _lowered(campaign: int) -> datetime | None:
    """When the campaign's target or maximum was last changed."""
    changed = AuditEvent.objects.filter(action="campaign.changed", object_id=campaign)
    of_target = Q(data__has_key="target") | Q(data__has_key="maximum")
    at: datetime | None = changed.filter(of_target).aggregate(at=Max("at"))["at"]
    return at


# ---- Leases and judgements -----------------------------------------------------------------------


def assignments(study: Study | None) -> Iterator[Fault]:
    """An assignment is submitted where it has its judgement, and only there; the two say the same."""
    sent = rows(Assignment, study).filter(state=Assignment.State.SUBMITTED, judgement=None)
    for pk, item in sent.values_list("pk", "item_id").iterator():
        text = f"assignment {pk} (item {item}) is submitted, but there is no judgement"
        yield Fault("assignment", text, "an answer was lost: restore it from a backup")
    given = rows(Judgement, study)
    open_ones = given.exclude(assignment__state=Assignment.State.SUBMITTED)
    for pk, lease in open_ones.values_list("pk", "assignment_id").iterator():
        text = f"judgement {pk} is there, but its assignment {lease} is not submitted"
        yield Fault("assignment", text, "set the assignment's state to submitted")
    alike = Q(item=F("assignment__item"), participant=F("assignment__participant"))
    for pk, lease in given.exclude(alike).values_list("pk", "assignment_id").iterator():
        text = f"judgement {pk} names another item or person than its assignment {lease}"
        yield Fault("assignment", text, ASK)


def leases_marked(study: Study | None) -> Iterator[Fault]:
    """Leases that ran out are marked by the sweeper; their places are free all the same."""
    old = rows(Assignment, study).filter(state=Assignment.State.LEASED, expires_at__lt=Now() - _SWEPT)
    if count := old.count():
        text = f"{count} leases ran out more than an hour ago and are not marked as expired"
        yield Fault("leases", text, "start a worker and the beat (manage.py start does both)", is_note=True)


def own_pairs(study: Study | None) -> Iterator[Fault]:
    """No answer counts that somebody gave on a pair of their own, or on its swapped twin."""
    for pair in ("pair", "pair__swapped_twin"):
        judgement = f"{pair}__items__judgements"
        same = {f"{judgement}__participant": F("judgement__participant"), f"{judgement}__counted": True}
        found = rows(Replacement, study).filter(**same)
        for pk, of, writer in found.values_list(judgement, pair, "judgement__participant").iterator():
            text = f"judgement {pk} is on pair {of}, which the same participant {writer} wrote"
            yield Fault("own-pair", text, "requeue this person's answers on the campaign's quality page")


def revisions(study: Study | None) -> Iterator[Fault]:
    """Revisions are numbered from 1 without gaps, and the last one is the judgement's value."""
    found = rows(Judgement, study).annotate(n=Count("revisions"), last=Max("revisions__number"))
    found = found.exclude(n=F("revision"), last=F("revision"))
    for pk, number, n in found.values_list("pk", "revision", "n").iterator():
        yield Fault("revision", f"judgement {pk} is at revision {number} and has {n} of them", ASK)
    present = rows(JudgementRevision, study).filter(number=F("judgement__revision"))
    other = present.annotate(said=KT("value__answer")).exclude(said=F("judgement__answer"))
    for pk in other.values_list("judgement_id", flat=True).iterator():
        yield Fault("revision", f"judgement {pk} says something else than its last revision", ASK)


def answers(study: Study | None) -> Iterator[Fault]:
    """Every answer is one that its campaign asks for. By campaign and answer, not row by row."""
    given = rows(Judgement, study).exclude(item__campaign__preset=IMPORTED).filter(item__pair__isnull=False)
    kinds = given.values_list("item__campaign", "item__campaign__dataset__labels", "answer")
    for campaign, labels, answer, n in kinds.annotate(n=Count("pk")).iterator():
        if answer not in [*labels, UNNATURAL]:
            text = f"{n} judgements of campaign {campaign} have the answer “{answer}”, which is no label"
            yield Fault("answer", text, ASK)
    written = (
        rows(Judgement, study)
        .filter(item__blank__isnull=False)
        .annotate(
            n=Count("replacements"),
            due=Case(When(skip_reason="", then="item__campaign__replacements"), default=Value(0)),
        )
    )
    for pk, n, due in written.exclude(n=F("due")).values_list("pk", "n", "due").iterator():
        yield Fault("answer", f"judgement {pk} has {n} replacements instead of {due}", ASK)


def one_study(study: Study | None) -> Iterator[Fault]:
    """People, items and datasets that come together belong to one study."""
    leases = rows(Assignment, study).exclude(participant__study=F("item__campaign__study"))
    for pk, participant in leases.values_list("pk", "participant_id").iterator():
        text = f"assignment {pk} is held by participant {participant} of another study"
        yield Fault("study", text, ASK)
    foreign = rows(Campaign, study).exclude(dataset__study=F("study"))
    for pk, dataset in foreign.values_list("pk", "dataset_id").iterator():
        yield Fault("study", f"campaign {pk} uses dataset {dataset} of another study", ASK)


def tallies(study: Study | None) -> Iterator[Fault]:
    """A tally says how many answers its participant sent in its campaign; those from files were not sent."""
    given = Judgement.objects.filter(
        item__campaign=OuterRef("campaign"), participant=OuterRef("participant")
    ).order_by()
    found = (
        rows(Tally, study)
        .exclude(participant__panel=IMPORTED)
        .annotate(
            n=_number(given.filter(item__is_test=False)), tests_sent=_number(given.filter(item__is_test=True))
        )
        .exclude(answered=F("n"), tests=F("tests_sent"))
    )
    for tally in found.iterator():
        text = (
            f"the tally of participant {tally.participant_id} in campaign {tally.campaign_id} says"
            f" {tally.answered} answers and {tally.tests} to test questions; there are"
            f" {tally.n} and {tally.tests_sent}"
        )
        yield Fault("tally", text, "set the tally to what there is")


def _number(rows_: QuerySet[Judgement]) -> Coalesce:
    counted_ = rows_.values("participant").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted_), 0)


# ---- The trail -----------------------------------------------------------------------------------


def trail(study: Study | None) -> Iterator[Fault]:
    """Every answer that was sent is in the audit trail, once. Answers from files were never sent."""
    sent = rows(AuditEvent, study).filter(action="judgement.submitted", object_type="judgement")
    given = rows(Judgement, study).exclude(participant__panel=IMPORTED)
    for pk in lacking(given, sent, "object_id").values_list("pk", flat=True).iterator():
        yield Fault("trail", f"judgement {pk} is not in the audit trail", ASK)
    twice = sent.values_list("object_id").annotate(n=Count("pk")).filter(n__gt=1)
    for pk, n in twice.iterator():
        yield Fault("trail", f"judgement {pk} is in the audit trail {n} times", ASK)
    lost = lacking(sent, Judgement.objects.order_by(), "pk", own="object_id")
    for gone in lost.values_list("object_id", flat=True).iterator():
        text = f"judgement {gone} is in the audit trail, but not there any more"
        yield Fault("trail", text, "an answer was lost: restore it from a backup")


CHECKS = (
    counted, complete, target, over_target, assignments, leases_marked, own_pairs, revisions, answers,
    one_study, tallies, trail,
)  # fmt: skip
