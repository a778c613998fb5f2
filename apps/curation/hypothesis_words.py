"""The pairs whose hypothesis has a word, as :func:`natlog.tokens.words_of` cuts words.

No database cuts them so: *n't* stands apart there, and an apostrophe may be written in many ways. But in a
text of ASCII without an apostrophe a word is a run of letters, digits and ``_``, which databases know. So
they decide on those, and only the others are read one by one.
"""

from __future__ import annotations

from typing import Any

from django.db.models import BooleanField, F, Func, Q, QuerySet, Value

from apps.datasets.models import Pair
from apps.frame.among import Among
from natlog.tokens import words_of


class _Condition(Func):
    """A condition on a text, and on a word where there is one."""

    output_field = BooleanField()
    sqlite = postgresql = ""

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self._on(self.sqlite, compiler)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self._on(self.postgresql, compiler)

    def _on(self, template: str, compiler: Any) -> tuple[str, list[Any]]:
        text, *rest = (compiler.compile(one) for one in self.source_expressions)
        said = [value for _sql, params in rest for value in params] * template.count("%s")
        return template.replace("[text]", text[0]), [*text[1], *said]


class _IsAscii(_Condition):
    postgresql = "(octet_length([text]) = char_length([text]))"
    sqlite = "(length(CAST([text] AS BLOB)) = length([text]))"


class _IsPlain(_Condition):
    """Of ASCII without an apostrophe, or what is read as one."""

    postgresql = f"({_IsAscii.postgresql} AND [text] !~ '[''`]')"
    sqlite = f"({_IsAscii.sqlite} AND instr([text], '''') = 0 AND instr([text], '`') = 0)"


class _HasLetters(_Condition):
    postgresql = '(strpos(lower([text] COLLATE "C"), %s) > 0)'
    sqlite = "(instr(lower([text]), %s) > 0)"


class _HasRun(_Condition):
    """The word as a whole run of letters, digits and ``_``."""

    postgresql = "(([text] COLLATE \"C\") ~* ('\\m' || %s || '\\M'))"
    sqlite = (
        f"({_HasLetters.sqlite} AND"
        " (' ' || lower([text]) || ' ') GLOB ('*[^a-z0-9_]' || %s || '[^a-z0-9_]*'))"
    )


def having_word(pairs: QuerySet[Pair], word: str) -> QuerySet[Pair]:
    """Those of ``pairs`` whose hypothesis has the word (one of ``words_of``). One query, for those that the
    database does not decide on."""
    text, wanted = F("hypothesis"), Value(word)
    if not word.isascii() or "'" in word:
        return pairs.filter(Among("pk", _read(pairs.exclude(_IsPlain(text)), word)))
    letters = _HasLetters(text, wanted)
    others = pairs.exclude(_IsPlain(text)).filter(Q(letters) | ~Q(_IsAscii(text)))
    decided = Q(_HasRun(text, wanted)) & Q(_IsPlain(text))
    return pairs.filter(decided | Q(Among("pk", _read(others, word))))


def _read(pairs: QuerySet[Pair], word: str) -> list[int]:
    rows = pairs.order_by().values_list("pk", "hypothesis").iterator(chunk_size=5000)
    return [pk for pk, hypothesis in rows if word in words_of(hypothesis)]
