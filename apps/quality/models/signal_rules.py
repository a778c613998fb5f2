"""Rules, and what they or researchers did."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign
from apps.quality.models.settings import NOT_OFFERED


class RuleSignal(models.TextChoices):
    TRUST = "trust", _("share of test questions answered right")
    SPEED = "speed", _("median seconds of an answer")
    AGREEMENT = "agreement", _("share of answers that agree with most of the others")
    SAME = "same", _("same answer in a row")
    SKIPS = "skips", _("share of skips")
    COPIED = "copied", _("share of sets with a phrase that they wrote before")
    FLAGGED = "flagged", _("share of sets that the checks flagged")


class RuleAction(models.TextChoices):
    WARN = "warn", _("warn them")
    PAUSE = "pause", _("pause them")
    REVIEW = "review", _("send their work to review")
    REQUEUE = "requeue", _("ask others again instead of their answers")


class Rule(models.Model):
    """When a signal over somebody's last answers passes a threshold, something is done.

    ``last`` is how many answers are looked at, ``least`` how many there must be before the rule speaks.
    Shares are in [0, 1], speed in seconds, a row of same answers is a count.
    """

    Signal = RuleSignal
    Action = RuleAction

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="rules")
    signal = models.CharField(_("signal"), max_length=10, choices=Signal.choices)
    last = models.PositiveSmallIntegerField(
        _("over the last"), default=10, validators=[MinValueValidator(1), MaxValueValidator(1000)]
    )
    least = models.PositiveSmallIntegerField(
        _("from so many answers on"), default=5, validators=[MinValueValidator(1)]
    )
    threshold = models.FloatField(_("threshold"))
    action = models.CharField(_("then"), max_length=10, choices=Action.choices)
    is_active = models.BooleanField(_("in force"), default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(signal__in=RuleSignal.values),
                name="rule_signal_known",
                violation_error_message=NOT_OFFERED,
            ),
            models.CheckConstraint(
                condition=models.Q(action__in=RuleAction.values),
                name="rule_action_known",
                violation_error_message=NOT_OFFERED,
            ),
            models.CheckConstraint(
                condition=models.Q(last__gte=1, least__gte=1, least__lte=models.F("last")),
                name="rule_window_has_answers",
                violation_error_message=_(
                    "A rule looks at one answer or more, and asks for no more than it looks at."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(threshold__gte=0),
                name="rule_threshold_positive",
                violation_error_message=_("The threshold is not below 0."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.signal} → {self.action}"


class QualityActionKind(models.TextChoices):
    WARN = "warn", _("warned")
    PAUSE = "pause", _("paused")
    REVIEW = "review", _("sent to review")
    REQUEUE = "requeue", _("answers asked again")
    WAIVE_QUIZ = "waive-quiz", _("let in without the quiz")
    RETRY_QUIZ = "retry-quiz", _("quiz begun again")


class QualityActionUndone(models.TextChoices):
    BY_HAND = "by-hand", _("undone by hand")
    FORGIVEN = "forgiven", _("a test question was forgiven")
    DONE = "done", _("looked at")


class QualityAction(models.Model):
    """What a rule, or a researcher, did to somebody's standing in a campaign; rows are never deleted.

    A pause holds as long as it is not undone. ``value`` and ``answers`` are what the rule saw. For a
    requeue, ``judgements`` are the answers that counted no more.
    """

    Kind = QualityActionKind
    Undone = QualityActionUndone

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="quality_actions")
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="quality_actions")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    rule = models.ForeignKey(Rule, models.SET_NULL, null=True, related_name="actions")
    signal = models.CharField(max_length=10, blank=True)
    value = models.FloatField(null=True)
    threshold = models.FloatField(null=True)
    answers = models.PositiveIntegerField(null=True)
    note = models.CharField(_("note"), max_length=500, blank=True)
    judgements = models.JSONField(default=list)
    shown_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    undone_why = models.CharField(max_length=10, blank=True, choices=Undone.choices)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["campaign", "participant", "kind"], name="action_of_participant")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=QualityActionKind.values),
                name="action_kind_known",
            ),
            models.CheckConstraint(
                condition=models.Q(undone_at__isnull=True, undone_why="")
                | models.Q(undone_at__isnull=False, undone_why__in=QualityActionUndone.values),
                name="action_undone_for_a_reason",
            ),
            models.UniqueConstraint(
                fields=["participant", "rule"],
                condition=models.Q(kind="pause", undone_at__isnull=True),
                name="action_one_pause_of_a_rule",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.participant_id}"

    @property
    def signal_name(self) -> str:
        """What the rule looked at, in words; "" where no rule acted."""
        return str(Rule.Signal(self.signal).label) if self.signal else ""
