"""Rows mixed out of several sources into one training set: what is drawn, left out, and put aside.

A row's place in the drawing is a digest of the seed and its own two sentences. So a set is the same whatever
order its rows came in, a larger one of the same seed holds the smaller, and rows that are not there don't
move the others.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext as _

from apps.datasets.labels import LABEL_SETS
from apps.inference.labels import LabelError, fitted
from natlog.tokens import words_of

UPWARD, DOWNWARD = "upward", "downward"
PARTS = ("train", "validation", "test")


class MixingError(ValueError):
    """A mixture that can't be made of what there is, with the reason in words."""


class Row(NamedTuple):
    """A labelled pair; ``source`` names where it is from, ``direction`` may be ""."""

    premise: str
    hypothesis: str
    label: str
    direction: str
    source: str


@dataclass(frozen=True)
class Portion:
    """How much of a source: ``count`` rows, or its part of what the counts leave of the mixture's size in
    proportion of the ``share``; neither: all. ``upward``: only rows of the two directions, and so large a
    share of them upward (1: only upward, 0: only downward); None: as they come."""

    name: str
    count: int | None = None
    share: float | None = None
    upward: float | None = None


@dataclass(frozen=True)
class Mixture:
    """``labels`` is the name of a set of labels, which other words are turned into. ``without_premises``
    leaves out what has a premise of the test part too. ``validation`` is the share of the rows that is put
    aside, where the validation part has no rows of its own."""

    portions: tuple[Portion, ...]
    size: int | None = None
    labels: str = "two-way"
    without_premises: bool = False
    validation: float = 0.1
    seed: int = 1


@dataclass
class Overlap:
    """What a source shares with the test part: ``pairs`` with the same two sentences, ``swapped`` with them
    the other way round (both left out), ``premises`` whose premise is one of the test's. ``validation``
    counts rows that are in a validation part of its own (left out), ``repeated`` those that are there
    already."""

    source: str
    rows: int = 0
    pairs: int = 0
    swapped: int = 0
    premises: int = 0
    validation: int = 0
    repeated: int = 0


@dataclass
class Mixed:
    """The rows of each part, and the overlap of each source with the test part."""

    rows: dict[str, list[Row]]
    overlap: list[Overlap] = field(default_factory=list)

    def counts(self) -> dict[str, dict[str, dict[str, int]]]:
        """For each part the rows by source, label and direction."""
        return {
            part: {
                name: dict(sorted(Counter(getattr(row, name) or "–" for row in rows).items()))
                for name in ("source", "label", "direction")
            }
            for part, rows in self.rows.items()
            if rows
        }

    def lines(self) -> bytes:
        """The rows as JSON lines, always the same bytes."""
        return "".join(
            json.dumps({"part": part, **row._asdict()}, ensure_ascii=False, sort_keys=True) + "\n"
            for part in PARTS
            for row in self.rows[part]
        ).encode()


def rows_of(lines: bytes) -> dict[str, list[Row]]:
    """What :meth:`Mixed.lines` wrote."""
    found: dict[str, list[Row]] = {part: [] for part in PARTS}
    for line in lines.decode().split("\n"):
        if line:
            fields = json.loads(line)
            found[fields.pop("part")].append(Row(**fields))
    return found


@lru_cache(maxsize=1 << 16)
def normalised(text: str) -> str:
    """A sentence as it is compared: its words in lower case, without punctuation.

    >>> normalised("No dog,  isn’t HERE!") == normalised("no dog isn't here")
    True
    """
    return " ".join(words_of(unicodedata.normalize("NFC", text))) or text.strip()


def mix(
    mixture: Mixture,
    sources: Sequence[Sequence[Row]],
    *,
    test: Sequence[Row] = (),
    validation: Sequence[Row] = (),
) -> Mixed:
    """Draw the mixture out of its portions' ``sources``, without what is in ``test`` or ``validation``.
    Raises :class:`MixingError`."""
    if mixture.labels not in LABEL_SETS:
        raise MixingError(_("There is no set of labels “%(name)s”.") % {"name": mixture.labels})
    labels = list(LABEL_SETS[mixture.labels])
    tested = _Keys(test)
    validated = _Keys(validation)
    sizes = sizes_of(mixture)
    there: set[tuple[str, str]] = set()
    drawn: list[Row] = []
    overlaps = []
    for portion, rows, wanted in zip(mixture.portions, sources, sizes, strict=True):
        overlap = Overlap(portion.name)
        left = _left(rows, mixture, tested, validated, there, overlap)
        chosen = _chosen(portion, left, wanted, mixture.seed)
        there |= {_key(row) for row in chosen}
        drawn += [_with_label(row, labels) for row in chosen]
        overlaps.append(overlap)
    drawn.sort(key=lambda row: _place(mixture.seed, "order", *_key(row)))
    aside = [_with_label(row, labels) for row in validation] or _aside(drawn, mixture)
    kept = set(map(_key, aside))
    train = [row for row in drawn if _key(row) not in kept]
    if len({row.label for row in train}) < 2:
        raise MixingError(
            _("Only one label is left to learn from (%(rows)d rows); at least two are wanted.")
            % {"rows": len(train)}
        )
    return Mixed(
        {"train": train, "validation": aside, "test": [_with_label(row, labels) for row in test]}, overlaps
    )


