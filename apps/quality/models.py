"""Quality: who may work, test questions, rules and what they did, checks of written answers."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign, Item, Judgement

# Each try asks questions that the person has not answered, so that a second one costs as many again.
MOST_TRIES = 3
# Said where a value comes that no form offers.
_NOT_OFFERED = _("Please choose one of what is offered.")


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

    class NumbersFrom(models.TextChoices):
        PANEL = "panel", _("the panel filters by them; they are only recorded here")
        DECLARED = "declared", _("everybody is asked for them, unless the panel has told")

    class Response(models.TextChoices):
        OFF = "off", _("do nothing")
        FLAG = "flag", _("keep a flag for the researchers")
        WARN = "warn", _("flag it, and tell the annotator, who may change it")
        REFUSE = "refuse", _("refuse it, in words")

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
                condition=models.Q(numbers_from__in=["panel", "declared"]),
                name="quality_numbers_known",
                violation_error_message=_NOT_OFFERED,
            ),
            models.CheckConstraint(
                condition=models.Q(near_duplicates__in=["off", "flag", "warn", "refuse"])
                & models.Q(other_script__in=["off", "flag", "warn", "refuse"]),
                name="quality_responses_known",
                violation_error_message=_NOT_OFFERED,
            ),
            models.CheckConstraint(
                condition=models.Q(not_more_specific__in=["off", "flag", "warn", "refuse"])
                & models.Q(spelling__in=["off", "flag", "warn"]),
                name="quality_word_responses_known",
                violation_error_message=_NOT_OFFERED,
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
    def calculus(self) -> Response:
        """What follows from what the calculus finds: nothing is refused, since it comes after the answer."""
        if not self.checks_calculus:
            return self.Response.OFF
        return self.Response.WARN if self.tells_calculus else self.Response.FLAG


class AllowedPerson(models.Model):
    """Somebody who may work where a campaign uses its list: by pseudonym, e-mail address or panel id."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="allowed_people")
    name = models.CharField(max_length=254)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["campaign", "name"], name="allowed_person_once")]

    def __str__(self) -> str:
        return self.name


class Declaration(models.Model):
    """What a participant said of themselves, once for the whole study, or what their panel told.

    Who slipped may correct it once: ``before`` is then what they had said first, by field.
    """

    participant = models.OneToOneField("studies.Participant", models.CASCADE, related_name="declaration")
    language = models.CharField(_("native language"), max_length=10, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    approved_tasks = models.PositiveIntegerField(_("approved tasks"), null=True, blank=True)
    approval_rate = models.PositiveSmallIntegerField(
        _("approval rate in %"), null=True, blank=True, validators=[MaxValueValidator(100)]
    )
    numbers_from_panel = models.BooleanField(default=False)
    declared_at = models.DateTimeField(null=True, blank=True)
    corrected_at = models.DateTimeField(null=True, blank=True)
    before = models.JSONField(default=dict, blank=True)

    STUDY_PATH = "participant__study"

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(approval_rate__isnull=True) | models.Q(approval_rate__lte=100),
                name="declaration_rate_is_percent",
            )
        ]

    def __str__(self) -> str:
        return f"{self.language} {self.country}".strip()


class TestQuestion(models.Model):
    """An item with a known answer. Its pair stands in the study's dataset of test questions.

    ``forgiven``: the question was bad; its answers say nothing about anybody any more. ``retired``: it is
    asked no more, but its answers still count for trust.
    """

    __test__ = False  # pytest takes the name for a test

    class State(models.TextChoices):
        ACTIVE = "active", _("in use")
        RETIRED = "retired", _("not asked any more")
        FORGIVEN = "forgiven", _("forgiven")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="test_questions")
    item = models.OneToOneField(Item, models.CASCADE, related_name="test_question")
    expected = models.CharField(_("expected answer"), max_length=40)
    explanation = models.TextField(_("explanation"), blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["campaign", "state"], name="test_question_in_use")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["active", "retired", "forgiven"]),
                name="test_state_known",
                violation_error_message=_NOT_OFFERED,
            )
        ]

    def __str__(self) -> str:
        return f"test question {self.pk}"


