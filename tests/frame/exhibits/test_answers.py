"""A page's address with ``?as=`` is one of its files."""

from __future__ import annotations

import pytest
from django.http import Http404

from apps.frame.exhibits import exhibit_answer
from tests.frame.exhibits.test_figures import FIGURE
from tests.frame.exhibits.test_tables import TABLE

EXHIBITS = {"accuracy": lambda: TABLE, "directions": lambda: FIGURE, "nothing": lambda: None}


def answer(rf, **asked):
    return exhibit_answer(rf.get("/", asked), EXHIBITS, name="dogs")


def test_without_a_file_asked_for_the_page_is_shown(rf):
    assert answer(rf) is None


@pytest.mark.parametrize(("form", "media"), [("csv", "text/csv"), ("tex", "application/x-tex")])
def test_tables_are_downloaded_under_a_name_of_their_own(rf, form, media):
    found = answer(rf, **{"as": f"accuracy.{form}"})
    assert found["Content-Type"].startswith(media)
    assert found["Content-Disposition"] == f'attachment; filename="dogs-accuracy.{form}"'


def test_figures_are_shown_and_downloaded_where_asked_for(rf):
    assert "Content-Disposition" not in answer(rf, **{"as": "directions.svg"})
    assert "dogs-directions.svg" in answer(rf, **{"as": "directions.svg", "save": "1"})["Content-Disposition"]


@pytest.mark.parametrize(
    "asked", ["", "accuracy", "accuracy.svg", "directions.csv", "other.csv", "nothing.csv"]
)
def test_what_a_page_does_not_have_is_not_found(rf, asked):
    with pytest.raises(Http404):
        answer(rf, **{"as": asked})
