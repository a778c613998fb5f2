"""Relations between words and phrases: hypernym, hyponym, synonym, antonym, co-hyponym, unknown.

Three sources, in this order: the same word, a supplement of general English
(``supplement.tsv``, which a researcher can extend with a file of the same layout), WordNet 3.0.
What none of them knows is *unknown*, a verdict of its own, never a guess.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from natlog.apostrophes import straightened
from natlog.lexicon.wordnet import wordnet

SUPPLEMENT = Path(__file__).parent / "supplement.tsv"

NEAR = 3
"""Two words are co-hyponyms when a common hypernym lies at most this many steps above each."""

SAME_WORD = "same word"
"""The source of a relation between two forms of one word."""

SYNONYM_COST = -4.0
"""Sharing a sense, even a less frequent one, weighs more than standing one above the other in another."""

VERB_COST = 3.0
"""Verbs have so many senses that a relation between rare ones says nothing (to buy a story, to read one)."""

COMMON_SENSES = 6
"""Senses rarer than this rank don't count: a dog is a chap only in WordNet's seventh sense of *dog*."""


class Relation(enum.Enum):
    """How a first word stands to a second."""

    SYNONYM = "synonym"
    HYPONYM = "hyponym"
    HYPERNYM = "hypernym"
    ANTONYM = "antonym"
    COHYPONYM = "co-hyponym"
    UNKNOWN = "unknown"

    @property
    def converse(self) -> Relation:
        """How the second stands to the first."""
        return {Relation.HYPONYM: Relation.HYPERNYM, Relation.HYPERNYM: Relation.HYPONYM}.get(self, self)


@dataclass(frozen=True, slots=True)
class WordRelation:
    """The relation of ``first`` to ``second``, who says so, and how sure, in [0, 1]."""

    first: str
    second: str
    relation: Relation
    source: str
    confidence: float = 1.0

    @property
    def converse(self) -> WordRelation:
        """The same fact, told from the second word."""
        return WordRelation(self.second, self.first, self.relation.converse, self.source, self.confidence)


class SupplementError(ValueError):
    """A line of a supplement file that cannot be read; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a supplement file."""

    first: str
    relation: Relation
    second: str
    source: str


def read_supplement(path: Path) -> tuple[Entry, ...]:
    """Read a supplement: ``first TAB relation TAB second TAB source``; ``#`` starts a comment line.

    ``relation`` is hyponym (the first is more specific), synonym, antonym or co-hyponym. Several
    firsts or seconds are separated by commas. Raises :class:`SupplementError` naming file and line.
    """
    entries = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != 4 or not all(fields):
            raise SupplementError(
                f"{path}, line {number}: four tab-separated columns are wanted "
                f"(word, relation, word, source), found {len(fields)}"
            )
        try:
            relation = Relation(fields[1])
        except ValueError:
            raise SupplementError(
                f"{path}, line {number}: {fields[1]!r} is no relation; "
                "use hyponym, synonym, antonym or co-hyponym"
            ) from None
        for first in fields[0].split(","):
            for second in fields[2].split(","):
                entries.append(Entry(normal(first), relation, normal(second), fields[3]))
    return tuple(entries)


def normal(phrase: str) -> str:
    """The form in which words are looked up: lower case, ``_`` for spaces and hyphens."""
    return "_".join(straightened(phrase.lower()).replace("-", " ").split())


class Words:
    """Word relations from the supplement (optional) and WordNet.

    >>> words = Words()
    >>> words.relation("poodle", "animals", "n").relation
    <Relation.HYPONYM: 'hyponym'>
    """

    def __init__(self, supplement: bool = True, extra: Iterable[Path] = ()) -> None:
        self._wordnet = wordnet()
        self._facts: dict[tuple[str, str], tuple[Relation, str]] = {}
        self._generals: dict[str, set[str]] = defaultdict(set)
        self._synonyms: dict[str, set[str]] = defaultdict(set)
        self._entries: set[str] = set()
        paths = ([SUPPLEMENT] if supplement else []) + list(extra)
        for path in paths:
            for entry in read_supplement(path):
                self._add(entry)

    def _add(self, entry: Entry) -> None:
        label = f"supplement: {entry.source}"
        first, relation, second = entry.first, entry.relation, entry.second
        if relation is Relation.HYPERNYM:
            first, relation, second = second, Relation.HYPONYM, first
        self._entries |= {first, second}
        self._facts[first, second] = (relation, label)
        self._facts[second, first] = (relation.converse, label)
        if relation is Relation.HYPONYM:
            self._generals[first].add(second)
        if relation is Relation.SYNONYM:
            self._synonyms[first].add(second)
            self._synonyms[second].add(first)

    def known(self, phrase: str) -> bool:
        """Whether a phrase, or what it is inflected from, is an entry of WordNet or the supplement."""
        form = normal(phrase)
        return form in self._entries or any(self._wordnet.lemmas(form, pos) for pos in "nvar")

    def forms(self, phrase: str, pos: str) -> tuple[str, ...]:
        """The entries a phrase may stand for; ``pos`` is one of n, v, a, r, or ``""`` for any."""
        form = normal(phrase)
        found: list[str] = []
        for part in pos or "nvar":
            found += [lemma for lemma in self._wordnet.lemmas(form, part) if lemma not in found]
        if form not in found:
            found.append(form)
        return tuple(found)

    def supplement_neighbours(self, phrase: str) -> tuple[tuple[str, Relation], ...]:
        """What the supplement says of a phrase: every other phrase with the relation *to* it."""
        form = normal(phrase)
        return self._neighbours().get(form, ())

    @lru_cache(maxsize=1)  # noqa: B019
    def _neighbours(self) -> dict[str, tuple[tuple[str, Relation], ...]]:
        found: dict[str, list[tuple[str, Relation]]] = defaultdict(list)
        for (first, second), (relation, _source) in self._facts.items():
            found[first].append((second, relation))
        return {first: tuple(sorted(others, key=lambda item: item[0])) for first, others in found.items()}

    @lru_cache(maxsize=100_000)  # noqa: B019 — what strangers write must not grow a process without end
    def relation(self, first: str, second: str, pos: str = "") -> WordRelation:
        """The relation of ``first`` to ``second``; unknown where no source knows any."""
        ones, twos = self.forms(first, pos), self.forms(second, pos)
        if set(ones) & set(twos) or normal(first) == normal(second):
            return WordRelation(first, second, Relation.SYNONYM, SAME_WORD)
        for one in ones:
            for two in twos:
                if (one, two) in self._facts:
                    relation, source = self._facts[one, two]
                    return WordRelation(first, second, relation, source, 0.95)
        for part in pos or "nvar":
            if any(self._wordnet.antonyms(one, two, part) for one in ones for two in twos):
                return WordRelation(first, second, Relation.ANTONYM, "WordNet", 0.9)
        found = self._by_senses(ones, twos, pos or "nvar")
        if found is None or found[1] is Relation.COHYPONYM:
            through = self._through_supplement(ones, twos, pos or "nvar")
            if through is not None:
                return WordRelation(first, second, *through)
        if found is None and "n" in (pos or "n"):
            found_place = self._by_place(ones, twos)
            if found_place is not None:
                return WordRelation(first, second, found_place, "WordNet: place within", 0.8)
        if found is None:
            return WordRelation(first, second, Relation.UNKNOWN, "no source", 0.3)
        cost, relation = found
        return WordRelation(first, second, relation, "WordNet", round(max(0.5, 0.95 - 0.03 * cost), 3))

    def _by_place(self, ones: tuple[str, ...], twos: tuple[str, ...]) -> Relation | None:
        """Places one of which lies in the other: "in Nairobi" is more specific than "in Kenya"."""
        for one in ones:
            for two in twos:
                if self._wordnet.place_within(one, two):
                    return Relation.HYPONYM
                if self._wordnet.place_within(two, one):
                    return Relation.HYPERNYM
        return None

    def _through_supplement(
        self, ones: tuple[str, ...], twos: tuple[str, ...], parts: str
    ) -> tuple[Relation, str, float] | None:
        """A line of the supplement, then WordNet: a chihuahua puppy is a puppy, so it is an animal."""
        for lower, upper, relation in ((ones, twos, Relation.HYPONYM), (twos, ones, Relation.HYPERNYM)):
            for lemma in lower:
                for general in self._above(lemma):
                    if general in upper:
                        return relation, "supplement", 0.9
                    found = self._by_senses(self.forms(general, ""), upper, parts)
                    if found and found[1] in (Relation.HYPONYM, Relation.SYNONYM) and found[0] < 6:
                        return relation, "supplement and WordNet", 0.85
        return None

    @lru_cache(maxsize=20_000)  # noqa: B019
    def _above(self, lemma: str) -> tuple[str, ...]:
        """What the supplement puts above a word, directly or by steps."""
        found: list[str] = []
        layer = [lemma, *sorted(self._synonyms.get(lemma, ()))]
        while layer:
            # Synonyms are taken one step only: a battle is a fight, a fight a quarrel, but no battle is one.
            layer = [up for item in layer for up in sorted(self._generals.get(item, ())) if up not in found]
            found += layer
        found += [item for item in sorted(self._synonyms.get(lemma, ())) if item not in found]
        return tuple(item for item in found if item != lemma)

    def _by_senses(
        self, ones: tuple[str, ...], twos: tuple[str, ...], parts: str
    ) -> tuple[float, Relation] | None:
        """The cheapest relation over all pairs of senses; rare senses and long ways cost more."""
        best: tuple[float, Relation] | None = None
        for part in parts:
            senses_one, senses_two = self._senses(ones, part), self._senses(twos, part)
            for one, rank_one in senses_one.items():
                up_one = self._wordnet.ancestors(one)
                for two, rank_two in senses_two.items():
                    found = self._sense_relation(one, two, up_one)
                    if found is None:
                        continue
                    cost = found[0] + rank_one + rank_two
                    if part == "v" and cost > VERB_COST:
                        continue
                    if best is None or cost < best[0]:
                        best = (cost, found[1])
        return best

    def _senses(self, lemmas: tuple[str, ...], part: str) -> dict[int, float]:
        """The common senses of the lemmas, with their rank as a cost."""
        ranks: dict[int, float] = {}
        for lemma in lemmas:
            for rank, synset in enumerate(self._wordnet.senses(lemma, part)[:COMMON_SENSES]):
                ranks.setdefault(synset, rank)
        return ranks

    def _sense_relation(self, one: int, two: int, up_one: dict[int, int]) -> tuple[float, Relation] | None:
        if one == two:
            return SYNONYM_COST, Relation.SYNONYM
        if two in up_one:
            return 0.5 * up_one[two], Relation.HYPONYM
        up_two = self._wordnet.ancestors(two)
        if one in up_two:
            return 0.5 * up_two[one], Relation.HYPERNYM
        if two in self._wordnet.related("similar", one):
            return 6.0, Relation.SYNONYM
        shared = up_one.keys() & up_two.keys()
        common = [up_one[item] + up_two[item] for item in shared if max(up_one[item], up_two[item]) <= NEAR]
        if not common or not self._wordnet.exclusive(shared):
            return None
        return 20.0 + min(common), Relation.COHYPONYM
