"""Datasets: pairs (or meanings) with labels from people, calculus and rules, and their releases."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.datasets.fields import WordsField
from apps.datasets.labels import two_way_labels


class Direction(models.TextChoices):
    UPWARD = "upward", _("upward")
    DOWNWARD = "downward", _("downward")
    NON_MONOTONE = "non-monotone", _("non-monotone")


class DatasetKind(models.TextChoices):
    PAIRS = "pairs", _("pairs")
    MEANINGS = "meanings", _("meanings")
    # The pairs of test questions: on no list, in no comparison and no release.
    TESTS = "tests", _("test questions")


class Dataset(models.Model):
    """A set of items of one kind, with its own set of labels."""

    Kind = DatasetKind

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="datasets")
    name = models.CharField(_("name"), max_length=200)
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.PAIRS)
    labels = models.JSONField(default=two_way_labels)
    licence = models.CharField(_("licence"), max_length=200, blank=True)
    source = models.CharField(_("source"), max_length=500, blank=True)
    simulated = models.BooleanField(default=False)
    # The convention of the calculus' latest labels; empty where there are none.
    labelled_under = models.CharField(max_length=40, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="dataset_name_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=DatasetKind.values), name="dataset_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PairOrigin(models.TextChoices):
    CROWD = "crowd", _("written by annotators")
    IMPORT = "import", _("imported")
    SWAP = "swap", _("swapped twin")
    MACHINE = "machine", _("machine-made")
    TYPED = "typed", _("typed in")


class Pair(models.Model):
    """An inference problem: one hypothesis and one or more ordered premises (rows of :class:`Premise`).

    ``direction`` is the polarity of the place where the sentences differ; ``digest`` covers the
    premises and the hypothesis in NFC. A hypothesis that two people wrote is one pair.
    """

    Origin = PairOrigin

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="pairs")
    hypothesis = models.TextField()
    digest = models.CharField(max_length=64)
    origin = models.CharField(max_length=20, choices=Origin.choices)
    direction = models.CharField(max_length=20, choices=Direction.choices, blank=True)
    genre = models.CharField(max_length=200, blank=True)
    # The publication or collection that an imported pair is from (MED, section 3.2), and what else its file
    # says of it under the file's own names: identifier, part, scores.
    source = models.CharField(max_length=500, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    blank = models.ForeignKey("corpora.Blank", models.SET_NULL, null=True, blank=True, related_name="pairs")
    swapped_from = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, related_name="swapped_twin"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "digest"], name="pair_once"),
            models.CheckConstraint(
                condition=models.Q(direction__in=["", *Direction.values]), name="pair_direction_known"
            ),
            models.CheckConstraint(
                condition=models.Q(origin__in=PairOrigin.values),
                name="pair_origin_known",
            ),
        ]

    def __str__(self) -> str:
        return self.hypothesis

    @property
    def premise(self) -> str:
        """The premises in order, as one text. Prefetch ``premises`` for many pairs."""
        return " ".join(item.text for item in self.premises.all())


class Premise(models.Model):
    """One premise of a pair, by its position (from 0)."""

    pair = models.ForeignKey(Pair, models.CASCADE, related_name="premises")
    position = models.PositiveIntegerField()
    text = models.TextField()
    sentence = models.ForeignKey(
        "corpora.Sentence", models.SET_NULL, null=True, blank=True, related_name="premises"
    )

    STUDY_PATH = "pair__dataset__study"

    class Meta:
        ordering = ["pair", "position"]
        constraints = [models.UniqueConstraint(fields=["pair", "position"], name="premise_position_once")]

    def __str__(self) -> str:
        return self.text


class Meaning(models.Model):
    """The other kind of item: a sentence and its formula, in a named formalism; ``facts`` are its other forms
    and what else its testbed says of it."""

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="meanings")
    text = models.TextField()
    formula = models.TextField()
    formalism = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    facts = models.JSONField(default=dict, blank=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["dataset", "digest"], name="meaning_once")]

    def __str__(self) -> str:
        return self.text


class CalculusLabel(models.Model):
    """The calculus' label of a pair, keyed by what made it; several live side by side."""

    pair = models.ForeignKey(Pair, models.CASCADE, related_name="calculus_labels")
    engine = models.CharField(max_length=40)
    engine_version = models.CharField(max_length=40)
    convention = models.CharField(max_length=40)
    parser = models.CharField(max_length=120)
    label = models.CharField(max_length=40)
    direction = models.CharField(max_length=20, blank=True)
    reason = models.TextField()
    confidence = models.FloatField(default=1.0)
    # Whether words whose relation no source knows were taken to be more specific (MED, section 3.1.2); None
    # where that was not kept.
    assumed = models.BooleanField(null=True)
    detail = models.JSONField(default=dict)
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "pair__dataset__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["pair", "engine", "engine_version", "convention", "parser"],
                name="calculus_label_once",
            ),
            models.UniqueConstraint(
                fields=["pair"], condition=models.Q(is_current=True), name="calculus_label_one_current"
            ),
        ]
        indexes = [
            # Filters by these look each pair up, and need no row of the table.
            models.Index(
                fields=["pair", "confidence", "assumed"],
                condition=models.Q(is_current=True),
                name="calculus_label_sureness",
            )
        ]

    def __str__(self) -> str:
        return self.label


