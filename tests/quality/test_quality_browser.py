"""The quality pages in a real browser: one key decides, and no accessibility violation in either scheme."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from apps.datasets.models import GoldLabel
from tests.campaigns.conftest import violations
from tests.quality.test_pages import disputed  # noqa: F401 (a fixture)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = ["overview", "eligibility", "tests", "tests_import", "rules", "actions", "people", "adjudication"]


def test_one_key_decides_and_n_leaves_it_for_later(disputed, judging, rosa, open_page):  # noqa: F811
    page = open_page(rosa)
    page.goto(reverse("adjudication:queue", args=[judging.study.slug, judging.pk]))
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile(rf"/{disputed['disputed'].pk}/(\?|$)"))
    page.keyboard.press("2")
    expect(page.locator(".message")).to_contain_text("The label is kept.")
    assert GoldLabel.objects.get().label == "non-entailment"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(scheme, disputed, judging, trust_rule, rosa, open_page):  # noqa: F811
    page = open_page(rosa, color_scheme=scheme)
    for name in PAGES:
        page.goto(reverse(f"quality:{name}", args=[judging.study.slug, judging.pk]))
        assert violations(page) == [], name
