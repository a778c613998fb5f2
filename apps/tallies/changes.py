"""How often the rows of a study changed: what tells whether a number that was counted still stands.

A room names its tables (:func:`watch`) in its ``AppConfig.ready``; triggers then count every row that is
written or deleted, by whichever way: a service, a bulk import, a migration's data, a hand at the prompt. They
are laid down after each ``migrate``, and lifted before one that changes tables.

A sum is exact: it moves in the transaction that changes the rows. It grows with each change and never goes
back, so that it also bounds the number of rows from above.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Model, Sum

from apps.studies.models import Study
from apps.tallies.models import Change

_watched: dict[str, type[Model]] = {}
_moving: dict[str, type[Model]] = {}
_FOLDED_AT_ONCE = 20_000


def watch(*models: type[Model]) -> None:
    """Count the changes of these tables; each has a ``STUDY_PATH`` along foreign keys."""
    for model in models:
        _watched[model._meta.label_lower] = model


def watch_moves(*models: type[Model]) -> None:
    """Where a row of these goes to another study with all that hangs on it, everything that was counted of
    the study that it leaves counts there too: a file's rows wait in a hidden study of their own."""
    for model in models:
        _moving[model._meta.label_lower] = model


@dataclass(frozen=True)
class Stamp:
    """``text`` differs whenever a row changed; there are ``rows`` rows at most."""

    text: str
    rows: int


def topics_of(models: Iterable[type[Model]]) -> list[str]:
    """The names of these tables, in order; LookupError for one that nobody watches."""
    topics = sorted({model._meta.label_lower for model in models})
    if unknown := [topic for topic in topics if topic not in _watched]:
        raise LookupError(f"nobody watches {', '.join(unknown)}")
    return topics


def stamped(topics: Sequence[str], sums: Mapping[str, int]) -> Stamp:
    """The stamp of these sums of changes."""
    text = " ".join(f"{topic}:{sums.get(topic, 0)}" for topic in topics)
    return Stamp(text, sum(sums.values()))


def stamp(study: Study, models: Iterable[type[Model]]) -> Stamp:
    """How the rows of these tables stand in a study. One query, of an index."""
    topics = topics_of(models)
    found = Change.objects.filter(study=study, topic__in=topics).values_list("topic").annotate(Sum("number"))
    return stamped(topics, dict(found))


def changes_fold() -> int:
    """Make one row of those of a study and a table, none of those of a study that is gone; how many there
    were. Sums stay as they are."""
    with transaction.atomic():
        rows = Change.objects.select_for_update(skip_locked=True).order_by("pk")
        folded = list(rows.values_list("pk", "study_id", "topic", "number")[:_FOLDED_AT_ONCE])
        sums: dict[tuple[int, str], int] = {}
        for _pk, study, topic, number in folded:
            sums[study, topic] = sums.get((study, topic), 0) + number
        studies = {study for study, _topic in sums}
        there = set(Study.objects.filter(pk__in=studies).values_list("pk", flat=True))
        if len(sums) == len(folded) and studies == there:
            return 0
        Change.objects.filter(pk__in=[pk for pk, *_rest in folded]).delete()
        Change.objects.bulk_create(
            Change(study_id=study, topic=topic, number=number)
            for (study, topic), number in sums.items()
            if study in there
        )
    return len(folded)


# ---- Triggers ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Trigger:
    """``name`` holds a digest of what it does, so that one that is there is the right one."""

    name: str
    table: str
    statements: tuple[str, ...]


def triggers_lay() -> None:
    """Lay down the triggers that are missing, and count the rows that are there already. One query where
    none is missing."""
    there = set(_names_there())
    tables: set[str] = set()
    for topic, model in _watched.items():
        missing = [trigger for trigger in _triggers(topic, model) if trigger.name not in there]
        if not missing:
            continue
        tables = tables or set(connection.introspection.table_names())
        if not {model._meta.db_table, Change._meta.db_table} <= tables:
            continue
        with transaction.atomic(), connection.cursor() as cursor:
            for trigger in missing:
                for statement in trigger.statements:
                    cursor.execute(statement)
            _begin(cursor, topic, model)
    if tables:
        changes_fold()  # on SQLite a study has one row for each table


def triggers_lift() -> None:
    """Take all triggers away: tables are about to change."""
    with connection.cursor() as cursor:
        for name, table in _there():
            place = f' ON "{table}"' if connection.vendor == "postgresql" else ""
            cursor.execute(f'DROP TRIGGER IF EXISTS "{name}"{place}')


def _names_there() -> list[str]:
    return [name for name, _table in _there()]


def _there() -> list[tuple[str, str]]:
    if connection.vendor == "postgresql":
        asked = (
            "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
            "WHERE tgname LIKE 'tallies!_%' ESCAPE '!' AND pg_table_is_visible(tgrelid)"
        )
    else:
        asked = (
            "SELECT name, tbl_name FROM sqlite_master "
            "WHERE type = 'trigger' AND name LIKE 'tallies!_%' ESCAPE '!'"
        )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return [(name, table) for name, table in cursor.fetchall()]


