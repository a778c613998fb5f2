"""``manage.py erase_participant``: forget who somebody is; first it says what goes and what stays."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.people.erasure import outcome_of, participant_erase
from apps.studies.models import Participant


class Command(BaseCommand):
    help = "Say what erasing a participant would do; with --yes, do it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's address, as in /s/<address>/")
        parser.add_argument("pseudonym")
        parser.add_argument("--yes", action="store_true", help="erase, after saying so")

    def handle(self, *args: Any, study: str, pseudonym: str, yes: bool, **options: Any) -> None:
        found = Participant.objects.filter(study__slug=study, pseudonym=pseudonym).select_related("study")
        participant = found.first()
        if participant is None:
            raise CommandError(f"The study {study} has no participant {pseudonym}.")
        if participant.erased_at:
            self.stdout.write(f"{pseudonym} was erased on {participant.erased_at:%Y-%m-%d}.")
            return
        outcome = outcome_of(participant)
        for title, lines in (("Before", outcome.before), ("Goes", outcome.goes), ("Stays", outcome.stays)):
            for line in lines:
                self.stdout.write(f"{title}: {line}")
        if yes:
            participant_erase(participant=participant, actor=None)
            self.stdout.write(f"Erased: {pseudonym}.")
        else:
            self.stdout.write("Nothing is erased yet. Say --yes to erase.")
