"""The Likert scale of the transitivity paper (Yanaka et al. 2021, section 4.4 and appendix D).

Raters say how sure the hypothesis is, given the premise, from 1 (definitely not true) to 5 (definitely
true), or tick a box where one or both sentences make no sense. To compare people with models, which say
yes or no, the scale is cut in two: 4 and 5 are yes, 1 to 3 are not; then the majority of three decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from apps.campaigns.answers import Answer
from apps.datasets.labels import ENTAILMENT, LABELS, STORED_LABELS

LOWEST, HIGHEST = 1, 5
#: The lowest point that is a yes (section 4.4).
YES_FROM = 4

POINTS: tuple[Answer, ...] = (
    Answer("1", "1", _("Definitely not true")),
    Answer("2", "2", _("Probably not true")),
    Answer("3", "3", _("May be true or not")),
    Answer("4", "4", _("Probably true")),
    Answer("5", "5", _("Definitely true")),
)
BOX = Answer("nonsense", "0", _("One or both sentences make no sense"))

# What stands for "not yes" in a dataset: the first of these that it has.
_OPEN = [label.value for label in LABELS if label.is_open]
_NO = (*sorted(_OPEN, key=lambda value: value not in STORED_LABELS), "unknown")


def discretised(rating: int, labels: Sequence[str]) -> str:
    """The label that a point of the scale comes to: entailment from 4 up, otherwise the dataset's word for
    what does not follow. ValueError for what is no point of the scale, or labels without one of the two.

    >>> [discretised(point, ["entailment", "non-entailment"]) for point in (1, 3, 4, 5)]
    ['non-entailment', 'non-entailment', 'entailment', 'entailment']
    >>> discretised(2, ["entailment", "neutral", "contradiction"])
    'neutral'
    """
    if not LOWEST <= rating <= HIGHEST:
        raise ValueError(f"{rating} is no point of the scale from {LOWEST} to {HIGHEST}")
    wanted = (ENTAILMENT,) if rating >= YES_FROM else _NO
    found = next((label for label in wanted if label in labels), None)
    if found is None:
        raise ValueError(f"none of the labels {', '.join(labels)} stands for {' or '.join(wanted)}")
    return found


def is_scalable(labels: Sequence[str]) -> bool:
    """Whether every point of the scale comes to one of the labels."""
    return ENTAILMENT in labels and any(label in labels for label in _NO)
