"""Panels: where a campaign's paid annotators come from, their visits, and what they are owed.

What is owed is never stored: it is the judgements of the panel's people at the price that was in force
when each was sent (:class:`SetPrice`), plus the bonuses. Stored is only what was put into a payout, one
row for a judgement, so that pay equals answers and nothing can be paid twice.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

_PARAMETER = RegexValidator(r"^[A-Za-z][A-Za-z0-9_.-]*$", _("A letter, then letters, digits, - _ and ."))
_WORD = RegexValidator(r"^[a-z][a-z0-9-]*$", _("Small letters, digits and -, a letter first."))


def new_public_id() -> str:
    return secrets.token_hex(8)


class PanelKind(models.TextChoices):
    PROLIFIC = "prolific", _("Prolific")
    MTURK = "mturk", _("Mechanical Turk")
    GENERIC = "generic", _("another panel")


class Panel(models.Model):
    """Where a campaign's people come from: how they arrive, and how they return.

    ``platform`` names whose identifiers the people carry; it is the ``panel`` of their participants, so
    that somebody who works in two campaigns of a study is one participant. ``secret`` signs the
    platform's events; it is stored readable, as checking a signature needs it, and never shown again.
    """

    Kind = PanelKind

    campaign = models.OneToOneField("campaigns.Campaign", models.PROTECT, related_name="panel")
    kind = models.CharField(_("panel"), max_length=20, choices=Kind.choices)
    platform = models.CharField(_("name of the panel"), max_length=40, validators=[_WORD])
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    person_parameter = models.CharField(_("parameter: person"), max_length=60, validators=[_PARAMETER])
    session_parameter = models.CharField(_("parameter: session"), max_length=60, validators=[_PARAMETER])
    study_parameter = models.CharField(
        _("parameter: study"), max_length=60, blank=True, validators=[_PARAMETER]
    )
    return_address = models.CharField(_("return address"), max_length=500, blank=True)
    told_address = models.CharField(_("address to tell"), max_length=500, blank=True)
    code_complete = models.CharField(_("code: complete"), max_length=60)
    code_failed_quiz = models.CharField(_("code: quiz not passed"), max_length=60)
    code_no_work = models.CharField(_("code: no work"), max_length=60)
    sets_wanted = models.PositiveIntegerField(
        _("sets a visit"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    secret = models.CharField(_("secret for events"), max_length=200, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=PanelKind.values), name="panel_kind_known"),
            models.CheckConstraint(
                condition=models.Q(sets_wanted__isnull=True) | models.Q(sets_wanted__gte=1),
                name="panel_sets_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.platform}: {self.campaign}"

    @property
    def is_framed(self) -> bool:
        """Whether the platform shows the pages in a frame of its own."""
        return self.kind == self.Kind.MTURK


class SetPrice(models.Model):
    """The price of a set when it was sent, in hundredths: a new price is for new sets."""

    judgement = models.OneToOneField("campaigns.Judgement", models.PROTECT, related_name="set_price")
    cents = models.PositiveIntegerField()

    STUDY_PATH = "judgement__item__campaign__study"

    def __str__(self) -> str:
        return f"{self.judgement_id}: {self.cents / 100:.2f}"


class ConsentText(models.Model):
    """One version of what people agree to before any work."""

    panel = models.ForeignKey(Panel, models.CASCADE, related_name="consents")
    version = models.PositiveIntegerField()
    body = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "panel__campaign__study"

    class Meta:
        ordering = ["panel", "-version"]
        constraints = [models.UniqueConstraint(fields=["panel", "version"], name="consent_version_once")]

    def __str__(self) -> str:
        return f"{self.panel} v{self.version}"


class VisitOutcome(models.TextChoices):
    COMPLETE = "complete", _("complete")
    FAILED_QUIZ = "failed-quiz", _("quiz not passed")
    NO_WORK = "no-work", _("no work")


class Visit(models.Model):
    """One person's coming under one session of the platform (a submission, an assignment).

    ``outcome`` and ``code`` are set once, when the visit ends, and stay whatever the panel's settings
    become. ``told_at`` is when the platform took notice, where it wants to be told.
    """

    Outcome = VisitOutcome

    panel = models.ForeignKey(Panel, models.PROTECT, related_name="visits")
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="visits")
    session_id = models.CharField(max_length=200)
    study_ref = models.CharField(max_length=200, blank=True)
    submit_to = models.CharField(max_length=60, blank=True)
    # Chosen on the pages of the visit, which keep no cookie; "" is what the browser asks for.
    language = models.CharField(max_length=10, blank=True)
    arrived_at = models.DateTimeField()
    consent = models.ForeignKey(ConsentText, models.PROTECT, null=True, related_name="visits")
    consented_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=20, choices=Outcome.choices, blank=True)
    code = models.CharField(max_length=60, blank=True)
    finished_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)
    told_tries = models.PositiveIntegerField(default=0)
    told_error = models.CharField(max_length=200, blank=True)
    tell_after = models.DateTimeField(null=True)
    status = models.CharField(max_length=40, blank=True)
    returned_at = models.DateTimeField(null=True)

    STUDY_PATH = "panel__campaign__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["panel", "participant", "session_id"],
                condition=~models.Q(session_id=""),
                name="visit_session_once",
            ),
            models.CheckConstraint(
                condition=models.Q(outcome="", finished_at__isnull=True)
                | models.Q(outcome__in=VisitOutcome.values, finished_at__isnull=False),
                name="visit_outcome_known",
            ),
            models.CheckConstraint(
                condition=models.Q(consent__isnull=True, consented_at__isnull=True)
                | models.Q(consent__isnull=False, consented_at__isnull=False),
                name="visit_consent_dated",
            ),
        ]
        indexes = [models.Index(fields=["panel", "session_id"], name="visit_by_session")]

    def __str__(self) -> str:
        return f"{self.participant} @ {self.panel}"

    @property
    def may_work(self) -> bool:
        return self.consent_id is not None and self.returned_at is None

    @property
    def is_to_be_told(self) -> bool:
        """Finished here, and the platform wants to be told but has not taken notice yet."""
        return bool(self.finished_at and self.panel.told_address and self.told_at is None)


class PanelEvent(models.Model):
    """An event that a platform sent, kept so that it is taken once.

    ``signature`` is kept as well as the sender's ``event_id``: the identifier stands in a header that is
    not signed, so a captured request could be sent again under another one.
    """

    panel = models.ForeignKey(Panel, models.CASCADE, related_name="events")
    event_id = models.CharField(max_length=200)
    signature = models.CharField(max_length=64)
    sent_at = models.DateTimeField()
    received_at = models.DateTimeField()
    event_type = models.CharField(max_length=100, blank=True)
    status = models.CharField(max_length=40, blank=True)
    visit = models.ForeignKey(Visit, models.SET_NULL, null=True, related_name="events")

    STUDY_PATH = "panel__campaign__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["panel", "event_id"], name="panel_event_once"),
            models.UniqueConstraint(fields=["panel", "signature"], name="panel_event_signature_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event_type} {self.status}".strip()


class Payout(models.Model):
    """What was put together for the paymaster at one moment; it changes no more, except that it is paid."""

    panel = models.ForeignKey(Panel, models.PROTECT, related_name="payouts")
    number = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    paid_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    paid_at = models.DateTimeField(null=True)

    STUDY_PATH = "panel__campaign__study"

    class Meta:
        ordering = ["panel", "-number"]
        constraints = [models.UniqueConstraint(fields=["panel", "number"], name="payout_number_once")]

    def __str__(self) -> str:
        return f"{self.panel} #{self.number}"


class PayoutSet(models.Model):
    """One submitted set in a payout, with its price. A judgement is in one payout at most."""

    payout = models.ForeignKey(Payout, models.CASCADE, related_name="sets")
    judgement = models.OneToOneField("campaigns.Judgement", models.PROTECT, related_name="payout_set")
    cents = models.PositiveIntegerField()

    STUDY_PATH = "payout__panel__campaign__study"

    def __str__(self) -> str:
        return f"{self.judgement_id}: {self.cents / 100:.2f}"


class Bonus(models.Model):
    """Something extra for a person, once for each reason."""

    panel = models.ForeignKey(Panel, models.PROTECT, related_name="bonuses")
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="bonuses")
    cents = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    reason = models.CharField(_("reason"), max_length=200)
    payout = models.ForeignKey(Payout, models.SET_NULL, null=True, related_name="bonuses")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "panel__campaign__study"

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "bonuses"
        constraints = [
            models.UniqueConstraint(fields=["panel", "participant", "reason"], name="bonus_reason_once"),
            models.CheckConstraint(condition=models.Q(cents__gte=1), name="bonus_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.cents / 100:.2f}: {self.reason}"
