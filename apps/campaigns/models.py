"""Campaigns: items, leases, judgements, and what annotators wrote."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.formats import number_format
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

# The most questions that a page may hold: more than one can look over, and than one should lose at once.
LONGEST_PAGE = 50
# The preset of a campaign whose answers came in a file, and the panel of the people who gave them.
IMPORTED = "import"


class Campaign(models.Model):
    """One task given to annotators over a set of items, with its rules.

    An item wants ``target`` answers; where the first ones disagree and ``maximum`` is set, more, up to
    that. ``minimum_seconds`` is for one set (creation) or one page of ``page_size`` questions. ``price``
    is what one set, or one question, is paid, in hundredths of ``currency``.
    """

    class Task(models.TextChoices):
        CREATION = "creation", _("hypothesis creation")
        VALIDATION = "validation", _("validation")
        LIKERT = "likert", _("Likert scale")

    class Order(models.TextChoices):
        RANDOM = "random", _("another for each annotator, drawn from the seed")
        FIXED = "fixed", _("the same for all")

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="campaigns")
    name = models.CharField(_("name"), max_length=200)
    task = models.CharField(_("task"), max_length=20, choices=Task.choices)
    state = models.CharField(max_length=20, choices=State.choices, default=State.DRAFT)
    # Creation: the blanks to rewrite, and the dataset that the new pairs go to.
    # Validation and Likert: the dataset whose pairs are judged.
    blank_set = models.ForeignKey(
        "corpora.BlankSet", models.PROTECT, null=True, blank=True, related_name="campaigns"
    )
    dataset = models.ForeignKey("datasets.Dataset", models.PROTECT, related_name="campaigns")
    target = models.PositiveIntegerField(
        _("annotators an item"), default=3, validators=[MinValueValidator(1)]
    )
    replacements = models.PositiveIntegerField(
        _("replacements a set"), default=3, validators=[MinValueValidator(1)]
    )
    minimum_seconds = models.PositiveIntegerField(
        _("minimum seconds"), default=0, help_text=_("Answers sent sooner are refused with the seconds left.")
    )
    lease_minutes = models.PositiveIntegerField(
        _("minutes a lease"), default=30, validators=[MinValueValidator(1)]
    )
    maximum = models.PositiveIntegerField(
        _("at most"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Ask up to this number of annotators where the first ones disagree. Empty: never more."),
    )
    skips_count = models.BooleanField(_("skips count"), default=True)
    order = models.CharField(_("order"), max_length=10, choices=Order.choices, default=Order.RANDOM)
    cap = models.PositiveIntegerField(
        _("answers of one annotator"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    page_size = models.PositiveIntegerField(
        _("questions on a page"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST_PAGE)],
    )
    price = models.PositiveIntegerField(_("price in cents"), default=0)
    currency = models.CharField(
        _("currency"), max_length=3, default="USD", validators=[RegexValidator(r"^[A-Z]{3}$")]
    )
    opens_at = models.DateTimeField(_("opens at"), null=True, blank=True)
    closes_at = models.DateTimeField(_("closes at"), null=True, blank=True)
    # The model in the loop (creation): its predictions are shown once an answer was sent, and the
    # annotator may try ``tries`` times more to fool it.
    show_predictions = models.BooleanField(_("show a model's predictions"), default=False)
    model = models.ForeignKey(
        "inference.Model", models.PROTECT, null=True, blank=True, related_name="campaigns"
    )
    tries = models.PositiveIntegerField(_("tries after the first"), default=0)
    preset = models.CharField(_("preset"), max_length=40, blank=True)
    seed = models.PositiveIntegerField(default=0)
    is_pilot = models.BooleanField(default=False)
    simulated = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="campaign_name_once"),
            models.CheckConstraint(
                condition=models.Q(task="creation", blank_set__isnull=False)
                | models.Q(task__in=["validation", "likert"], blank_set__isnull=True),
                name="campaign_task_has_its_items",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "open", "paused", "closed"]),
                name="campaign_state_known",
            ),
            models.CheckConstraint(condition=models.Q(target__gte=1), name="campaign_target_positive"),
            models.CheckConstraint(
                condition=models.Q(maximum__isnull=True)
                | models.Q(maximum__gte=models.F("target"), task__in=["validation", "likert"]),
                name="campaign_maximum_above_target",
            ),
            models.CheckConstraint(
                condition=models.Q(order__in=["random", "fixed"]), name="campaign_order_known"
            ),
            models.CheckConstraint(
                condition=models.Q(cap__isnull=True) | models.Q(cap__gte=1), name="campaign_cap_positive"
            ),
            models.CheckConstraint(
                condition=models.Q(page_size=1)
                | models.Q(page_size__gte=1, page_size__lte=LONGEST_PAGE, task__in=["validation", "likert"]),
                name="campaign_page_of_questions",
            ),
            models.CheckConstraint(
                condition=models.Q(opens_at__isnull=True)
                | models.Q(closes_at__isnull=True)
                | models.Q(closes_at__gt=models.F("opens_at")),
                name="campaign_opens_before_it_closes",
            ),
            models.CheckConstraint(
                condition=models.Q(show_predictions=False) | models.Q(task="creation", model__isnull=False),
                name="campaign_predictions_of_a_model",
            ),
            models.CheckConstraint(condition=models.Q(price__gte=0), name="campaign_price_not_negative"),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def guideline(self) -> Guideline:
        """The version of its instructions in force: the latest."""
        sql = "SELECT * FROM campaigns_guideline WHERE campaign_id = %s ORDER BY version DESC LIMIT 1"
        return Guideline.objects.raw(sql, [self.pk])[0]

    @property
    def price_text(self) -> str:
        """The price with its currency, as in ``USD 0.05``."""
        return f"{self.currency} {number_format(f'{self.price / 100:.2f}')}"


class Guideline(models.Model):
    """One version of a campaign's instructions, in Markdown."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    body = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["campaign", "-version"]
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="guideline_version_once")]

    def __str__(self) -> str:
        return f"{self.campaign} v{self.version}"