class NotRead(models.Model):
    """That the calculus gave a pair no label when it was asked last, and why; one row a pair at most.

    Whatever label it had is history then, and goes on standing beside.
    """

    pair = models.OneToOneField(Pair, models.CASCADE, primary_key=True, related_name="not_read")
    engine = models.CharField(max_length=40)
    engine_version = models.CharField(max_length=40)
    convention = models.CharField(max_length=40)
    parser = models.CharField(max_length=120)
    reason = models.TextField()
    created_at = models.DateTimeField(auto_now=True)

    STUDY_PATH = "pair__dataset__study"

    def __str__(self) -> str:
        return self.reason


class Tag(models.Model):
    """A linguistic phenomenon of a pair (MED, section 3.3), and where the tag came from."""

    pair = models.ForeignKey(Pair, models.CASCADE, related_name="tags")
    name = models.CharField(max_length=60)
    source = models.CharField(max_length=60)

    STUDY_PATH = "pair__dataset__study"

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["pair", "name", "source"], name="tag_once")]

    def __str__(self) -> str:
        return self.name


class GoldLabel(models.Model):
    """A label that came with an imported pair, or that a person set, and its source."""

    pair = models.ForeignKey(Pair, models.CASCADE, related_name="gold_labels")
    source = models.CharField(max_length=60)
    label = models.CharField(max_length=40)

    STUDY_PATH = "pair__dataset__study"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pair", "source"], name="gold_label_once")]

    def __str__(self) -> str:
        return self.label


class Profile(models.Model):
    """What pairs are looked up by beside their labels; one row a pair.

    ``words`` are there as soon as the pair is. ``operators``, ``verbs`` and ``depth``
    (:class:`natlog.profile.Profile`, over premises and hypothesis) come from the labelling job named in
    ``made_by``; ``depth`` is None until then. So do ``shared_operators`` and ``argument_of``, MED's two
    criteria (:class:`natlog.criteria.Criteria`), which pairs of several premises have empty.
    """

    pair = models.OneToOneField(Pair, models.CASCADE, primary_key=True, related_name="profile")
    words = WordsField(blank=True)
    operators = WordsField(blank=True)
    verbs = WordsField(blank=True)
    depth = models.PositiveSmallIntegerField(null=True, db_index=True)
    shared_operators = WordsField(null=True, blank=True)  # type: ignore[misc]
    argument_of = WordsField(null=True, blank=True)  # type: ignore[misc]
    made_by = models.CharField(max_length=80, blank=True)

    STUDY_PATH = "pair__dataset__study"

    def __str__(self) -> str:
        return self.words.strip()


class Correction(models.Model):
    """A researcher's word on what the calculus says of a pair beside its label: its direction, its tags.

    ``direction`` is "" and ``tags`` None where they are not corrected. ``direction_was`` and ``tags_was`` are
    what stood there; the calculus' own values stay where they are (``CalculusLabel``). One at a time is in
    force, the one that nobody took back.
    """

    pair = models.ForeignKey(Pair, models.CASCADE, related_name="corrections")
    direction = models.CharField(max_length=20, choices=Direction.choices, blank=True)
    direction_was = models.CharField(max_length=20, blank=True)
    tags = models.JSONField(null=True)
    tags_was = models.JSONField(default=list)
    note = models.CharField(max_length=500, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True)

    STUDY_PATH = "pair__dataset__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["pair"], condition=models.Q(undone_at=None), name="correction_one_in_force"
            ),
            models.CheckConstraint(
                condition=models.Q(direction__in=["", *Direction.values]), name="correction_direction_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pair_id}: {self.direction}"
