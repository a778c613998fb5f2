"""Words that were read as a name or as the wrong form of a verb."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from natlog.lexicon.wordnet import wordnet
from natlog.parsing.draft import Draft
from natlog.parsing.repairs.rule import Repair

_NAMES = frozenset({"NNP", "NNPS"})


class Plural(Repair[str]):
    """A first word is no name because of its capital.

    >>> from natlog.parsing.examples import show
    >>> show(Plural, "Dogs bark.")
    Dogs/NNP compound of bark → Dogs/NNS compound of bark
    """

    def find(self, draft: Draft) -> Iterator[str]:
        """The lemma of a first word that is a plural in WordNet and has no other name or verb after it."""
        if len(draft.words) < 2 or draft.tags[0] not in _NAMES or not draft.words[0].endswith("s"):
            return
        lower = draft.words[0].lower()
        lemmas = wordnet().lemmas(lower, "n")
        if lemmas and lower not in lemmas and draft.tags[1] not in ("NNP", "NNPS", "VBZ", "POS"):
            yield lemmas[0]

    def change(self, draft: Draft, site: str) -> str:
        """Read it as a plural noun."""
        draft.tags[0], draft.pos[0], draft.lemmas[0] = "NNS", "NOUN", site
        return ""


class Past(Repair[tuple[int, str]]):
    """A past form is no present one with itself as its lemma.

    >>> from natlog.parsing.examples import show
    >>> show(Past, "I swam in the sea.")
    swam/VBP ROOT of swam → swam/VBD ROOT of swam
    """

    def find(self, draft: Draft) -> Iterator[tuple[int, str]]:
        """A word tagged as a present form that can only be a past one, with its verb."""
        for index, tag in enumerate(draft.tags):
            if tag == "VBP" and draft.lemmas[index] == draft.words[index]:
                lemma = _past_of(draft.words[index])
                if lemma:
                    yield index, lemma

    def change(self, draft: Draft, site: tuple[int, str]) -> str:
        """Read it as a past form."""
        index, lemma = site
        draft.tags[index], draft.lemmas[index] = "VBD", lemma
        return ""


@lru_cache(maxsize=4096)
def _past_of(word: str) -> str:
    """The verb of which a word is an irregular past form and no base form; "" for none."""
    lemmas = wordnet().lemmas(word, "v")
    return lemmas[0] if len(lemmas) == 1 and lemmas[0] != word and not word.endswith("s") else ""