class Item(models.Model):
    """A blank to rewrite or a pair to judge.

    ``counted`` is the number of answers that count, ``wanted`` how many there should be: the target in
    force, for this item (the campaign's, or more where the answers disagree). A test question
    (``is_test``) is complete from the start and its answers never count: it is handed out beside the
    others (apps/quality/quizzes.py), and its pair belongs to no published dataset.
    """

    # Without an index of its own: the one in order serves, and must be the only one that begins with the
    # campaign (the constraints below begin with blank and pair), or PostgreSQL, before it knows how many
    # items a new campaign has, reads all of them by another.
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items", db_index=False)
    blank = models.ForeignKey(
        "corpora.Blank", models.PROTECT, null=True, blank=True, related_name="items", db_index=False
    )
    pair = models.ForeignKey(
        "datasets.Pair", models.PROTECT, null=True, blank=True, related_name="items", db_index=False
    )
    position = models.PositiveIntegerField()
    counted = models.PositiveIntegerField(default=0)
    wanted = models.PositiveIntegerField(default=1)
    is_complete = models.BooleanField(default=False)
    is_test = models.BooleanField(default=False)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["campaign", "position"]
        indexes = [models.Index(fields=["campaign", "is_complete", "position"], name="item_open_in_order")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(blank__isnull=False, pair__isnull=True)
                | models.Q(blank__isnull=True, pair__isnull=False),
                name="item_is_blank_or_pair",
            ),
            models.UniqueConstraint(fields=["blank", "campaign"], name="item_blank_once"),
            models.UniqueConstraint(fields=["pair", "campaign"], name="item_pair_once"),
            models.CheckConstraint(condition=models.Q(wanted__gte=1), name="item_wanted_positive"),
            models.CheckConstraint(
                condition=models.Q(is_test=False) | models.Q(is_complete=True, counted=0, pair__isnull=False),
                name="item_test_never_counts",
            ),
        ]

    def __str__(self) -> str:
        return f"item {self.position}"


