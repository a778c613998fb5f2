"""SICK (Marelli et al. 2014) and its corrected version: relatedness from 1 to 5 beside the label.

Corrected SICK went through a spreadsheet that took scores for dates: ``4.5`` became ``04. May``, ``3.65``
became ``Mar 65``. Such a score is not guessed back: the pair comes in without it, and the column is reported.
"""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.imports.formats.table import Columns, Values
from apps.imports.labels import label_of
from apps.imports.records.record import Record
from apps.imports.rows import CellError, Damage, PairRow

PARTS = frozenset({"TRAIN", "TRIAL", "TEST"})
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_DATE = re.compile(rf"\d{{1,2}}\. ?(?:{_MONTHS})|(?:{_MONTHS})[ -]\d{{1,4}}|\d{{1,2}}-(?:{_MONTHS})")
_SCORE = "relatedness_score"


def read(record: Record, values: Values) -> PairRow:
    score, damage = _score(record.text(_SCORE))
    facts: dict[str, Any] = {"pair_ID": record.text("pair_id")}
    if score is not None:
        facts[_SCORE] = score
    part = record.text("semeval_set")
    if part and part not in PARTS:
        raise CellError("SemEval_set", _("“%(found)s” is none of TRAIN, TRIAL, TEST") % {"found": part[:60]})
    if part:
        facts["split"] = part.lower()
    return PairRow(
        record.number,
        record.line,
        (record.text("sentence_a"),),
        record.text("sentence_b"),
        label=label_of(record.label("entailment_label"), "entailment_label", values),
        source="SICK",
        facts=facts,
        damage=damage,
    )


def _score(written: str) -> tuple[float | None, tuple[Damage, ...]]:
    if not written:
        return None, ()
    try:
        score = float(written.replace(",", "."))
    except ValueError:
        if not _DATE.fullmatch(written):
            raise CellError(_SCORE, _("“%(found)s” is no number") % {"found": written[:60]}) from None
        return None, (Damage(_SCORE, written, _("a spreadsheet has made a date of the number")),)
    if not 1 <= score <= 5:
        raise CellError(_SCORE, _("%(found)s is not between 1 and 5") % {"found": written[:60]})
    return score, ()


FORMAT = Columns(
    "sick",
    gettext_lazy("SICK"),
    frozenset({"sentence_a", "sentence_b", "entailment_label"}),
    read,
)
