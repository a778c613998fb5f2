"""Joins of whole tables don't hang on what PostgreSQL last counted."""

import pytest
from django.db import connection

from apps.accounts.models import User
from apps.frame.planning import joined_by_hashing

NESTED = "SELECT current_setting('enable_nestloop')"


def setting() -> str:
    with connection.cursor() as cursor:
        cursor.execute(NESTED)
        return cursor.fetchone()[0]


@pytest.mark.postgres
@pytest.mark.django_db
@pytest.mark.parametrize(("counted", "nested"), [(0, "off"), (-1, "off"), (1000, "on")])
def test_loops_are_not_nested_over_tables_of_which_nothing_is_known(counted, nested):
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pg_class SET reltuples = %s WHERE oid = %s::regclass", [counted, User._meta.db_table]
        )
    with joined_by_hashing(User):
        assert setting() == nested
    assert setting() == "on"


@pytest.mark.django_db
def test_elsewhere_nothing_is_asked(django_assert_num_queries):
    if connection.vendor != "postgresql":
        with django_assert_num_queries(0), joined_by_hashing(User):
            pass
