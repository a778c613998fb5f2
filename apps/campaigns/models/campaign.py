"""Campaigns, with their rules, and the versions of their instructions."""

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


class CampaignOrder(models.TextChoices):
    RANDOM = "random", _("another for each annotator, drawn from the seed")
    FIXED = "fixed", _("the same for all")


class CampaignState(models.TextChoices):
    DRAFT = "draft", _("draft")
    OPEN = "open", _("open")
    PAUSED = "paused", _("paused")
    CLOSED = "closed", _("closed")


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

    Order = CampaignOrder
    State = CampaignState

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
                condition=models.Q(state__in=CampaignState.values),
                name="campaign_state_known",
            ),
            models.CheckConstraint(condition=models.Q(target__gte=1), name="campaign_target_positive"),
            models.CheckConstraint(
                condition=models.Q(maximum__isnull=True)
                | models.Q(maximum__gte=models.F("target"), task__in=["validation", "likert"]),
                name="campaign_maximum_above_target",
            ),
            models.CheckConstraint(
                condition=models.Q(order__in=CampaignOrder.values), name="campaign_order_known"
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
