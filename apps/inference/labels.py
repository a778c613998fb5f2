"""From a model's words to a dataset's labels.

A model speaks of entailment, neutral (or non-entailment) and contradiction under many spellings; a
dataset has its own set of labels. Whatever does not entail is non-entailment in a two-way dataset.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from natlog.pairs import LABELS

ENTAILMENT = "entailment"
# What stands for a model's label in a dataset that has no such label: the first of these it has.
_STAND_INS = {
    "entailment": (),
    "neutral": ("non-entailment",),
    "non-entailment": ("neutral",),
    "contradiction": ("non-entailment", "neutral"),
}


class LabelError(ValueError):
    """A label that cannot be understood, or that the dataset has no place for."""


def canonical(word: str) -> str:
    """A model's word for a label as entailment, neutral, non-entailment or contradiction.

    >>> canonical("NOT_ENTAILMENT"), canonical("Neutral"), canonical("contradiction")
    ('non-entailment', 'neutral', 'contradiction')
    >>> canonical("LABEL_0")
    Traceback (most recent call last):
    ...
    apps.inference.labels.LabelError: “LABEL_0” is none of entailment, neutral, non-entailment, contradiction.
    """
    found = LABELS.get(word.strip().lower().replace(" ", "_")) or LABELS.get(word.strip().lower())
    if found is None:
        raise LabelError(
            _("“%(word)s” is none of entailment, neutral, non-entailment, contradiction.") % {"word": word}
        )
    return found


def fitted(label: str, labels: Sequence[str]) -> str:
    """The one of the dataset's ``labels`` that a canonical ``label`` amounts to.

    >>> fitted("contradiction", ["entailment", "non-entailment"])
    'non-entailment'
    >>> fitted("non-entailment", ["entailment", "neutral", "contradiction"])
    'neutral'
    """
    if label in labels:
        return label
    for other in _STAND_INS.get(label, ()):
        if other in labels:
            return other
    raise LabelError(
        _("The model says “%(label)s”, for which the dataset (%(labels)s) has no label.")
        % {"label": label, "labels": ", ".join(labels)}
    )
