"""Derivations of combinatory categorial grammar, from any CCG parser, as trees.

Three formats are read: C&C XML, Jigg XML and AUTO. :func:`read_file` tells them apart by their content.
The trees speak CCG (``Token.category``, ``Node.label``), and have the governors and relations that the
categories say (:mod:`natlog.parsing.ccg.dependencies`), so that whatever reads trees reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from natlog.parsing.ccg import auto, candc, jigg
from natlog.parsing.ccg.derivation import Derivation, build_tree
from natlog.parsing.ccg.elements import MAX_CHARACTERS, read_elements
from natlog.parsing.ccg.errors import DerivationError
from natlog.tree import Tree

__all__ = ["FORMATS", "DerivationError", "detect_format", "read_each", "read_file", "read_text"]

FORMATS = ("candc", "jigg", "auto")

OnError = Callable[[DerivationError], None]


def read_file(path: str | Path, format: str | None = None, *, on_error: OnError | None = None) -> list[Tree]:
    """The trees of a derivation file (UTF-8), one for each sentence, in order.

    ``format`` is one of :data:`FORMATS`; without it the content decides. With ``on_error``, a sentence that
    can't be read is reported to it and left out.

    Raises OSError, and DerivationError (file, line, element) without ``on_error`` or where the file as a
    whole can't be read.
    """
    path = Path(path)
    if path.stat().st_size > 4 * MAX_CHARACTERS:
        raise DerivationError(str(path), 0, "file", f"more than {4 * MAX_CHARACTERS} bytes")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DerivationError(str(path), 0, f"byte {error.start}", "not UTF-8") from None
    return read_text(text, format, source=str(path), on_error=on_error)


def read_text(
    text: str, format: str | None = None, *, source: str = "input", on_error: OnError | None = None
) -> list[Tree]:
    r"""The trees of a text in one of the three formats; ``source`` is its name in errors.

    >>> line = r"(<T S[dcl] 1 2> (<L NP NNP NNP Ann NP>) (<L S[dcl]\NP VBZ VBZ sleeps S[dcl]\NP>) )"
    >>> [tree.text for tree in read_text(line)]
    ['Ann sleeps']

    Raises as :func:`read_file`.
    """
    chosen = format or detect_format(text, source)
    if chosen not in FORMATS:
        raise ValueError(f"unknown derivation format {chosen!r}: expected one of {', '.join(FORMATS)}")
    trees = []
    for found in read_each(text, chosen, source=source):
        if isinstance(found, Tree):
            trees.append(found)
        elif on_error is None:
            raise found
        else:
            on_error(found)
    if not trees and on_error is None:
        raise DerivationError(source, 0, "file", f"no derivation in {chosen} format")
    return trees


def read_each(text: str, format: str, *, source: str = "input") -> Iterator[Tree | DerivationError]:
    """For each sentence of a text in order its tree, or why it can't be read.

    Raises DerivationError where the text as a whole can't be read.
    """
    for read in _sentences(text, format, source):
        try:
            yield build_tree(read(), parser=format, source=source)
        except DerivationError as error:
            yield error


def detect_format(text: str, source: str = "input") -> str:
    """The format that a text is in. Raises DerivationError where it is none of the three."""
    start = text.lstrip()
    if start.startswith("<"):
        if "<candc" in text or "<lf " in text:
            return "candc"
        if "<sentence" in text:
            return "jigg"
        raise DerivationError(source, 1, "XML", "neither C&C (<candc>) nor Jigg (<sentence>)")
    if start.startswith(("(<", "ID")):
        return "auto"
    raise DerivationError(source, 1, repr(start[:30]), "not a derivation in C&C XML, Jigg XML or AUTO")


def _sentences(text: str, format: str, source: str) -> list[Callable[[], Derivation]]:
    """A reader for each sentence's derivation."""
    if format == "auto":
        return [lambda b=block: auto.read_derivation(b, source) for block in auto.derivation_blocks(text)]  # type: ignore[misc]
    module = candc if format == "candc" else jigg
    root = read_elements(text, source)
    elements = module.derivation_elements(root)
    return [lambda e=element: module.read_derivation(e, source) for element in elements]  # type: ignore[misc]
