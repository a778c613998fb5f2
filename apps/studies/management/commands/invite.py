"""``manage.py invite``: a link for whoever may create studies, the way the first researcher gets in."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.urls import reverse

from apps.accounts.services import INVITATION_DAYS, invitation_create


class Command(BaseCommand):
    help = "Print an invitation link for one person who may create studies."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", default="", help="suggested on the page; the person may give another")
        parser.add_argument(
            "--base-url", default="http://localhost:8000", help="this server's address, as people type it"
        )

    def handle(self, *args: Any, email: str, base_url: str, **options: Any) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise CommandError(f"--base-url {base_url}: begin with http:// or https://.")
        if email:
            try:
                validate_email(email)
            except ValidationError as error:
                raise CommandError(f"--email {email}: this is no e-mail address.") from error
        _invitation, token = invitation_create(actor=None, email=email)
        self.stdout.write(f"{base_url.rstrip('/')}{reverse('accounts:invitation', args=[token])}")
        self.stderr.write(f"Good for one person and {INVITATION_DAYS} days. It is not shown again.")
