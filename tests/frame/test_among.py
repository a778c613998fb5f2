"""Rows by a column that is one of many numbers."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission

from apps.frame.among import Among

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_it_says_what_a_list_says(django_assert_num_queries):
    numbers = list(Permission.objects.order_by("pk").values_list("pk", flat=True)[:5])
    with django_assert_num_queries(2):
        assert set(Permission.objects.filter(Among("pk", numbers))) == set(
            Permission.objects.filter(pk__in=numbers)
        )


def test_it_leads_along_relations_and_stands_beside_other_conditions():
    kinds = list(Permission.objects.values_list("content_type", flat=True).distinct()[:2])
    found = Permission.objects.filter(Among("content_type_id", kinds), codename__startswith="add")
    assert set(found) == set(Permission.objects.filter(content_type__in=kinds, codename__startswith="add"))
    assert found


def test_of_no_numbers_there_is_no_row():
    assert not Permission.objects.filter(Among("pk", [])).exists()


def test_a_hundred_thousand_numbers_are_one_parameter():
    assert Permission.objects.filter(Among("pk", range(100_000))).count() == Permission.objects.count()
