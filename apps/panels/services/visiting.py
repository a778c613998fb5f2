"""People coming from a panel and going back to it."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.campaigns.services import leases_release
from apps.frame.clock import database_now
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.panels import selectors
from apps.panels.models import ConsentText, Panel, Visit
from apps.panels.platforms import Arrival
from apps.studies import audit
from apps.studies.models import Participant, Study
from apps.studies.services import new_pseudonym

_FIRST_WAIT = timedelta(seconds=30)
_LONGEST_WAIT = timedelta(hours=1)


@transaction.atomic
def visit_open(*, panel: Panel, arrival: Arrival) -> Visit:
    """The visit of this person under this session, made when they come for the first time.

    The same person under another session is the same participant. Who agreed to the text in force
    on an earlier visit is not asked again.
    """
    campaign = panel.campaign
    participant = _participant(campaign.study, panel.platform, arrival.person)
    known = Visit.objects.filter(panel=panel, participant=participant)
    visit = known.filter(session_id=arrival.session).first()
    if visit is None:
        before = known.filter(consent=selectors.consent_of(panel)).order_by("-pk").first()
        try:
            with transaction.atomic():
                visit = Visit.objects.create(
                    panel=panel,
                    participant=participant,
                    session_id=arrival.session,
                    study_ref=arrival.study,
                    submit_to=arrival.submit_to,
                    arrived_at=database_now(),
                    consent=before.consent if before else None,
                    consented_at=before.consented_at if before else None,
                )
        except IntegrityError:  # the same address opened twice at once
            return known.get(session_id=arrival.session)
        audit.record("visit.opened", study=campaign.study, participant=participant, subject=visit)
    elif visit.submit_to != arrival.submit_to:
        visit.submit_to = arrival.submit_to
        visit.save(update_fields=["submit_to"])
    return visit


def _participant(study: Study, platform: str, person: str) -> Participant:
    named = {"study": study, "panel": platform, "external_id": person}
    found = Participant.objects.filter(**named).first()
    if found:
        return found
    try:
        with transaction.atomic():
            made = Participant.objects.create(**named, pseudonym=new_pseudonym())
            audit.record("participant.created", study=study, participant=made, subject=made, panel=platform)
            return made
    except IntegrityError:  # made by another request of the same person in the meantime
        return Participant.objects.get(**named)


@transaction.atomic
def visit_consent(*, visit: Visit, consent: ConsentText) -> Visit:
    """Record that the person agreed to the text they were shown; once."""
    held = Visit.objects.select_for_update(of=("self",), no_key=True).get(pk=visit.pk)
    if consent.panel_id != held.panel_id:
        raise ValidationError(_("This text belongs to another panel."))
    if held.consent_id is None:
        held.consent, held.consented_at = consent, database_now()
        held.save(update_fields=["consent", "consented_at"])
        audit.record(
            "visit.consented",
            study=visit.panel.campaign.study,
            participant=visit.participant,
            subject=held,
            version=consent.version,
        )
    return held


def visit_speak(*, visit: Visit, language: str) -> None:
    """The language of this visit's pages from now on; one that there is not changes nothing."""
    if language in dict(settings.LANGUAGES):
        Visit.objects.filter(pk=visit.pk).update(language=language)


@transaction.atomic
def visit_finish(*, visit: Visit) -> Visit:
    """End the visit with the outcome it has earned and the outcome's code; a second time changes nothing.

    ValidationError while there is work that the person came for. What they hold is given back, and the
    panel is told in the background where it wants to be.
    """
    held = (
        Visit.objects.select_for_update(of=("self",), no_key=True)
        .select_related("panel__campaign__study", "participant")
        .get(pk=visit.pk)
    )
    if held.finished_at:
        return held
    standing = selectors.standing_of(held)
    if not standing.may_finish:
        raise ValidationError(_("There is still work for you here."))
    panel = held.panel
    held.outcome = standing.outcome
    held.code = {
        Visit.Outcome.COMPLETE: panel.code_complete,
        Visit.Outcome.FAILED_QUIZ: panel.code_failed_quiz,
        Visit.Outcome.NO_WORK: panel.code_no_work,
    }[standing.outcome]
    held.finished_at = database_now()
    held.save(update_fields=["outcome", "code", "finished_at"])
    leases_release(participant=held.participant)
    study = panel.campaign.study
    audit.record(
        "visit.finished",
        study=study,
        participant=held.participant,
        subject=held,
        outcome=held.outcome,
        sets=standing.sets,
    )
    if panel.told_address:
        title = wording(gettext_noop("Tell the panel: %(name)s"), name=held.participant.pseudonym)
        job_start(study=study, kind="panels.tell", title=title, actor=None, visit=held.pk)
    return held


def visit_set_told(*, visit: Visit) -> None:
    """The panel took notice of the end of the visit."""
    Visit.objects.filter(pk=visit.pk, told_at=None).update(
        told_at=database_now(), told_error="", tell_after=None
    )


def visit_set_not_told(*, visit: Visit, reason: str) -> None:
    """The panel could not be told. Each time it is left in peace for twice as long, up to an hour."""
    wait = min(_FIRST_WAIT * 2 ** min(visit.told_tries, 12), _LONGEST_WAIT)
    Visit.objects.filter(pk=visit.pk).update(
        told_tries=visit.told_tries + 1, told_error=reason[:200], tell_after=database_now() + wait
    )


def visits_forget(*, participant: Participant) -> None:
    """Empty what the platform calls a person's visits; their outcomes and pay stay."""
    Visit.objects.filter(participant=participant).update(session_id="", study_ref="")
