"""The words that label a pair: labels, sets of labels, answers and what they come to, sources of gold."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

ENTAILMENT = "entailment"
NON_ENTAILMENT = "non-entailment"
CONTRADICTION = "contradiction"
# MNLI's word, in files; stored as non-entailment.
NEUTRAL = "neutral"
# An answer that annotators may give; never a label.
UNNATURAL = "unnatural"

# Read two-way, all of these are non-entailment (MED, section 3.2).
NOT_ENTAILED = (NON_ENTAILMENT, CONTRADICTION, NEUTRAL)

# What a pair's answers come to where they come to no label.
TIE = "tie"
NO_MAJORITY = "no-majority"
NOT_JUDGED = "not-judged"
NO_LABEL = "none"

# Sources of gold labels: the file that a pair was imported from, a researcher's decision.
FILE = "file"
ADJUDICATION = "adjudication"

LABEL_NAMES = {
    ENTAILMENT: _("entailment"),
    NON_ENTAILMENT: _("non-entailment"),
    CONTRADICTION: _("contradiction"),
    UNNATURAL: _("unnatural"),
    TIE: _("tie"),
    NO_MAJORITY: _("no majority"),
    NOT_JUDGED: _("not judged"),
    NO_LABEL: _("no label"),
}


def two_way_labels() -> list[str]:
    """The labels that a dataset has unless told otherwise."""
    return [ENTAILMENT, NON_ENTAILMENT]


def three_way_labels() -> list[str]:
    """Those of a dataset that tells what can't be true from what need not be."""
    return [*two_way_labels(), CONTRADICTION]