def _begin(cursor: Any, topic: str, model: type[Model]) -> None:
    """Rows from before the triggers: counted once; where some were counted already, at least one more."""
    into, found = _into(), Change.objects.filter(topic=topic)
    study, joins = _study(model, "c")
    if found.exists():
        studies = "SELECT DISTINCT study_id, topic, 1 FROM tallies_change WHERE topic = %s"
        cursor.execute(f"{into} {studies}", [topic])
        return
    table = model._meta.db_table
    cursor.execute(
        f"{into} SELECT {study}, '{topic}', COUNT(*) FROM \"{table}\" c {joins} GROUP BY {study}"  # noqa: S608
    )


def _into() -> str:
    return "INSERT INTO tallies_change (study_id, topic, number)"


def _study(model: type[Model], alias: str) -> tuple[str, str]:
    """The expression of a row's study, and the joins that it needs."""
    path: Sequence[str] = model.STUDY_PATH.split("__")  # type: ignore[attr-defined]
    joins, here = [], model
    for number, step in enumerate(path[:-1]):
        field: Any = here._meta.get_field(step)
        here, before, alias = field.related_model, alias, f"t{number}"
        joins.append(f'JOIN "{here._meta.db_table}" {alias} ON {alias}.id = {before}."{field.column}"')
    last: Any = here._meta.get_field(path[-1])
    return f'{alias}."{last.column}"', " ".join(joins)


def _triggers(topic: str, model: type[Model]) -> Iterator[_Trigger]:
    make = _on_postgresql if connection.vendor == "postgresql" else _on_sqlite
    for event, rows in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        yield make(topic, model, event, rows)
    if topic in _moving:
        yield _on_move(model)


def _named(table: str, event: str, body: str) -> str:
    return f"tallies_{table}_{event.lower()}_{hashlib.sha256(body.encode()).hexdigest()[:8]}"


def _on_postgresql(topic: str, model: type[Model], event: str, rows: str) -> _Trigger:
    """After each statement, a row for each study that it wrote in."""
    table = model._meta.db_table
    study, joins = _study(model, "c")
    body = f"{_into()} SELECT {study}, '{topic}', COUNT(*) FROM changed c {joins} GROUP BY {study}"  # noqa: S608
    name = _named(table, event, body)
    return _Trigger(
        name,
        table,
        (
            f'CREATE OR REPLACE FUNCTION "tallies_{table}"() RETURNS trigger LANGUAGE plpgsql AS '
            f"$$ BEGIN {body}; RETURN NULL; END $$",
            f'CREATE TRIGGER "{name}" AFTER {event} ON "{table}" REFERENCING {rows} TABLE AS changed '
            f'FOR EACH STATEMENT EXECUTE FUNCTION "tallies_{table}"()',
        ),
    )


def _on_sqlite(topic: str, model: type[Model], event: str, rows: str) -> _Trigger:
    """After each row, one more in the one row of its study: SQLite has one writer at a time anyway."""
    table = model._meta.db_table
    study, joins = _study(model, "c")
    where = f"(SELECT {study} FROM (SELECT {_columns(model, rows)}) c {joins})"  # noqa: S608
    body = (
        f"INSERT INTO tallies_change (study_id, topic, number) SELECT s.study, '{topic}', 0 "  # noqa: S608
        f"FROM (SELECT {where} AS study) s WHERE s.study IS NOT NULL AND NOT EXISTS "
        f"(SELECT 1 FROM tallies_change WHERE study_id = s.study AND topic = '{topic}'); "
        f"UPDATE tallies_change SET number = number + 1 WHERE topic = '{topic}' AND study_id = {where}"
    )
    name = _named(table, event, body)
    return _Trigger(name, table, (f'CREATE TRIGGER "{name}" AFTER {event} ON "{table}" BEGIN {body}; END',))


def _columns(model: type[Model], rows: str) -> str:
    """The first step to the study, as a row of its own."""
    path: Sequence[str] = model.STUDY_PATH.split("__")  # type: ignore[attr-defined]
    first: Any = model._meta.get_field(path[0])
    return f'{rows}."{first.column}" AS "{first.column}"'


def _on_move(model: type[Model]) -> _Trigger:
    """After a row came to another study."""
    table = model._meta.db_table
    if connection.vendor == "postgresql":
        body = (
            f"{_into()} SELECT moved.study_id, there.topic, there.number "  # noqa: S608
            "FROM changed moved JOIN before was ON was.id = moved.id AND moved.study_id <> was.study_id "
            "JOIN tallies_change there ON there.study_id = was.study_id"
        )
        name = _named(table, "move", body)
        function = f'"tallies_{table}_move"()'
        return _Trigger(
            name,
            table,
            (
                f"CREATE OR REPLACE FUNCTION {function} RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN {body}; RETURN NULL; END $$",
                f'CREATE TRIGGER "{name}" AFTER UPDATE ON "{table}" REFERENCING OLD TABLE AS before '
                f"NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION {function}",
            ),
        )
    body = (
        f"{_into()} SELECT NEW.study_id, there.topic, SUM(there.number) FROM tallies_change there "  # noqa: S608
        "WHERE there.study_id = OLD.study_id AND OLD.study_id <> NEW.study_id GROUP BY there.topic"
    )
    name = _named(table, "move", body)
    return _Trigger(name, table, (f'CREATE TRIGGER "{name}" AFTER UPDATE ON "{table}" BEGIN {body}; END',))
