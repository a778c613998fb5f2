"""The dashboard's figures as JSON."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework import serializers

AS_OF = gettext_lazy("When it was counted; null where there was nothing to count.")


class AgreementSerializer(serializers.Serializer[Any]):
    """A coefficient over ``n`` pairs or items. ``value`` is null where it is undefined (``text`` says why),
    and ``raw``, the share of equal answers, where there is nothing to compare. ``ac1`` is Gwet's coefficient
    beside α, and ``why`` says why α is low where most answers are equal."""

    name = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    raw = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()
    ac1 = serializers.FloatField(allow_null=True)
    text = serializers.CharField()
    why = serializers.CharField(allow_blank=True)


class SourceSerializer(serializers.Serializer[Any]):
    """Who has said something: ``human``, ``calculus``, ``file``, or a model's ``run``."""

    key = serializers.CharField()
    title = serializers.CharField()
    run = serializers.IntegerField(allow_null=True)


class ConfusionSerializer(serializers.Serializer[Any]):
    """Pairs by what the source ``one`` says and, within that, what ``two`` says. Agreement is over the pairs
    to which both give a label."""

    one = serializers.CharField()
    two = serializers.CharField()
    counts = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    agreement = AgreementSerializer()


class MatchesSerializer(serializers.Serializer[Any]):
    """Of the pairs with exactly so many ``judgements``, by how many match the calculus label and, within
    that, by direction (MED, Table 3); ``others`` are the pairs with other numbers of judgements."""

    judgements = serializers.IntegerField()
    total = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    others = serializers.DictField(child=serializers.IntegerField())
    unlabelled = serializers.IntegerField()


class RightSerializer(serializers.Serializer[Any]):
    right = serializers.IntegerField()
    total = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)


class AccuracySerializer(serializers.Serializer[Any]):
    """How often a source is right by the reference, by direction and ``all`` together; ``baseline`` is
    always saying one label, the most frequent one in all."""

    source = serializers.CharField()  # type: ignore[assignment]
    scores = serializers.DictField(child=RightSerializer())


class ReachingSerializer(serializers.Serializer[Any]):
    """How many pairs would remain where the calculus is so sure of its label, or surer."""

    sure_from = serializers.FloatField()
    pairs = serializers.IntegerField()


class ComparisonSerializer(serializers.Serializer[Any]):
    """People, calculus, file and the latest run of each model, side by side. Swapped twins are left out."""

    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    simulated = serializers.BooleanField()
    pairs = serializers.IntegerField()
    judged = serializers.IntegerField()
    labelled = serializers.IntegerField()
    filed = serializers.IntegerField()
    reaching = ReachingSerializer(many=True)
    assumed = serializers.IntegerField(
        help_text="Calculus labels that take an unknown word to be more specific, whatever `sure_from` says."
    )
    assumed_not_known = serializers.IntegerField(help_text="Calculus labels of which that was not kept.")
    sources = SourceSerializer(many=True)
    campaigns = serializers.ListField(
        child=serializers.IntegerField(), help_text="Whose answers are read; a person counts once a pair."
    )
    halved = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Of these, the ones on the scale: 4 and 5 are read as entailment, 1 to 3 are not.",
    )
    people = AgreementSerializer(help_text="Krippendorff's α of the annotators among themselves.")
    points = AgreementSerializer(
        allow_null=True, help_text="Ordinal α over the points of the scale as they were given."
    )
    matches = MatchesSerializer()
    confusions = ConfusionSerializer(many=True)
    reference = serializers.CharField(allow_null=True)
    baseline = serializers.CharField(allow_null=True, help_text="The label that the baseline always says.")
    accuracy = AccuracySerializer(many=True)


class CompositionLineSerializer(serializers.Serializer[Any]):
    """``counts`` by where the pairs come from: crowd, paper, other."""

    type = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    counts = serializers.DictField(child=serializers.IntegerField())
    total = serializers.IntegerField()


class CompositionSerializer(serializers.Serializer[Any]):
    """``labels`` says whose they are; ``unlabelled`` pairs have none and stand in no line."""

    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    labels = serializers.CharField()
    twins = serializers.BooleanField()
    lines = CompositionLineSerializer(many=True)
    total = serializers.IntegerField()
    unlabelled = serializers.IntegerField()


# ---- What models do with a dataset ----------------------------------------------------------------


class PartSerializer(serializers.Serializer[Any]):
    """``count`` of ``total`` contrasts, with the share's 95 % interval (Wilson); null of none."""

    count = serializers.IntegerField()
    total = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class MovesSerializer(serializers.Serializer[Any]):
    """What one model does: how often its prediction moved where the calculus' label changes (``moved``) and
    where it stays (``moved_wrongly``), and how often it says what the calculus says, before, after and on
    both. ``missing`` contrasts have no label or no prediction on one of the two, and are not counted."""

    model = serializers.IntegerField(source="model.pk")
    name = serializers.CharField(source="model.name")
    moved = PartSerializer()
    moved_wrongly = PartSerializer()
    right_before = PartSerializer()
    right_after = PartSerializer()
    right_on_both = PartSerializer()
    missing = serializers.IntegerField()


