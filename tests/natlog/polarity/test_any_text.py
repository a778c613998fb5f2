"""No text makes the parser or the marker fail, and every token gets a sign."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from natlog.lexicon.operators import load_operators
from natlog.parsing import load_parser
from natlog.polarity import mark
from natlog.tree import Tree

_FORMS = sorted({" ".join(form) for operator in load_operators().operators for form in operator.forms})
_OPERATOR_WORDS = [form.replace("{n}", "six").replace("+", "") for form in _FORMS]
_OTHER_WORDS = ["dogs", "bark", "the", "old", "who", "likes", ",", "cat", "and", "or", "to", "is", "?", "."]
any_text = st.text(st.characters(), max_size=60)
word_salad = st.lists(st.sampled_from(_OPERATOR_WORDS + _OTHER_WORDS), max_size=12).map(" ".join)


def assert_is_marked(tree: Tree, text: str) -> None:
    assert tree.text == text
    leaves = [node.start for node in tree.root.walk() if not node.children and node.end > node.start]
    assert leaves == list(range(len(tree.tokens)))
    for token in tree.tokens:
        assert text[token.start : token.end] == token.text
    for convention in ("default", "med"):
        assert len(mark(tree, convention).signs) == len(tree.tokens)


@settings(max_examples=120, deadline=None)
@given(any_text)
def test_any_unicode_text(text: str) -> None:
    assert_is_marked(load_parser().parse(text), text)


@settings(max_examples=120, deadline=None)
@given(word_salad)
def test_any_order_of_operators(text: str) -> None:
    assert_is_marked(load_parser().parse(text), text)


@settings(max_examples=40, deadline=None)
@given(st.lists(any_text, max_size=6))
def test_one_tree_for_each_text_in_order(texts: list[str]) -> None:
    assert [tree.text for tree in load_parser().pipe(texts)] == texts


def test_a_lone_surrogate_and_a_whole_book() -> None:
    parser = load_parser()
    for text in ("a \ud800 dog", "", " \n ", "word " * 30_000):
        assert_is_marked(parser.parse(text), text)


def test_real_sentences(shared_data: Path) -> None:
    sentences = (shared_data / "pmb_sentences.txt").read_text(encoding="utf-8").splitlines()
    for tree, text in zip(load_parser().pipe(sentences), sentences, strict=True):
        assert_is_marked(tree, text)
