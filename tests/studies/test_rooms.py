"""A study's rooms, in its sidebar and on its overview."""

import re

import pytest
from django.urls import reverse

from apps.studies import rooms

WORK = ["Corpora", "Blanks", "Campaigns", "Pairs", "Models", "Dashboard", "Releases"]
BESIDE = ["Experiments", "Jobs", "Webhooks", "Members", "Annotators", "Trail"]


@pytest.fixture
def sidebar(study, ada, client_of):
    """The sidebar's rooms on a page, and those that are marked as where the reader is."""

    def get(name):
        page = client_of(ada).get(reverse(name, args=[study.slug])).content.decode()
        nav = page.partition('<nav class="rooms"')[2].partition("</nav>")[0]
        return re.findall(r"<a href[^>]*>([^<]+)<", nav), re.findall(r'aria-current="page">([^<]+)<', nav)

    return get


@pytest.mark.parametrize(
    ("page", "here"),
    [
        ("studies:overview", []),
        ("corpora:list", ["Corpora"]),
        ("blanks:list", ["Blanks"]),
        ("campaigns:list", ["Campaigns"]),
        ("datasets:list", ["Pairs"]),
        ("models:list", ["Models"]),
        ("dashboard:home", ["Dashboard"]),
        ("releases:list", ["Releases"]),
        ("webhooks:list", ["Webhooks"]),
        ("jobs:list", []),
        ("members:list", []),
        ("studies:trail", []),
    ],
)
def test_the_sidebar_lists_the_rooms_and_marks_the_one_that_the_page_is_in(page, here, sidebar):
    assert sidebar(page) == (WORK + BESIDE, here)


@pytest.mark.parametrize(
    ("namespace", "name"),
    [("quality", "campaigns"), ("adjudication", "campaigns"), ("panels", "campaigns")]
    + [(name, "pairs") for name in ("curation", "imports", "generation", "reports")],
)
def test_pages_of_other_apps_stand_in_a_room(namespace, name):
    assert rooms.room_of(namespace).name == name


def test_the_overview_says_what_to_do_first(study, django_assert_num_queries):
    with django_assert_num_queries(10):
        steps = rooms.steps_of(study)
    assert [step.title for step in steps] == WORK
    assert steps[0].text == "Bring sentences in: upload or paste them." and not any(s.count for s in steps)


def test_a_room_that_is_added_takes_its_place(study, monkeypatch):
    monkeypatch.setattr(rooms, "_rooms", dict(rooms._rooms))
    contents = rooms.Contents(2, "testbeds", "Made to measure.")
    rooms.register(rooms.Room("testbeds", "Testbeds", 55, "studies:overview", lambda study: contents))
    assert [step.title for step in rooms.steps_of(study)][4:7] == ["Models", "Testbeds", "Dashboard"]
