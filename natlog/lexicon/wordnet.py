"""WordNet 3.0: the senses of a lemma, the lemmas of a form, and how senses stand to each other.

It is read from ``wordnet.zip``, which :mod:`natlog.lexicon.build_wordnet` makes.
"""

from __future__ import annotations

import re
import sys
import zipfile
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

INDEX = Path(__file__).parent / "wordnet.zip"

EXCLUSIVE_KINDS = (
    ("animal", 0), ("plant", 1), ("food", 0), ("vehicle", 0), ("chemical_element", 0), ("disease", 0),
    ("discipline", 0), ("language", 0), ("musical_instrument", 0), ("sport", 0), ("garment", 0),
    ("furniture", 0),
)  # fmt: skip
"""Realms (word, rank of the sense) whose sister kinds exclude each other: no dog is a cat. Sisters among
persons, artefacts and abstract things may overlap (a singer, a pianist), and stay unknown."""

_ENDINGS = {
    "n": (("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
          ("men", "man"), ("ies", "y"), ("s", "")),
    "v": (("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
          ("s", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e"), ("ier", "y"), ("iest", "y")),
    "r": (),
}  # fmt: skip
"""WordNet's rules of detachment (its manual, *morphy*)."""

_SHORT = re.compile(r"[^aeiou]*[aeiouy][^aeiouwxy]")
"""Verbs of one syllable in one vowel letter and one consonant, which they double before -ing and -ed
(Quirk et al. 1985, section 3.7)."""


class WordNet:
    """WordNet 3.0 without its glosses, read from the index beside this module.

    >>> wordnet().lemmas("mice", "n")
    ('mouse',)
    """

    def __init__(self, path: Path = INDEX) -> None:
        self._path = path
        self._entries: dict[str, str] = {}
        self._relations: dict[str, tuple[array[int], array[int]]] = {}
        with zipfile.ZipFile(path) as archive:
            for line in archive.read("lemmas.txt").decode().splitlines():
                lemma, _, senses = line.partition("\t")
                self._entries[lemma] = senses
            for name in ("hypernym", "entailment", "similar", "pertainym", "whole"):
                self._relations[name] = (_column(archive, name, "from"), _column(archive, name, "to"))
            self._antonyms = archive.read("antonyms.txt").decode()
            exceptions = archive.read("exceptions.txt").decode()
        self._kinds = frozenset(self.senses(name, "n")[rank] for name, rank in EXCLUSIVE_KINDS)
        self._exceptions: dict[tuple[str, str], tuple[str, ...]] = {}
        for line in exceptions.splitlines():
            pos, form, *lemmas = line.split("\t")
            self._exceptions[pos, form] = tuple(lemmas)

    def __contains__(self, lemma: str) -> bool:
        return lemma in self._entries

    @lru_cache(maxsize=50_000)  # noqa: B019 — one instance a process
    def senses(self, lemma: str, pos: str) -> tuple[int, ...]:
        """The synsets of a lemma (``_`` for a space), most frequent first; empty where it has none."""
        for group in self._entries.get(lemma, "").split("\t"):
            if group[:1] == pos:
                return tuple(int(number) for number in group[2:].split())
        return ()

    def entries(self, pos: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Every lemma of a part of speech with its synsets, most frequent first, in the index's order."""
        for lemma, groups in self._entries.items():
            for group in groups.split("\t"):
                if group[:1] == pos:
                    yield lemma, tuple(int(number) for number in group[2:].split())

    def counts(self, lemma: str, pos: str) -> tuple[int, ...]:
        """How often each sense of a lemma, in their order, was met in the texts marked with senses; empty for
        names and for what was never met. Senses after the last are 0."""
        return self._counts().get((lemma, pos), ())

    @lru_cache(maxsize=1)  # noqa: B019
    def _counts(self) -> dict[tuple[str, str], tuple[int, ...]]:
        with zipfile.ZipFile(self._path) as archive:
            rows = (line.split("\t") for line in archive.read("counts.txt").decode().splitlines())
            return {(lemma, pos): tuple(map(int, counts)) for lemma, pos, *counts in rows}

    def exceptions(self, pos: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every irregular form of a part of speech with the lemmas that it may be of."""
        for (part, form), lemmas in self._exceptions.items():
            if part == pos:
                yield form, lemmas

    @lru_cache(maxsize=50_000)  # noqa: B019
    def lemmas(self, form: str, pos: str) -> tuple[str, ...]:
        """The lemmas a form may be inflected from, itself first where it is one.

        A multiword (``hot_dogs``) is inflected at its last word, a verb with a particle at its first.
        """
        found = [form] if self.senses(form, pos) else []
        found += [lemma for lemma in self._exceptions.get((pos, form), ()) if lemma not in found]
        for ending, base in _ENDINGS[pos]:
            if form.endswith(ending) and len(form) > len(ending) + 1:
                lemma = form[: len(form) - len(ending)] + base
                if lemma not in found and self.senses(lemma, pos):
                    found.append(lemma)
        if pos == "v" and len(found) > 1:
            found = [lemma for lemma in found if not _wants_doubling(form, lemma)] or found
        if pos == "v" and "_" in form and not found:
            verb, _, particle = form.partition("_")
            found = [f"{lemma}_{particle}" for lemma in self.lemmas(verb, "v")]
            found = [lemma for lemma in found if self.senses(lemma, "v")]
        return tuple(found)

    def related(self, relation: str, synset: int) -> Iterator[int]:
        """The synsets that ``synset`` points to by one relation of the index."""
        sources, targets = self._relations[relation]
        place = bisect_left(sources, synset)
        while place < len(sources) and sources[place] == synset:
            yield targets[place]
            place += 1

    def pairs(self, relation: str) -> Iterator[tuple[int, int]]:
        """Every pair of synsets that one relation of the index holds between."""
        return zip(*self._relations[relation], strict=True)

    @lru_cache(maxsize=100_000)  # noqa: B019
    def ancestors(self, synset: int) -> dict[int, int]:
        """Every synset at or above this one, with the number of steps up (treat as read-only)."""
        steps = {synset: 0}
        layer = [synset]
        while layer:
            above = []
            for item in layer:
                for name in ("hypernym", "entailment"):
                    for parent in self.related(name, item):
                        if parent not in steps:
                            steps[parent] = steps[item] + 1
                            above.append(parent)
            layer = above
        return steps

    def exclusive(self, synsets: Iterable[int]) -> bool:
        """Whether one of these is a realm in which sister kinds have no member in common."""
        return any(synset in self._kinds for synset in synsets)

    @lru_cache(maxsize=1)  # noqa: B019
    def _antonym_pairs(self) -> frozenset[tuple[str, str, str]]:
        rows = (line.split("\t") for line in self._antonyms.splitlines())
        return frozenset((first, second, pos) for first, second, pos in rows)

    def antonyms(self, first: str, second: str, pos: str) -> bool:
        """Whether WordNet gives the two lemmas as opposites."""
        return (first, second, pos) in self._antonym_pairs()

    def derived(self, lemma: str) -> frozenset[str]:
        """Lemmas of other parts of speech that a lemma is derived from, or they from it (*snow*, *snowy*)."""
        return self._derived().get(lemma, frozenset())

    @lru_cache(maxsize=1)  # noqa: B019
    def _derived(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        with zipfile.ZipFile(self._path) as archive:
            for line in archive.read("derived.txt").decode().splitlines():
                first, *others = line.split("\t")
                found[first].update(others)
                for other in others:
                    found[other].add(first)
        return {lemma: frozenset(others) for lemma, others in found.items()}

    def place_within(self, inner: str, outer: str) -> bool:
        """Whether a place is part of another: Boston, Massachusetts; in *in* phrases that is inclusion."""
        goals = set(self.senses(outer, "n"))
        layer = set(self.senses(inner, "n"))
        for _ in range(5):
            layer = {whole for item in layer for whole in self.related("whole", item)}
            if layer & goals:
                return True
        return False


def _wants_doubling(form: str, lemma: str) -> bool:
    """Whether a verb would have doubled its last letter: *staring* is of *stare*, not of *star*."""
    return form in (f"{lemma}ing", f"{lemma}ed") and bool(_SHORT.fullmatch(lemma))


def verb_lemma(form: str, lemma: str) -> str:
    """The lemma of an inflected verb, in lower case, where the one given would be inflected otherwise.

    >>> verb_lemma("riding", "rid"), verb_lemma("singing", "sing")
    ('ride', 'sing')
    """
    if not _wants_doubling(form, lemma):
        return lemma
    return next((found for found in wordnet().lemmas(form, "v") if found == f"{lemma}e"), lemma)


def _column(archive: zipfile.ZipFile, name: str, side: str) -> array[int]:
    column = array("I")
    column.frombytes(archive.read(f"{name}.{side}"))
    if sys.byteorder == "big":
        column.byteswap()
    return column


@lru_cache(maxsize=1)
def wordnet() -> WordNet:
    """The index, loaded at first use (about a fifth of a second) and once a process."""
    return WordNet()
