"""Adjudication in a real browser: one key decides, and no accessibility violation in either scheme."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from apps.datasets.models import GoldLabel
from tests.campaigns.conftest import violations
from tests.quality.conftest import *  # noqa: F403 (quality's stage is this one's too)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_one_key_decides_and_n_leaves_it_for_later(disputed, judging, rosa, open_page):
    page = open_page(rosa)
    page.goto(reverse("adjudication:queue", args=[judging.study.slug, judging.pk]))
    page.keyboard.press("n")
    page.wait_for_url(re.compile(rf"/{disputed['disputed'].pk}/(\?|$)"))  # and until it takes keys
    page.keyboard.press("2")
    expect(page.locator(".message")).to_contain_text("The label is kept.")
    assert GoldLabel.objects.get().label == "non-entailment"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(scheme, disputed, judging, rosa, open_page):
    page = open_page(rosa, color_scheme=scheme)
    for place in ("quality:overview", "adjudication:queue"):
        page.goto(reverse(place, args=[judging.study.slug, judging.pk]))
        assert violations(page) == [], place
