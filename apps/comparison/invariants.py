"""What is worth knowing of decisions: that answers which they rest on changed."""

from __future__ import annotations

from collections.abc import Iterator

from apps.comparison.decisions import answers_changed
from apps.datasets.models import GoldLabel
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows


def decisions(study: Study | None) -> Iterator[Fault]:
    """Worth knowing: decisions that rest on answers which changed since."""
    outdated = rows(GoldLabel, study).filter(answers_changed()).order_by("pk")
    for pair, label in outdated.values_list("pair_id", "label").iterator():
        text = f"the decision on pair {pair} ({label}) rests on answers that changed since"
        yield Fault("decision", text, "decide on it again, under Quality, Adjudication", is_note=True)


CHECKS = (decisions,)
