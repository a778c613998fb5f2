"""People, calculus and models against one reference, by what tells pairs apart: MED's Tables 6 and 7
(direction), 8 (genre), 9 (tags), 3 (how many answers match), the transitivity paper's Tables 10 and 14 (cell
and verb), depth and kind of replacement (systematicity), or whatever else a file or a testbed says of pairs.

One pass over the pairs; memory holds counts, and the tags where those are asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Q
from django.db.models.fields.json import KeyTextTransform
from django.utils.translation import gettext_lazy as _

from apps.comparison.judges import Judges
from apps.comparison.pairs import compared, predicted
from apps.dashboard.selectors import comparable
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Dataset, Tag
from apps.datasets.tags import FLAGS
from apps.inference.models import Run
from apps.testbeds.selectors import Score
from apps.testbeds.selectors import factors as facts_of
from measures.predictions import mcnemar
from measures.undefined import Undefined

LABELS = (ENTAILMENT, NON_ENTAILMENT)
DIRECTION, GENRE, TAG, LEXICAL, MATCHES = "direction", "genre", "tag", "lexical", "matches"
#: What every dataset can be broken down by; a fact's name has this before it.
BY = {
    DIRECTION: _("direction"),
    GENRE: _("genre"),
    TAG: _("tag"),
    LEXICAL: _("lexical knowledge"),
    MATCHES: _("answers that match the calculus"),
}
FACT = "fact:"
HUMAN, SINGLE, CALCULUS, OF_FILE = "human", "single", "calculus", "file"
_COLUMNS = {"file": "file_label"}
_LEXICAL = "lexical_knowledge"


@dataclass(frozen=True)
class Line:
    """The pairs of one value (None: all): how each judge does on them, and on how many of them the one and
    the other of two runs alone are right."""

    value: str | None
    pairs: int
    scores: dict[str, Score]
    only_one: int = 0
    only_two: int = 0

    def difference(self, one: str, two: str) -> float | None:
        """The share of the second less that of the first."""
        first, second = self.scores[one].share, self.scores[two].share
        return None if first is None or second is None else second - first

    @property
    def p(self) -> float | None:
        """McNemar's exact p that both are as often right; None where they are right on the same pairs."""
        found = mcnemar(self.only_one, self.only_two)
        return None if isinstance(found, Undefined) else found


@dataclass(frozen=True)
class Breakdown:
    """``judges`` are the keys of ``Line.scores``, those with a label: human (the majority), single (each
    answer by itself), calculus, file, run_<pk>. The last line is of all pairs; a pair with several tags is in
    each."""

    by: str
    reference: str
    judges: list[str]
    lines: list[Line] = field(default_factory=list)


def ways(dataset: Dataset) -> dict[str, Any]:
    """What the dataset can be broken down by, with what each is called. One query."""
    return {**BY, **{f"{FACT}{name}": name for name in facts_of(dataset)}}


def breakdown(
    dataset: Dataset,
    by: str,
    reference: str,
    judges: Judges,
    runs: Sequence[Run],
    two: tuple[Run, Run] | None = None,
) -> Breakdown:
    """``by`` is one of :func:`ways`, ``reference`` a reference of hard pairs; ``two`` are some of ``runs``,
    held against each other. Two-way, of the pairs that have the reference's label. One query, one more
    for tags; the pairs are read row by row."""
    asked = [HUMAN, SINGLE, CALCULUS, OF_FILE, *(predicted(run) for run in runs)]
    names = [name for name in asked if name != reference and (name != SINGLE or reference != HUMAN)]
    rows, values_of = _rows(dataset, by, judges, runs)
    wanted = _COLUMNS.get(reference, reference)
    rows = rows.filter(**{f"{wanted}__in": LABELS})
    said = [name for name in names if name != SINGLE]
    columns = [wanted, "entailments", "non_entailments", "judgements", *(_COLUMNS.get(n, n) for n in said)]
    counted = _Counts()
    for pk, value, label, entailments, non_entailments, judgements, *answers in rows.values_list(
        "pk", "value", *columns
    ).iterator(chunk_size=2000):
        right = {name: answer == label for name, answer in zip(said, answers, strict=True)}
        is_there = {name: answer in LABELS for name, answer in zip(said, answers, strict=True)}
        # A pair without a majority was judged, and not rightly.
        is_there[HUMAN] = is_there.get(HUMAN, False) or judgements > 0
        alone = _alone(two, right, is_there)
        single = entailments if label == ENTAILMENT else non_entailments
        for key in (*values_of(pk, value), None):
            counted.add(key, right, is_there, (single, judgements), alone)
    names = [name for name in names if counted.of[None, name]]
    keys = sorted((key for key in counted.pairs if key is not None), key=_order(by))
    return Breakdown(by, reference, names, [counted.line(key, names) for key in (*keys, None)])


