"""Sentences, their parses, the polarity of their constituents, and the blanks made of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Polarity(models.TextChoices):
    UP = "up", "↑"
    DOWN = "down", "↓"
    FLAT = "flat", "="

    @property
    def direction(self) -> str:
        return {"up": "upward", "down": "downward", "flat": "non-monotone"}[self.value]

    @classmethod
    def of(cls, arrow: str) -> Polarity:
        """The stored value of an arrow, as natlog writes it."""
        return {"↑": cls.UP, "↓": cls.DOWN, "=": cls.FLAT}[arrow]


class Corpus(models.Model):
    """A collection of sentences as it was imported, with its licence and source."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="corpora")
    name = models.CharField(_("name"), max_length=200)
    licence = models.CharField(_("licence"), max_length=200)
    source = models.CharField(_("source"), max_length=500)
    simulated = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "corpora"
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="corpus_name_once")]

    def __str__(self) -> str:
        return self.name


class CorpusDraft(models.Model):
    """An uploaded file between preview and commit. Committing it twice changes nothing."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="corpus_drafts")
    corpus = models.ForeignKey(Corpus, models.SET_NULL, null=True, blank=True, related_name="drafts")
    file_name = models.CharField(max_length=255)
    content = models.TextField()
    options = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    committed_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(default=dict)

    STUDY_PATH = "study"

    def __str__(self) -> str:
        return self.file_name


class Sentence(models.Model):
    """A text unit. ``text`` is kept as it came; ``digest`` is of its NFC form, and unique in its corpus.

    One that is put aside (its parse is wrong, say) is out of the pool: no new blank and no machine-made pair
    comes of it.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="sentences")
    position = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    external_id = models.CharField(max_length=200, blank=True)
    put_aside_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "corpus__study"

    class Meta:
        ordering = ["corpus", "position"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "digest"], name="sentence_once"),
            models.UniqueConstraint(fields=["corpus", "position"], name="sentence_position_once"),
        ]

    def __str__(self) -> str:
        return self.text


class ParseKind(models.TextChoices):
    DECLARATIVE = "declarative", _("declarative")
    QUESTION = "question", _("question")
    IMPERATIVE = "imperative", _("imperative")
    FRAGMENT = "fragment", _("fragment")


class Parse(models.Model):
    """One parser's tree of a sentence (``natlog.tree.Tree`` as JSON)."""

    Kind = ParseKind

    sentence = models.ForeignKey(Sentence, models.CASCADE, related_name="parses")
    parser = models.CharField(max_length=120)
    tree = models.JSONField()
    kind = models.CharField(max_length=20, choices=Kind.choices)
    tokens = models.PositiveIntegerField()
    confidence = models.FloatField(default=1.0)
    repairs = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "sentence__corpus__study"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sentence", "parser"], name="parse_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=ParseKind.values),
                name="parse_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.parser}: {self.sentence_id}"


class PolarityMarking(models.Model):
    """The polarity of one parse by one engine, version and convention; several live side by side.

    ``signs`` holds one arrow a token; ``token_why`` the operator chain of each.
    """

    parse = models.ForeignKey(Parse, models.CASCADE, related_name="markings")
    engine = models.CharField(max_length=40)
    engine_version = models.CharField(max_length=40)
    convention = models.CharField(max_length=40)
    signs = models.JSONField()
    token_why = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "parse__sentence__corpus__study"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["parse", "engine", "engine_version", "convention"], name="marking_once"
            )
        ]

    def __str__(self) -> str:
        return " ".join(self.signs)


