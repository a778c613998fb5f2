"""The words that tag a pair: sources of tags, and the flags that the program itself reads."""

from __future__ import annotations

# Sources: the calculus, a researcher. A tag that came with a file has the file's (apps/datasets/labels.py).
NATLOG = "natlog"
BY_HAND = "hand"

NO_SWAP = "no-swap"
NEEDS_REVIEW = "needs-review"
# Tags by hand that are about the work and not about the language; no release publishes them.
FLAGS = frozenset({NO_SWAP, NEEDS_REVIEW})
