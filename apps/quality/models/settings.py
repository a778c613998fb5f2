"""What a campaign asks of its people and watches."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign

# Each try asks questions that the person has not answered, so that a second one costs as many again.
MOST_TRIES = 3


# Said where a value comes that no form offers.
NOT_OFFERED = _("Please choose one of what is offered.")


class QualityNumbersFrom(models.TextChoices):
    PANEL = "panel", _("the panel filters by them; they are only recorded here")
    DECLARED = "declared", _("everybody is asked for them, unless the panel has told")


class QualityResponse(models.TextChoices):
    OFF = "off", _("do nothing")
    FLAG = "flag", _("keep a flag for the researchers")
    WARN = "warn", _("flag it, and tell the annotator, who may change it")
    REFUSE = "refuse", _("refuse it, in words")


class Quality(models.Model):
    """What a campaign asks of its people and watches. A campaign without a row asks and watches nothing.

    ``languages`` and ``countries`` are codes, one of which somebody must declare; empty lists ask for
    nothing. ``approved_tasks`` and ``approval_rate`` (percent) are either filters that the panel applies
    and that are recorded here, or asked of everybody (``numbers_from``). ``test_share`` is the percentage
    of an annotator's questions, after the quiz, that are test questions. Without ``members_work`` the
    campaign is for a panel's people, and for those annotators of the study who are on its list.
    ``tells_calculus``: annotators
    are told afterwards what the calculus found, else it is only flagged.
    """

    NumbersFrom = QualityNumbersFrom
    Response = QualityResponse

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="quality")
    languages = models.JSONField(_("native languages"), default=list, blank=True)
    countries = models.JSONField(_("countries"), default=list, blank=True)
    approved_tasks = models.PositiveIntegerField(_("approved tasks, at least"), null=True, blank=True)
    approval_rate = models.PositiveSmallIntegerField(
        _("approval rate in %, at least"), null=True, blank=True, validators=[MaxValueValidator(100)]
    )
    numbers_from = models.CharField(
        _("these numbers"), max_length=10, choices=NumbersFrom.choices, default=NumbersFrom.PANEL
    )
    uses_allow_list = models.BooleanField(_("only people on the list below"), default=False)
    members_work = models.BooleanField(_("the study's annotators work here"), default=True)
    quiz_size = models.PositiveSmallIntegerField(_("questions in the quiz"), default=0)
    quiz_wrong = models.PositiveSmallIntegerField(_("wrong at most"), default=3)
    quiz_tries = models.PositiveSmallIntegerField(
        _("times that somebody may try it"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_TRIES)],
    )
    test_share = models.PositiveSmallIntegerField(
        _("test questions among the others, in %"), default=0, validators=[MaxValueValidator(50)]
    )
    near_duplicates = models.CharField(
        _("nearly the same as written before"),
        max_length=10,
        choices=Response.choices,
        default=Response.OFF,
    )
    other_script = models.CharField(
        _("letters of another script"), max_length=10, choices=Response.choices, default=Response.OFF
    )
    not_more_specific = models.CharField(
        _("one word for a synonym or a more general one"),
        max_length=10,
        choices=Response.choices,
        default=Response.OFF,
    )
    spelling = models.CharField(
        _("spelling"), max_length=10, choices=Response.choices[:3], default=Response.OFF
    )
    checks_calculus = models.BooleanField(_("check each answer by the calculus"), default=False)
    tells_calculus = models.BooleanField(_("tell annotators what the calculus found"), default=False)

    STUDY_PATH = "campaign__study"

    class Meta:
        verbose_name_plural = "quality settings"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(test_share__lte=50),
                name="quality_share_known",
                violation_error_message=_("At most 50 % of the questions can be test questions."),
            ),
            models.CheckConstraint(
                condition=models.Q(quiz_tries__gte=1, quiz_tries__lte=MOST_TRIES),
                name="quality_tries_known",
                violation_error_message=_("A quiz may be tried once, twice or three times."),
            ),
            models.CheckConstraint(
                condition=models.Q(approval_rate__isnull=True) | models.Q(approval_rate__lte=100),
                name="quality_rate_is_percent",
                violation_error_message=_("A rate is at most 100 %."),
            ),
            models.CheckConstraint(
                condition=models.Q(numbers_from__in=QualityNumbersFrom.values),
                name="quality_numbers_known",
                violation_error_message=NOT_OFFERED,
            ),
            models.CheckConstraint(
                condition=models.Q(near_duplicates__in=QualityResponse.values)
                & models.Q(other_script__in=QualityResponse.values),
                name="quality_responses_known",
                violation_error_message=NOT_OFFERED,
            ),
            models.CheckConstraint(
                condition=models.Q(not_more_specific__in=QualityResponse.values)
                & models.Q(spelling__in=["off", "flag", "warn"]),
                name="quality_word_responses_known",
                violation_error_message=NOT_OFFERED,
            ),
            models.CheckConstraint(
                condition=models.Q(tells_calculus=False) | models.Q(checks_calculus=True),
                name="quality_tells_what_is_checked",
                violation_error_message=_("What the calculus does not check cannot be told."),
            ),
        ]

    def __str__(self) -> str:
        return f"quality of {self.campaign}"

    @property
    def calculus(self) -> QualityResponse:
        """What follows from what the calculus finds: nothing is refused, since it comes after the answer."""
        if not self.checks_calculus:
            return self.Response.OFF
        return self.Response.WARN if self.tells_calculus else self.Response.FLAG
