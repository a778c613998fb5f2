"""A campaign's quality settings: the row that says what is asked and watched."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns.models import Campaign
from apps.campaigns.presets import Preset, presets
from apps.frame.texts import line_checked
from apps.quality.models import AllowedPerson, Quality
from apps.studies import audit

_LONGEST_NAME = 254


def quality_or_none(campaign: Campaign) -> Quality | None:
    """The campaign's settings; None where it asks and watches nothing. No query where the campaign was read
    with its extensions (apps/campaigns/extensions.py) and has none."""
    return getattr(campaign, "quality", None)


def quality_of(campaign: Campaign) -> Quality:
    """The campaign's settings; all off where none were made yet (a row that is not stored)."""
    return Quality.objects.filter(campaign=campaign).first() or Quality(campaign=campaign)


@transaction.atomic
def quality_update(*, campaign: Campaign, actor: User | None, **changes: Any) -> Quality:
    """Change settings by the names of :class:`Quality`'s fields; ValidationError by field."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    quality = quality_of(campaign)
    changed = {name: value for name, value in changes.items() if getattr(quality, name) != value}
    for name, value in changed.items():
        setattr(quality, name, value)
    quality.full_clean(exclude=["campaign"])
    if quality.quiz_size and quality.quiz_wrong >= quality.quiz_size:
        raise ValidationError({"quiz_wrong": _("With so many wrong answers allowed, nobody could fail.")})
    if (quality.quiz_size or quality.test_share) and campaign.task == Campaign.Task.CREATION:
        raise ValidationError(_("Test questions are for campaigns in which pairs are judged."))
    quality.save()
    if changed:
        audit.record(
            "quality.changed", study=campaign.study, actor=actor, subject=campaign, changed=sorted(changed)
        )
    return quality


# A preset's words (presets.toml) for the settings that they fill.
_PRESET = {
    "countries": "countries",
    "approved_tasks": "approved_tasks",
    "approval_rate": "approval_rate",
    "quiz_size": "quiz_size",
    "quiz_wrong_at_most": "quiz_wrong",
}


def preset_apply(campaign: Campaign, actor: User | None) -> None:
    """What the paper behind the campaign's preset asked of its people; nothing where there is none.

    The test questions of a quiz are the researcher's to write: until then the quiz has none to ask.
    """
    preset = presets().get(campaign.preset)
    if preset and (changes := preset_changes(preset)):
        quality_update(campaign=campaign, actor=actor, **changes)


def preset_changes(preset: Preset) -> dict[str, Any]:
    """The quality settings that a preset brings, by the names of :class:`Quality`'s fields."""
    changes = {ours: preset.quality[name] for name, ours in _PRESET.items() if name in preset.quality}
    if "native_language" in preset.quality:
        changes["languages"] = [preset.quality["native_language"]]
    return changes


@transaction.atomic
def quality_ensure(campaign: Campaign) -> None:
    """A row for the campaign: the gate looks at pauses only where there is one."""
    Quality.objects.get_or_create(campaign=campaign)


@transaction.atomic
def eligibility_update(*, campaign: Campaign, actor: User, names: Iterable[str], **changes: Any) -> None:
    """Settings and list of who may work, both or neither."""
    quality_update(campaign=campaign, actor=actor, **changes)
    allow_list_set(campaign=campaign, actor=actor, names=names)


@transaction.atomic
def allow_list_set(*, campaign: Campaign, actor: User, names: Iterable[str]) -> int:
    """Replace the list of people who may work; blank and doubled names are left out. Returns how many."""
    wanted = {line_checked(name, "names") for name in names if name.strip()}
    if too_long := [name for name in wanted if len(name) > _LONGEST_NAME]:
        raise ValidationError({"names": _("This name is too long: %(name)s…") % {"name": too_long[0][:40]}})
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    listed = set(AllowedPerson.objects.filter(campaign=campaign).values_list("name", flat=True))
    if listed == wanted:
        return len(wanted)
    AllowedPerson.objects.filter(campaign=campaign).exclude(name__in=wanted).delete()
    AllowedPerson.objects.bulk_create(
        [AllowedPerson(campaign=campaign, name=name) for name in sorted(wanted)], ignore_conflicts=True
    )
    audit.record("allow_list.set", study=campaign.study, actor=actor, subject=campaign, count=len(wanted))
    return len(wanted)
