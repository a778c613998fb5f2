"""Figures are drawn here: SVG that follows light and dark, PNG and PDF for paper."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.utils import translation

from apps.frame.exhibits import Figure
from apps.frame.exhibits.figures import _DARK, UP

FIGURE = Figure(
    "Pairs by direction",
    "Upward 3, downward 5.",
    {
        "data": {"values": [{"direction": "↑ upward", "n": 3}, {"direction": "↓ downward", "n": 5}]},
        "mark": {"type": "bar", "color": UP},
        "encoding": {
            "y": {"field": "direction", "type": "nominal", "title": None},
            "x": {"field": "n", "type": "quantitative"},
        },
    },
)


def test_an_svg_is_whole_holds_its_data_s_words_and_no_script():
    drawn = FIGURE.svg()
    ElementTree.fromstring(drawn)
    assert "↑ upward" in drawn
    assert "<script" not in drawn
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"', "", drawn)


def test_numbers_are_written_as_on_the_reader_s_page():
    values = [{"n": 0.5}, {"n": 2500.5}]
    spec = {
        "data": {"values": values},
        "mark": "text",
        "encoding": {"text": {"field": "n", "type": "quantitative", "format": ",.1f"}},
    }
    figure = Figure("Numbers", "Two.", spec)
    assert ">0.5<" in figure.svg() and ">2,500.5<" in figure.svg()
    with translation.override("de"):
        assert ">0,5<" in figure.svg() and ">2.500,5<" in figure.svg() and figure.png() != b""


def test_its_size_is_that_of_its_svg():
    width, height = FIGURE.size()
    assert f'viewBox="0 0 {width} {height}"' in FIGURE.svg()


@pytest.mark.parametrize("character", ["\x01", "\n", "\x7f", "\u2028", "\ud800", "\uffff"])
def test_a_word_that_no_picture_can_hold_is_drawn_without_it(character):
    """The library that draws ends the process at some of them, so that no word of the data may get there."""
    values = [{"direction": f"up{character}ward", "n": 3}]
    figure = Figure("t", "s", {**FIGURE.spec, "data": {"values": values}})
    ElementTree.fromstring(figure.svg())
    assert "up\ufffdward" in figure.svg() and figure.png()[1:4] == b"PNG" and figure.pdf()[:4] == b"%PDF"


def test_every_colour_that_it_draws_with_has_a_dark_one():
    drawn = FIGURE.svg().partition("</style>")[2]
    colours = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]+|[a-z]+)"', drawn)) - {"none", "transparent"}
    assert colours <= set(_DARK)
    assert UP in colours


def test_the_colours_are_those_of_the_stylesheet():
    sheet = (Path(settings.BASE_DIR) / "static" / "polarlab.css").read_text(encoding="utf-8")
    pairs = dict(re.findall(r"light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", sheet))
    assert {light: pairs.get(light) for light in _DARK} == _DARK


@pytest.mark.parametrize(("draw", "begins"), [(Figure.png, b"\x89PNG"), (Figure.pdf, b"%PDF")])
def test_for_paper(draw, begins):
    assert draw(FIGURE).startswith(begins)
