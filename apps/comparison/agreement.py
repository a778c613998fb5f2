"""How far people agree on a dataset's pairs: on the labels, and on the points where a scale is used."""

from __future__ import annotations

from dataclasses import dataclass

from apps.comparison.judges import Judges, answer_tallies, point_tallies
from apps.dashboard.agreement import Agreement, krippendorff, ordinal
from apps.datasets.models import Dataset


@dataclass(frozen=True)
class Agreements:
    """``labels``: of the judges that are read, over the dataset's own labels, *unnatural* being an answer
    like the others. ``points``: in the Likert campaigns, read or not, over the points as they were given;
    None where there are none."""

    labels: Agreement
    points: Agreement | None


def agreements(dataset: Dataset, judges: Judges) -> Agreements:
    """Two queries."""
    points = point_tallies(judges)
    return Agreements(
        labels=krippendorff(answer_tallies(dataset, judges)), points=ordinal(points) if points else None
    )
