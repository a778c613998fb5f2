"""What a campaign's quality settings ask, in words: all that is in force, and nothing that is not."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns.models import Campaign, Quality
from apps.campaigns.presets import Preset
from apps.campaigns.quality.configuring import preset_changes
from apps.campaigns.quality.places import country_name, language_name


class Setting(NamedTuple):
    """A setting's name and what it is, both in the reader's language."""

    title: str
    text: str


def asked_of_people(quality: Quality) -> list[Setting]:
    """Who may work, and the test questions that they meet; empty where everybody may and meets none."""
    found: list[Setting] = []
    if quality.languages:
        found.append(Setting(_("Native languages"), ", ".join(map(language_name, quality.languages))))
    if quality.countries:
        found.append(Setting(_("Countries"), ", ".join(map(country_name, quality.countries))))
    numbers = quality.get_numbers_from_display()
    if quality.approved_tasks is not None:
        found.append(Setting(_("Approved tasks, at least"), f"{quality.approved_tasks} ({numbers})"))
    if quality.approval_rate is not None:
        found.append(Setting(_("Approval rate, at least"), f"{quality.approval_rate} % ({numbers})"))
    if quality.uses_allow_list:
        found.append(Setting(_("Given to"), _("people on the list alone")))
    elif not quality.members_work:
        found.append(Setting(_("Given to"), _("the panel's people, and annotators on the list")))
    if quality.quiz_size:
        size = quality.quiz_size
        text = ngettext(
            "%(n)d question, at most %(wrong)d wrong", "%(n)d questions, at most %(wrong)d wrong", size
        )
        found.append(Setting(_("Quiz"), text % {"n": size, "wrong": quality.quiz_wrong}))
    if quality.test_share:
        found.append(Setting(_("Test questions among the others"), f"{quality.test_share} %"))
    return found


def asked_by(preset: Preset) -> list[Setting]:
    """What choosing the preset asks of people, beside the fields of the form."""
    return asked_of_people(Quality(**preset_changes(preset)))


def is_changed(campaign: Campaign, preset: Preset) -> bool:
    """Whether a rule or a quality setting is another now than the preset's: then the campaign is after the
    paper, and not as in it."""
    quality = Quality.objects.filter(campaign=campaign).first() or Quality()
    rules = (getattr(campaign, name) != value for name, value in preset.rules.items())
    asked = (getattr(quality, name) != value for name, value in preset_changes(preset).items())
    return any(rules) or any(asked)
