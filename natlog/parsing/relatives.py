"""A sentence whose subject carries a relative clause, parsed in two pieces.

"a dog who some cat stared at ran" is more than a small parser can take at once. Where no variant of a faulty
parse helps, the relative clause is taken out ("a dog ran" and "who some cat stared at"), both are parsed, and
the clause is put back on its noun.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from natlog.heads import Heads
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.wordnet import wordnet
from natlog.parsing.draft import Draft
from natlog.parsing.faults import has_finite_root, severity

_RELATIVE_WORDS = word_list("relative_words")
_NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS", "VBN", "JJ", "CD"})
_NO_END = frozenset({"DT", "JJ", "JJS", "PRP$", "CD", "WP", "WDT", "TO", "CC"})
_MOST_SPLITS = 5


@dataclass(frozen=True, slots=True)
class Split:
    """The relative clause is the tokens ``start`` to ``end`` (exclusive)."""

    start: int
    end: int

    def main(self, draft: Draft) -> list[str]:
        """The words of the sentence without the clause."""
        return draft.words[: self.start] + draft.words[self.end :]

    def clause(self, draft: Draft) -> list[str]:
        """The words of the clause."""
        return draft.words[self.start : self.end]


def splits(draft: Draft) -> list[Split]:
    """Where the first relative clause after a noun may end, nearest first."""
    return [split for split, _ in zip(_splits(draft), range(_MOST_SPLITS), strict=False)]


def _splits(draft: Draft) -> Iterator[Split]:
    words, tags = draft.words, draft.tags
    start = next(
        (
            place
            for place in range(1, len(words))
            if words[place].lower() in _RELATIVE_WORDS and tags[place - 1] in _NOUN_TAGS
        ),
        -1,
    )
    if start < 0:
        return
    for end in range(start + 2, len(words)):
        word = words[end].lower()
        verbal = tags[end] in ("MD", "VBD", "VBZ", "VBP") or bool(wordnet().lemmas(word, "v"))
        if verbal and tags[end - 1] not in _NO_END:
            yield Split(start, end)


def weight(main: Draft, clause: Draft) -> int:
    """How faulty the two pieces are together; a clause without a verb of its own is no clause."""
    return severity(main) + severity(clause) + (not has_finite_root(clause))


def join(draft: Draft, split: Split, main: Draft, clause: Draft) -> Draft:
    """The whole parse out of the two pieces."""
    start, length = split.start, split.end - split.start
    noun = start - 1
    root = next(iter(clause.heads.roots), -1)

    def outside(index: int) -> int:
        return index if index < start else index + length

    def spliced(outer: list[str], inner: list[str]) -> list[str]:
        return outer[:start] + inner + outer[start:]

    heads = [outside(head) for head in main.heads]
    inner = [noun if index == root else head + start for index, head in enumerate(clause.heads)]
    deps = ["relcl" if index == root else dep for index, dep in enumerate(clause.deps)]
    return Draft(
        draft.text,
        draft.words,
        draft.starts,
        spliced(main.lemmas, clause.lemmas),
        spliced(main.pos, clause.pos),
        spliced(main.tags, clause.tags),
        spliced(main.deps, deps),
        Heads(heads[:start] + inner + heads[start:]),
        [*draft.repairs, "the relative clause parsed by itself"],
        draft.confidence,
    )
