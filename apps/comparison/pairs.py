"""People, calculus and models side by side, in SQL.

Every comparison is two-way: contradiction counts as non-entailment (MED, section 3.2), and so does
MNLI's *neutral*. ``unnatural`` is an answer that matches no label. Whose judgements are compared, and which
of them stand, is said in :mod:`apps.comparison.judges`.

Words used below: the *human* answer of a pair is the one that more than half of its judgements gave;
``tie`` says that two answers share the lead, ``no-majority`` that the leading one has no majority.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    F,
    FilteredRelation,
    IntegerField,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from apps.comparison.judges import Judges
from apps.datasets.labels import (
    ADJUDICATION,
    ENTAILMENT,
    FILE,
    NO_LABEL,
    NO_MAJORITY,
    NON_ENTAILMENT,
    NOT_ENTAILED,
    NOT_JUDGED,
    TIE,
    UNNATURAL,
)
from apps.datasets.models import Pair
from apps.inference.models import Run

# Pairs with the columns that :func:`compared` adds; a type checker knows no columns made in a query.
ComparedPairs = QuerySet[Any]

HUMAN_ANSWERS = (ENTAILMENT, NON_ENTAILMENT, UNNATURAL, TIE, NO_MAJORITY, NOT_JUDGED)
COMPARED_LABELS = (ENTAILMENT, NON_ENTAILMENT, NO_LABEL)


def two_way(field: str) -> Case:
    """A label column read as entailment or non-entailment; ``none`` where there is no label."""
    return Case(
        When(**{field: ENTAILMENT}, then=Value(ENTAILMENT)),
        When(**{f"{field}__in": NOT_ENTAILED}, then=Value(NON_ENTAILMENT)),
        default=Value(NO_LABEL),
        output_field=CharField(),
    )


def predicted(run: Run) -> str:
    """The name of a run's column in :func:`compared`."""
    return f"run_{run.pk}"


def placed(pairs: QuerySet[Pair]) -> ComparedPairs:
    """``pairs``, each with its current calculus label as ``current``: a row a pair, in order.

    Adds ``place`` (the direction: corrected by hand, else the pair's own, else the calculus'), ``sure`` and
    ``assumed`` (confidence and assumption of the calculus label; None without one).
    """
    relations = {
        "corrected": FilteredRelation("corrections", condition=Q(corrections__undone_at=None)),
        "current": FilteredRelation("calculus_labels", condition=Q(calculus_labels__is_current=True)),
    }
    place = Case(
        When(~Q(corrected__direction=""), corrected__isnull=False, then=F("corrected__direction")),
        When(direction="", then=Coalesce(F("current__direction"), Value(""))),
        default=F("direction"),
        output_field=CharField(),
    )
    found = pairs.annotate(**relations).annotate(place=place)
    return found.annotate(sure=F("current__confidence"), assumed=F("current__assumed")).order_by("pk")


def labelled(pairs: QuerySet[Pair], runs: Iterable[Run] = ()) -> ComparedPairs:
    """:func:`placed` with what calculus, file and ``runs`` say of each pair of one dataset; no sums.

    Adds ``calculus``, ``file_label`` and ``run_<pk>`` (two-way labels or ``none``), ``adjudicated``
    (likewise, or ``unnatural``).
    """
    relations = {
        "of_file": FilteredRelation("gold_labels", condition=Q(gold_labels__source=FILE)),
        "by_hand": FilteredRelation("gold_labels", condition=Q(gold_labels__source=ADJUDICATION)),
    }
    labels = {
        "calculus": two_way("current__label"),
        "file_label": two_way("of_file__label"),
        "adjudicated": Case(
            When(by_hand__label=UNNATURAL, then=Value(UNNATURAL)), default=two_way("by_hand__label")
        ),
    }
    for run in runs:
        relations[f"of_{predicted(run)}"] = FilteredRelation(
            "predictions", condition=Q(predictions__run=run.pk)
        )
        labels[predicted(run)] = two_way(f"of_{predicted(run)}__label")
    found: ComparedPairs = placed(pairs).annotate(**relations).annotate(**labels)
    return found


def compared(pairs: QuerySet[Pair], judges: Judges, runs: Iterable[Run] = ()) -> ComparedPairs:
    """:func:`labelled` with what people (``judges``) say of each. One query, no row repeated; over a whole
    dataset it is slow, and :mod:`apps.comparison.tallied` is there for that.

    Adds the counts ``entailments``, ``non_entailments``, ``unnatural``, ``judgements``, ``matches``
    (judgements that match the calculus label; None without one) and ``human`` (one of ``HUMAN_ANSWERS``).
    """
    found: ComparedPairs = (
        labelled(pairs.annotate(heard=judges.heard(pairs)), runs)
        .annotate(
            entailments=_count(ENTAILMENT),
            non_entailments=_count(*NOT_ENTAILED),
            unnatural=_count(UNNATURAL),
        )
        .annotate(judgements=F("entailments") + F("non_entailments") + F("unnatural"))
        .annotate(matches=_matches(), human=_human())
    )
    return found


def _count(*answers: str) -> Count:
    return _CountOnce("heard", filter=Q(heard__answer__in=answers))


class _CountOnce(Count):
    """A count that stands in many places of a statement and is made once.

    Databases see that two aggregates are one where their texts are the same; on SQLite no two parameters are,
    so words and numbers are written out there.
    """

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Any]:
        sql, params = self.as_sql(compiler, connection, **extra)
        if not all(isinstance(param, str | int) for param in params):
            return sql, params
        written = sql % tuple(
            "'" + param.replace("'", "''") + "'" if isinstance(param, str) else str(int(param))
            for param in params
        )
        return written.replace("%", "%%"), ()


def _matches() -> Case:
    return Case(
        When(calculus=ENTAILMENT, then=F("entailments")),
        When(calculus=NON_ENTAILMENT, then=F("non_entailments")),
        default=None,
        output_field=IntegerField(),
    )


def _human() -> Case:
    """More than half: an answer that outnumbers all the others together."""
    e, n, u = "entailments", "non_entailments", "unnatural"
    tied = (
        Q(**{e: F(n), f"{e}__gte": F(u)})
        | Q(**{e: F(u), f"{e}__gte": F(n)})
        | Q(**{n: F(u), f"{n}__gte": F(e)})
    )
    return Case(
        When(judgements=0, then=Value(NOT_JUDGED)),
        When(**{f"{e}__gt": F(n) + F(u)}, then=Value(ENTAILMENT)),
        When(**{f"{n}__gt": F(e) + F(u)}, then=Value(NON_ENTAILMENT)),
        When(**{f"{u}__gt": F(e) + F(n)}, then=Value(UNNATURAL)),
        When(tied, then=Value(TIE)),
        default=Value(NO_MAJORITY),
        output_field=CharField(),
    )