class ContrastedSerializer(serializers.Serializer[Any]):
    """A contrast: labels before and after, two-way, “none” for none."""

    pair = serializers.IntegerField(source="pair.pk")
    original = serializers.IntegerField(source="original.pk", default=None, allow_null=True)
    contrast = serializers.CharField()
    premise_before = serializers.CharField(source="original.premise", default=None, allow_null=True)
    hypothesis_before = serializers.CharField(source="original.hypothesis", default=None, allow_null=True)
    premise_after = serializers.CharField(source="pair.premise")
    hypothesis_after = serializers.CharField(source="pair.hypothesis")
    calculus = serializers.ListField(child=serializers.CharField())
    said = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text=gettext_lazy("By the number of the model."),
    )


class ContrastsSerializer(serializers.Serializer[Any]):
    """A contrast set; ``count`` pairs pass the filters, of which a page is shown."""

    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    total = serializers.IntegerField()
    by_contrast = serializers.DictField(child=serializers.IntegerField())
    labelled = serializers.IntegerField(help_text=gettext_lazy("By the calculus, before and after."))
    changes = serializers.IntegerField(help_text=gettext_lazy("Where the calculus' label changes."))
    models = MovesSerializer(many=True)
    count = serializers.IntegerField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    pairs = ContrastedSerializer(many=True)


class SaidSerializer(serializers.Serializer[Any]):
    """One run's label, and its own probability of entailment; null where it has none."""

    run = serializers.IntegerField()
    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    entailment = serializers.FloatField(allow_null=True)
    wrong = serializers.BooleanField()


class HardPairSerializer(serializers.Serializer[Any]):
    pair = serializers.IntegerField(source="pair.pk")
    premises = serializers.ListField(child=serializers.CharField())
    hypothesis = serializers.CharField(source="pair.hypothesis")
    direction = serializers.CharField(source="pair.place", allow_blank=True)
    wanted = serializers.CharField(help_text=gettext_lazy("The reference's label."))
    said = SaidSerializer(many=True)


class HardPairsSerializer(serializers.Serializer[Any]):
    """``count`` pairs that at least ``wrong`` of the ``runs`` get wrong against the ``reference``, of which a
    page is shown. Without a run or a reference there are none."""

    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    reference = serializers.CharField(allow_null=True)
    runs = serializers.ListField(child=serializers.IntegerField())
    wrong = serializers.IntegerField()
    count = serializers.IntegerField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    pairs = HardPairSerializer(many=True)


class JudgedSerializer(serializers.Serializer[Any]):
    judge = serializers.CharField(help_text=gettext_lazy("human, single, calculus, file or run_N."))
    right = serializers.IntegerField()
    labels = serializers.IntegerField(source="of", help_text=gettext_lazy("How many there are of them."))


class BrokenDownLineSerializer(serializers.Serializer[Any]):
    value = serializers.CharField(
        allow_null=True, allow_blank=True, help_text=gettext_lazy("Null: all pairs.")
    )
    pairs = serializers.IntegerField()
    scores = JudgedSerializer(many=True)
    difference = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("The second run's accuracy less the first's, on the pairs that both label."),
    )
    only_one = serializers.IntegerField(help_text=gettext_lazy("The first run alone is right."))
    only_two = serializers.IntegerField(help_text=gettext_lazy("The second run alone is right."))
    p = serializers.FloatField(allow_null=True, help_text=gettext_lazy("McNemar's exact test."))


class NormCorrelationSerializer(serializers.Serializer[Any]):
    judge = serializers.CharField()
    values = serializers.IntegerField(help_text=gettext_lazy("Values that have both."))
    pearson = serializers.FloatField(allow_null=True)
    spearman = serializers.FloatField(allow_null=True)


class NormBesideSerializer(serializers.Serializer[Any]):
    """An outside norm: its numbers by the breakdown's values, and how far the accuracies go with them."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    numbers = serializers.DictField(child=serializers.FloatField())
    correlations = NormCorrelationSerializer(many=True)


class BreakdownSerializer(serializers.Serializer[Any]):
    """``ways`` are what it can be broken down by; ``lines`` are empty where there is no reference."""

    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    ways = serializers.ListField(child=serializers.CharField())
    by = serializers.CharField()
    reference = serializers.CharField(allow_null=True)
    campaigns = serializers.ListField(child=serializers.IntegerField())
    lines = BrokenDownLineSerializer(many=True)
    norm = NormBesideSerializer(allow_null=True)


class CurvePointSerializer(serializers.Serializer[Any]):
    low = serializers.FloatField()
    high = serializers.FloatField()
    n = serializers.IntegerField()
    said = serializers.FloatField(help_text=gettext_lazy("Mean probability of entailment."))
    so = serializers.FloatField(help_text=gettext_lazy("Mean share of people who say entailment."))


class ForesightSerializer(serializers.Serializer[Any]):
    """One judge; null where a figure is undefined. ``run`` is null for people themselves."""

    run = serializers.IntegerField(allow_null=True)
    pairs = serializers.IntegerField()
    cross_entropy = serializers.FloatField(allow_null=True)
    brier = serializers.FloatField(allow_null=True)
    calibration_error = serializers.FloatField(allow_null=True)
    r = serializers.FloatField(allow_null=True)
    right = serializers.IntegerField(help_text=gettext_lazy("Of those with the file's label."))
    with_gold = serializers.IntegerField()
    curve = CurvePointSerializer(many=True)


class SoftLabelsSerializer(serializers.Serializer[Any]):
    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    campaigns = serializers.ListField(child=serializers.IntegerField())
    judges = ForesightSerializer(many=True)
