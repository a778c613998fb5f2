"""The pairs that all programs get: a file's, and sentences made to fill up."""

from __future__ import annotations

import csv
from pathlib import Path

QUANTIFIERS = ("No", "Every", "At most five of the", "Few", "Many of the", "All", "Some", "Not all")
PEOPLE = (
    "delegates",
    "students",
    "anaesthetists",
    "children",
    "tourists",
    "carpenters",
    "swimmers",
    "committees",
)
DEEDS = ("finished the report", "saw a dog", "ran after a cat", "sold the old house", "drank some milk")
TIMES = ("on time", "before the storm", "in the town by the river", "without any help", "last winter")


def pairs_of(count: int, file: Path | None = None) -> list[tuple[str, str]]:
    """``count`` different pairs of premise and hypothesis: the file's (a table with the columns
    ``sentence1`` and ``sentence2``, as MED's) as far as they go, then made ones. Always the same."""
    found: dict[tuple[str, str], None] = {}
    if file and file.exists():
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                found[row["sentence1"], row["sentence2"]] = None
    number = 0
    while len(found) < count:
        found[_made(number)] = None
        number += 1
    return list(found)[:count]


def _made(number: int) -> tuple[str, str]:
    place, subject = number, []
    for words in (QUANTIFIERS, PEOPLE, DEEDS, TIMES):
        place, at = divmod(place, len(words))
        subject.append(words[at])
    quantifier, people, deed, time = subject
    group = f" of group {place}" if place else ""
    premise = f"{quantifier} {people}{group} {deed}."
    return premise, f"{quantifier} {people}{group} {deed} {time}."
