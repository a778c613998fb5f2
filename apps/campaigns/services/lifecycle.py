"""Running a campaign: making it, its rules, its instructions, opening and closing it."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Case, Max, Model, Value, When
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.campaigns import gates, selectors
from apps.campaigns.guidelines import starting_body
from apps.campaigns.models import Campaign, Guideline, Item
from apps.campaigns.readiness import doubts_before_opening
from apps.campaigns.services.completion import item_settle
from apps.campaigns.services.locks import lock
from apps.campaigns.settings import Rules, refuse_unfit
from apps.corpora.blank_selectors import provenance_of
from apps.corpora.models import BlankSet
from apps.datasets.models import Dataset
from apps.datasets.services import dataset_create, labels_complete
from apps.frame.clock import database_now
from apps.frame.texts import line_checked, text_checked
from apps.studies import audit
from apps.studies.models import Study
from apps.webhooks.events import EventType, events_record

_BATCH = 500

# The one place that says which state may follow which.
TRANSITIONS: dict[str, tuple[str, ...]] = {
    Campaign.State.DRAFT: (Campaign.State.OPEN,),
    Campaign.State.OPEN: (Campaign.State.PAUSED, Campaign.State.CLOSED),
    Campaign.State.PAUSED: (Campaign.State.OPEN, Campaign.State.CLOSED),
    Campaign.State.CLOSED: (Campaign.State.OPEN,),
}


# What no annotator's work depends on may always change; the rest is refused once there are answers.
_FIXED_BY_ANSWERS = {
    "replacements": gettext_lazy("There are answers already; the number of replacements stays as it is."),
}


@transaction.atomic
def campaign_create(
    *,
    study: Study,
    actor: User | None,
    name: str,
    dataset: Dataset,
    task: str | None = None,
    blank_set: BlankSet | None = None,
    simulated: bool = False,
    seed: int | None = None,
    **rules: Unpack[Rules],
) -> Campaign:
    """A draft with its items and the first version of its instructions.

    With a blank set: creation; the new pairs go to ``dataset``. Without: validation (or, by ``task``,
    the Likert scale) of the pairs of ``dataset``, which the calculus labels in the background meanwhile.
    ValidationError by field where rules don't fit.
    """
    name = line_checked(name, "name")
    if Campaign.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has a campaign of that name.")})
    if dataset.study_id != study.pk or (blank_set and blank_set.study_id != study.pk):
        raise ValidationError(_("The dataset and the blanks must belong to this study."))
    task = task or (Campaign.Task.CREATION if blank_set else Campaign.Task.VALIDATION)
    if (task == Campaign.Task.CREATION) != bool(blank_set):
        raise ValidationError(_("A creation campaign, and no other, needs a set of blanks."))
    campaign = Campaign(
        study=study,
        name=name,
        task=task,
        blank_set=blank_set,
        dataset=dataset,
        seed=secrets.randbelow(2**31) if seed is None else seed,
        simulated=simulated,
        created_by=actor,
        **rules,
    )
    refuse_unfit(task, dataset, _rules_of(campaign))
    campaign.save()
    body = starting_body(task, dataset.labels, campaign.replacements)
    Guideline.objects.create(campaign=campaign, version=1, body=body, created_by=actor)
    if blank_set:
        count = _add_items(campaign, blanks=_blanks_of(blank_set))
    else:
        count = items_add_new_pairs(campaign=campaign, actor=actor)
    gates.begin(campaign, actor)
    audit.record("campaign.created", study=study, actor=actor, subject=campaign, task=task, items=count)
    return campaign


def _blanks_of(blank_set: BlankSet) -> list[int]:
    """The numbers of a set's blanks, but for sentences that were put aside since."""
    return list(blank_set.blanks.filter(sentence__put_aside_at=None).values_list("pk", flat=True))


@transaction.atomic
def campaign_begin(
    *,
    study: Study,
    actor: User | None,
    dataset: Dataset | None = None,
    new_dataset: str = "",
    blank_set: BlankSet | None = None,
    **fields: Any,
) -> Campaign:
    """A campaign whose pairs go to ``dataset``, or to a ``new_dataset`` with the licence and source of the
    sentences. The other fields are :func:`campaign_create`'s; a refused campaign leaves no dataset."""
    if dataset is None:
        licence, source = provenance_of(blank_set) if blank_set else ("", "")
        try:
            dataset = dataset_create(
                study=study, actor=actor, name=new_dataset, licence=licence, source=source
            )
        except ValidationError as error:
            raise ValidationError({"new_dataset": error.messages}) from error
    return campaign_create(study=study, actor=actor, dataset=dataset, blank_set=blank_set, **fields)


def _rules_of(campaign: Campaign) -> dict[str, Any]:
    return {rule: getattr(campaign, rule) for rule in Rules.__annotations__}


