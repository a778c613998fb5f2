"""The calculus' word on a pair: from natlog's verdict, and for rewritten blanks from the blank's place.

A pair that an annotator wrote differs from its premise in one blank, whose polarity is known. There the
rule of MED (section 3.1.3) holds: made more specific, the sentence follows at a downward place and
doesn't at an upward or non-monotone one; a synonym follows everywhere (footnote 3). A replacement that
turns out more general is read the other way round. Where the annotator changed an operator itself
(a quantifier, a negation), and for any other pair, natlog judges from both parses.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext_noop

from apps.corpora.models import Blank
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Direction, Pair

if TYPE_CHECKING:
    from natlog.calculus import Labeller, Verdict
    from natlog.criteria import Criteria
    from natlog.profile import Profile
    from natlog.tree import Marking

OPERATORS = frozenset({"quantifier", "negation", "operator"})


# Why a pair is not swapped whose wordings no source relates.
UNKNOWN_WORDING = gettext_noop("unknown which wording is the more specific")


class LabelKey(NamedTuple):
    """What made a label; the columns that tell one calculus label of a pair from another."""

    engine: str
    engine_version: str
    convention: str
    parser: str


@dataclass(frozen=True)
class Labelled:
    """A label with its reasons, ready to be stored as :class:`CalculusLabel` and :class:`Tag` rows."""

    label: str
    direction: str
    reason: str
    confidence: float
    assumed: bool = False
    tags: tuple[str, ...] = ()
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Profiled:
    """A pair's texts, and what their parses show (all sentences together)."""

    premises: tuple[str, ...]
    hypothesis: str
    found: Profile
    criteria: Criteria

    @classmethod
    def of(cls, premises: Sequence[str], hypothesis: str, by: Labeller) -> Profiled:
        """What the labeller's parses show of a pair."""
        from natlog.criteria import Criteria, criteria
        from natlog.profile import profile, together

        markings = by.markings([*premises, hypothesis])
        met = criteria(markings[premises[0]], markings[hypothesis]) if len(premises) == 1 else Criteria()
        return cls(tuple(premises), hypothesis, together(map(profile, markings.values())), met)


class CannotLabel(ValueError):
    """A pair that the calculus does not take; ``why`` in a few words."""

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why


@lru_cache(maxsize=4)
def labeller(parser: str, convention: str) -> Labeller:
    """One labeller a process for each parser and convention; it keeps the parses it has made."""
    from natlog.calculus import Labeller

    return Labeller(parser=parser, convention=convention)


def key_of(by: Labeller) -> LabelKey:
    from natlog.parsing import load_parser

    return LabelKey(by.engine, by.version, by.convention, load_parser(by.parser_name).name)


def labelled(pair: Pair, by: Labeller) -> Labelled:
    """The label of one pair (``premises`` and ``blank`` prefetched). Raises :class:`CannotLabel`."""
    premise = only_premise(pair)
    if pair.blank is not None:
        verdict = _as_the_task_asks(by).label(premise, pair.hypothesis)
        return of_blank(premise, pair, verdict, site_direction(pair.blank, by))
    verdict = by.label(premise, pair.hypothesis)
    if not verdict.read:
        why = "; ".join(verdict.unread)
        raise CannotLabel(f"The calculus could not read this pair: {why}.", why)
    return of_verdict(premise, pair.hypothesis, verdict)


def _as_the_task_asks(by: Labeller) -> Labeller:
    """The same labeller, with its memory, under the task's assumption: what is written in a blank is more
    specific (MED, section 3.1.2). Its confidence is then that of the label that is given."""
    if by.unknown == "specific":
        return by
    task = copy(by)
    task.unknown = "specific"
    return task


def profiled(pair: Pair, by: Labeller) -> Profiled:
    """What the parses of all of a pair's sentences show (``premises`` prefetched)."""
    return Profiled.of([premise.text for premise in pair.premises.all()], pair.hypothesis, by)


def only_premise(pair: Pair) -> str:
    texts = [premise.text for premise in pair.premises.all()]
    if len(texts) != 1:
        why = f"The calculus takes one premise; this pair has {len(texts)}."
        raise CannotLabel(why, f"{len(texts)} premises")
    return texts[0]


def of_verdict(premise: str, hypothesis: str, verdict: Verdict) -> Labelled:
    """natlog's own word."""
    return Labelled(
        label=verdict.label,
        direction=verdict.direction,
        reason=verdict.reason,
        confidence=verdict.confidence,
        assumed=verdict.assumed,
        tags=verdict.tags,
        detail=_detail(premise, hypothesis, verdict, change_of(verdict)),
    )


