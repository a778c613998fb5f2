"""Choosing whose answers the dashboard reads, in a browser."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.campaigns.models import Campaign, Guideline, Item
from tests.campaigns.conftest import browser, open_page, violations

__all__ = ["browser", "open_page"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


def test_the_scale_is_left_out_until_it_is_ticked_and_the_page_says_so(make, study, dataset, rosa, open_page):
    scale = Campaign.objects.create(study=study, name="Rate", task="likert", dataset=dataset)
    Guideline.objects.create(campaign=scale, version=1, body="Rate.")
    for number, letters in enumerate(("eee", "nnn", "een")):
        pair = make(letters, calculus="e")
        make.answer(Item.objects.create(campaign=scale, pair=pair, position=number), "nn")
    page = open_page(rosa)
    page.goto(reverse("dashboard:home", args=[study.slug]))
    assert page.inner_text("#read-campaigns p").startswith("Answers are read in: Judging · Not read: Rate")
    usual = page.inner_text("#agreement")
    page.click("#read-campaigns summary")
    page.check("#read-campaigns label:has-text('Rate') input")
    page.click("#read-campaigns button")
    assert page.inner_text("#read-campaigns p") == "Answers are read in: Judging, Rate"
    assert "Points of the scale are read as labels here" in page.inner_text("#read-campaigns")
    mixed = page.inner_text("#agreement")
    assert mixed != usual and "computed on halved answers" in mixed
    assert violations(page) == []
    page.click("#matches a >> nth=0")  # the pairs behind a cell are counted alike
    assert "Answers are read in: Judging, Rate" in page.inner_text("main")
    page.go_back()
    page.click("#read-campaigns summary")
    page.click("text=As usual")
    assert page.inner_text("#agreement") == usual
