"""``manage.py load_demo``: the demo study, made once."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from apps.demo.study import Demo, DemoError, counts_of, demo_create, demo_find
from apps.frame.public_address import origin
from apps.people.services import sign_in_link_create
from apps.studies.models import Role


class Command(BaseCommand):
    help = "Load the demo study, unless it is there; its annotators are simulated and marked so."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--links",
            metavar="ORIGIN",
            help="print one-time sign-in links for the demo's annotator, researcher and admin",
        )

    def handle(self, *args: Any, links: str | None, **options: Any) -> None:
        demo = demo_find()
        if demo is None:
            self.stderr.write("Loading the demo study; this takes about a minute …")
            try:
                demo = demo_create()
            except DemoError as error:
                raise CommandError(f"The demo was not loaded. {error}") from error
        counts = ", ".join(f"{number} {what}" for what, number in counts_of(demo.study).items())
        self.stdout.write(f"{demo.study.name}: {counts}.")
        if links:
            self._print_links(demo, origin() if settings.PUBLIC_URL else links.rstrip("/"))

    def _print_links(self, demo: Demo, base: str) -> None:
        self.stdout.write(f"\nPolarlab will be at {base}{reverse('home')}")
        self.stdout.write("Sign in once with each of these, within 24 hours:")
        for role in Role.values:
            token = sign_in_link_create(user=getattr(demo, role))
            self.stdout.write(f"  {role:10}  {base}{reverse('people:link', args=[token])}")