class _Keys:
    """What rows are compared with."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.pairs = {_key(row) for row in rows}
        self.premises = {premise for premise, _hypothesis in self.pairs}


def _key(row: Row) -> tuple[str, str]:
    return normalised(row.premise), normalised(row.hypothesis)


def sizes_of(mixture: Mixture) -> list[int | None]:
    """How many rows each portion is to give; None for all."""
    shares = [portion.share or 0.0 for portion in mixture.portions]
    if not mixture.portions:
        raise MixingError(_("Name at least one source."))
    if not any(shares):
        if mixture.size is not None and any(p.count is None for p in mixture.portions):
            raise MixingError(_("With a size, each source needs a count or a share."))
        return [portion.count for portion in mixture.portions]
    if mixture.size is None:
        raise MixingError(_("Shares need a size that they are shares of."))
    rest = mixture.size - sum(portion.count or 0 for portion in mixture.portions)
    if rest < 0:
        raise MixingError(_("The counts alone are more than the size."))
    sizes: list[int | None] = []
    before = 0.0
    for portion, share in zip(mixture.portions, shares, strict=True):
        if portion.count is None and not share:
            raise MixingError(_("With a size, each source needs a count or a share."))
        upto = before + share
        part = round(rest * upto / sum(shares)) - round(rest * before / sum(shares))
        sizes.append(part if share else portion.count)
        before = upto
    return sizes


def _left(
    rows: Sequence[Row],
    mixture: Mixture,
    tested: _Keys,
    validated: _Keys,
    there: set[tuple[str, str]],
    overlap: Overlap,
) -> list[Row]:
    """A source's rows that may be learnt from, each pair of sentences once."""
    found: dict[tuple[str, str], Row] = {}
    for row in sorted(rows):
        key = _key(row)
        overlap.rows += 1
        has_premise = key[0] in tested.premises
        overlap.premises += has_premise
        if key in tested.pairs:
            overlap.pairs += 1
        elif key[::-1] in tested.pairs:
            overlap.swapped += 1
        elif has_premise and mixture.without_premises:
            pass
        elif key in validated.pairs:
            overlap.validation += 1
        elif key in there or key in found:
            overlap.repeated += 1
        else:
            found[key] = row
    return list(found.values())


def _chosen(portion: Portion, rows: list[Row], wanted: int | None, seed: int) -> list[Row]:
    """``wanted`` rows by their places in the drawing, the directions in their ratio."""
    placed = sorted(rows, key=lambda row: _place(seed, *_key(row)))
    if portion.upward is None:
        return _first(placed, wanted, portion.name, _("rows"))
    up = [row for row in placed if row.direction == UPWARD]
    down = [row for row in placed if row.direction == DOWNWARD]
    if wanted is None:
        wanted = _most(len(up), len(down), portion.upward)
    number = round(wanted * portion.upward)
    return [
        *_first(up, number, portion.name, _("upward rows")),
        *_first(down, wanted - number, portion.name, _("downward rows")),
    ]


def _most(up: int, down: int, share: float) -> int:
    """The most rows that so many of the directions give in a ratio."""
    limits = [int(up / share)] if share else []
    limits += [int(down / (1 - share))] if share < 1 else []
    most = min(limits)
    while round(most * share) > up or most - round(most * share) > down:
        most -= 1
    return most


def _first(rows: list[Row], wanted: int | None, name: str, what: str) -> list[Row]:
    if wanted is not None and wanted > len(rows):
        raise MixingError(
            _("“%(name)s” has %(there)d %(what)s left to draw from; %(wanted)d are wanted.")
            % {"name": name, "there": len(rows), "what": what, "wanted": wanted}
        )
    return rows[:wanted]


def _with_label(row: Row, labels: Sequence[str]) -> Row:
    try:
        return row._replace(label=fitted(row.label, labels))
    except LabelError as error:
        raise MixingError(f"{row.source}: {error}") from error


def _aside(rows: Sequence[Row], mixture: Mixture) -> list[Row]:
    """The share that is put aside for validation; a pair and its twin stay together."""
    wanted = round(len(rows) * mixture.validation)
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(sorted(_key(row))), []).append(row)
    found: list[Row] = []
    for key in sorted(groups, key=lambda key: _place(mixture.seed, "validation", *key)):
        if len(found) >= wanted:
            break
        found += groups[key]
    return found


def _place(seed: int, *texts: str) -> bytes:
    return hashlib.sha256("\0".join([str(seed), *texts]).encode()).digest()
