"""What must hold of studies, and of the database itself: the rules that it should hold are in it."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db import connection
from django.db.models import Count, Q

from apps.studies.models import Role, Study
from apps.studies.soundness import Fault


def constraints(study: Study | None) -> Iterator[Fault]:
    """The database has every constraint that the models declare: uniqueness, choices, counts.

    One look at each table's description, whatever study is asked for.
    """
    with connection.cursor() as cursor:
        for model in apps.get_models():
            if not model.__module__.startswith("apps."):
                continue
            table = model._meta.db_table
            there = connection.introspection.get_constraints(cursor, table)
            for constraint in model._meta.constraints:
                if constraint.name not in there:
                    text = f"table {table} has no constraint {constraint.name}"
                    yield Fault("constraint", text, "restore the table's definition (manage.py migrate)")


def admins(study: Study | None) -> Iterator[Fault]:
    """A study has at least one admin; a hidden one has no members."""
    studies = Study.objects.filter(pk=study.pk) if study else Study.objects.filter(hidden=False)
    has = Count("memberships", filter=Q(memberships__role=Role.ADMIN))
    found = studies.order_by().annotate(n=has).filter(n=0)
    for pk, slug in found.values_list("pk", "slug").iterator():
        yield Fault("admin", f"study {pk} ({slug}) has no admin", "add a membership in Django's admin")


CHECKS = (constraints, admins)
