"""Running a campaign: making it, its rules, its instructions, opening and closing it."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Case, Max, Value, When
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns import selectors
from apps.campaigns.guidelines import starting_body
from apps.campaigns.models import Campaign, Guideline, Item
from apps.campaigns.services.handing_out import lock
from apps.corpora.models import BlankSet
from apps.datasets.digests import text_checked
from apps.datasets.models import Dataset
from apps.jobs.services import job_start
from apps.studies import audit
from apps.studies.models import Study

_BATCH = 500

# The one place that says which state may follow which.
TRANSITIONS: dict[str, tuple[str, ...]] = {
    Campaign.State.DRAFT: (Campaign.State.OPEN,),
    Campaign.State.OPEN: (Campaign.State.PAUSED, Campaign.State.CLOSED),
    Campaign.State.PAUSED: (Campaign.State.OPEN, Campaign.State.CLOSED),
    Campaign.State.CLOSED: (Campaign.State.OPEN,),
}


@transaction.atomic
def campaign_create(
    *,
    study: Study,
    actor: User | None,
    name: str,
    dataset: Dataset,
    blank_set: BlankSet | None = None,
    target: int = 3,
    replacements: int = 3,
    minimum_seconds: int = 0,
    lease_minutes: int = 30,
    is_pilot: bool = False,
    simulated: bool = False,
    seed: int | None = None,
) -> Campaign:
    """A draft with its items and the first version of its instructions.

    With a blank set: creation; the new pairs go to ``dataset``. Without: validation of the pairs of
    ``dataset``, which the calculus labels in the background meanwhile.
    """
    name = text_checked(name.strip(), "name")
    if Campaign.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has a campaign of that name.")})
    if dataset.study_id != study.pk or (blank_set and blank_set.study_id != study.pk):
        raise ValidationError(_("The dataset and the blanks must belong to this study."))
    task = Campaign.Task.CREATION if blank_set else Campaign.Task.VALIDATION
    campaign = Campaign.objects.create(
        study=study,
        name=name,
        task=task,
        blank_set=blank_set,
        dataset=dataset,
        target=target,
        replacements=replacements,
        minimum_seconds=minimum_seconds,
        lease_minutes=lease_minutes,
        seed=secrets.randbelow(2**31) if seed is None else seed,
        is_pilot=is_pilot,
        simulated=simulated,
        created_by=actor,
    )
    Guideline.objects.create(campaign=campaign, version=1, body=starting_body(task), created_by=actor)
    if blank_set:
        count = _add_items(campaign, blanks=list(blank_set.blanks.values_list("pk", flat=True)))
    else:
        count = items_add_new_pairs(campaign=campaign, actor=actor)
    audit.record("campaign.created", study=study, actor=actor, subject=campaign, task=task, items=count)
    return campaign


@transaction.atomic
def items_add_new_pairs(*, campaign: Campaign, actor: User | None) -> int:
    """Add the dataset's pairs that a validation campaign has not got yet, and have the calculus label
    the dataset. Returns how many."""
    if campaign.task != Campaign.Task.VALIDATION:
        raise ValidationError(_("Only a validation campaign takes pairs."))
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    new = selectors.new_pairs(campaign)
    count = _add_items(campaign, pairs=list(new.values_list("pk", flat=True)))
    if count:
        audit.record("items.added", study=campaign.study, actor=actor, subject=campaign, count=count)
        job_start(
            study=campaign.study,
            kind="datasets.label",
            title=_("Calculus labels: %(name)s") % {"name": campaign.dataset.name},
            actor=actor,
            dataset=campaign.dataset_id,
        )
    return count


def _add_items(campaign: Campaign, *, blanks: Sequence[int] = (), pairs: Sequence[int] = ()) -> int:
    """Items behind the ones that are there, in an order drawn from the campaign's seed: neighbours
    in a corpus, or the three hypotheses of one writer, don't stand side by side."""
    last = campaign.items.aggregate(last=Max("position"))["last"]
    first = 0 if last is None else last + 1
    order = [*((pk, None) for pk in blanks), *((None, pk) for pk in pairs)]
    random.Random(f"{campaign.seed}:{first}").shuffle(order)
    Item.objects.bulk_create(
        (
            Item(campaign=campaign, blank_id=blank, pair_id=pair, position=position)
            for position, (blank, pair) in enumerate(order, start=first)
        ),
        batch_size=_BATCH,
    )
    return len(order)


@transaction.atomic
def campaign_update(
    *,
    campaign: Campaign,
    actor: User,
    name: str,
    target: int,
    replacements: int,
    minimum_seconds: int,
    lease_minutes: int,
    is_pilot: bool,
) -> Campaign:
    """Change the rules. A new target is in force for every lease granted from then on, and decides
    anew which items are complete."""
    held = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    name = text_checked(name.strip(), "name")
    if Campaign.objects.filter(study=held.study, name=name).exclude(pk=held.pk).exists():
        raise ValidationError({"name": _("This study has a campaign of that name.")})
    if replacements != held.replacements and held.items.filter(judgements__isnull=False).exists():
        raise ValidationError(
            {"replacements": _("There are answers already; the number of replacements stays as it is.")}
        )
    new_target = target != held.target
    if new_target:
        # Grants lock an item and then read the target: they end before this, or see the new one.
        list(lock(Item.objects.filter(campaign=held)).order_by("pk").values_list("pk", flat=True))
    changes: dict[str, Any] = {
        "name": name,
        "target": target,
        "replacements": replacements,
        "minimum_seconds": minimum_seconds,
        "lease_minutes": lease_minutes,
        "is_pilot": is_pilot,
    }
    changed = {key: value for key, value in changes.items() if getattr(held, key) != value}
    for key, value in changed.items():
        setattr(held, key, value)
    held.save(update_fields=list(changes))
    if new_target:
        held.items.update(is_complete=Case(When(counted__gte=target, then=Value(True)), default=Value(False)))
    if changed:
        audit.record("campaign.changed", study=held.study, actor=actor, subject=held, **changed)
    return held


@transaction.atomic
def campaign_set_state(*, campaign: Campaign, actor: User | None, state: str) -> Campaign:
    """Open, pause or close a campaign. Answers in hand when it is paused or closed are kept."""
    held = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if state == held.state:
        return held
    if state not in TRANSITIONS[held.state]:
        raise ValidationError(
            _("A campaign can't go from %(old)s to %(new)s.") % {"old": held.state, "new": state}
        )
    if state == Campaign.State.OPEN and not held.items.exists():
        raise ValidationError(_("There is nothing in this campaign yet that annotators could work on."))
    held.state = state
    held.save(update_fields=["state"])
    audit.record("campaign.state", study=held.study, actor=actor, subject=held, state=state)
    return held


@transaction.atomic
def guideline_create(*, campaign: Campaign, actor: User | None, body: str) -> Guideline:
    """A new version of the instructions; the same text again makes none. Every answer keeps the
    version that was in force when it was sent."""
    body = text_checked(body.replace("\r\n", "\n").strip(), "body")
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    latest = campaign.guidelines.order_by("-version").first()
    if latest and latest.body == body:
        return latest
    version = latest.version + 1 if latest else 1
    guideline = Guideline.objects.create(campaign=campaign, version=version, body=body, created_by=actor)
    audit.record("guideline.created", study=campaign.study, actor=actor, subject=guideline, version=version)
    return guideline
