"""The gold label by a posterior: how probable is each label, given who answered what?

Each annotator's table of errors and the labels' shares are those that the campaign's reliability job
estimated, by Dawid and Skene or by MACE; how a probability follows from them is in ``measures.reliability``.
An answer of somebody without a table, given after the estimate, says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.comparison.judges import Judges
from apps.datasets.labels import NON_ENTAILMENT, UNNATURAL
from apps.quality.models import Reliability
from apps.releases.gold_rules import ANY_UNNATURAL, IGNORE_UNNATURAL, MACE, NO_GOLD, POSTERIOR, Options
from measures.reliability import Table, posterior

METHODS = {POSTERIOR: Reliability.Method.DAWID_SKENE, MACE: Reliability.Method.MACE}


def tables_of(judges: Judges, rule: str) -> dict[tuple[int, int], Table]:
    """The tables of the rule's method by campaign and participant; none where nothing was estimated. One
    query."""
    of_judges = Reliability.objects.filter(campaign__in=judges.numbers)
    found = of_judges.filter(method=METHODS[rule], value__isnull=False)
    return {
        (row.campaign_id, row.participant_id): Table(
            tuple(row.detail["labels"]), row.detail["confusion"], row.detail["prior"]
        )
        for row in found
        if row.detail.get("confusion") and row.detail.get("prior")
    }


def gold_set(
    pairs: Sequence[Any],
    judges: Judges,
    tables: Mapping[tuple[int, int], Table],
    options: Options,
    labels: Sequence[str],
) -> None:
    """Set ``gold`` of each pair to the label whose posterior reaches the options' threshold, and
    ``probability`` to that of the likeliest label (0 where there is none). One query."""
    given = judges.answers().filter(item__pair__in=[pair.pk for pair in pairs])
    answers: dict[int, list[tuple[Table, str]]] = {}
    columns = ("item__pair_id", "item__campaign_id", "participant_id", "answer")
    for pair, campaign, person, answer in given.order_by("pk").values_list(*columns):
        table = tables.get((campaign, person))
        if table and not (answer == UNNATURAL and options.unnatural == IGNORE_UNNATURAL):
            answers.setdefault(pair, []).append((table, answer))
    for pair in pairs:
        bars = options.unnatural == ANY_UNNATURAL and pair.unnatural
        found = {} if bars or not pair.enough else posterior(answers.get(pair.pk, []))
        pair.gold, pair.probability = _reached(found, options, labels)


def _reached(found: Mapping[str, float], options: Options, labels: Sequence[str]) -> tuple[str, float]:
    if options.unnatural == IGNORE_UNNATURAL:
        found = {label: share for label, share in found.items() if label != UNNATURAL}
        found = {label: share / sum(found.values()) for label, share in found.items()}
    shares: dict[str, float] = {}
    for label, share in found.items():
        known = label if label in labels or label == UNNATURAL else NON_ENTAILMENT
        shares[known] = shares.get(known, 0.0) + share
    best = max(shares, key=lambda label: shares[label], default=NO_GOLD)
    if best in (NO_GOLD, UNNATURAL):
        return NO_GOLD, 0.0
    return (best if shares[best] >= options.posterior else NO_GOLD), shares[best]
