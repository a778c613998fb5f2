"""The demo study's sentences, out of ``sentences.toml``, whose header explains the fields."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("sentences.toml")


@dataclass(frozen=True)
class DemoSentence:
    """A premise; with a blank, its writer's reading of its polarity and what an annotator makes of it."""

    text: str
    shows: tuple[str, ...]
    blank: str = ""
    sign: str = ""
    narrower: tuple[str, ...] = ()
    skip: str = ""


@cache
def demo_sentences() -> tuple[DemoSentence, ...]:
    """All of them, in the file's order."""
    rows = tomllib.loads(_FILE.read_text(encoding="utf-8"))["premise"]
    return tuple(
        DemoSentence(
            text=row["text"],
            shows=tuple(row["shows"]),
            blank=row.get("blank", ""),
            sign=row.get("sign", ""),
            narrower=tuple(row.get("narrower", ())),
            skip=row.get("skip", ""),
        )
        for row in rows
    )


def by_text() -> dict[str, DemoSentence]:
    return {sentence.text: sentence for sentence in demo_sentences()}
