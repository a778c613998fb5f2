"""What is wrong with a meaning that is not the gold one: SyGNS's error analysis (Tables 7 and 18) as kinds.

A kind is the first of :data:`KINDS` that holds:

>>> from natlog.logic.meaning_scores import compared
>>> gold = "all x1.((cat(x1) & wild(x1)) -> run(x1))"
>>> for said in ("all x1.(cat(x1) -> run(x1))", "all x1.(cat(x1) -> (wild(x1) & run(x1)))", "all x1.(cat("):
...     print(kind_of_error("fol", compared("fol", said, gold), said, gold))
word left out
other polarity
no meaning
"""

from __future__ import annotations

from collections import Counter

from natlog.logic.clause_files import is_variable
from natlog.logic.meaning_scores import Comparison, Form

#: By the word that stands in scores, what it is.
KINDS = {
    "no meaning": "it can't be read",
    "proved equivalent": "each follows from the other; of formulas, where proofs were asked for",
    "other word": "a word stands there that the gold meaning has not, or has less often",
    "word left out": "a word of the gold meaning is missing, and none is there in its place",
    "other polarity": "the same words, one of them in another direction",
    "other structure": "the same words, otherwise put together",
}


def kind_of_error(form: Form, found: Comparison, given: str, gold: str) -> str:
    """The kind of a wrong meaning's error; "" of one that is right to the letter."""
    if found.exact:
        return ""
    if found.fault:
        return "no meaning"
    if found.equivalent == "yes":
        return "proved equivalent"
    if found.polarity:
        mine, theirs = ([word for word, _direction in side] for side in found.polarity)
    else:
        mine, theirs = _concepts(given), _concepts(gold)
    if Counter(mine) - Counter(theirs):
        return "other word"
    if Counter(theirs) - Counter(mine):
        return "word left out"
    if found.polarity and Counter(found.polarity[0]) != Counter(found.polarity[1]):
        return "other polarity"
    return "other structure"


def _concepts(clauses: str) -> list[str]:
    """The second words of clauses that name a concept or an operator: all that is no box and no referent."""
    rows = (clause.split() for clause in clauses.split("[SEP]"))
    return [row[1] for row in rows if len(row) > 1 and not is_variable(row[1])]
