"""Rows of meanings, and what a contestant's meanings come to.

A training set of meanings has a row for each sentence and form: the premise is the sentence, the hypothesis
its meaning, the label the form's name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from apps.inference.mixing import Row

if TYPE_CHECKING:
    from natlog.logic.meaning_scores import Comparison

#: In a training set's spec, in the place of the name of a set of labels.
MEANINGS = "meanings"
# Of each kind of error, in each test.
MOST_EXAMPLES = 2
# Characters of one: what a network that does not end has written is told by its beginning.
LONGEST_EXAMPLE = 2000
# A proof is bounded by its work; after so many seconds something hangs.
HANGS_SECONDS = 60.0


def gold_meanings(sentence: str) -> dict[str, str]:
    """A sentence's meaning in each form, as the fragment's grammar reads it; empty where it does not."""
    from natlog.fragments.grammar import load
    from natlog.fragments.meanings import COLUMNS, meaning_of
    from natlog.fragments.parsing import OutsideFragment, parse
    from natlog.fragments.sygns import FORMS, NAME

    grammar = load(NAME)
    try:
        derivation = parse(grammar, sentence)
    except OutsideFragment:
        return {}
    row = dict(zip(COLUMNS, meaning_of(grammar, derivation, sentence).row(), strict=True))
    return {form: row[form] for form in FORMS}


@dataclass
class MeaningsScored:
    """``scores`` are counts by test and key (apps/experiments/measures.py; ``error: KIND`` of each kind of
    error, natlog/logic/meaning_errors.py); ``errors`` a few of each: test, kind, sentence, gold, said."""

    scores: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    errors: list[dict[str, str]] = field(default_factory=list)


def meanings_scored(
    said: Iterable[tuple[Row, str]], measures: Sequence[str] = ("exact",)
) -> Iterator[MeaningsScored | None]:
    """Score what was said of rows: None after each, the scores at last. ``proofs`` among the measures asks
    the prover, which takes seconds."""
    from natlog.logic.meaning_errors import kind_of_error
    from natlog.logic.meaning_scores import compared
    from natlog.logic.prover import Prover

    prover = Prover("repeatable", seconds=HANGS_SECONDS) if "proofs" in measures else None
    by_test: dict[str, list[Comparison]] = {}
    kinds: dict[str, Counter[str]] = {}
    found = MeaningsScored()
    for row, given in said:
        form: Any = row.label
        comparison = compared(form, given, row.hypothesis, prover)
        by_test.setdefault(row.source, []).append(comparison)
        kind = kind_of_error(form, comparison, given, row.hypothesis)
        if kind:
            own = kinds.setdefault(row.source, Counter())
            own[kind] += 1
            if own[kind] <= MOST_EXAMPLES:
                found.errors.append({"test": row.source, "kind": kind, "sentence": row.premise,
                                     "gold": row.hypothesis, "said": _shown(given)})  # fmt: skip
        yield None
    for test, comparisons in by_test.items():
        found.scores[test] = _counts(comparisons)
        for kind, count in sorted(kinds.get(test, Counter()).items()):
            found.scores[test][f"error: {kind}"] = [count, len(comparisons)]
    yield found


def _shown(given: str) -> str:
    return given if len(given) <= LONGEST_EXAMPLE else f"{given[:LONGEST_EXAMPLE]} …"


def _counts(comparisons: Sequence[Comparison]) -> dict[str, list[int]]:
    from natlog.logic.meaning_scores import scores

    told = scores(comparisons)
    counts = {"all": [told.exact, told.rows]}
    for key, proved in (("gold entails", told.gold_entails), ("entails gold", told.entails_gold),
                        ("equivalent", told.equivalent)):  # fmt: skip
        if proved:
            counts[key] = [proved.yes, proved.rows]
    if told.equivalent:
        counts["undecided"] = [told.equivalent.unknown, told.equivalent.rows]
    if told.clauses:
        counts["counter"] = [told.clauses.matched, told.clauses.given, told.clauses.gold]
    for key, words in (("up words", told.upward), ("down words", told.downward)):
        if words:
            counts[key] = [words.right, words.given, words.gold]
    return counts
