"""What one repair does to a sentence, and one variation makes of it, in words."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from natlog.parsing import load_parser
from natlog.parsing.draft import Draft
from natlog.parsing.repairs import REPAIRS, mend
from natlog.parsing.repairs.rule import Repair
from natlog.parsing.variants import Variation


def show(repair: type[Repair[Any]], text: str) -> None:
    """Print what a repair changes in a sentence as it is parsed, the repairs before it made."""
    draft = load_parser().draft(text)
    for earlier in takewhile(lambda known: not isinstance(known, repair), REPAIRS):
        earlier.mend(draft)
    before = _readings(draft)
    repair().mend(draft)
    for one, two in zip(before, _readings(draft), strict=True):
        if one != two:
            print(f"{one} → {two}")


def vary(variation: type[Variation], text: str) -> None:
    """Print the varied sentences that are tried where the parse of a sentence is faulty."""
    for variant in variation().vary(mend(load_parser().draft(text))):
        print(variant)


def _readings(draft: Draft) -> list[str]:
    return [
        f"{word}/{tag} {dep} of {draft.words[head]}"
        for word, tag, dep, head in zip(draft.words, draft.tags, draft.deps, draft.heads, strict=True)
    ]
