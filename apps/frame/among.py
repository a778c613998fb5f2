"""Rows of which a column is one of many numbers, such as all that belongs to a thousand pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.db.models import BooleanField, F, Func

_IN_LIST = "IN (SELECT value FROM json_each(%s))"


class Among(Func):
    """The condition that ``column`` is one of ``numbers``: what ``column__in`` says, in one parameter however
    many they are. Django and the driver would look at each by itself, which takes longer than reading the
    rows. ``column`` may lead along relations, and ends in a number: ``item__pair_id``."""

    output_field = BooleanField()

    def __init__(self, column: str, numbers: Iterable[int], **extra: Any) -> None:
        self.numbers = list(numbers)
        super().__init__(F(column), **extra)

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Any]:
        sql, params = compiler.compile(self.source_expressions[0])
        return f"{sql} {_IN_LIST}", (*params, json.dumps(self.numbers))

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Any]:
        sql, params = compiler.compile(self.source_expressions[0])
        return sql + " = ANY(%s::bigint[])", (*params, self.numbers)
