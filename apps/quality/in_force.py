"""What a campaign's quality settings ask, in words, and whether each of it is enforced, declared by the panel
or merely recorded."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns.conditions import Setting
from apps.campaigns.models import Campaign
from apps.campaigns.presets import Preset
from apps.quality.models import Quality
from apps.quality.places import country_name, language_name
from apps.quality.settings import preset_changes, quality_of
from apps.quality.standing import Standing, of_numbers, of_tests


def asked_in(campaign: Campaign) -> list[Setting]:
    """Of its people, as the campaign's page says it."""
    return asked_of_people(quality_of(campaign))


def asked_of_people(quality: Quality) -> list[Setting]:
    """Who may work, and the test questions that they meet; empty where everybody may and meets none."""
    found: list[Setting] = []
    if quality.languages:
        names = ", ".join(map(language_name, quality.languages))
        found.append(_setting(_("Native languages"), names, Standing.ENFORCED))
    if quality.countries:
        names = ", ".join(map(country_name, quality.countries))
        found.append(_setting(_("Countries"), names, Standing.ENFORCED))
    if quality.approved_tasks is not None:
        number = str(quality.approved_tasks)
        found.append(_setting(_("Approved tasks, at least"), number, of_numbers(quality)))
    if quality.approval_rate is not None:
        rate = f"{quality.approval_rate} %"
        found.append(_setting(_("Approval rate, at least"), rate, of_numbers(quality)))
    if quality.uses_allow_list:
        found.append(Setting(_("Given to"), _("people on the list alone")))
    elif not quality.members_work:
        found.append(Setting(_("Given to"), _("the panel's people, and annotators on the list")))
    if quality.quiz_size:
        size = quality.quiz_size
        text = ngettext(
            "%(n)d question, at most %(wrong)d wrong", "%(n)d questions, at most %(wrong)d wrong", size
        )
        said = text % {"n": size, "wrong": quality.quiz_wrong}
        found.append(_setting(_("Quiz"), said, of_tests(quality, size)))
    if quality.test_share:
        share = f"{quality.test_share} %"
        found.append(_setting(_("Test questions among the others"), share, of_tests(quality)))
    return found


def _setting(title: str, text: str, standing: Standing) -> Setting:
    return Setting(title, f"{text} ({standing.label})")


def asked_by(preset: Preset) -> list[Setting]:
    """What choosing the preset asks of people, beside the fields of the form."""
    return asked_of_people(Quality(**preset_changes(preset)))


def differs(campaign: Campaign, preset: Preset) -> bool:
    """Whether a quality setting is another now than the preset's."""
    quality = quality_of(campaign)
    return any(getattr(quality, name) != value for name, value in preset_changes(preset).items())
