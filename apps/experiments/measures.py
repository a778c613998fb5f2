"""What is measured of a contestant's answers, and how a figure comes of counts.

Counts are kept by test: ``{test: {key: counts}}``. Two counts are a share (right, of how many); three are
matched, given and gold, of which precision, recall and F come. So counts of several tests can be added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from natlog.fragments.sygns import FORMS

Part = Literal["share", "precision", "recall", "f"]
#: ``{test: {key: counts}}``; the key of what is right is a direction or ``all``.
Scores = dict[str, dict[str, list[int]]]


@dataclass(frozen=True)
class Measure:
    """``key`` names the counts it comes of, ``part`` what of them. ``published`` stands behind a network's
    name in a protocol's published figures ("" for what is right). ``forms`` are the meanings that have it."""

    key: str
    title: str | Promise
    published: str = ""
    part: Part = "share"
    forms: Sequence[str] = FORMS

    @property
    def name(self) -> str:
        """As files have it."""
        return self.published or "right"

    def figure(self, counts: Sequence[int]) -> float | None:
        """The figure as a share of 1; None where there is nothing that it could be of."""
        over = {"share": counts[1], "precision": counts[1], "recall": counts[-1], "f": counts[1] + counts[-1]}
        right = 2 * counts[0] if self.part == "f" else counts[0]
        return right / over[self.part] if over[self.part] else None


RIGHT = Measure("all", _("right"))
#: Words of a protocol's ``measures`` (SyGNS, section 3.3), each with the figures that it asks for.
MEASURES: Mapping[str, Sequence[Measure]] = {
    "exact": [RIGHT],
    "counter": [Measure("counter", _("COUNTER, F"), "counter", "f", ("clf",))],
    "proofs": [
        Measure("gold entails", _("G ⇒ P"), "gold entails", forms=("fol",)),
        Measure("entails gold", _("G ⇐ P"), "entails gold", forms=("fol",)),
        Measure("equivalent", _("G ⇔ P"), "equivalent", forms=("fol",)),
        Measure("undecided", _("not decided"), "undecided", forms=("fol",)),
    ],
    "polarity": [
        Measure("up words", _("upward, precision"), "upward precision", "precision", ("fol", "vf")),
        Measure("up words", _("upward, recall"), "upward recall", "recall", ("fol", "vf")),
        Measure("up words", _("upward, F"), "upward", "f", ("fol", "vf")),
        Measure("down words", _("downward, precision"), "downward precision", "precision", ("fol", "vf")),
        Measure("down words", _("downward, recall"), "downward recall", "recall", ("fol", "vf")),
        Measure("down words", _("downward, F"), "downward", "f", ("fol", "vf")),
    ],
}
GROUPS: Mapping[str, str | Promise] = {
    "exact": _("Right, in %: mean ± standard deviation over seeds"),
    "counter": _("Clauses matched by COUNTER, in %"),
    "proofs": _("Proved both ways, in %"),
    "polarity": _("Words with the right polarity, in %"),
}

#: Kinds of error (natlog/logic/meaning_errors.py) in a reader's words.
ERROR_TITLES: Mapping[str, str | Promise] = {
    "no meaning": _("no meaning"),
    "proved equivalent": _("proved equivalent"),
    "other word": _("other word"),
    "word left out": _("word left out"),
    "other polarity": _("other polarity"),
    "other structure": _("other structure"),
}


def added(many: Sequence[Sequence[int]]) -> list[int]:
    """Counts of several tests together; empty of none."""
    return [sum(column) for column in zip(*many, strict=True)]
