"""A whole dataset's pairs, counted by what is said of them alike.

:func:`~apps.comparison.pairs.compared` lays each judgement beside all that is said of its pair, and adds up
what belongs together afterwards: of a page of pairs that is quick, of a million judgements it takes minutes.
Here the database first adds up people's answers, pair by pair, and lays one row beside one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Count, Q, QuerySet

from apps.comparison.judges import Judges
from apps.comparison.pairs import ComparedPairs
from apps.datasets.labels import (
    ENTAILMENT,
    NO_MAJORITY,
    NON_ENTAILMENT,
    NOT_ENTAILED,
    NOT_JUDGED,
    TIE,
    UNNATURAL,
)

_FETCHED = 20_000


@dataclass(frozen=True)
class Answers:
    """How many of a pair's answers say what, two-way; as :func:`~apps.comparison.pairs.compared` has them."""

    entailments: int = 0
    non_entailments: int = 0
    unnatural: int = 0

    @property
    def judgements(self) -> int:
        return self.entailments + self.non_entailments + self.unnatural

    @property
    def human(self) -> str:
        """One of ``HUMAN_ANSWERS``: an answer that outnumbers all others together, or why there is none."""
        e, n, u = self.entailments, self.non_entailments, self.unnatural
        if not e + n + u:
            return NOT_JUDGED
        for count, label in ((e, ENTAILMENT), (n, NON_ENTAILMENT), (u, UNNATURAL)):
            if count > e + n + u - count:
                return label
        _least, second, first = sorted((e, n, u))
        return TIE if first == second else NO_MAJORITY

    def matches(self, calculus: str) -> int | None:
        """How many match this label of the calculus; None where it has none."""
        return {ENTAILMENT: self.entailments, NON_ENTAILMENT: self.non_entailments}.get(calculus)


@lru_cache(maxsize=1024)
def human(answers: tuple[str, ...]) -> str:
    """:attr:`Answers.human` of a pair's answers as they are stored; kept, as many pairs' are the same."""
    return Answers(
        answers.count(ENTAILMENT),
        sum(map(answers.count, NOT_ENTAILED)),
        answers.count(UNNATURAL),
    ).human


#: Some columns' values in order, and what people say.
Said = tuple[tuple[Any, ...], Answers]


def tallied(
    pairs: ComparedPairs, judges: Judges, columns: Sequence[str], values: QuerySet[Any, Any] | None = None
) -> Iterator[tuple[tuple[Any, ...], Answers, int]]:
    """How many of ``pairs`` (:func:`~apps.comparison.pairs.labelled`, filtered or annotated further) are
    alike in these columns and in what people say. One query.

    With ``values``, rows of a pair's number and one of several values (its tags): the value comes as one
    column more, the last, and a pair is counted under each.
    """
    for *said, entailments, non_entailments, unnatural, number in _rows(pairs, judges, columns, values, True):
        yield tuple(said), Answers(entailments, non_entailments, unnatural), number


def each(pairs: ComparedPairs, judges: Judges, columns: Sequence[str]) -> Iterator[Said]:
    """The columns of each pair, and what people say of it, in no order. One query."""
    for *said, entailments, non_entailments, unnatural in _rows(pairs, judges, columns, None, False):
        yield tuple(said), Answers(entailments, non_entailments, unnatural)


def _rows(
    pairs: ComparedPairs,
    judges: Judges,
    columns: Sequence[str],
    values: QuerySet[Any, Any] | None,
    counted: bool,
) -> Iterator[tuple[Any, ...]]:
    heard = (
        judges.answers()
        .values("item__pair")
        .annotate(
            entailments=Count("pk", filter=Q(answer=ENTAILMENT)),
            non_entailments=Count("pk", filter=Q(answer__in=NOT_ENTAILED)),
            unnatural=Count("pk", filter=Q(answer=UNNATURAL)),
        )
        .values_list("item__pair", "entailments", "non_entailments", "unnatural")
    )
    others = [name for name in columns if name != "pk"]
    try:
        of_pairs, of_pairs_params = pairs.order_by().values_list("pk", *others).query.sql_with_params()
        of_people, of_people_params = heard.query.sql_with_params()
        of_values, of_values_params = ("", ()) if values is None else values.query.sql_with_params()
    except EmptyResultSet:
        return
    names = {name: f"p{place}" for place, name in enumerate(["pk", *others])}
    said = [f"p.{names[name]}" for name in columns] + (["v.value"] if values is not None else [])
    answers = [f"COALESCE(h.{name}, 0)" for name in ("e", "n", "u")]
    whole = ", ".join([*said, *answers])
    beside = f"JOIN v ON v.pair = p.{names['pk']}" if values is not None else ""
    # Nothing of it comes from outside: our own columns, and Django's statements with their parameters.
    statement = (
        f"WITH p ({', '.join(names.values())}) AS ({of_pairs}), h (pair, e, n, u) AS ({of_people})"
        + (f", v (pair, value) AS ({of_values})" if values is not None else "")
        + f" SELECT {whole}{', COUNT(*)' if counted else ''} "
        + f"FROM p LEFT JOIN h ON h.pair = p.{names['pk']} "
        + beside
        + (f" GROUP BY {whole}" if counted else "")
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*of_pairs_params, *of_people_params, *of_values_params])
        while rows := cursor.fetchmany(_FETCHED):
            yield from rows
