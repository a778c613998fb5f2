"""Repairs that need no second parse: an arc or a reading changed where grammar leaves no doubt.

Each is a :class:`natlog.parsing.repairs.rule.Repair`; :data:`REPAIRS` is the order in which they run, and a
new one is one class and one line here.
"""

from __future__ import annotations

from typing import Any

from natlog.parsing.draft import Draft
from natlog.parsing.repairs.attachment import Exceptive, Negation, PrepositionObject, RelativeClause
from natlog.parsing.repairs.clauses import Consequence, Preposed, Subordinator
from natlog.parsing.repairs.coordination import FarConjunct, ListedObject, NearConjunct
from natlog.parsing.repairs.linking import BareClause, LinkedClause, LinkedNoun
from natlog.parsing.repairs.rule import Repair
from natlog.parsing.repairs.subjects import FreeRelativeObject, SecondSubject, SubjectPhrase
from natlog.parsing.repairs.words import Past, Plural

REPAIRS: tuple[Repair[Any], ...] = (
    Plural(),
    SecondSubject(),
    SubjectPhrase(),
    Subordinator(),
    BareClause(),
    LinkedClause(),
    LinkedNoun(),
    Negation(),
    Exceptive(),
    RelativeClause(),
    Past(),
    Consequence(),
    FreeRelativeObject(),
    NearConjunct(),
    FarConjunct(),
    PrepositionObject(),
    ListedObject(),
    Preposed(),
)


def mend(draft: Draft) -> Draft:
    """Mend a parse in place by every repair, and say in ``draft.repairs`` what was done."""
    for repair in REPAIRS:
        repair.mend(draft)
    return draft
