"""``manage.py invite``: a link for whoever may create studies, the way the first researcher gets in."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.urls import reverse

from apps.accounts.services import INVITATION_DAYS, invitation_create
from config.public_address import whole


class Command(BaseCommand):
    help = "Print an invitation link for one person who may create studies."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", default="", help="suggested on the page; the person may give another")
        parser.add_argument(
            "--base-url",
            default="",
            help="this server's address, if not PUBLIC_URL or this machine's",
        )

    def handle(self, *args: Any, email: str, base_url: str, **options: Any) -> None:
        if base_url and not base_url.startswith(("http://", "https://")):
            raise CommandError(f"--base-url {base_url}: begin with http:// or https://.")
        if email:
            try:
                validate_email(email)
            except ValidationError as error:
                raise CommandError(f"--email {email}: this is no e-mail address.") from error
        _invitation, token = invitation_create(actor=None, email=email)
        path = reverse("accounts:invitation", args=[token])
        self.stdout.write(f"{base_url.rstrip('/')}{path}" if base_url else whole(path))
        self.stderr.write(f"Good for one person and {INVITATION_DAYS} days. It is not shown again.")
