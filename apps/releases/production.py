"""Making a release's archive, step by step: read, judge, draw, format, pack.

Reading goes through one :class:`Snapshot` and stages everything in files: pairs (``rows/``), then
judgements (``judgements/``, in their final form), then what is counted and where it came from
(``context.json``) and the splits. Nothing after that needs the database, so formatting, chunk by chunk,
may be done by another worker than the one that read; a worker that dies while reading has to be followed
by one that reads anew, since its snapshot died with it.

A step takes seconds and memory for its own rows alone; what grows with the dataset are some 60 bytes a
pair while the splits are drawn.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from django.utils import translation

from apps.comparison.judges import judges_of, possible_answers
from apps.releases import files, provenance, splits
from apps.releases.columns import row_of
from apps.releases.conflicts import two_way
from apps.releases.gold_rules import Options
from apps.releases.judgement_rows import JUDGEMENT_COLUMNS, columns, csv_lines, json_lines
from apps.releases.judgements import Judgements
from apps.releases.models import Release
from apps.releases.pseudonyms import Pseudonyms, standings
from apps.releases.rows import Published, Said, Source, one_line
from apps.releases.selection import Batch, batch_after
from apps.releases.snapshot import Ahead, Snapshot
from apps.releases.staging import INDEX_COLUMNS, format_parts, parts_of, stage
from apps.releases.statistics import Tally

PAIRS_A_PART = 2000
PARTS_A_STEP = 2


class Stage(IntEnum):
    READ = 1
    JUDGEMENTS = 2
    SPLITS = 3
    FORMAT = 4
    PACK = 5


@dataclass(frozen=True)
class Step:
    """What was done, and where the next step begins. ``done`` is in pairs or items."""

    stage: Stage
    position: int
    done: int


@dataclass(frozen=True)
class Pairs:
    """A batch of pairs with what is said of them."""

    batch: Batch
    said: Said

    @property
    def last(self) -> int:
        return self.batch.last


class Reading:
    """The part that needs the database. Everything it writes is in ``folder``, which it empties first."""

    def __init__(self, release: Release, folder: Path, beat: Callable[[], None]) -> None:
        self.release, self.folder, self.beat = release, folder, beat
        self.options = Options.of(release.options)
        self.possible = tuple(possible_answers(release.dataset))
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "rows").mkdir(parents=True)
        (folder / "judgements").mkdir()
        self.judges = judges_of(release.dataset, self.options.campaigns)
        self.tally = Tally()
        self.parts = self.judgement_parts = self.nodes = self.index = 0
        self.snapshot = Snapshot()
        with self.snapshot.reading():
            names = Pseudonyms(release)
            self.source = Source(release.dataset, names, self.judges)
            self.standings = standings(release)
            judgements = Judgements(release.dataset, names, self.standings, self._which_are_published)
        self.pairs = Ahead(self.snapshot, self._pairs_after)
        self.judgements = Ahead(self.snapshot, judgements.after)

    def step(self, stage: Stage, position: int) -> Step:
        if stage == Stage.READ:
            return self._read(position)
        if stage == Stage.JUDGEMENTS:
            return self._judge(position)
        with self.snapshot.reading():
            self._keep_context()
        # Outside, since signs of life are written, and the snapshot only reads.
        return self._draw()

    def close(self) -> None:
        self.snapshot.close()

    def _pairs_after(self, number: int) -> Pairs | None:
        batch = batch_after(self.release.dataset, self.options, number, self.tally.offer, PAIRS_A_PART)
        return Pairs(batch, self.source.said(batch.first, batch.last)) if batch else None

    def _read(self, after: int) -> Step:
        pairs = self.pairs.after(after)
        if pairs is None:
            self._published = files.numbers(self.folder / "rows")
            return Step(Stage.JUDGEMENTS, 0, 0)
        self._stage(pairs.batch, pairs.said)
        self.parts += 1
        return Step(Stage.READ, pairs.last, pairs.batch.considered)

    def _stage(self, batch: Batch, said: Said) -> None:
        """One part: each published row, and what the splits need of each pair."""
        part = self.folder / "rows" / f"{self.parts:06d}"
        found: list[Published] = []
        places: list[int] = []
        left: list[str] = []
        others: list[str] = []
        keys, nodes = bytearray(), bytearray()
        for node, row in enumerate(batch.rows, self.nodes):
            self.tally.add_decision(row, swaps=self.options.swaps)
            for source, label in self.tally.others.add(row.pair):
                others.append(f"{row.pair.pk}\t{source}\t{label}\t{two_way(row.pair.gold)}\n")
            if self.options.swaps and row.bar:
                left.append(f"{row.pair.pk}\t{one_line(row.bar.kind)}\t{one_line(row.bar.reason)}\n")
            items = list(said.published(row, with_twin=self.options.swaps and row.bar is None))
            for text in sorted({text for item in items for text in item.premises}):
                keys += splits.premise_key(text).to_bytes(8, "little") + node.to_bytes(4, "little")
            nodes += files.node_record(row.pair.pk, row.pair.digest, len(items))
            found += items
            places += [node] * len(items)
        files.text_write(part.with_suffix(".left"), left)
        files.text_write(part.with_suffix(".other"), others)
        part.with_suffix(".keys").write_bytes(keys)
        part.with_suffix(".nodes").write_bytes(nodes)
        self.tally.add_pairs(found)
        rows = [row_of(item, self.possible) for item in found]
        stage(part, rows, places, self.index + 1, self.possible, self.release.dataset.labels)
        self.nodes += len(batch.rows)
        self.index += len(found)

    def _which_are_published(self, pairs: Collection[int]) -> set[int]:
        import numpy as np

        wanted = np.fromiter(pairs, "<i8", len(pairs))
        places: Any = self._published.searchsorted(wanted)
        places[places == len(self._published)] = 0
        there = self._published[places] == wanted if len(self._published) else np.zeros(len(wanted), bool)
        return set(wanted[there].tolist())

    def _judge(self, after: int) -> Step:
        answers = self.judgements.after(after)
        if answers is None:
            return Step(Stage.SPLITS, 0, 0)
        part = self.folder / "judgements" / f"{self.judgement_parts:06d}"
        files.text_write(part.with_suffix(".jsonl"), json_lines(answers))
        files.text_write(part.with_suffix(".csv"), csv_lines(answers))
        files.columns_write(part.with_suffix(".arrow"), columns(answers))
        self.tally.add_judgements(answers)
        self.judgement_parts += 1
        return Step(Stage.JUDGEMENTS, answers.last, answers.items)

    def _keep_context(self) -> None:
        """What the card and the manifest say."""
        dataset = self.release.dataset
        with translation.override("en"):
            why_empty = "" if self.nodes else self.tally.offer.why_nothing(self.options)
        self.tally.agreement_read(dataset, self.judges)
        context = {
            "counts": self.tally.counts(),
            "empty_because": why_empty,
            "simulated": bool(dataset.simulated or self.tally.simulated),
            "calculus": provenance.calculus_versions(dataset),
            "campaigns": provenance.campaigns_of(dataset, self.judges),
            "corpora": provenance.corpora_of(dataset),
            "guidelines": [list(entry) for entry in provenance.guidelines_of(dataset)],
            "annotators": self._annotators(),
        }
        files.json_write(self.folder / "context.json", context)

    def _draw(self) -> Step:
        """The splits."""
        rows = self.folder / "rows"
        group = splits.groups(sorted(rows.glob("*.keys")), self.nodes, self.beat)
        self.beat()
        nodes = files.nodes(rows)
        drawn = splits.draw(group, nodes["digest"], nodes["rows"], self.options.shares, self.options.seed)
        files.array_write(self.folder / "split.npy", drawn.split)
        files.array_write(self.folder / "group.npy", nodes["number"][drawn.group])
        files.array_write(self.folder / "rows.npy", nodes["rows"])
        return Step(Stage.FORMAT, 0, 0)

    def _annotators(self) -> list[list[Any]]:
        """What is known of the reliability of each published name, campaign by campaign."""
        campaigns = dict(self.release.dataset.campaigns.values_list("pk", "name"))
        rows: list[list[Any]] = []
        for (campaign, person), standing in self.standings.items():
            estimates = [standing.reliability.get(method) for method in files.RELIABILITY_METHODS]
            name = self.source.names.of(person)
            rows.append([campaigns[campaign], name, standing.trust, standing.test_answers, *estimates])
        return sorted(rows, key=lambda row: (row[0], row[1]))


class Formatting:
    """From staged rows to the files of each split. Needs no database; writes the same again and again."""

    def __init__(self, release: Release, folder: Path) -> None:
        self.folder = folder
        self.splits = list(Options.of(release.options).shares)
        self.parts = parts_of(folder / "rows")

    def step(self, position: int) -> Step:
        """The next so many staged parts from part ``position`` on."""
        parts = self.parts[position : position + PARTS_A_STEP]
        if not parts:
            return Step(Stage.PACK, 0, 0)
        split = files.array_read(self.folder / "split.npy")
        group = files.array_read(self.folder / "group.npy")
        out = self.folder / "out"
        out.mkdir(exist_ok=True)
        pairs = format_parts(parts, out / f"{position:06d}", self.splits, split, group)
        return Step(Stage.FORMAT, position + len(parts), pairs)


HEADERS = {
    "splits": "\t".join(INDEX_COLUMNS) + "\n",
    "left": "pairID\tkind\treason\n",
    "judgements": ",".join(JUDGEMENT_COLUMNS) + "\r\n",
}
