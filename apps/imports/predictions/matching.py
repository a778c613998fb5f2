"""From a file's rows to a dataset's pairs: by number, by texts, or not at all.

Nothing is guessed: a row that names no pair of the dataset, a pair that stands there twice, and texts that
fit several pairs are bad rows.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from unicodedata import normalize

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.datasets.models import Dataset, Premise
from apps.frame.texts import pair_digest
from apps.imports.labels import suggested
from apps.imports.predictions.rows import Said
from apps.imports.rows import UnknownLabel
from apps.inference.labels import LabelError, fitted

BATCH = 1000
SHOWN = 200
SHOWN_LABELS = 20
# Of rows with the same unknown label, so many are listed.
_SHOWN_OF_LABEL = 3

BY_ID, BY_TEXT, BY_WORDS = "by_id", "by_text", "by_words"
UNKNOWN, OTHER_TEXTS, UNMATCHED = "unknown_pairs", "other_texts", "unmatched"
AMBIGUOUS, DOUBLED, UNREADABLE = "ambiguous", "doubled", "unreadable"


@dataclass(frozen=True, slots=True)
class Matched:
    """A row's prediction for a pair: ``label`` in the dataset's words, ``own_label`` and ``scores`` in the
    model's; ``digest`` names the pair's texts."""

    pair: int
    digest: str
    label: str
    own_label: str
    scores: Mapping[str, float]

    @property
    def row_digest(self) -> bytes:
        """Of what is said of which texts: the same in any order of rows and in any dataset."""
        said = [self.digest, self.own_label, sorted(self.scores.items())]
        return hashlib.sha256(json.dumps(said).encode()).digest()


@dataclass
class Matching:
    """Rows of one file against one dataset, batch by batch. It holds a number for each pair that was met
    and a digest for each row, whatever the file's size."""

    dataset: Dataset
    rows: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    unknown_labels: Counter[str] = field(default_factory=Counter)
    errors: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)
    _met: dict[int, int] = field(default_factory=dict)
    _digests: list[bytes] = field(default_factory=list)
    _by_words: dict[bytes, int] | None = None

    @property
    def matched(self) -> int:
        return len(self._met)

    @property
    def bad(self) -> int:
        return self.rows - self.matched

    def batches(self, rows: Iterator[Said | RowError]) -> Iterator[list[Matched]]:
        """The predictions of so many rows after the other; bad rows are counted and noted. Two queries a
        batch; where texts fit no pair to the letter, one pass over the dataset's texts."""
        while batch := list(islice(rows, BATCH)):
            yield self._batch(batch)

    def _batch(self, batch: Sequence[Said | RowError]) -> list[Matched]:
        there = self._there([row for row in batch if isinstance(row, Said)])
        found = []
        for row in batch:
            self.rows += 1
            if isinstance(row, RowError):
                self._unreadable(row)
            elif matched := self._matched(row, there):
                found.append(matched)
        return found

    def _there(self, said: Sequence[Said]) -> _There:
        digests = {row.number: pair_digest(row.premises, row.hypothesis) for row in said if row.premises}
        numbers = self._numbers([row.pair for row in said if row.pair is not None])
        by_digest = self._by_digest([digests[row.number] for row in said if row.pair is None])
        odd = [
            row.pair
            for row in said
            if row.pair in numbers and digests.get(row.number, numbers[row.pair]) != numbers[row.pair]
        ]
        by_words = {
            row.number: self._in_other_spaces(row)
            for row in said
            if row.pair is None and digests[row.number] not in by_digest
        }
        numbers |= self._numbers([pair for pair in by_words.values() if pair])
        return _There(digests, numbers, by_digest, by_words, self._words_at(odd))

    def _numbers(self, numbers: Sequence[int]) -> dict[int, str]:
        if not numbers:
            return {}
        found = self.dataset.pairs.filter(pk__in=set(numbers)).order_by()
        return dict(found.values_list("pk", "digest"))

    def _by_digest(self, digests: Sequence[str]) -> dict[str, int]:
        if not digests:
            return {}
        found = self.dataset.pairs.filter(digest__in=set(digests)).order_by()
        return dict(found.values_list("digest", "pk"))

    def _matched(self, row: Said, there: _There) -> Matched | None:
        pair, how, problem = self._pair_of(row, there)
        if not problem and pair in self._met:
            how = DOUBLED
            problem = _("pair %(n)d stands in row %(row)d already") % {"n": pair, "row": self._met[pair]}
        if problem:
            self._bad(row.number, row.line, "", how, problem)
            return None
        try:
            label, contradicts = self._fitted(row)
        except LabelError as error:
            self._bad(row.number, row.line, "", UNREADABLE, str(error))
            return None
        self._good(row, pair, how, label, contradicts)
        digest = there.numbers.get(pair) or there.digests[row.number]
        matched = Matched(pair, digest, label, row.label, row.scores)
        self._digests.append(matched.row_digest)
        return matched

    def _pair_of(self, row: Said, there: _There) -> tuple[int, str, str]:
        """The pair that a row is of, how that is known, and the problem with it ("" for none)."""
        if row.pair is not None:
            if row.pair not in there.numbers:
                return 0, UNKNOWN, _("this dataset has no pair %(n)d") % {"n": row.pair}
            if row.pair in there.words and there.words[row.pair] != _words_of(row):
                return 0, OTHER_TEXTS, _("pair %(n)d has other texts than this row") % {"n": row.pair}
            return row.pair, BY_ID, ""
        if pair := there.by_digest.get(there.digests[row.number]):
            return pair, BY_TEXT, ""
        found = there.by_words.get(row.number)
        if found is None:
            return 0, UNMATCHED, _("no pair of this dataset has these texts")
        if found == _SEVERAL:
            return 0, AMBIGUOUS, _("several pairs have these texts: name one by pair_id")
        return found, BY_WORDS, ""

    def _fitted(self, row: Said) -> tuple[str, bool]:
        """The row's label in the dataset's words, and whether its probabilities say otherwise: neither the
        model's own labels nor the dataset's, into which they are added up, have the highest there."""
        labels = self.dataset.labels
        label = fitted(row.label, labels)
        shares: dict[str, float] = {}
        for word, value in row.scores.items():
            share = fitted(word, labels)
            shares[share] = shares.get(share, 0.0) + value
        if not shares or row.scores.get(row.label, 0.0) >= max(row.scores.values()) - _EQUAL:
            return label, False
        return label, shares.get(label, 0.0) < max(shares.values()) - _EQUAL

    def _good(self, row: Said, pair: int, how: str, label: str, contradicts: bool) -> None:
        self._met[pair] = row.number
        self.counts[how] += 1
        self.labels[label] += 1
        self.counts["scored"] += bool(row.scores)
        if contradicts:
            self.counts["contradicting"] += 1
            if len(self.warnings) < SHOWN:
                message = _("another label than “%(label)s” has the highest probability")
                self.warnings.append(
                    {"row": row.number, "line": row.line, "message": message % {"label": row.label}}
                )

    def _unreadable(self, row: RowError) -> None:
        if isinstance(row, UnknownLabel):
            if row.found in self.unknown_labels or len(self.unknown_labels) < SHOWN:
                self.unknown_labels[row.found] += 1
            self.counts["unknown_labels"] += 1
            if self.unknown_labels[row.found] > _SHOWN_OF_LABEL:
                self.counts[UNREADABLE] += 1
                return
        self._bad(row.number, row.line, row.column, UNREADABLE, row.message)

    def _bad(self, number: int, line: int, column: str, why: str, message: str) -> None:
        self.counts[why] += 1
        if len(self.errors) < SHOWN:
            self.errors.append({"row": number, "line": line, "column": column, "message": message})

    # ---- Texts that differ in spaces alone -------------------------------------------------------

    def _in_other_spaces(self, row: Said) -> int | None:
        """The pair with these words in this order, however they are spaced and spread over premises."""
        if self._by_words is None:
            self._by_words = {}
            for pk, premise, hypothesis in _joined(self.dataset):
                key = _words_key(premise, hypothesis)
                self._by_words[key] = _SEVERAL if key in self._by_words else pk
        return self._by_words.get(_words_of(row))

    def _words_at(self, pairs: Sequence[int]) -> dict[int, bytes]:
        if not pairs:
            return {}
        found = self.dataset.pairs.filter(pk__in=set(pairs)).prefetch_related("premises")
        return {pair.pk: _words_key(pair.premise, pair.hypothesis) for pair in found}

    # ---- What came of it -------------------------------------------------------------------------

    def fingerprint(self, name: str, version: str) -> str:
        """SHA-256 of the model's stated name and version and of the canonical rows, in the order of their
        own digests: a file with its rows in another order is the same."""
        digest = hashlib.sha256(json.dumps([name, version]).encode())
        for row in sorted(self._digests):
            digest.update(row)
        return digest.hexdigest()

    def so_far(self) -> dict[str, Any]:
        return {"so_far": self.rows, "bad": self.bad, "errors": self.errors}

    def stored(self, name: str, version: str) -> dict[str, Any]:
        """The counts in JSON."""
        pairs = self.dataset.pairs.count()
        ways = (BY_ID, BY_TEXT, BY_WORDS, UNKNOWN, OTHER_TEXTS, UNMATCHED, AMBIGUOUS, DOUBLED, UNREADABLE)
        return {
            "rows": self.rows,
            "predictions": self.matched,
            "bad": self.bad,
            "pairs": pairs,
            "pending": pairs - self.matched,
            **{name: self.counts[name] for name in (*ways, "scored", "contradicting", "unknown_labels")},
            "labels": dict(self.labels.most_common()),
            "unknown": [
                {"found": found, "rows": rows, "suggested": suggested(found)}
                for found, rows in self.unknown_labels.most_common(SHOWN_LABELS)
            ],
            "errors": self.errors,
            "warnings": self.warnings,
            "fingerprint": self.fingerprint(name, version),
        }


