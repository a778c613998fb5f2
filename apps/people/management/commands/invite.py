"""``manage.py invite``: a link for whoever may create studies, the way the first researcher gets in."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_email
from django.urls import reverse

from apps.frame.public_address import whole
from apps.people.services import INVITATION_DAYS, invitation_create


class Command(BaseCommand):
    help = "Print an invitation link for one person who may create studies."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", default="", help="suggested on the page; the person may give another")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        if email:
            try:
                validate_email(email)
            except ValidationError as error:
                raise CommandError(f"--email {email}: this is no e-mail address.") from error
        _invitation, token = invitation_create(actor=None, email=email)
        self.stdout.write(whole(reverse("people:invitation", args=[token])))
        self.stderr.write(f"Good for one person and {INVITATION_DAYS} days. It is not shown again.")
