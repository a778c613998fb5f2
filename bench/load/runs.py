"""What is measured, one program on one database after the other."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import at_once, polarlab, table
from .browser import BenchError
from .databases import database
from .doccano import Doccano
from .label_studio import LabelStudio
from .loop import Measured, measure
from .pairs import pairs_of
from .processes import memory_mb
from .rivals import Rival

LIMITS = (1, 3)
# Campaigns that are there before the one that is measured ("late").
EARLIER = 10
TARGET = 3


class Run:
    """One call of the bench: its options, its temporary folder, its tables."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        loop = f"{options.items:,} pairs, no time to think, {options.seconds:g} s a row"
        self.load = table.Table(f"Closed loop on {loop}", table.LOAD)
        self.ratios = table.Ratios("Answers a second, as many times as the others'")
        people = f"{at_once.PEOPLE} people ask and send in one instant, {options.rounds} rounds"
        self.at_once = table.Table(people, table.AT_ONCE)
        export = f"{options.items:,} pairs with three judgements each, from the request to the file"
        self.export = table.Table(export, table.EXPORT)
        sizes = f"{options.items:,} pairs, and with {options.large:,} that have five answers each"
        self.large = table.Table(f"{at_once.PEOPLE} annotators with {sizes}", table.LOAD)

    def show(self) -> None:
        for one in (self.load, self.ratios, self.at_once, self.export, self.large):
            one.show()

    def _add(self, row: Measured) -> None:
        self.load.add(table.load_cells(row))
        self.ratios.take(row)

    # ---- Polarlab ----
    def polarlab(self, kind: str) -> None:
        only, options = self.options.only, self.options
        with self._place(kind) as (place, dataset):
            for script in options.script if "load" in only else ():
                for annotators in options.annotators:
                    made = polarlab.campaign(place, dataset, annotators)
                    self._add(polarlab.load(place, made, options.seconds, script=script))
            for limit in LIMITS if "at-once" in only else ():
                self.at_once.add(table.at_once_cells(at_once.polarlab(place, limit, options.rounds)))
            if "export" in only:
                with place.working():
                    found = place.do("export", items=options.items)
                self.export.add(table.export_cells("Polarlab, a release", kind, found))
        if "late" in only:
            with self._place(kind) as (place, dataset):
                self._late(place, dataset)
        if "large" in only:
            with self._place(kind) as (place, dataset):
                self._large(place, dataset)

    def _late(self, place: polarlab.Installation, dataset: int) -> None:
        """The eleventh campaign of a database, and statistics (of ten) that are older than it."""
        for _number in range(EARLIER):
            polarlab.campaign(place, dataset, 0)
        place.do("analyze")
        for annotators in self.options.annotators:
            made = polarlab.campaign(place, dataset, annotators)
            name = f"Polarlab, campaign {EARLIER + 1}"
            self._add(polarlab.load(place, made, self.options.seconds, script=True, name=name))

    def _large(self, place: polarlab.Installation, dataset: int) -> None:
        seconds = self.options.seconds
        for script in self.options.script:
            made = polarlab.campaign(place, dataset, at_once.PEOPLE)
            self.large.add(table.load_cells(polarlab.load(place, made, seconds, script=script)))
        made = place.do("large", items=self.options.large, annotators=at_once.PEOPLE)
        for script in self.options.script:
            made["links"] = place.do("links", annotators=at_once.PEOPLE)
            found = polarlab.load(place, made, seconds, script=script, name="Polarlab, large")
            self.large.add(table.load_cells(found))

    @contextmanager
    def _place(self, kind: str) -> Iterator[tuple[polarlab.Installation, int]]:
        """Polarlab on a fresh database with its annotators and a dataset."""
        options = self.options
        with (
            tempfile.TemporaryDirectory(dir=self.folder) as own,
            database(kind, "polarlab_load", Path(own), options.postgres) as (url, name),
        ):
            place = polarlab.installation(kind, url, name, Path(own), options.gunicorn)
            most = max(*options.annotators, at_once.PEOPLE)
            yield (
                place,
                place.do("fill", items=options.items, pairs=options.pairs, annotators=most)["dataset"],
            )

    # ---- The others ----
    def rival(self, rival: Rival, kind: str) -> None:
        """All of a program's rows. What goes wrong with one that is only compared with is said, no more."""
        base, options = rival.home.name.replace("-", "_"), self.options
        try:
            with database(kind, base, self.folder, options.postgres) as (url, name), rival.serving(url):
                rival.add_people(max(*options.annotators, at_once.PEOPLE))
                if "load" in options.only:
                    self._rival_load(rival, kind, name)
                if "at-once" in options.only:
                    self._rival_at_once(rival, kind)
                if "export" in options.only:
                    self._rival_export(rival, kind)
        except (BenchError, RuntimeError, OSError) as error:
            print(f"{rival.name} on {kind} left out: {str(error).strip().splitlines()[-1]}", flush=True)

    def _rival_load(self, rival: Rival, kind: str, name: str) -> None:
        """A project of its own for each row."""
        pairs, seconds = self._pairs(), self.options.seconds
        for annotators in self.options.annotators:
            project = rival.add_project(pairs, TARGET)
            people = rival.annotators(project, annotators)
            meter = (rival.roots, name)
            row = measure(people, program=rival.name, database=kind, meter=meter, seconds=seconds)
            row.memory = memory_mb(rival.roots)
            stored, beyond = rival.stored(project), rival.beyond(project, TARGET)
            row.check = "ok" if stored == row.accepted else f"{row.accepted} accepted, {stored} stored"
            row.check += f", {beyond} items beyond" if beyond else ""
            self._add(row)

    def _rival_at_once(self, rival: Rival, kind: str) -> None:
        rounds = self.options.rounds
        if isinstance(rival, LabelStudio):
            for limit in LIMITS:
                self.at_once.add(table.at_once_cells(at_once.label_studio(rival, kind, limit, rounds)))
        elif isinstance(rival, Doccano):
            self.at_once.add(table.at_once_cells(at_once.doccano(rival, kind, rounds)))

    def _rival_export(self, rival: Rival, kind: str) -> None:
        project = rival.add_answered(self._pairs(), TARGET)
        begin = time.perf_counter()
        size = rival.export(project, rival.folder / "export")
        found = {"seconds": time.perf_counter() - begin, "bytes": size, "pairs": self.options.items}
        found["judgements"] = self.options.items * TARGET
        self.export.add(table.export_cells(rival.name, kind, found))

    def _pairs(self) -> list[tuple[str, str]]:
        return pairs_of(self.options.items, Path(self.options.pairs) if self.options.pairs else None)
