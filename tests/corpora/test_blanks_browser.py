"""Choosing blanks in a browser: what is on the form when the button is pressed is what is made."""

import pytest
from django.urls import reverse

from apps.corpora.models import BlankSet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_direction_chosen_without_counting_is_the_direction_made(study, parsed, rosa, visit, script):
    page = visit(rosa, reverse("blanks:new", args=[study.slug]), java_script_enabled=script)
    page.get_by_label("Direction").select_option("down")
    page.get_by_role("button", name="Count").click()
    page.get_by_label("Direction").select_option("up")
    page.get_by_label("Name of the set").fill("Upward")
    page.get_by_role("button", name="Make the set").click()
    page.get_by_role("heading", name="Upward", level=1).wait_for()
    assert set(BlankSet.objects.get().blanks.values_list("polarity", flat=True)) == {"up"}


def test_counting_keeps_the_name_and_size_that_were_typed(study, parsed, rosa, visit):
    page = visit(rosa, reverse("blanks:new", args=[study.slug]))
    page.get_by_label("Name of the set").fill("Mine")
    page.get_by_label("At most", exact=True).fill("3")
    page.get_by_label("Tokens, at least", exact=True).fill("2")
    page.get_by_role("button", name="Count").click()
    page.wait_for_url("**minimum=2**")
    assert page.get_by_label("Name of the set").input_value() == "Mine"
    assert page.get_by_label("At most", exact=True).input_value() == "3"
