"""From a model's words to a dataset's labels.

A model speaks of entailment, neutral (or non-entailment) and contradiction under many spellings; a
dataset has its own set of labels. Whatever does not entail is non-entailment in a two-way dataset.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.datasets.labels import BY_VALUE, SPELLINGS


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
    found = SPELLINGS.get(word.strip().lower().replace(" ", "_")) or SPELLINGS.get(word.strip().lower())
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
    for other in BY_VALUE[label].stand_ins if label in BY_VALUE else ():
        if other in labels:
            return other
    raise LabelError(
        _("The model says “%(label)s”, for which the dataset (%(labels)s) has no label.")
        % {"label": label, "labels": ", ".join(labels)}
    )
