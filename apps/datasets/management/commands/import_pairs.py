"""``manage.py import_pairs STUDY FILE --dataset NAME``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.datasets.import_services import pairs_import, read
from apps.studies.models import Study
from natlog.pairs import PairFileError


class Command(BaseCommand):
    help = (
        "Import premise-hypothesis pairs from an MNLI-style TSV or CSV (sentence1, sentence2, gold_label, "
        "genre) or JSON lines into a dataset, all or nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's address (slug)")
        parser.add_argument("file", type=Path)
        parser.add_argument("--dataset", required=True, help="name; made if there is none of that name")
        parser.add_argument("--licence", default="")
        parser.add_argument("--source", default="")

    def handle(self, *args: Any, study: str, file: Path, **options: Any) -> None:
        found = Study.objects.filter(slug=study).first()
        if found is None:
            raise CommandError(f"There is no study {study!r}.")
        try:
            pairs = read(file.read_bytes(), file.name)
            done = pairs_import(
                study=found,
                actor=None,
                dataset_name=options["dataset"],
                pairs=pairs,
                licence=options["licence"],
                source=options["source"],
            )
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror or error}") from error
        except PairFileError as error:
            raise CommandError(f"{error}. Nothing was stored.") from error
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        self.stdout.write(
            f"{done.rows} rows: {done.new} new pairs, {done.known} there already, "
            f"{done.gold} gold labels added."
        )
        if done.conflicts:
            lines = ", ".join(map(str, done.conflicts[:20])) + (" …" if len(done.conflicts) > 20 else "")
            self.stdout.write(
                f"{len(done.conflicts)} rows have another gold label than their pair already has, "
                f"which was kept: lines {lines}"
            )
