"""Text in: the lines of a file or of standard input, with errors that name the place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path


class InputError(ValueError):
    """A file cannot be read; the message names it, and the line."""


def read_lines(name: str) -> Iterator[str]:
    """The lines of a UTF-8 file (``-``: standard input) without their ends, as they come.

    Raises :class:`InputError`: no such file, or bytes that are no UTF-8.
    """
    shown = "standard input" if name == "-" else name
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as source:
            for number, line in enumerate(source, 1):
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    raise InputError(f"{shown}, line {number}: not UTF-8 ({error.reason})") from error
                yield text.rstrip("\r\n")
    except OSError as error:
        raise InputError(f"{shown}: {error.strerror}") from error