class TestAnswer(models.Model):
    """The first answer that somebody sent to a test question. Trust is computed from these rows alone.

    ``answer`` is what was sent first ("" for a skip): who changes it later, having seen the explanation,
    gains nothing. Whether it is right follows from the question's expected answer of today. ``quiz_try`` is
    which of the person's tries it belongs to, where it was given in the quiz.
    """

    __test__ = False

    question = models.ForeignKey(TestQuestion, models.CASCADE, related_name="answers")
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="test_answers")
    judgement = models.OneToOneField(Judgement, models.CASCADE, related_name="test_answer")
    answer = models.CharField(max_length=40, blank=True)
    in_quiz = models.BooleanField(default=False)
    quiz_try = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField()

    STUDY_PATH = "question__campaign__study"

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["question", "participant"], name="test_answer_once")]

    def __str__(self) -> str:
        return self.answer or "skip"


class Rule(models.Model):
    """When a signal over somebody's last answers passes a threshold, something is done.

    ``last`` is how many answers are looked at, ``least`` how many there must be before the rule speaks.
    Shares are in [0, 1], speed in seconds, a row of same answers is a count.
    """

    class Signal(models.TextChoices):
        TRUST = "trust", _("share of test questions answered right")
        SPEED = "speed", _("median seconds of an answer")
        AGREEMENT = "agreement", _("share of answers that agree with most of the others")
        SAME = "same", _("same answer in a row")
        SKIPS = "skips", _("share of skips")
        COPIED = "copied", _("share of sets with a phrase that they wrote before")
        FLAGGED = "flagged", _("share of sets that the checks flagged")

    class Action(models.TextChoices):
        WARN = "warn", _("warn them")
        PAUSE = "pause", _("pause them")
        REVIEW = "review", _("send their work to review")
        REQUEUE = "requeue", _("ask others again instead of their answers")

    #: Signals whose thresholds and values are shares.
    SHARES = frozenset((Signal.TRUST, Signal.AGREEMENT, Signal.SKIPS, Signal.COPIED, Signal.FLAGGED))

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
                condition=models.Q(
                    signal__in=["trust", "speed", "agreement", "same", "skips", "copied", "flagged"]
                ),
                name="rule_signal_known",
                violation_error_message=_NOT_OFFERED,
            ),
            models.CheckConstraint(
                condition=models.Q(action__in=["warn", "pause", "review", "requeue"]),
                name="rule_action_known",
                violation_error_message=_NOT_OFFERED,
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

    @property
    def fires_above(self) -> bool:
        """Whether high values are the bad ones."""
        return self.signal in (
            self.Signal.SAME,
            self.Signal.SKIPS,
            self.Signal.COPIED,
            self.Signal.FLAGGED,
        )

    def is_passed_by(self, value: float) -> bool:
        """Whether the rule speaks at this value: at or above its threshold for signals of which much is
        bad, below it for the others."""
        return value >= self.threshold if self.fires_above else value < self.threshold


class QualityAction(models.Model):
    """What a rule, or a researcher, did to somebody's standing in a campaign; rows are never deleted.

    A pause holds as long as it is not undone. ``value`` and ``answers`` are what the rule saw. For a
    requeue, ``judgements`` are the answers that counted no more.
    """

    class Kind(models.TextChoices):
        WARN = "warn", _("warned")
        PAUSE = "pause", _("paused")
        REVIEW = "review", _("sent to review")
        REQUEUE = "requeue", _("answers asked again")
        WAIVE_QUIZ = "waive-quiz", _("let in without the quiz")
        RETRY_QUIZ = "retry-quiz", _("quiz begun again")

    class Undone(models.TextChoices):
        BY_HAND = "by-hand", _("undone by hand")
        FORGIVEN = "forgiven", _("a test question was forgiven")
        DONE = "done", _("looked at")

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
                condition=models.Q(
                    kind__in=["warn", "pause", "review", "requeue", "waive-quiz", "retry-quiz"]
                ),
                name="action_kind_known",
            ),
            models.CheckConstraint(
                condition=models.Q(undone_at__isnull=True, undone_why="")
                | models.Q(undone_at__isnull=False, undone_why__in=["by-hand", "forgiven", "done"]),
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


class Refusal(models.Model):
    """That somebody came for work and was not let in, by what, and what they had said then.

    One row for a person, campaign and reason; whether it holds today follows from the settings and from
    what they say now.
    """

    class By(models.TextChoices):
        LANGUAGE = "language", _("native language")
        COUNTRY = "country", _("country")
        APPROVED_TASKS = "approved-tasks", _("approved tasks")
        APPROVAL_RATE = "approval-rate", _("approval rate")
        LIST = "list", _("not on the list")
        MEMBERS = "members", _("not from the panel")
        QUIZ = "quiz", _("quiz not passed")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="refusals")
    participant = models.ForeignKey("studies.Participant", models.CASCADE, related_name="refusals")
    by = models.CharField(max_length=20, choices=By.choices)
    said = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "participant", "by"], name="refusal_once"),
            models.CheckConstraint(
                condition=models.Q(
                    by__in=[
                        "language", "country", "approved-tasks", "approval-rate", "list", "members", "quiz",
                    ]
                ),
                name="refusal_reason_known",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.by} {self.said}".strip()


