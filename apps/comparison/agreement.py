"""How far people agree on a dataset's pairs: on the labels, and on the points where a scale is used; and a
coefficient (``measures.agreement``) in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from apps.comparison.judges import Judges, answer_tallies, point_tallies
from apps.datasets.models import Dataset, Pair
from measures import agreement as measured
from measures.agreement import Scale, Tallies
from measures.undefined import Undefined

# From so much more of AC1 than of α on, it is the skew that lowers α.
SKEW = 0.1


@dataclass(frozen=True)
class Agreement:
    """What was ``found``, by the ``name`` of its coefficient; ``ac1`` is Gwet's coefficient beside it (None
    where it is undefined, or not for this kind of answers)."""

    name: str
    found: measured.Agreement
    ac1: float | None = None

    @property
    def value(self) -> float | None:
        return self.found.value

    @property
    def raw(self) -> float | None:
        return self.found.raw

    @property
    def n(self) -> int:
        return self.found.n

    @property
    def undefined(self) -> Undefined | None:
        return self.found.undefined

    @property
    def text(self) -> str:
        """Such as ``κ 0.61 (80.0 % raw)`` or ``undefined (no variation), 100.0 % raw``."""
        if self.raw is None:
            return _("undefined (nothing to compare)")
        raw = number_format(f"{100 * self.raw:.1f}")
        if self.value is None:
            return _("undefined (no variation), %(raw)s %% raw") % {"raw": raw}
        said = {"name": self.name, "value": number_format(f"{self.value:.2f}"), "raw": raw}
        if self.ac1 is None:
            return _("%(name)s %(value)s (%(raw)s %% raw)") % said
        said["ac1"] = number_format(f"{self.ac1:.2f}")
        return _("%(name)s %(value)s (%(raw)s %% raw, AC1 %(ac1)s)") % said

    @property
    def is_skewed(self) -> bool:
        """Whether most answers are equal and the coefficient is low all the same, for the skew alone: where
        AC1 stands beside it, by so much less than that."""
        if not self.found.is_skewed or self.ac1 is None or self.found.value is None:
            return self.found.is_skewed
        return self.ac1 - self.found.value >= SKEW

    @property
    def why(self) -> str:
        """Why the coefficient is low where people agree; "" where there is nothing to explain."""
        if not self.is_skewed:
            return ""
        return _(
            "Most answers are equal and %(name)s is low all the same: nearly all are one label, so that "
            "chance alone would make them equal. AC1 expects less of chance where one label prevails."
        ) % {"name": self.name}


def kappa(pairs: Mapping[tuple[str, str], int]) -> Agreement:
    """Of two sources: how often each combination of their labels occurred."""
    return Agreement("κ", measured.cohen(pairs))


def alpha(tallies: Tallies) -> Agreement:
    """On labels, with AC1 beside it."""
    tallies = list(tallies)
    found = measured.krippendorff(tallies)
    return Agreement("α", found, None if found.undefined else measured.gwet(tallies).value)


def ordinal_alpha(tallies: Tallies) -> Agreement:
    """On the points of a scale."""
    return Agreement(_("ordinal α"), measured.krippendorff(tallies, Scale.ORDINAL))


@dataclass(frozen=True)
class Agreements:
    """``labels``: of the judges that are read, over the dataset's own labels, *unnatural* being an answer
    like the others. ``points``: in the Likert campaigns, read or not, over the points as they were given;
    None where there are none."""

    labels: Agreement
    points: Agreement | None


def agreements(dataset: Dataset, judges: Judges, pairs: QuerySet[Pair] | None = None) -> Agreements:
    """On all pairs, or on these. Two queries."""
    points = point_tallies(judges, pairs)
    return Agreements(
        labels=alpha(answer_tallies(dataset, judges, pairs)),
        points=ordinal_alpha(points) if points else None,
    )