_SEVERAL = 0
_EQUAL = 1e-6  # probabilities are kept to six places


@dataclass(frozen=True)
class _There:
    """What the dataset has for the rows of a batch: the ``digests`` of their texts by their row, those of
    pairs by their ``numbers``, pairs ``by_digest``, rows ``by_words``, and the ``words`` of pairs whose row
    has other texts to the letter."""

    digests: Mapping[int, str]
    numbers: Mapping[int, str]
    by_digest: Mapping[str, int]
    by_words: Mapping[int, int | None]
    words: Mapping[int, bytes]


def _words_of(row: Said) -> bytes:
    return _words_key(" ".join(row.premises), row.hypothesis)


def _words_key(premise: str, hypothesis: str) -> bytes:
    words = "\n".join(" ".join(normalize("NFC", text).split()) for text in (premise, hypothesis))
    return hashlib.blake2b(words.encode(), digest_size=12).digest()


def _joined(dataset: Dataset) -> Iterator[tuple[int, str, str]]:
    """Each pair with its premises as one text. Two queries, read row by row."""
    pairs = dataset.pairs.order_by("pk").values_list("pk", "hypothesis")
    texts = Premise.objects.filter(pair__dataset=dataset).order_by("pair_id", "position")
    premises = _by_pair(texts.values_list("pair_id", "text").iterator(chunk_size=2000))
    ahead = next(premises, None)
    for pk, hypothesis in pairs.iterator(chunk_size=2000):
        while ahead is not None and ahead[0] < pk:
            ahead = next(premises, None)
        yield pk, ahead[1] if ahead is not None and ahead[0] == pk else "", hypothesis


def _by_pair(rows: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    pair, texts = 0, list[str]()
    for number, text in rows:
        if number != pair and texts:
            yield pair, " ".join(texts)
            texts = []
        pair = number
        texts.append(text)
    if texts:
        yield pair, " ".join(texts)
