"""What a pilot says about expressions too general to rewrite.

The room whose annotators rewrite blanks registers at start-up (in an ``AppConfig.ready``) how they answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from apps.corpora.models import BlankSet
from apps.corpora.stop_lists import StopList, folded


class BlankAnswer(NamedTuple):
    """What an annotator made of the blank with this ``text``: rewrote it, or skipped it."""

    text: str
    is_skip: bool
    is_too_general: bool


Answers = Callable[[BlankSet], Iterable[BlankAnswer]]

_sources: list[Answers] = []


def answers_are(answers: Answers) -> None:
    """``answers`` gives every answer to the blanks of a set."""
    if answers not in _sources:
        _sources.append(answers)


@dataclass(frozen=True)
class SkipRate:
    """How often annotators skipped the blanks of one expression."""

    expression: str
    judgements: int
    skips: int
    too_general: int
    on_stop_list: bool

    @property
    def share(self) -> float:
        return self.skips / self.judgements

    @property
    def is_proposed(self) -> bool:
        """At least half of the answers are skips, and at least one says that it is too general."""
        return self.too_general > 0 and self.share >= 0.5 and not self.on_stop_list


def skip_rates(blank_set: BlankSet) -> list[SkipRate]:
    """The expressions of a set that were skipped at least once, the worst first. Two queries."""
    answers: Counter[str] = Counter()
    skips: Counter[str] = Counter()
    general: Counter[str] = Counter()
    for answer in (answer for source in _sources for answer in source(blank_set)):
        expression = folded(answer.text)
        answers[expression] += 1
        skips[expression] += answer.is_skip
        general[expression] += answer.is_too_general
    stopped = StopList.of(blank_set.study)
    rates = [
        SkipRate(
            expression, answers[expression], count, general[expression], expression in stopped.expressions
        )
        for expression, count in skips.items()
        if count
    ]
    return sorted(rates, key=lambda rate: (-rate.share, -rate.judgements, rate.expression))
