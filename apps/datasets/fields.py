"""A text of words with a space around each, and the lookup ``holds`` on it.

PostgreSQL answers from a GIN index over the very same words (``array_to_tsvector`` takes them as they
are: no dictionary, no parser of its own); elsewhere the text is looked through. Both find the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

from apps.datasets.words import Wanted

# The index is on this expression, so the condition has to be spelled like it.
WORDS_SQL = "array_to_tsvector(string_to_array(btrim({column}, ' '), ' '))"


if TYPE_CHECKING:
    _Text = models.TextField[str, str]
    _Lookup = models.Lookup[Any]
else:
    _Text, _Lookup = models.TextField, models.Lookup


class WordsField(_Text):
    """See above; filled by :func:`apps.datasets.words.spaced`."""


@WordsField.register_lookup
class Holds(_Lookup):
    """``words__holds=Wanted(...)``: all of the words, beginnings and phrases."""

    lookup_name = "holds"
    prepare_rhs = False
    rhs: Wanted

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        patterns = [f"% {word} %" for word in (*self.rhs.words, *self.rhs.phrases)]
        return self._like(compiler, connection, [*patterns, *(f"% {word}%" for word in self.rhs.beginnings)])

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        column, params = self.process_lhs(compiler, connection)
        parts = [f"'{word}'" for word in self.rhs.words]
        parts += [f"'{word}':*" for word in self.rhs.beginnings]
        sql = f"{WORDS_SQL.format(column=column)} @@ %s::tsquery"
        found, values = self._like(compiler, connection, [f"% {phrase} %" for phrase in self.rhs.phrases])
        sql = f"({sql} AND {found})" if found else sql
        return sql, [*params, " & ".join(parts), *values]

    def _like(self, compiler: Any, connection: Any, patterns: list[str]) -> tuple[str, Any]:
        """All patterns. Words hold neither % nor _."""
        column, params = self.process_lhs(compiler, connection)
        values = [value for pattern in patterns for value in (*params, pattern)]
        return " AND ".join(f"{column} LIKE %s" for _pattern in patterns), values
