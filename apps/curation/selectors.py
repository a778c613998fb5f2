"""What the pages of pairs read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, When

from apps.campaigns.models import Judgement
from apps.comparison.decisions import changed_answers
from apps.comparison.judges import Judges, judges_of
from apps.comparison.models import DecisionAnswer
from apps.comparison.pairs import compared
from apps.curation.differences import Marked, marked_texts
from apps.curation.models import BulkEdit
from apps.datasets.models import CalculusLabel, Correction, Pair, Profile
from apps.datasets.tags import BY_HAND, NO_SWAP, TO_ADJUDICATE
from apps.releases.models import RuleLabel
from apps.studies.selectors import has_left


def pairs_shown(numbers: Sequence[int], judges: Judges) -> list[Any]:
    """A page of pairs with everything said of them, in the order of their numbers. Three queries."""
    return list(
        compared(Pair.objects.filter(pk__in=numbers), judges).prefetch_related("premises", "not_read")
    )


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
    is_sent: bool
    profile: Profile | None
    rule_labels: list[RuleLabel]
    edits: list[BulkEdit]
    contrast_of: Pair | None
    correction: Correction | None
    earlier_corrections: list[Correction]


def pair_view(pair: Pair) -> PairView:
    """A pair with its judgements, labels, predictions, tags, rules' outcomes and edits. Thirteen queries, one
    more for a contrast's original."""
    judges = judges_of(pair.dataset)
    row = (
        compared(Pair.objects.filter(pk=pair.pk), judges)
        .select_related("dataset", "blank__sentence", "swapped_from", "swapped_twin", "profile", "not_read")
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
    corrections = list(pair.corrections.select_related("created_by", "undone_by"))
    return PairView(
        pair=row,
        premises=premises,
        hypothesis=hypothesis,
        judges=judges,
        judgements=list(judgements),
        changed=list(changed_answers(pair)),
        current=next((label for label in labels if label.is_current), None),
        earlier=[label for label in labels if not label.is_current],
        swap_excluded=any(tag.source == BY_HAND and tag.name == NO_SWAP for tag in row.tags.all()),
        is_sent=any(tag.source == BY_HAND and tag.name == TO_ADJUDICATE for tag in row.tags.all()),
        profile=getattr(row, "profile", None),
        rule_labels=list(pair.rule_labels.select_related("rule").order_by("rule__name", "-rule__version")),
        edits=list(
            BulkEdit.objects.filter(changes__pair=pair).distinct().select_related("created_by").order_by("pk")
        ),
        contrast_of=_contrast_of(row),
        correction=next((one for one in corrections if one.undone_at is None), None),
        earlier_corrections=[one for one in corrections if one.undone_at],
    )


def _contrast_of(pair: Pair) -> Pair | None:
    """The pair whose contrast this is (apps/generation/contrast_sets.py), where it is still there."""
    number = pair.facts.get("contrast_of")
    if not isinstance(number, int):  # a file may say anything under that name
        return None
    return Pair.objects.filter(pk=number, dataset__study=pair.dataset.study_id).first()
