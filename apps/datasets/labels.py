"""The words that label a pair: labels, sets of labels, answers and what they come to, sources of gold.

A set of labels is an entry of ``LABEL_SETS``; a new word in it is an entry of ``LABELS``, which says all that
is known of a label.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from natlog.pairs import LABELS as USUAL_SPELLINGS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ENTAILMENT = "entailment"
NON_ENTAILMENT = "non-entailment"
CONTRADICTION = "contradiction"
# MNLI's word, in files; stored as non-entailment.
NEUTRAL = "neutral"
# An answer that annotators may give; never a label.
UNNATURAL = "unnatural"


@dataclass(frozen=True)
class Label:
    """``title`` and ``meaning`` are what its button says on a card, in words that need no linguistics (MED,
    section 3.1.3). ``stand_ins`` are what it amounts to in a dataset without it: the first that is there.
    ``is_open``: the second sentence need not be true, and need not be false. ``spellings`` are those in files
    and of models beside the usual ones (natlog/pairs.py)."""

    value: str
    name: StrOrPromise
    title: StrOrPromise
    meaning: StrOrPromise
    stand_ins: tuple[str, ...] = ()
    is_open: bool = False
    spellings: tuple[str, ...] = ()


LABELS = (
    Label(
        ENTAILMENT,
        _("entailment"),
        _("Yes, it must be true"),
        _("Whenever the first sentence is true, the second one is true too."),
    ),
    Label(
        NEUTRAL,
        _("neutral"),
        _("Perhaps, one can't tell"),
        _("The second sentence may be true and may be false."),
        stand_ins=(NON_ENTAILMENT,),
        is_open=True,
    ),
    Label(
        NON_ENTAILMENT,
        _("non-entailment"),
        _("No, it need not be true"),
        _("The first sentence can be true while the second one is not."),
        stand_ins=(NEUTRAL,),
        is_open=True,
    ),
    Label(
        CONTRADICTION,
        _("contradiction"),
        _("No, it can't be true"),
        _("Whenever the first sentence is true, the second one is false."),
        stand_ins=(NON_ENTAILMENT, NEUTRAL),
    ),
)
BY_VALUE = {label.value: label for label in LABELS}
# What a word of a file or a model, in lower case, is as a label.
SPELLINGS = {
    **USUAL_SPELLINGS,
    **{spelling: label.value for label in LABELS for spelling in (label.value, *label.spellings)},
}


def words_among(value: str, labels: Iterable[str]) -> tuple[StrOrPromise, StrOrPromise]:
    """What the button of a label says, title and meaning, beside the others of ``labels``: no two of them fit
    one pair. Where *can't be true* has a button of its own, *need not be true* would fit it too.

    >>> [str(words_among(NON_ENTAILMENT, labels)[0]) for labels in LABEL_SETS.values()]
    ['No, it need not be true', "Perhaps, one can't tell"]
    """
    label = BY_VALUE[value]
    if label.is_open and CONTRADICTION in labels:
        label = BY_VALUE[NEUTRAL]
    return label.title, label.meaning


# Read two-way, all of these are non-entailment (MED, section 3.2).
NOT_ENTAILED = tuple(value for value in BY_VALUE if value != ENTAILMENT)

# The sets of labels that a dataset can be made with; it keeps its own (``Dataset.labels``).
TWO_WAY, THREE_WAY = "two-way", "three-way"
LABEL_SETS: dict[str, tuple[str, ...]] = {
    TWO_WAY: (ENTAILMENT, NON_ENTAILMENT),
    # Tells what can't be true from what need not be.
    THREE_WAY: (ENTAILMENT, NON_ENTAILMENT, CONTRADICTION),
}
# The labels that are stored as they are.
STORED_LABELS = tuple(dict.fromkeys(chain.from_iterable(LABEL_SETS.values())))

# What a pair's answers come to where they come to no label.
TIE = "tie"
NO_MAJORITY = "no-majority"
NOT_JUDGED = "not-judged"
NO_LABEL = "none"

# Sources of gold labels: the file that a pair was imported from, a researcher's decision.
FILE = "file"
ADJUDICATION = "adjudication"

LABEL_NAMES: dict[str, StrOrPromise] = {
    **{label.value: label.name for label in LABELS},
    UNNATURAL: _("unnatural"),
    TIE: _("tie"),
    NO_MAJORITY: _("no majority"),
    NOT_JUDGED: _("not judged"),
    NO_LABEL: _("no label"),
}


def two_way_labels() -> list[str]:
    """The labels that a dataset has unless told otherwise."""
    return list(LABEL_SETS[TWO_WAY])


def three_way_labels() -> list[str]:
    """Those of a dataset that tells what can't be true from what need not be."""
    return list(LABEL_SETS[THREE_WAY])


def set_name(key: str) -> str:
    """A set by its labels' names, in the reader's language.

    >>> set_name("three-way")
    'entailment, non-entailment, contradiction'
    """
    return ", ".join(str(LABEL_NAMES[label]) for label in LABEL_SETS[key])


def set_holding(found: Iterable[str]) -> list[str]:
    """The smallest set that holds what is stored of these labels; words that are no label don't matter.

    >>> set_holding(["neutral", "unnatural"]), set_holding(["contradiction"])
    (['entailment', 'non-entailment'], ['entailment', 'non-entailment', 'contradiction'])
    """
    wanted = {stored_label(label) for label in found} & set(STORED_LABELS)
    sets = sorted(LABEL_SETS.values(), key=len)
    return list(next((labels for labels in sets if wanted <= set(labels)), sets[-1]))


def stored_label(label: str) -> str:
    """MultiNLI's *neutral* is stored as non-entailment; a contradiction stays one.

    >>> [stored_label(label) for label in ("neutral", "contradiction", "unnatural", "")]
    ['non-entailment', 'contradiction', 'unnatural', '']
    """
    if label in STORED_LABELS or label not in BY_VALUE:
        return label
    return next(other for other in BY_VALUE[label].stand_ins if other in STORED_LABELS)