def of_blank(premise: str, pair: Pair, verdict: Verdict, direction: str) -> Labelled:
    """The rule for a rewritten blank whose place has ``direction``."""
    change = change_of(verdict)
    if change == "operator":
        return replace(of_verdict(premise, pair.hypothesis, verdict), direction=direction)
    if change == "synonym":
        entailed = True
    elif change == "more general":
        entailed = direction == Direction.UPWARD
    else:
        entailed = direction == Direction.DOWNWARD
    reason = f"{_REASONS[change]}, at {_PLACES[direction]}"
    notes = "; ".join(edit.note for edit in verdict.edits)
    label = ENTAILMENT if entailed else NON_ENTAILMENT
    return Labelled(
        label=label,
        direction=direction,
        reason=f"{reason}: {notes}" if notes else reason,
        confidence=_confidence(verdict, label, assumed=change == "unknown"),
        assumed=change == "unknown",
        tags=verdict.tags,
        detail=_detail(premise, pair.hypothesis, verdict, change),
    )


_REASONS = {
    "synonym": "the replacement says the same",
    "more specific": "the replacement is more specific",
    "more general": "the replacement is more general",
    "unknown": "the replacement is taken to be more specific, as the task asks",
}
_PLACES = {
    "upward": "an upward place (↑)",
    "downward": "a downward place (↓)",
    "non-monotone": "a non-monotone place (=)",
}


def _confidence(verdict: Verdict, label: str, assumed: bool) -> float:
    """How sure the calculus' evidence makes the label that the place gives, maybe another than its own."""
    from natlog.calculus.confidence import confidence

    if verdict.evidence is None:
        return verdict.confidence
    return confidence(replace(verdict.evidence, label=label, assumed=assumed))


def change_of(verdict: Verdict) -> str:
    """What was done to the words that differ: operator, synonym (no change of meaning), more specific,
    more general, or unknown (no source relates them, or they differ in several ways)."""
    if any(edit.kind in OPERATORS for edit in verdict.edits):
        return "operator"
    if not all(edit.known for edit in verdict.edits):
        return "unknown"
    found = {edit.relation for edit in verdict.edits}
    if found <= {"≡"}:
        return "synonym"
    if found <= {"≡", "⊐"}:
        return "more specific"
    if found <= {"≡", "⊏"}:
        return "more general"
    return "unknown"


def site_direction(blank: Blank, by: Labeller) -> str:
    """The direction of a blank's place: the blank's own, as the annotator was given it. Under another
    engine version or convention, the sign that this one gives to the same span, where it is a
    constituent there too."""
    if (blank.engine, blank.engine_version, blank.convention) == (by.engine, by.version, by.convention):
        return blank.direction
    text = blank.sentence.text
    return direction_of_span(by.markings([text])[text], blank.start, blank.end) or blank.direction


def direction_of_span(marking: Marking, start: int, end: int) -> str:
    """The direction of the constituent at code points ``start`` to ``end``; "" where there is none."""
    tokens = marking.tree.tokens
    inside = [token.index for token in tokens if token.start >= start and token.end <= end]
    if not inside:
        return ""
    found = marking.constituent(inside[0], inside[-1] + 1)
    return found.polarity.direction if found else ""


def _detail(premise: str, hypothesis: str, verdict: Verdict, change: str) -> dict[str, Any]:
    """What a release and the pair's page need later without parsing again."""
    bar, why = _no_swap(premise, hypothesis, verdict, change)
    return {
        "change": change,
        "swappable": not bar,
        "swap_bar": bar,
        "swap_reason": why,
        "monotonicity": verdict.monotonicity,
        "edits": [
            {"kind": edit.kind, "relation": edit.relation, "before": edit.before, "after": edit.after}
            for edit in verdict.edits
        ],
    }


def _no_swap(premise: str, hypothesis: str, verdict: Verdict, change: str) -> tuple[str, str]:
    """Why the label does not turn over when the sentences are exchanged: in general, and in particular;
    empty where it does. Nobody judges a twin, so its label must follow from what is known."""
    from natlog.calculus import swappable

    may, why = swappable(premise, hypothesis, verdict)
    if change == "operator":
        return gettext_noop("an operator was changed"), "a changed operator need not turn the label over"
    if change == "synonym" or (not may and any(edit.relation == "≡" for edit in verdict.edits)):
        return gettext_noop("a synonym was put in"), why
    if not may:
        return gettext_noop("the changed part is not one constituent"), why
    if change == "unknown":
        return UNKNOWN_WORDING, "no source relates the two wordings"
    return "", ""
