"""People, calculus and models against one reference, by what tells pairs apart: MED's Tables 6 and 7
(direction), 8 (genre), 9 (tags), 3 (how many answers match), the transitivity paper's Tables 10 and 14 (cell
and verb), depth and kind of replacement (systematicity), or whatever else a file or a testbed says of pairs.

The database counts; what is read has a row for each value and whatever is said of its pairs alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, CharField, Count, Exists, F, OuterRef, QuerySet, Value, When
from django.utils.translation import gettext_lazy as _

from apps.comparison.judges import Judges
from apps.comparison.pairs import ComparedPairs, labelled, predicted
from apps.comparison.scores import HUMAN, LABELS, SINGLE, Score, Scores
from apps.comparison.tallied import Answers, tallied
from apps.dashboard.selectors import comparable
from apps.datasets.facts import fact_text
from apps.datasets.models import Dataset, Tag
from apps.datasets.tags import FLAGS
from apps.inference.models import Run
from apps.testbeds.selectors import factors as facts_of
from measures.predictions import mcnemar
from measures.undefined import Undefined

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
CALCULUS, OF_FILE = "calculus", "file"
_COLUMNS = {"file": "file_label"}
_LEXICAL = "lexical_knowledge"
IS_LEXICAL, IS_NOT_LEXICAL = "lexical", "non-lexical"


@dataclass(frozen=True)
class Line:
    """The pairs of one value (None: all): how each judge does on them, and of how many that ``both`` of two
    runs label the one and the other alone are right."""

    value: str | None
    pairs: int
    scores: dict[str, Score]
    only_one: int = 0
    only_two: int = 0
    both: int = 0

    @property
    def difference(self) -> float | None:
        """The share of the second less that of the first, on the pairs that both label: those that ``p`` is
        of."""
        return (self.only_two - self.only_one) / self.both if self.both else None

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
    return ways_with(list(facts_of(dataset)))


def ways_with(facts: Iterable[str]) -> dict[str, Any]:
    """The same where these facts are known of its pairs."""
    return {**BY, **{f"{FACT}{name}": name for name in facts}}


def breakdown(
    dataset: Dataset,
    by: str,
    reference: str,
    judges: Judges,
    runs: Sequence[Run],
    two: tuple[Run, Run] | None = None,
) -> Breakdown:
    """``by`` is one of :func:`ways`, ``reference`` a reference of hard pairs; ``two`` are some of ``runs``,
    held against each other. Two-way, of the pairs that have the reference's label. One query, three
    by tag."""
    asked = [HUMAN, SINGLE, CALCULUS, OF_FILE, *(predicted(run) for run in runs)]
    names = [name for name in asked if name != reference and (name != SINGLE or reference != HUMAN)]
    counted = _Counts(names, reference, two)
    pairs, values = _valued(dataset, by, runs)
    columns = [name for name in (reference, *names) if name not in (HUMAN, SINGLE)]
    stored = [_COLUMNS.get(name, name) for name in columns]
    told = [] if by in (TAG, MATCHES) else ["value"]
    for row, answers, number in tallied(pairs, judges, [*stored, *told]):
        said = {HUMAN: answers.human, **dict(zip(columns, row, strict=False))}
        under = [_text(row[-1])] if told else []
        if by == MATCHES:
            matches = answers.matches(said[CALCULUS])
            if matches is None or not answers.judgements:
                continue
            under = [str(matches)]
        counted.add((*under, None), said, answers, number)
    if values is not None:
        for (*labels, value), answers, number in tallied(pairs, judges, stored, values):
            said = {HUMAN: answers.human, **dict(zip(columns, labels, strict=True))}
            counted.add((value,), said, answers, number)
    names = [name for name in names if counted.scores.of[None, name]]
    keys = sorted((key for key in counted.scores.pairs if key is not None), key=_order(by))
    return Breakdown(by, reference, names, [counted.line(key, names) for key in (*keys, None)])


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _valued(
    dataset: Dataset, by: str, runs: Sequence[Run]
) -> tuple[ComparedPairs, QuerySet[Any, Any] | None]:
    """The pairs, with a column ``value`` that they are counted under; by tag, their values apart. No query,
    one for tags."""
    pairs = labelled(comparable(dataset), runs)
    if by == DIRECTION:
        return pairs.annotate(value=F("place")), None
    if by == GENRE:
        return pairs.annotate(value=F("genre")), None
    if by == MATCHES:
        return pairs, None
    if by.startswith(FACT):
        name = by.removeprefix(FACT)
        return pairs.filter(facts__has_key=name).annotate(value=fact_text(name)), None
    tags = Tag.objects.filter(pair__dataset=dataset).exclude(name__in=FLAGS).order_by()
    spelt = _spelt(tags)
    if by == LEXICAL:
        has = Exists(tags.filter(pair=OuterRef("pk"), name__in=[name for name in spelt if is_lexical(name)]))
        value = Case(When(has, then=Value(IS_LEXICAL)), default=Value(IS_NOT_LEXICAL))
        return pairs.annotate(value=value), None
    told = Case(
        *(When(name=one, then=Value(other)) for one, other in spelt.items() if one != other),
        default=F("name"),
        output_field=CharField(),
    )
    return pairs, tags.annotate(value=told).values_list("pair", "value").distinct()


def is_lexical(name: str) -> bool:
    """Whether a tag of this name says that the pair needs lexical knowledge (MED, section 3.3)."""
    return name.casefold() == _LEXICAL


def _spelt(tags: QuerySet[Tag]) -> dict[str, str]:
    """Each name of a tag as it is told: those that differ in case alone are one, spelt as it mostly is. One
    query."""
    counted = dict(tags.values_list("name").annotate(n=Count("pk")))
    spellings: dict[str, list[str]] = defaultdict(list)
    for name in sorted(counted, key=lambda name: (-counted[name], name)):
        spellings[name.casefold()].append(name)
    return {name: spellings[name.casefold()][0] for name in counted}


@dataclass
class _Counts:
    """What judges of these ``names`` come to against the ``reference``; of ``two`` runs, by value, how many
    pairs ``both`` label, and on how many the first and the second ``alone`` is right."""

    names: Sequence[str]
    reference: str
    two: tuple[Run, Run] | None
    scores: Scores = field(default_factory=Scores)
    alone: Counter[tuple[str | None, int]] = field(default_factory=Counter)
    both: Counter[str | None] = field(default_factory=Counter)

    def add(self, values: Sequence[str | None], said: dict[str, str], answers: Answers, number: int) -> None:
        label = said[self.reference]
        if label not in LABELS:
            return
        self.scores.add(
            values, label, {name: said[name] for name in self.names if name in said}, answers, number
        )
        if self.two is None:
            return
        one, other = (said[predicted(run)] for run in self.two)
        if one not in LABELS or other not in LABELS:
            return
        for value in values:
            self.both[value] += number
            if one != other:
                self.alone[value, 0 if one == label else 1] += number

    def line(self, value: str | None, names: Sequence[str]) -> Line:
        scores = {name: self.scores.score(value, name) for name in names}
        alone = (self.alone[value, 0], self.alone[value, 1])
        return Line(value, self.scores.pairs[value], scores, *alone, self.both[value])


def _order(by: str) -> Callable[[str], Any]:
    """Directions as they are listed everywhere, numbers by size, words by the alphabet."""
    if by == DIRECTION:
        places = ["upward", "downward", "non-monotone", ""]
        return lambda value: places.index(value) if value in places else len(places)
    return lambda value: (0, int(value), "") if value.isdigit() else (1, 0, value.casefold())
