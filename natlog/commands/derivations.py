"""CCG derivations in: the trees of a file or of standard input, and what couldn't be read of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from natlog.commands.lines import InputError, read_lines

if TYPE_CHECKING:
    from natlog.parsing.ccg import DerivationError
    from natlog.tree import Tree


def read_derivations(name: str, format: str | None = None) -> tuple[list[Tree], list[DerivationError]]:
    """The trees of a derivation file (``-``: standard input), and an error for each sentence left out.

    Raises :class:`natlog.commands.lines.InputError` where the file as a whole can't be read.
    """
    from natlog.parsing.ccg import DerivationError, read_text

    failed: list[DerivationError] = []
    source = "standard input" if name == "-" else name
    try:
        trees = read_text("\n".join(read_lines(name)), format, source=source, on_error=failed.append)
    except DerivationError as error:
        raise InputError(str(error)) from None
    return trees, failed