class Assignment(models.Model):
    """One slot of one item, leased to one participant until ``expires_at`` (the database's clock).

    The questions of one page share ``page``; a single card has none.
    """

    class State(models.TextChoices):
        LEASED = "leased", _("leased")
        SUBMITTED = "submitted", _("submitted")
        EXPIRED = "expired", _("expired")
        RELEASED = "released", _("released")

    # Found by the statement that reads it under the lock of its item.
    is_own: bool

    # Without an index of its own: the one that keeps it from being there twice serves.
    item = models.ForeignKey(Item, models.CASCADE, related_name="assignments", db_index=False)
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=20, choices=State.choices, default=State.LEASED)
    leased_at = models.DateTimeField()
    shown_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    page = models.UUIDField(null=True, blank=True)

    STUDY_PATH = "item__campaign__study"

    class Meta:
        indexes = [
            models.Index(
                fields=["expires_at"], condition=models.Q(state="leased"), name="assignment_leased_until"
            ),
            models.Index(
                fields=["participant"], condition=models.Q(state="leased"), name="assignment_leased_by"
            ),
            models.Index(fields=["page"], condition=models.Q(page__isnull=False), name="assignment_of_page"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["item", "participant"], name="assignment_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["leased", "submitted", "expired", "released"]),
                name="assignment_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participant} × {self.item}"


class Tally(models.Model):
    """The tally of one participant's answers in one campaign: the row that is locked while work goes to
    them and comes from them, so that nothing has to be counted for the next card.

    ``answered`` counts their answers to the campaign's items and ``tests`` those to its test questions;
    ``last`` is the assignment they answered last. All three follow from their judgements. Where
    ``has_many_left``, what is left for them is not counted for each card. ``read_version`` is the version of
    the instructions that was put before them last; 0 for none.
    """

    # What the statement that locks it finds as well: the place of the campaign's last open item, how many
    # leases of the campaign the participant has, some of which may have run out, and whether they are a
    # member who sees labels.
    last_open: int | None
    leases: int
    sees_labels: bool

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="tallies", db_index=False)
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="tallies")
    answered = models.PositiveIntegerField(default=0)
    tests = models.PositiveIntegerField(default=0)
    last = models.ForeignKey(Assignment, models.SET_NULL, null=True, blank=True, related_name="+")
    has_many_left = models.BooleanField(default=False)
    read_version = models.PositiveIntegerField(default=0)

    STUDY_PATH = "campaign__study"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "participant"], name="tally_once"),
        ]

    def __str__(self) -> str:
        return f"{self.participant} in {self.campaign}"

    @property
    def sent(self) -> int:
        """All answers, those to test questions among them."""
        return self.answered + self.tests