class Constituent(models.Model):
    """A marked constituent. ``start`` and ``end`` are code points of the sentence's text.

    ``why`` is the operator chain, outermost first; ``operators`` the ids in it as ``|every|not|``
    (so that one can be looked for), ``operator`` the innermost. ``rewritable`` says whether an annotator
    can make it more specific (:func:`apps.corpora.marking_rows.is_rewritable`).
    """

    marking = models.ForeignKey(PolarityMarking, models.CASCADE, related_name="constituents")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    first_token = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    text = models.TextField()
    category = models.CharField(max_length=40)
    polarity = models.CharField(max_length=8, choices=Polarity.choices)
    operator = models.CharField(max_length=60, blank=True)
    operators = models.CharField(max_length=400, blank=True)
    why = models.JSONField(default=list)
    rewritable = models.BooleanField(default=False)

    STUDY_PATH = "marking__parse__sentence__corpus__study"

    class Meta:
        ordering = ["first_token", "-tokens"]
        indexes = [
            models.Index(fields=["marking", "first_token"], name="constituent_in_order"),
            models.Index(fields=["polarity", "category"], name="constituent_by_sign"),
            models.Index(fields=["operator"], name="constituent_by_operator"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(end__gt=models.F("start")), name="constituent_not_empty"
            ),
            models.CheckConstraint(
                condition=models.Q(polarity__in=Polarity.values), name="constituent_polarity_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.text} {Polarity(self.polarity).label}"


class ParseSample(models.Model):
    """A random draw of parses that a researcher checks by hand."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="samples")
    size = models.PositiveIntegerField()
    seed = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "corpus__study"

    class Meta:
        ordering = ["-id"]


class ParseCheckVerdict(models.TextChoices):
    RIGHT = "right", _("right")
    WRONG = "wrong", _("wrong")


class ParseCheck(models.Model):
    """One drawn marking and the researcher's word on it."""

    Verdict = ParseCheckVerdict

    sample = models.ForeignKey(ParseSample, models.CASCADE, related_name="checks")
    marking = models.ForeignKey(PolarityMarking, models.CASCADE, related_name="checks")
    position = models.PositiveIntegerField()
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True)
    note = models.TextField(_("note"), blank=True)
    checked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    checked_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "sample__corpus__study"

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "marking"], name="parse_check_once"),
            models.CheckConstraint(
                condition=models.Q(verdict__in=["", *ParseCheckVerdict.values]),
                name="parse_check_verdict_known",
            ),
        ]


class StopExpression(models.Model):
    """An expression too general to rephrase (MED, section 3.1.1: "every one", "no time")."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="stop_expressions")
    expression = models.CharField(_("expression"), max_length=200)
    origin = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["expression"]
        constraints = [models.UniqueConstraint(fields=["study", "expression"], name="stop_expression_once")]

    def __str__(self) -> str:
        return self.expression


class BlankSet(models.Model):
    """A chosen set of blanks with the filters that chose it; a pilot is a small draw of another set."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="blank_sets")
    name = models.CharField(_("name"), max_length=200)
    filters = models.JSONField(default=dict)
    seed = models.PositiveIntegerField(default=0)
    pilot_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="pilots")
    archived_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="blank_set_name_once")]

    def __str__(self) -> str:
        return self.name


class Blank(models.Model):
    """A polarised constituent that annotators are asked to rewrite.

    The span, sign and reason are copied from the constituent, so that a later marking of the
    sentence leaves running campaigns as they are.
    """

    blank_set = models.ForeignKey(BlankSet, models.CASCADE, related_name="blanks")
    sentence = models.ForeignKey(Sentence, models.PROTECT, related_name="blanks")
    constituent = models.ForeignKey(Constituent, models.SET_NULL, null=True, related_name="blanks")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.TextField()
    category = models.CharField(max_length=40)
    polarity = models.CharField(max_length=8, choices=Polarity.choices)
    operator = models.CharField(max_length=60, blank=True)
    why = models.JSONField(default=list)
    engine = models.CharField(max_length=40)
    engine_version = models.CharField(max_length=40)
    convention = models.CharField(max_length=40)
    parser = models.CharField(max_length=120)

    STUDY_PATH = "blank_set__study"

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["blank_set", "sentence", "start", "end"], name="blank_once"),
            models.CheckConstraint(condition=models.Q(end__gt=models.F("start")), name="blank_not_empty"),
            models.CheckConstraint(
                condition=models.Q(polarity__in=Polarity.values), name="blank_polarity_known"
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def direction(self) -> str:
        return Polarity(self.polarity).direction

    @property
    def before(self) -> str:
        return self.sentence.text[: self.start]

    @property
    def after(self) -> str:
        return self.sentence.text[self.end :]
