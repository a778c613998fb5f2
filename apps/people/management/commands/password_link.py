"""``manage.py password_link``: a link with which one person sets a new password, made by the host."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from apps.accounts.models import User
from apps.frame.public_address import whole
from apps.people.passwords import LINK_HOURS, password_link_create


class Command(BaseCommand):
    help = "Print a link with which one person sets a new password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address that they sign in with")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower(), is_active=True).first()
        if user is None:
            raise CommandError(f"{email}: nobody signs in with this address.")
        token = password_link_create(user=user, actor=None)
        self.stdout.write(whole(reverse("people:password_reset", args=[token])))
        self.stderr.write(f"Good for {user.email}, once, within {LINK_HOURS} hours. It is not shown again.")
