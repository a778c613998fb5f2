"""What a command says in a data folder that has no tables yet, or older ones."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def migrated_check() -> None:
    """Every migration is applied. Raises CommandError."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("The database lacks tables of this version: run “manage.py migrate” first.")
