"""The words that tag a pair: sources of tags, and the flags that the program itself reads."""

from __future__ import annotations

# Sources: the calculus, a researcher, a researcher's correction of the calculus. A tag that came with a file
# has the file's (apps/datasets/labels.py).
NATLOG = "natlog"
BY_HAND = "hand"
CORRECTED = "correction"
# What the calculus tags pairs with, in MED's spelling (section 3.3).
MED_TAGS = ("lexical_knowledge", "reverse", "conjunction", "disjunction", "conditionals", "npi")

NO_SWAP = "no-swap"
NEEDS_REVIEW = "needs-review"
TO_ADJUDICATE = "to-adjudicate"
# Tags by hand that are about the work and not about the language; no release publishes them.
FLAGS = frozenset({NO_SWAP, NEEDS_REVIEW, TO_ADJUDICATE})
