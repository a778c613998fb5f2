"""The spellings of labels, answers and genres in published files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from django.utils.translation import gettext as _

from apps.datasets.labels import BY_VALUE, NON_ENTAILMENT, SPELLINGS
from apps.datasets.models import Direction
from apps.datasets.services import GENRE_OF
from apps.imports.rows import MOST_ANSWERS, Answer, CellError, LabelError

# MNLI and SNLI write "-" where annotators had no majority; the others are what programs write for nothing.
NO_LABEL = frozenset({"", "-", "nan", "none", "null", "n/a", "na", "<na>"})
# What a label of a file can be said to stand for; "none" for no label.
NONE = "none"
STANDS_FOR = (*BY_VALUE, NONE)
# In a file of two labels "no" is no entailment, in one of three a contradiction: nobody can know.
_ASKED = "no"
_WHOLE = re.compile(r"[-\u2212]?[0-9]+\.0+|\u2212[0-9]+")
# Where MED's pairs come from: written by workers, or taken from a publication (section 3.2).
MED_SOURCES = ("crowd", "paper")
# The tags that MED adds in section 3.3; its pairs from GLUE carry GLUE's names beside them.
MED_TAGS = frozenset({"lexical_knowledge", "conjunction", "disjunction", "conditionals", "npi", "reverse"})
_NO_LETTER = re.compile(r"[^a-z]")
_PLAIN = {_NO_LETTER.sub("", value): value for value in BY_VALUE} | {"notentailment": NON_ENTAILMENT}
_DIRECTIONS = {spelling: direction.value for direction, spelling in GENRE_OF.items()}


def spelled(written: Any) -> str:
    """A label as people would write it: whole numbers without a fraction, "" for what is no value.

    >>> spelled(0.0), spelled("-1.0"), spelled(float("nan")), spelled(True), spelled(" E ")
    ('0', '-1', '', 'true', 'E')
    """
    if written is None or written != written:
        return ""
    if isinstance(written, bool):
        return str(written).lower()
    text = str(written).strip()
    return text.partition(".")[0].replace("\u2212", "-") if _WHOLE.fullmatch(text) else text


def label_of(written: Any, column: str, values: Mapping[str, str] | None = None) -> str:
    """A label as Polarlab spells it, "" for none; ``values`` says what a file's own words stand for.

    >>> label_of("Not_Entailment", "label"), label_of("-", "label"), label_of("1", "label", {"1": "neutral"})
    ('non-entailment', '', 'neutral')
    """
    text = spelled(written)
    if values and text in values:
        return values[text]
    folded = text.lower()
    if folded in NO_LABEL:
        return ""
    label = SPELLINGS.get(folded)
    if label is None or folded == _ASKED:
        raise LabelError(column, _said(text), text)
    return label


def _said(found: str) -> str:
    if found.lower() == _ASKED:
        return _("“%(found)s” can be a contradiction or no entailment: say which") % {"found": found}
    message = _("the label “%(found)s” is none of entailment, neutral, non-entailment, contradiction")
    message %= {"found": found[:60]}
    if near := suggested(found):
        message += ". " + _("Is it “%(label)s”? Say what it stands for") % {"label": near}
    return message


def suggested(found: str) -> str:
    """The label that a spelling is near to, "" where none is.

    >>> [suggested(word) for word in ("contradictory", "entails", "nonentailment", "-1", "blue")]
    ['contradiction', 'entailment', 'non-entailment', 'none', '']
    """
    if found == "-1":  # where libraries number labels, this is "no label"
        return NONE
    plain = _NO_LETTER.sub("", found.lower())
    near = get_close_matches(plain, _PLAIN, n=1, cutoff=0.62)
    return _PLAIN[near[0]] if near else ""


def answers_of(
    written: Iterable[Any], column: str, values: Mapping[str, str] | None = None
) -> tuple[Answer, ...]:
    """The single answers of a pair's annotators, in the file's order; empty ones are nobody's."""
    answers = tuple(Answer(label) for item in written if (label := label_of(item, column, values)))
    if len(answers) > MOST_ANSWERS:
        raise CellError(column, _("more than %(n)d answers") % {"n": MOST_ANSWERS})
    return answers


def list_of(written: str, column: str) -> list[Any]:
    """A list that was written as Python or JSON writes it, such as ``[5, 4, 5]`` or ``['neutral']``."""
    try:
        found = ast.literal_eval(written.strip()) if len(written) < 10_000 else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise CellError(
            column, _("a list such as [5, 4, 5] is wanted, not “%(found)s”") % {"found": written[:60]}
        )
    return found


def direction_of(written: str, column: str) -> str:
    """A direction as a column of its own has it, in our words or MED's, "" of none; raises CellError for
    anything else."""
    direction = written.lower()
    if direction and direction not in Direction.values:
        direction = read_genre(direction)[0]
        if not direction:
            message = _("“%(found)s” is none of upward, downward, non-monotone") % {"found": written[:60]}
            raise CellError(column, message)
    return direction


def read_genre(genre: str) -> tuple[str, tuple[str, ...], str]:
    """The direction, tags and source in a genre as MED writes it; nothing for any other genre.

    >>> read_genre("paper:GLUE:Quantifiers:downward_monotone:npi")
    ('downward', ('Quantifiers', 'npi'), 'paper:GLUE')
    >>> read_genre("fiction")
    ('', (), '')
    """
    parts = genre.split(":")
    found = {_DIRECTIONS[part] for part in parts if part in _DIRECTIONS}
    if not found:
        return "", (), ""
    rest = list(parts)
    source = [rest.pop(0)] if rest[0] in MED_SOURCES else []
    if source == ["paper"] and rest[0] not in _DIRECTIONS and rest[0] not in MED_TAGS:
        source.append(rest.pop(0))
    tags = tuple(dict.fromkeys(part for part in rest if part and part not in _DIRECTIONS))
    return (found.pop() if len(found) == 1 else ""), tags, ":".join(source)
