"""Setting a campaign's panel up: names, codes, and the text that people agree to."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns.models import Campaign
from apps.frame.texts import text_checked
from apps.panels.models import ConsentText, Panel
from apps.panels.platforms import PLATFORMS, web_address
from apps.quality.settings import quality_update
from apps.studies import audit

# Letters and digits that are not mistaken for one another when copied by hand.
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

_TEXTS = ("platform", "person_parameter", "session_parameter", "study_parameter", "return_address",
          "told_address", "code_complete", "code_failed_quiz", "code_no_work")  # fmt: skip


def new_code() -> str:
    return "".join(secrets.choice(_ALPHABET) for _position in range(8))


@transaction.atomic
def panel_create(*, campaign: Campaign, actor: User | None, kind: str, consent: str, **fields: Any) -> Panel:
    """A panel with the platform's own names and fresh codes, unless ``fields`` say otherwise, and the
    first version of what people agree to. The campaign is the panel's people's from then on, and no longer
    every annotator's of the study, unless that is set again."""
    if kind not in PLATFORMS:
        raise ValidationError({"kind": _("Please choose a panel.")})
    if Panel.objects.filter(campaign=campaign).exists():
        raise ValidationError(_("This campaign has its panel already."))
    platform = PLATFORMS[kind]
    panel = Panel(
        campaign=campaign,
        kind=kind,
        platform=platform.platform,
        person_parameter=platform.person,
        session_parameter=platform.session,
        study_parameter=platform.study,
        return_address=platform.return_address,
        code_complete=new_code(),
        code_failed_quiz=new_code(),
        code_no_work=new_code(),
        created_by=actor,
    )
    _fill(panel, fields)
    try:
        with transaction.atomic():
            panel.save()
    except IntegrityError as error:
        raise ValidationError(_("This campaign has its panel already.")) from error
    consent_create(panel=panel, actor=actor, body=consent)
    quality_update(campaign=campaign, actor=actor, members_work=False)
    audit.record("panel.created", study=campaign.study, actor=actor, subject=panel, kind=kind)
    return panel


@transaction.atomic
def panel_update(*, panel: Panel, actor: User | None, **fields: Any) -> Panel:
    """Change a panel. Codes that people have stay theirs; an empty ``secret`` leaves the old one."""
    held = Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
    if not fields.get("secret"):
        fields.pop("secret", None)
    if held.visits.exists() and fields.get("platform", held.platform) != held.platform:
        raise ValidationError(
            {"platform": _("People have come under this name already, so it stays as it is.")}
        )
    changed = sorted(name for name, value in fields.items() if getattr(held, name) != value)
    _fill(held, fields)
    held.save()
    if changed:
        study = Campaign.objects.select_related("study").get(pk=held.campaign_id).study
        audit.record("panel.changed", study=study, actor=actor, subject=held, changed=changed)
    return held


@transaction.atomic
def consent_create(*, panel: Panel, actor: User | None, body: str) -> ConsentText:
    """A new version of what people agree to. Who agreed before agreed to the version they saw."""
    Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
    body = text_checked(body.replace("\r\n", "\n").strip(), "body")
    if not body:
        raise ValidationError({"body": _("Please write what people agree to.")})
    latest = ConsentText.objects.filter(panel=panel).order_by("-version").first()
    if latest and latest.body == body:
        return latest
    version = ConsentText.objects.filter(panel=panel).aggregate(last=Max("version"))["last"] or 0
    consent = ConsentText.objects.create(panel=panel, version=version + 1, body=body, created_by=actor)
    study = panel.campaign.study
    audit.record("consent.created", study=study, actor=actor, subject=consent, version=consent.version)
    return consent


def _fill(panel: Panel, fields: dict[str, Any]) -> None:
    """Take the fields over; ValidationError names those that make no sense."""
    for name, value in fields.items():
        setattr(panel, name, value.strip() if isinstance(value, str) else value)
    for name in _TEXTS:
        if text := getattr(panel, name):
            text_checked(text, name)
    panel.full_clean(exclude=["campaign", "public_id", "created_by"], validate_constraints=False)
    wrong: dict[str, str] = {}
    names = [panel.person_parameter, panel.session_parameter, panel.study_parameter]
    if len({name for name in names if name}) < sum(1 for name in names if name):
        wrong["session_parameter"] = _("Each parameter needs a name of its own.")
    codes = [panel.code_complete, panel.code_failed_quiz, panel.code_no_work]
    for place, name in enumerate(("code_complete", "code_failed_quiz", "code_no_work")):
        if codes[place] in codes[:place]:
            wrong[name] = _(
                "Each end of a visit needs a code of its own, so that the panel can tell them apart."
            )
    for name in ("return_address", "told_address"):
        value = getattr(panel, name)
        if value and not web_address(value.replace("{code}", "c").replace("{session}", "s")):
            wrong[name] = _("Please give an address that begins with https://.")
    if panel.told_address and not panel.secret:
        wrong["secret"] = _("What the panel is told is signed; it needs a secret.")
    if wrong:
        raise ValidationError(wrong)
