"""Sentences out of the derivations of a CCG parser: C&C XML, Jigg XML and AUTO, told apart by their content.

The text is the derivation's tokens joined, and the derivation comes in with it, as the sentence's parse: that
is marked, and the sentence is not parsed again. Derivations are read by :mod:`natlog.parsing.ccg`.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import Reading, Row, RowError, text_problem


def read_ccg(text: str) -> Reading:
    """One sentence a derivation; a derivation that can't be read is one error, at its line."""
    from natlog.parsing.ccg import DerivationError, detect_format, read_each

    if not text.strip():
        return Reading((), ())
    rows: list[Row] = []
    errors: list[RowError] = []
    try:
        for number, found in enumerate(read_each(text, detect_format(text)), 1):
            if isinstance(found, DerivationError):
                errors.append(_error(number, found))
            elif problem := text_problem(found.text):
                errors.append(RowError(number, 0, "", problem))
            else:
                rows.append(Row(number, 0, found.text, tree=found))
    except DerivationError as error:
        errors.append(_error(len(rows) + len(errors) + 1, error))
    return Reading(tuple(rows), tuple(errors))


def _error(number: int, error: object) -> RowError:
    line, element, problem = (getattr(error, name) for name in ("line", "element", "problem"))
    return RowError(number, line, element, _("No derivation: %(problem)s") % {"problem": problem})
