"""Items, and what is leased of them to whom: assignments, and each participant's tally."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models.campaign import Campaign


class Item(models.Model):
    """A blank to rewrite or a pair to judge.

    ``counted`` is the number of answers that count, ``wanted`` how many there should be: the target in
    force, for this item (the campaign's, or more where the answers disagree). A test question
    (``is_test``) is complete from the start and its answers never count: it is handed out beside the
    others (apps/quality/question_mixing.py), and its pair belongs to no published dataset.
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


class AssignmentState(models.TextChoices):
    LEASED = "leased", _("leased")
    SUBMITTED = "submitted", _("submitted")
    EXPIRED = "expired", _("expired")
    RELEASED = "released", _("released")


class Assignment(models.Model):
    """One slot of one item, leased to one participant until ``expires_at`` (the database's clock).

    The questions of one page share ``page``; a single card has none.
    """

    State = AssignmentState

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
                condition=models.Q(state__in=AssignmentState.values),
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
