"""Datasets: pairs (or meanings) with labels from people, calculus and rules, and their releases."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.datasets.generating.models import MachineBatch as MachineBatch
from apps.datasets.reporting.models import BalanceReport as BalanceReport
from apps.datasets.working.models import BulkChange as BulkChange
from apps.datasets.working.models import BulkEdit as BulkEdit
from apps.datasets.working.models import Profile as Profile
from apps.datasets.working.models import RuleLabel as RuleLabel

ENTAILMENT = "entailment"
NON_ENTAILMENT = "non-entailment"
CONTRADICTION = "contradiction"
# An answer that annotators may give; never a label.
UNNATURAL = "unnatural"


def two_way_labels() -> list[str]:
    return [ENTAILMENT, NON_ENTAILMENT]


class Direction(models.TextChoices):
    UPWARD = "upward", _("upward")
    DOWNWARD = "downward", _("downward")
    NON_MONOTONE = "non-monotone", _("non-monotone")


class Dataset(models.Model):
    """A set of items of one kind, with its own set of labels."""

    class Kind(models.TextChoices):
        PAIRS = "pairs", _("pairs")
        MEANINGS = "meanings", _("meanings")
        # The pairs of test questions: on no list, in no comparison and no release.
        TESTS = "tests", _("test questions")

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="datasets")
    name = models.CharField(_("name"), max_length=200)
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.PAIRS)
    labels = models.JSONField(default=two_way_labels)
    licence = models.CharField(_("licence"), max_length=200, blank=True)
    source = models.CharField(_("source"), max_length=500, blank=True)
    simulated = models.BooleanField(default=False)
    # The convention of the calculus' latest labels; empty where there are none.
    labelled_under = models.CharField(max_length=40, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="dataset_name_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["pairs", "meanings", "tests"]), name="dataset_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Pair(models.Model):
    """An inference problem: one hypothesis and one or more ordered premises (rows of :class:`Premise`).

    ``direction`` is the polarity of the place where the sentences differ; ``digest`` covers the
    premises and the hypothesis in NFC. A hypothesis that two people wrote is one pair.
    """

    class Origin(models.TextChoices):
        CROWD = "crowd", _("written by annotators")
        IMPORT = "import", _("imported")
        SWAP = "swap", _("swapped twin")
        MACHINE = "machine", _("machine-made")

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
                condition=models.Q(origin__in=["crowd", "import", "swap", "machine"]),
                name="pair_origin_known",
            ),
        ]

    def __str__(self) -> str:
        return self.hypothesis

    @property
    def premise(self) -> str:
        """The premises in order, as one text. Prefetch ``premises`` for many pairs."""
        return " ".join(item.text for item in self.premises.all())


class PairDraft(models.Model):
    """An uploaded file of pairs between its preview and its commit; committing it twice changes nothing.

    The file lies under ``MEDIA_ROOT/imports`` as ``stored_name`` until it is committed or discarded.
    ``options`` says how it is read and what the dataset is called; ``preview`` is what was counted of it.
    ``held_in`` is the hidden study in which its pairs lie while it is being stored.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="pair_drafts")
    dataset = models.ForeignKey(Dataset, models.SET_NULL, null=True, blank=True, related_name="drafts")
    file_name = models.CharField(max_length=255)
    stored_name = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveBigIntegerField()
    options = models.JSONField(default=dict)
    preview = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    committed_at = models.DateTimeField(null=True, blank=True)
    held_in = models.OneToOneField(
        "studies.Study", models.SET_NULL, null=True, blank=True, related_name="held_draft"
    )
    result = models.JSONField(default=dict)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.file_name


class WaitingRow(models.Model):
    """A row of a file that is being stored, which adds to a pair that its dataset has already: it waits, as
    JSON, in the file's hidden study until the file is whole. ``number`` is the row's in the file."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    row = models.JSONField()

    STUDY_PATH = "study"

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="waiting_row_once")]

    def __str__(self) -> str:
        return str(self.number)


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
    """The other kind of item: a sentence and its formula, in a named formalism."""

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="meanings")
    text = models.TextField()
    formula = models.TextField()
    formalism = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)

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

    def __str__(self) -> str:
        return self.label


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


class GoldRule(models.Model):
    """A named rule that says which label of a pair is the gold one, and which pairs have none.

    Rows never change: a rule that is changed gets the next version. ``parameters`` are those of
    :class:`apps.datasets.releasing.rules.Options` that its kind uses.
    """

    class Kind(models.TextChoices):
        ALL_MATCH = "all", _("every judgement matches the calculus label")
        AT_LEAST = "at-least", _("at least so many judgements match the calculus label")
        MAJORITY = "majority", _("the label that most people gave")
        ADJUDICATED = "adjudicated", _("the label that a researcher decided on")
        FILE = "file", _("the label that came with an imported pair")
        POSTERIOR = "posterior", _("the label whose probability, given all answers, is high enough")
        MACE = "mace", _("the same, where whoever doesn't know the answer guesses by habit")

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="gold_rules")
    name = models.CharField(_("name"), max_length=100)
    version = models.PositiveIntegerField()
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    parameters = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name", "version"], name="gold_rule_version_once"),
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=["all", "at-least", "majority", "adjudicated", "file", "posterior", "mace"]
                ),
                name="gold_rule_kind_known",
            ),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="gold_rule_version_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class Release(models.Model):
    """A frozen, numbered, checksummed export of a dataset under one gold rule.

    ``options`` are all that decided on its content, copied when it was made; ``gold_rule`` is the named
    rule that they were taken from, if any.
    """

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="releases")
    number = models.PositiveIntegerField()
    rule = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    gold_rule = models.ForeignKey(GoldRule, models.SET_NULL, null=True, blank=True, related_name="releases")
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="releases")
    file_name = models.CharField(max_length=255, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    # Bytes of the archive; None where it was frozen before they were counted.
    size = models.PositiveBigIntegerField(null=True, blank=True)
    manifest = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    frozen_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["dataset", "number"], name="release_number_once")]

    def __str__(self) -> str:
        return f"{self.dataset} {self.number}"


class ArchiveBlock(models.Model):
    """A part of a frozen release's archive, byte for byte: the file on disk can be made again out of these,
    under any version of the program and whatever became of the dataset."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="blocks")
    position = models.PositiveIntegerField()
    content = models.BinaryField()

    STUDY_PATH = "release__dataset__study"

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["release", "position"], name="archive_block_once")]

    def __str__(self) -> str:
        return f"{self.release}, block {self.position}"