def _rows(
    dataset: Dataset, by: str, judges: Judges, runs: Sequence[Run]
) -> tuple[Any, Callable[[int, Any], tuple[str, ...]]]:
    """The pairs with a column ``value``, and what makes it the values that a pair is counted under."""
    rows: Any = compared(comparable(dataset), judges, runs)

    def one(_pk: int, value: Any) -> tuple[str, ...]:
        return ("" if value is None else str(value),)

    if by == DIRECTION:
        return rows.annotate(value=F("place")), one
    if by == GENRE:
        return rows.annotate(value=F("genre")), one
    if by == MATCHES:
        some = rows.filter(judgements__gt=0).exclude(matches=None)
        return some.annotate(value=F("matches")), one
    if by.startswith(FACT):
        name = by.removeprefix(FACT)
        return rows.filter(Q(facts__has_key=name)).annotate(value=KeyTextTransform(name, "facts")), one
    tags = _tags(dataset)
    if by == LEXICAL:
        return rows.annotate(value=F("pk")), lambda pk, _value: (
            ("lexical" if any(tag.casefold() == _LEXICAL for tag in tags[pk]) else "non-lexical"),
        )
    return rows.annotate(value=F("pk")), lambda pk, _value: tags[pk]


def _tags(dataset: Dataset) -> defaultdict[int, tuple[str, ...]]:
    """The tags of each pair; those that differ in case alone are one, spelt as it mostly is. One query."""
    rows = Tag.objects.filter(pair__dataset=dataset).exclude(name__in=FLAGS).order_by()
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    found: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for pair, name in rows.values_list("pair_id", "name").iterator(chunk_size=5000):
        spellings[name.casefold()][name] += 1
        found[pair][name.casefold()] = None
    spelt = {name: counts.most_common(1)[0][0] for name, counts in spellings.items()}
    return defaultdict(tuple, {pair: tuple(spelt[name] for name in names) for pair, names in found.items()})


def _alone(two: tuple[Run, Run] | None, right: dict[str, bool], is_there: dict[str, bool]) -> tuple[int, int]:
    """Whether the first, and whether the second of two runs alone is right, where both say something."""
    if two is None:
        return 0, 0
    one, other = predicted(two[0]), predicted(two[1])
    if not (is_there.get(one) and is_there.get(other)):
        return 0, 0
    return int(right[one] and not right[other]), int(right[other] and not right[one])


@dataclass
class _Counts:
    pairs: Counter[str | None] = field(default_factory=Counter)
    right: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    of: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    alone: Counter[tuple[str | None, int]] = field(default_factory=Counter)

    def add(
        self,
        key: str | None,
        right: dict[str, bool],
        is_there: dict[str, bool],
        single: tuple[int, int],
        alone: tuple[int, int],
    ) -> None:
        self.pairs[key] += 1
        for name, is_right in right.items():
            self.right[key, name] += is_right
            self.of[key, name] += is_there[name]
        self.right[key, SINGLE] += single[0]
        self.of[key, SINGLE] += single[1]
        for place, is_alone in enumerate(alone):
            self.alone[key, place] += is_alone

    def line(self, key: str | None, names: Sequence[str]) -> Line:
        scores = {name: Score(self.right[key, name], self.of[key, name]) for name in names}
        return Line(key, self.pairs[key], scores, self.alone[key, 0], self.alone[key, 1])


def _order(by: str) -> Callable[[str], Any]:
    """Directions as they are listed everywhere, numbers by size, words by the alphabet."""
    if by == DIRECTION:
        places = ["upward", "downward", "non-monotone", ""]
        return lambda value: places.index(value) if value in places else len(places)
    return lambda value: (0, int(value), "") if value.isdigit() else (1, 0, value.casefold())
