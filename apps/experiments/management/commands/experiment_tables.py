"""Print experiments' tables in Markdown: what docs/experiments.md has."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.experiments.exhibits import tables
from apps.experiments.management.migrated import migrated_check
from apps.experiments.models import Experiment
from apps.experiments.results import cells_of, progress_of


class Command(BaseCommand):
    help = (
        "Print the tables of experiments in Markdown, as far as they are over: the latest of each protocol, "
        "or of those that are named; an experiment's own name takes that one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("names", nargs="*", metavar="NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        migrated_check()
        latest = {each.protocol: each for each in Experiment.objects.order_by("pk")}
        named = {each.name: each for each in latest.values()} | latest
        for name in options["names"] or latest:
            found = named.get(name) or Experiment.objects.filter(name=name).first()
            if found is None:
                raise CommandError(f"There is no experiment “{name}”.")
            self._print(found)

    def _print(self, experiment: Experiment) -> None:
        cells = cells_of(experiment)
        progress = progress_of(cells)
        self.stdout.write(
            f"### `{experiment.protocol}`\n{experiment.preset}; {progress.done} of {progress.total} trainings"
            f" over, {progress.seconds:.0f} s of training by the clock\n\n"
        )
        for table in tables(experiment, cells).values():
            self.stdout.write("\n".join([*table.markdown(), "", ""]))
