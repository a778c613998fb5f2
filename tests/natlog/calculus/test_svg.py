"""The drawing: valid, safe under a strict policy, nothing overlapping."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natlog.calculus import Labeller
from natlog.calculus.svg import tree_svg

SENTENCE = "No delegate who had ever been to Bergen finished the long report on time."
LONG = (
    "If every small dog in the park barks at the old postman, then most of the people who live in the quiet "
    "street near it won't sleep well."
)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def labeller():
    return Labeller()


def drawn(labeller, sentence, **options):
    return tree_svg(labeller.markings([sentence])[sentence], **options)


def test_it_is_an_image_with_a_title_for_screen_readers(labeller):
    root = ElementTree.fromstring(drawn(labeller, SENTENCE))
    assert root.get("role") == "img"
    assert "delegate↓" in root.find(f"{SVG}title").text


def test_inline_it_has_no_style(labeller):
    text = drawn(labeller, SENTENCE)
    assert "style" not in text
    assert "<style>" in drawn(labeller, SENTENCE, standalone=True)


def test_every_word_stands_once_with_its_arrow_and_its_class(labeller):
    root = ElementTree.fromstring(drawn(labeller, SENTENCE))
    words = [item.text for item in root.iter(f"{SVG}text") if item.get("class") == "word"]
    assert words == re.findall(r"\w+|\.", SENTENCE)
    arrows = [(i.text, i.get("class")) for i in root.iter(f"{SVG}text") if i.text in ("↑", "↓", "=")]
    assert len(arrows) == len(words)
    assert all({"↑": "up", "↓": "down", "=": "flat"}[sign] == name for sign, name in arrows)


@pytest.mark.parametrize("sentence", [SENTENCE, LONG])
def test_no_two_labels_overlap(labeller, sentence):
    root = ElementTree.fromstring(drawn(labeller, sentence))
    rows = {}
    for item in root.iter(f"{SVG}text"):
        size = float(item.get("font-size"))
        half = len(item.text) * size * 0.31
        rows.setdefault(item.get("y"), []).append((float(item.get("x")) - half, float(item.get("x")) + half))
    for spans in rows.values():
        spans.sort()
        assert all(left[1] <= right[0] + 0.5 for left, right in pairwise(spans))
    heights = sorted(float(y) for y in rows)
    assert all(b - a >= 18 for a, b in pairwise(heights))


def test_a_blank_is_tinted_by_code_points(labeller):
    start = SENTENCE.index("long")
    root = ElementTree.fromstring(drawn(labeller, SENTENCE, highlight=(start, start + len("long report"))))
    bold = [
        item.text
        for item in root.iter(f"{SVG}text")
        if item.get("class") == "word" and item.get("font-weight")
    ]
    assert bold == ["long", "report"]
    assert len(list(root.iter(f"{SVG}rect"))) == 1


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_well_formed_markup(text):
    marking = Labeller().markings([text])[text]
    ElementTree.fromstring(tree_svg(marking))


def test_markup_in_a_sentence_is_text(labeller):
    assert "<script>" not in drawn(labeller, "A <script>alert(1)</script> dog & 'cat' barks.")
