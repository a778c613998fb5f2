"""What the pages of pairs read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Case, Prefetch, When, prefetch_related_objects
from django.shortcuts import get_object_or_404

from apps.campaigns.models import Judgement
from apps.comparison.decisions import changed_answers
from apps.comparison.judges import Judges, judges_of
from apps.comparison.models import DecisionAnswer
from apps.comparison.pairs import compared
from apps.curation.differences import Marked, marked_texts
from apps.curation.models import BulkEdit
from apps.datasets.corrections import in_force
from apps.datasets.labels import NO_LABEL
from apps.datasets.models import CalculusLabel, Correction, Dataset, Pair, Profile
from apps.datasets.tags import BY_HAND, NO_SWAP, TO_ADJUDICATE
from apps.inference.models import Prediction
from apps.releases.models import RuleLabel
from apps.studies.selectors import has_left


def pairs_shown(numbers: Sequence[int], judges: Judges) -> list[Any]:
    """A page of pairs with everything said of them, in the order of their numbers. Three queries, four where
    people judge in several campaigns."""
    found = compared(Pair.objects.filter(pk__in=numbers), judges.looked_up(numbers))
    return list(found.prefetch_related("premises", "not_read"))


@dataclass(frozen=True)
class PairView:
    """All that a pair's page shows; what few look at is read where it is asked for, by a query each."""

    pair: Any
    premises: list[Marked]
    hypothesis: Marked
    judges: Judges
    judgements: list[Any]
    changed: list[DecisionAnswer]
    current: CalculusLabel | None
    earlier: list[CalculusLabel]
    profile: Profile | None

    @property
    def swap_excluded(self) -> bool:
        return self._has_flag(NO_SWAP)

    @property
    def is_sent(self) -> bool:
        return self._has_flag(TO_ADJUDICATE)

    def _has_flag(self, name: str) -> bool:
        return any(tag.source == BY_HAND and tag.name == name for tag in self.pair.tags.all())

    @cached_property
    def rule_labels(self) -> list[RuleLabel]:
        return list(self.pair.rule_labels.select_related("rule").order_by("rule__name", "-rule__version"))

    @cached_property
    def edits(self) -> list[BulkEdit]:
        made = BulkEdit.objects.filter(changes__pair=self.pair).distinct()
        return list(made.select_related("created_by").order_by("pk"))

    @cached_property
    def contrast_of(self) -> Pair | None:
        return _contrast_of(self.pair)

    @property
    def correction(self) -> Correction | None:
        return in_force(self.pair)

    @property
    def earlier_corrections(self) -> list[Correction]:
        return [one for one in self.pair.corrections.all() if one.undone_at]


def pair_view(pair: Pair) -> PairView:
    """A pair with its judgements, labels and predictions. Eight queries, one more where a researcher
    decided on it, and those of what is asked for."""
    view = pair_shown(pair.dataset, pair.pk, judges_of(pair.dataset))
    prefetch_related_objects([view.pair], "gold_labels")
    return view


def pair_in_full(pair: Pair) -> PairView:
    """:func:`pair_view` with its tags, and what was corrected by hand. Ten queries."""
    view = pair_view(pair)
    made = Correction.objects.select_related("created_by", "undone_by")
    prefetch_related_objects([view.pair], "tags", Prefetch("corrections", made))
    return view


def pair_shown(dataset: Dataset, number: int, judges: Judges) -> PairView:
    """The same of a pair of this dataset, 404 where it has none of this number. Six queries: whose answers
    stand is known, and its gold labels are read where they are asked for."""
    rows = (
        compared(Pair.objects.filter(pk=number, dataset=dataset), judges)
        .select_related("dataset", "blank__sentence", "swapped_from", "swapped_twin", "profile", "not_read")
        .prefetch_related(
            "premises",
            "calculus_labels",
            Prefetch("predictions", Prediction.objects.select_related("run__model")),
        )
    )
    pair = get_object_or_404(rows)
    premises, hypothesis = marked_texts(pair)
    labels = list(pair.calculus_labels.all())
    judgements = (
        Judgement.objects.filter(item__pair=pair)
        .select_related("participant", "item__campaign", "guideline")
        .annotate(
            has_left=has_left("participant__"), stands=Case(When(judges.stand(), then=True), default=False)
        )
        .order_by("item__campaign_id", "submitted_at")
    )
    return PairView(
        pair=pair,
        premises=premises,
        hypothesis=hypothesis,
        judges=judges,
        judgements=list(judgements),
        changed=list(changed_answers(pair)) if pair.adjudicated != NO_LABEL else [],
        current=next((label for label in labels if label.is_current), None),
        earlier=[label for label in labels if not label.is_current],
        profile=getattr(pair, "profile", None),
    )


def _contrast_of(pair: Pair) -> Pair | None:
    """The pair whose contrast this is (apps/generation/contrast_sets.py), where it is still there."""
    number = pair.facts.get("contrast_of")
    if not isinstance(number, int):  # a file may say anything under that name
        return None
    return Pair.objects.filter(pk=number, dataset__study=pair.dataset.study_id).first()
