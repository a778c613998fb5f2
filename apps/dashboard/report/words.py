"""The sentences of a report, which its pages say too."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

HALVED = _("Points of the scale are read as labels here: 4 and 5 as entailment, 1 to 3 as non-entailment.")

COMPOSITION = _(
    "Type, label, and where the pairs come from, as in MED's Table 5. Contradiction counts as non-entailment."
)

NOTHING_AGREED = _("Nobody has judged these pairs: agreement needs two answers to a pair.")

AGREEMENT = _(
    "α, AC1 and the share of equal answers are over pairs with two answers or more; the interval is of "
    "1,000 draws of pairs. Fleiss' κ is defined where every pair has as many answers. A pair with "
    "several tags or operators is in each."
)

COMPARISON = _(
    "Two-way labels: contradiction counts as non-entailment. What people say is what more than half of "
    "a pair's judgements say."
)

BREAKDOWN = _(
    "Two-way: contradiction counts as non-entailment. Of the pairs that have a label to measure "
    "against; a pair with several tags is in each. A pair without a majority counts as judged, and not "
    "as right."
)

NOTHING_SOFT = _("Nobody has judged these pairs: a soft label is the share of people who say entailment.")

SOFT = _(
    "Two-way, over the pairs with an answer that is a label; the soft label is the share of entailment "
    "among them. People's own cross-entropy is their uncertainty: no model can go below it. "
    "Cross-entropy in bits; calibration error and curve by tenths."
)

NOTHING_TO_MEASURE = _(
    "There is nothing to measure against yet: no calculus label, no judgement and no gold label in this"
    " dataset."
)

ARTIFACTS = _(
    "Two-way: contradiction counts as non-entailment. Words that stand in at least %(least)s "
    "hypotheses; the z-score says how many standard errors a label's share among them lies from its "
    "share in all (Gardner and others, 2021), PMI is smoothed (Gururangan and others, 2018). Where "
    "people and calculus agree is what filtering leaves. A model whose score is larger than the labels'"
    " leans on the word."
)

NO_WORD = _("No word stands in %(least)s labelled hypotheses and tells labels apart.")

ANNOTATORS = _(
    "Agreement is the share of answers that are the majority of the others, on items with at least two "
    "others who have one. Dawid–Skene is the probability of a right answer (Dawid and Skene, 1979), "
    "MACE the share of answers given because of knowing (Hovy and others, 2013)."
)