class AnswerCheck(models.Model):
    """That a revision of a creation answer was checked by the calculus; ``failure`` says why not."""

    judgement = models.OneToOneField(Judgement, models.CASCADE, related_name="check_done")
    revision = models.PositiveIntegerField()
    failure = models.CharField(max_length=500, blank=True)
    checked_at = models.DateTimeField()

    STUDY_PATH = "judgement__item__campaign__study"

    def __str__(self) -> str:
        return f"check of {self.judgement_id}"


class Flag(models.Model):
    """Something odd about one replacement of a creation answer's present revision."""

    class Source(models.TextChoices):
        TEXT = "text", _("text")
        CALCULUS = "calculus", _("calculus")

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="flags")
    position = models.PositiveIntegerField()
    code = models.CharField(max_length=40)
    message = models.TextField()
    source = models.CharField(max_length=10, choices=Source.choices)
    was_told = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        ordering = ["judgement", "position", "code"]
        constraints = [
            models.UniqueConstraint(fields=["judgement", "position", "code"], name="flag_once"),
            models.CheckConstraint(
                condition=models.Q(source__in=["text", "calculus"]), name="flag_source_known"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Reliability(models.Model):
    """An estimate of how far somebody's answers in a campaign can be relied on.

    ``value`` is in [0, 1]: for Dawid–Skene the probability of a right answer, for MACE the competence
    (of not guessing). None where it is undefined, with the reason.
    """

    class Method(models.TextChoices):
        DAWID_SKENE = "dawid-skene", "Dawid–Skene"
        MACE = "mace", "MACE"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="reliabilities")
    participant = models.ForeignKey("studies.Participant", models.CASCADE, related_name="reliabilities")
    method = models.CharField(max_length=20, choices=Method.choices)
    value = models.FloatField(null=True)
    reason = models.CharField(max_length=200, blank=True)
    answers = models.PositiveIntegerField(default=0)
    detail = models.JSONField(default=dict)
    computed_at = models.DateTimeField()

    STUDY_PATH = "campaign__study"

    class Meta:
        verbose_name_plural = "reliabilities"
        constraints = [
            models.UniqueConstraint(fields=["campaign", "participant", "method"], name="reliability_once"),
            models.CheckConstraint(
                condition=models.Q(method__in=["dawid-skene", "mace"]), name="reliability_method_known"
            ),
            models.CheckConstraint(
                condition=models.Q(value__isnull=True) | models.Q(value__gte=0, value__lte=1),
                name="reliability_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.value}"
