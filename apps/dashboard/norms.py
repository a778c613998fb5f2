"""Outside norms: reading a file of them, keeping and removing them, and how far they go with accuracies."""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.corpora import stop_lists
from apps.corpora.formats.readings import RowError
from apps.corpora.sources import FileProblem, Source
from apps.dashboard.breakdown import Breakdown
from apps.dashboard.models import Norm
from apps.imports.records.record import Record
from apps.imports.records.tables import table_records
from apps.studies import audit
from apps.studies.models import Study
from measures.ratings import pearson, spearman
from measures.undefined import Undefined

MOST_BYTES = 2 * 2**20
_LONGEST = 200


def folded(word: str) -> str:
    """The form in which words are compared: composed (NFC), no case, single spaces.

    >>> folded(" Find  OUT ")
    'find out'
    """
    return unicodedata.normalize("NFC", stop_lists.folded(unicodedata.normalize("NFC", word)))


def numbers_read(content: bytes, words: str = "", numbers: str = "") -> dict[str, float]:
    """The number of each word in a table (CSV or TSV, UTF-8) whose first line names the columns. ``words``
    and ``numbers`` say which; left open, the first and the second. ValidationError, which names the row, at
    whatever is no number or is there twice."""
    source = Source(io.BufferedReader(io.BytesIO(content)), "")
    try:
        records = table_records(source)
        key = _column(records.columns, words, 0)
        value = _column(records.columns, numbers, 1)
        found: dict[str, float] = {}
        for record in records.rows:
            if isinstance(record, RowError):
                raise ValidationError(str(record))
            word, number = _row(record, key, value)
            if word in found:
                raise ValidationError(_fault(record, key, _("“%(word)s” is there twice") % {"word": word}))
            found[word] = number
    except FileProblem as problem:
        raise ValidationError(str(problem)) from None
    if not found:
        raise ValidationError(_("The file has no rows."))
    return found


def numbers_checked(sent: Mapping[str, float]) -> dict[str, float]:
    """Numbers that came otherwise than in a file, by folded words. ValidationError at a word that is none or
    is there twice, at what is no finite number, and at more of them than a file may hold."""
    if sum(map(len, sent)) > MOST_BYTES:
        raise ValidationError(_("These are more than %(n)d MB of words.") % {"n": MOST_BYTES // 2**20})
    found: dict[str, float] = {}
    for name, number in sent.items():
        word = folded(name)
        if not word or len(word) > _LONGEST:
            raise ValidationError(_("a word of 1 to %(n)d characters") % {"n": _LONGEST})
        if word in found:
            raise ValidationError(_("“%(word)s” is there twice") % {"word": word})
        if not math.isfinite(number):
            raise ValidationError(_("this is no number: “%(text)s”") % {"text": number})
        found[word] = number
    return found


def _column(columns: tuple[str, ...], wanted: str, place: int) -> str:
    """The column of this name, in any case; without a name, the one at this place."""
    keys = [column.lower() for column in columns]
    name = wanted.strip().lower()
    if name and name in keys:
        return name
    if name or place >= len(keys):
        what = {"name": wanted or place + 1, "found": ", ".join(columns)}
        raise ValidationError(_("There is no column %(name)s. The columns found are: %(found)s.") % what)
    return keys[place]


def _row(record: Record, key: str, value: str) -> tuple[str, float]:
    word = folded(record.text(key))
    if not word or len(word) > _LONGEST:
        raise ValidationError(_fault(record, key, _("a word of 1 to %(n)d characters") % {"n": _LONGEST}))
    text = record.text(value)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValidationError(_fault(record, value, _("this is no number: “%(text)s”") % {"text": text[:60]}))
    return word, number


def _fault(record: Record, column: str, message: str) -> str:
    return str(RowError(record.number, record.line, column, message))


@transaction.atomic
def norm_create(*, study: Study, actor: User, name: str, source: str, numbers: Mapping[str, float]) -> Norm:
    """Keep a norm under a name that the study has not yet."""
    norm, made = Norm.objects.get_or_create(
        study=study,
        name=name,
        defaults={"source": source, "numbers": numbers, "size": len(numbers), "created_by": actor},
    )
    if not made:
        raise ValidationError({"name": _("There is a norm of this name.")})
    audit.record("norm.added", study=study, actor=actor, subject=norm, name=name, rows=len(numbers))
    return norm


@transaction.atomic
def norm_remove(*, norm: Norm, actor: User) -> None:
    audit.record("norm.removed", study=norm.study, actor=actor, subject=norm, name=norm.name)
    norm.delete()


def best_fact(facts: Mapping[str, Sequence[str]], numbers: Mapping[str, float]) -> str | None:
    """The fact of whose values the norm knows most; where it knows none, the first; None without facts.

    >>> best_fact({"depth": ["1", "2"], "verb": ["know", "hope"]}, {"know": 1.0})
    'verb'
    """
    known = {name: sum(folded(value) in numbers for value in values) for name, values in facts.items()}
    return max(known, key=lambda name: known[name], default=None)


@dataclass(frozen=True)
class Correlated:
    """How a judge's accuracies by value go with a norm, over the ``n`` values that have both."""

    judge: str
    n: int
    pearson: float | Undefined
    spearman: float | Undefined


def correlations(found: Breakdown, numbers: Mapping[str, float]) -> list[Correlated]:
    """Each value counts once, however many pairs it has; ``numbers`` are by folded words."""
    rows = []
    for judge in found.judges:
        both = [
            (number, share)
            for line in found.lines
            if line.value is not None
            and (number := numbers.get(folded(line.value))) is not None
            and (share := line.scores[judge].share) is not None
        ]
        norm, shares = [number for number, _share in both], [share for _number, share in both]
        rows.append(Correlated(judge, len(both), pearson(norm, shares), spearman(norm, shares)))
    return rows
