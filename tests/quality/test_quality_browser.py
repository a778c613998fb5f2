"""The quality pages in a real browser: no accessibility violation in either scheme."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.campaigns.conftest import violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = ["overview", "eligibility", "tests", "tests_import", "rules", "actions", "people"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(scheme, disputed, judging, trust_rule, rosa, open_page):
    page = open_page(rosa, color_scheme=scheme)
    for name in PAGES:
        page.goto(reverse(f"quality:{name}", args=[judging.study.slug, judging.pk]))
        assert violations(page) == [], name