@transaction.atomic
def items_add_new_pairs(*, campaign: Campaign, actor: User | None) -> int:
    """Add the dataset's pairs that a campaign of pairs has not got yet, and have the calculus label
    those without a label. Returns how many."""
    if campaign.task == Campaign.Task.CREATION:
        raise ValidationError(_("A creation campaign takes no pairs."))
    # As it is now: the new items want the target in force, whatever the caller has in hand.
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    new = selectors.new_pairs(campaign)
    count = _add_items(campaign, pairs=list(new.values_list("pk", flat=True)))
    if count:
        audit.record("items.added", study=campaign.study, actor=actor, subject=campaign, count=count)
        labels_complete(dataset=campaign.dataset, actor=actor)
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
            Item(
                campaign=campaign,
                blank_id=blank,
                pair_id=pair,
                position=position,
                wanted=campaign.target,
            )
            for position, (blank, pair) in enumerate(order, start=first)
        ),
        batch_size=_BATCH,
    )
    return len(order)


@transaction.atomic
def campaign_update(
    *, campaign: Campaign, actor: User, name: str | None = None, **rules: Unpack[Rules]
) -> Campaign:
    """Change the given rules. A new target or maximum is in force for every lease granted from then on,
    and decides anew which items are complete; whether skips count holds for answers from then on."""
    held = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    changes: dict[str, Any] = dict(rules)
    if name is not None:
        changes["name"] = line_checked(name, "name")
        if Campaign.objects.filter(study=held.study, name=changes["name"]).exclude(pk=held.pk).exists():
            raise ValidationError({"name": _("This study has a campaign of that name.")})
    changed = {key: value for key, value in changes.items() if getattr(held, key) != value}
    if not changed:
        return held
    for rule, reason in _FIXED_BY_ANSWERS.items():
        if rule in changed and held.items.filter(judgements__isnull=False).exists():
            raise ValidationError({rule: reason})
    if {"target", "maximum"} & changed.keys():
        # Grants lock an item and then read what it wants: they end before this, or see the new target.
        list(lock(Item.objects.filter(campaign=held)).order_by("pk").values_list("pk", flat=True))
    replacements = held.replacements
    for key, value in changed.items():
        setattr(held, key, value)
    refuse_unfit(held.task, held.dataset, _rules_of(held))
    held.save(update_fields=list(changed))
    if {"target", "maximum"} & changed.keys():
        _set_wanted(held)
    if "replacements" in changed:
        _follow_with_instructions(held, actor, before=replacements)
    audit.record(
        "campaign.changed",
        study=held.study,
        actor=actor,
        subject=held,
        **{key: _plain(value) for key, value in changed.items()},
    )
    return held


def _follow_with_instructions(campaign: Campaign, actor: User, *, before: int) -> None:
    """Instructions that nobody has changed say how many phrases are wanted: as many as the setting now."""
    labels = campaign.dataset.labels
    if campaign.guideline.body == starting_body(campaign.task, labels, before):
        body = starting_body(campaign.task, labels, campaign.replacements)
        guideline_create(campaign=campaign, actor=actor, body=body)


def _set_wanted(campaign: Campaign) -> None:
    """Every item of the locked campaign gets the target that is now in force. Where answers can ask for
    more, those items are settled one by one."""
    items = campaign.items.filter(is_test=False)
    items.update(wanted=campaign.target)
    items.update(is_complete=Case(When(counted__gte=campaign.target, then=Value(True)), default=Value(False)))
    if campaign.maximum is not None:
        for item in items.filter(counted__gte=campaign.target).order_by("pk").iterator():
            item_settle(item=item, campaign=campaign)


def _plain(value: Any) -> Any:
    """A rule's value as the trail keeps it."""
    if isinstance(value, Model):
        return value.pk
    return value.isoformat() if isinstance(value, datetime) else value


@transaction.atomic
def campaign_set_state(*, campaign: Campaign, actor: User | None, state: str) -> Campaign:
    """Open, pause or close a campaign. Answers in hand when it is paused or closed are kept. Whoever opens it
    for a person shows them its doubts first (:mod:`apps.campaigns.readiness`)."""
    held = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if state == held.state:
        return held
    if state not in TRANSITIONS[held.state]:
        raise ValidationError(
            _("A campaign can't go from %(old)s to %(new)s.") % {"old": held.state, "new": state}
        )
    if state == Campaign.State.OPEN:
        if held.archived_at:
            raise ValidationError(_("It is in the archive. Take it out first."))
        if not held.items.exists():
            raise ValidationError(_("There is nothing in this campaign yet that annotators could work on."))
        if must := [doubt.text for doubt in doubts_before_opening(held) if doubt.must]:
            raise ValidationError(must)
    held.state = state
    held.save(update_fields=["state"])
    audit.record("campaign.state", study=held.study, actor=actor, subject=held, state=state)
    if state == Campaign.State.CLOSED:
        data = {"campaign": held.pk, "reason": "closed"}
        events_record(EventType.CAMPAIGN_FINISHED, study=held.study, at=database_now(), data=[data])
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
