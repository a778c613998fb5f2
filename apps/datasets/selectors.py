"""What the pages of datasets and pairs read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, When

from apps.campaigns.models import Judgement
from apps.comparison.decisions import changed_answers
from apps.comparison.judges import Judges, judges_of
from apps.comparison.models import DecisionAnswer
from apps.comparison.pairs import compared
from apps.corpora.models import Blank
from apps.curation.differences import Marked, difference, marked
from apps.curation.models import BulkEdit
from apps.datasets.labelling import LabelKey
from apps.datasets.models import CalculusLabel, Dataset, Pair, Profile
from apps.jobs.models import Job
from apps.releases.models import RuleLabel
from apps.studies.access import within
from apps.studies.models import Study
from apps.studies.selectors import has_left

DEFAULT_CONVENTION = "med"


def datasets_of(study: Study) -> QuerySet[Dataset]:
    """The study's datasets with their numbers of pairs, of swapped twins among them, and of pairs without
    a calculus label."""
    labelled = CalculusLabel.objects.filter(pair=OuterRef("pairs"), is_current=True)
    return (
        within(Dataset, study)
        .exclude(kind=Dataset.Kind.TESTS)
        .annotate(
            pair_count=Count("pairs"),
            twin_count=Count("pairs", filter=Q(pairs__origin=Pair.Origin.SWAP)),
            unlabelled=Count("pairs", filter=Q(~Exists(labelled), pairs__gt=0)),
        )
        .order_by("name")
    )


def pair_counts(dataset: Dataset) -> dict[str, int]:
    """The numbers of a dataset's pairs (``total``) and of the swapped ``twins`` among them. One query."""
    twins = Count("pk", filter=Q(origin=Pair.Origin.SWAP))
    return dataset.pairs.aggregate(total=Count("pk"), twins=twins)


def is_simulated(dataset: Dataset) -> bool:
    """Whether any of the dataset's judgements was made by a program. One query."""
    simulated = Judgement.objects.filter(item__pair__dataset=dataset, participant__simulated=True)
    return dataset.simulated or simulated.exists()


def jobs_of(dataset: Dataset, kind: str) -> QuerySet[Job]:
    """The dataset's background work of one kind, newest first."""
    return Job.objects.filter(study=dataset.study, kind=kind, params__dataset=dataset.pk).select_related(
        "study"
    )


def unlabelled(dataset: Dataset) -> QuerySet[Pair]:
    """The dataset's pairs without a calculus label, each one looked for by an index."""
    labels = CalculusLabel.objects.filter(pair=OuterRef("pk"), is_current=True)
    return dataset.pairs.filter(~Exists(labels))


def convention_of(dataset: Dataset) -> str:
    """The convention to label under unless told otherwise: that of the dataset's blanks, else MED's."""
    of_blanks = Blank.objects.filter(pairs__dataset=dataset).values_list("convention")
    most = of_blanks.annotate(n=Count("pk")).order_by("-n", "convention").first()
    return most[0] if most else DEFAULT_CONVENTION


def pairs_shown(numbers: Sequence[int], judges: Judges) -> list[Any]:
    """A page of pairs with everything said of them, in the order of their numbers. Two queries."""
    return list(compared(Pair.objects.filter(pk__in=numbers), judges).prefetch_related("premises"))


@dataclass(frozen=True)
class PairView:
    """All that a pair's page shows."""

    pair: Any
    premises: list[Marked]
    hypothesis: Marked
    judges: Judges
    judgements: list[Any]
    changed: list[DecisionAnswer]
    current: CalculusLabel | None
    earlier: list[CalculusLabel]
    swap_excluded: bool
    profile: Profile | None
    rule_labels: list[RuleLabel]
    edits: list[BulkEdit]


def pair_view(pair: Pair) -> PairView:
    """A pair with its judgements, labels, predictions, tags, rules' outcomes and edits. Twelve
    queries."""
    judges = judges_of(pair.dataset)
    row = (
        compared(Pair.objects.filter(pk=pair.pk), judges)
        .select_related("dataset", "blank__sentence", "swapped_from", "swapped_twin", "profile")
        .prefetch_related("premises", "tags", "gold_labels", "predictions__run__model")
        .get()
    )
    premises, hypothesis = marked_texts(row)
    labels = list(row.calculus_labels.all())
    judgements = (
        Judgement.objects.filter(item__pair=pair)
        .select_related("participant", "item__campaign", "guideline")
        .annotate(
            has_left=has_left("participant__"), stands=Case(When(judges.stand(), then=True), default=False)
        )
        .order_by("item__campaign_id", "submitted_at")
    )
    return PairView(
        pair=row,
        premises=premises,
        hypothesis=hypothesis,
        judges=judges,
        judgements=list(judgements),
        changed=list(changed_answers(pair)),
        current=next((label for label in labels if label.is_current), None),
        earlier=[label for label in labels if not label.is_current],
        swap_excluded=any(tag.source == "hand" and tag.name == "no-swap" for tag in row.tags.all()),
        profile=getattr(row, "profile", None),
        rule_labels=list(pair.rule_labels.select_related("rule").order_by("rule__name", "-rule__version")),
        edits=list(
            BulkEdit.objects.filter(changes__pair=pair).distinct().select_related("created_by").order_by("pk")
        ),
    )


def marked_texts(pair: Pair) -> tuple[list[Marked], Marked]:
    """Premises and hypothesis with the part that differs marked: the blank's span, else by comparison."""
    texts = [premise.text for premise in pair.premises.all()]
    blank = pair.blank
    if blank and len(texts) == 1 and texts[0] == blank.sentence.text:
        before, after = blank.before, blank.after
        end = len(pair.hypothesis) - len(after)
        if pair.hypothesis.startswith(before) and pair.hypothesis.endswith(after) and end >= len(before):
            return [marked(texts[0], blank.start, blank.end)], marked(pair.hypothesis, len(before), end)
    if len(texts) != 1:
        return [Marked(text, "", "") for text in texts], Marked(pair.hypothesis, "", "")
    one, two = difference(texts[0], pair.hypothesis)
    return [one], two


# ---- Calculus labels side by side -------------------------------------------------------------


@dataclass(frozen=True)
class LabelSet:
    """The labels that one engine, version, convention and parser gave to a dataset's pairs."""

    key: LabelKey
    labels: int
    current: int
    entailments: int


def label_sets(dataset: Dataset) -> list[LabelSet]:
    """Every label set of the dataset, the one with most current labels first. One query."""
    rows = (
        CalculusLabel.objects.filter(pair__dataset=dataset)
        .values_list(*LabelKey._fields)
        .annotate(
            labels=Count("pk"),
            current=Count("pk", filter=Q(is_current=True)),
            entailments=Count("pk", filter=Q(label="entailment")),
        )
        .order_by("-current", *LabelKey._fields)
    )
    return [LabelSet(LabelKey(*row[:4]), *row[4:]) for row in rows]


def label_changes(dataset: Dataset, before: LabelKey) -> QuerySet[CalculusLabel]:
    """The current labels that differ from what ``before`` had said of the same pair (as ``was``)."""
    earlier = CalculusLabel.objects.filter(pair__dataset=dataset, **before._asdict())
    current = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    return (
        current.filter(pair__calculus_labels__in=earlier)
        .annotate(was=F("pair__calculus_labels__label"), was_reason=F("pair__calculus_labels__reason"))
        .exclude(label=F("was"))
        .select_related("pair")
        .order_by("pair_id")
    )
