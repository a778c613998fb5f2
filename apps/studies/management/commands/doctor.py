"""``manage.py doctor``: whether the database holds what it must hold, and what to do where it doesn't."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.studies import soundness
from apps.studies.models import Study


class Command(BaseCommand):
    help = "Check, without writing, what must always hold in the database; exit with 1 where it doesn't."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--study", default="", help="one study, by its number or its address")

    def handle(self, *args: Any, study: str, **options: Any) -> None:
        of = _study(study) if study else None
        faults = notes = 0
        for fault in soundness.faults(of):
            self.stdout.write(str(fault))
            faults, notes = faults + (not fault.is_note), notes + fault.is_note
        where = f" in {of.name}" if of else ""
        if faults:
            self.stderr.write(f"{faults} faults{where}; docs/hosts.md says what each check looks at.")
            sys.exit(1)
        told = f", {notes} notes" if notes else ""
        self.stdout.write(f"All {len(soundness.checks())} checks passed{where}{told}.")


def _study(name: str) -> Study:
    found = Study.objects.filter(slug=name).first()
    if found is None and name.isdecimal():
        found = Study.objects.filter(pk=int(name)).first()
    if found is None:
        raise CommandError(f"--study {name}: there is no such study.")
    return found
