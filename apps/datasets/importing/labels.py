"""The spellings of labels, answers and genres in published files."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from apps.datasets.importing.rows import MOST_ANSWERS, Answer, CellError
from apps.datasets.services import GENRE_OF
from natlog.pairs import LABELS

# MNLI and SNLI write "-" where annotators had no majority.
NO_LABEL = frozenset({"", "-"})
# Where MED's pairs come from: written by workers, or taken from a publication (section 3.2).
MED_SOURCES = ("crowd", "paper")
# The tags that MED adds in section 3.3; its pairs from GLUE carry GLUE's names beside them.
MED_TAGS = frozenset({"lexical_knowledge", "conjunction", "disjunction", "conditionals", "npi", "reverse"})
_DIRECTIONS = {spelling: direction.value for direction, spelling in GENRE_OF.items()}


def label_of(written: Any, column: str, values: Mapping[str, str] | None = None) -> str:
    """A label as Polarlab spells it, "" for none; ``values`` says what a file's own words stand for.

    >>> label_of("Not_Entailment", "label"), label_of("-", "label"), label_of("1", "label", {"1": "neutral"})
    ('non-entailment', '', 'neutral')
    """
    text = "" if written is None else str(written).strip()
    if values and text in values:
        return values[text]
    if text in NO_LABEL:
        return ""
    label = LABELS.get(text.lower())
    if label is None:
        raise CellError(
            column,
            _("the label “%(found)s” is none of entailment, neutral, non-entailment, contradiction")
            % {"found": text[:60]},
        )
    return label


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