class Judgement(models.Model):
    """What an annotator submitted. The row holds the current value; every earlier one is a revision.

    ``answer`` is one of the dataset's labels or ``unnatural`` (validation); on the Likert scale it is
    the label that the ``rating`` (1 to 5) comes to, or ``unnatural`` where the box ``nonsense`` was
    ticked; a creation answer has rows of :class:`Replacement`; a skip has ``skip_reason``. ``counted``
    is false for a surplus answer: it came late, is kept and paid, and does not enter the item's target.
    ``predictions_shown`` says whether the annotator was shown a model's predictions in this campaign
    when it was sent, ``tries`` how often they tried again after one. ``could_see_labels``: whoever sent it
    researched in the study, where the calculus' and others' labels can be looked at; it never counts.
    ``read_in`` is the language of the instructions beside it, "" where they were a researcher's own text.
    ``seconds`` are of work; ``idle_seconds`` those from the showing to the sending in which nobody was at it.
    """

    class SkipReason(models.TextChoices):
        TOO_GENERAL = "too-general", _("The underlined part is too general to make more specific")
        UNCLEAR = "unclear", _("I don't understand the sentence")
        BROKEN = "broken", _("The sentence or the underlined part is broken")
        OTHER = "other", _("Another reason")

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="judgement")
    item = models.ForeignKey(Item, models.PROTECT, related_name="judgements", db_index=False)
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="judgements")
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="judgements")
    answer = models.CharField(max_length=40, blank=True)
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    nonsense = models.BooleanField(default=False)
    skip_reason = models.CharField(max_length=20, blank=True, choices=SkipReason.choices)
    note = models.TextField(_("note"), blank=True)
    counted = models.BooleanField(default=True)
    predictions_shown = models.BooleanField(default=False)
    tries = models.PositiveIntegerField(default=0)
    could_see_labels = models.BooleanField(default=False)
    read_in = models.CharField(max_length=10, blank=True)
    seconds = models.FloatField()
    idle_seconds = models.FloatField(default=0)
    revision = models.PositiveIntegerField(default=1)
    submitted_at = models.DateTimeField()
    revised_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "item__campaign__study"

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["item", "counted"], name="judgement_of_item")]
        constraints = [
            models.UniqueConstraint(fields=["item", "participant"], name="judgement_once"),
            models.CheckConstraint(condition=models.Q(seconds__gte=0), name="judgement_seconds_positive"),
            models.CheckConstraint(condition=models.Q(idle_seconds__gte=0), name="judgement_idle_positive"),
            models.CheckConstraint(
                condition=models.Q(rating__isnull=True) | models.Q(rating__gte=1, rating__lte=5),
                name="judgement_rating_on_the_scale",
            ),
            models.CheckConstraint(
                condition=models.Q(nonsense=False) | models.Q(answer="unnatural"),
                name="judgement_nonsense_is_unnatural",
            ),
            models.CheckConstraint(
                condition=models.Q(could_see_labels=False) | models.Q(counted=False),
                name="judgement_counts_without_labels",
            ),
        ]

    def __str__(self) -> str:
        return self.answer or self.skip_reason or "replacements"


class JudgementRevision(models.Model):
    """A value that a judgement had, by number (1 is the first submitted)."""

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    value = models.JSONField()
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        ordering = ["judgement", "number"]
        constraints = [models.UniqueConstraint(fields=["judgement", "number"], name="revision_once")]


class Replacement(models.Model):
    """One of the more specific phrases of a creation answer, and the pair it made."""

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="replacements")
    position = models.PositiveIntegerField()
    text = models.TextField()
    hypothesis = models.TextField()
    pair = models.ForeignKey("datasets.Pair", models.PROTECT, related_name="replacements")

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        ordering = ["judgement", "position"]
        constraints = [
            models.UniqueConstraint(fields=["judgement", "position"], name="replacement_position_once"),
            models.UniqueConstraint(fields=["judgement", "pair"], name="replacement_pair_once"),
        ]

    def __str__(self) -> str:
        return self.text


class ModelReply(models.Model):
    """What the campaign's model says about one revision of a creation answer (the model in the loop).

    ``predictions`` has, for each replacement by its position, the label predicted, the label expected
    of the place's direction, and whether the model was fooled. Empty until the job has run.
    """

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="model_replies")
    revision = models.PositiveIntegerField()
    model = models.ForeignKey("inference.Model", models.PROTECT, related_name="replies")
    fingerprint = models.CharField(max_length=64, blank=True)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="model_replies")
    predictions = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    replied_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        ordering = ["judgement", "revision"]
        verbose_name_plural = "model replies"
        constraints = [models.UniqueConstraint(fields=["judgement", "revision"], name="model_reply_once")]

    def __str__(self) -> str:
        return f"{self.model} on {self.judgement_id}, revision {self.revision}"
