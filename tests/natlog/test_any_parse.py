"""Whatever a parser hands over: every repair, the marker, the calculus, the profile, the drawing and the
generators end, and every token gets a sign. Arcs may run in circles, have several roots or none, and bear any
relations and tags.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from natlog.calculus import Labeller
from natlog.calculus.svg import tree_svg
from natlog.generation import Maker, Options, Stock
from natlog.generation.realising import realise
from natlog.generation.structure import Structure
from natlog.heads import Heads
from natlog.parsing.adoption import adopt
from natlog.parsing.constituents import build_root
from natlog.parsing.draft import Draft
from natlog.parsing.faults import severity
from natlog.parsing.reduction import reduce_words, restore
from natlog.parsing.relatives import join, splits
from natlog.parsing.repairs import REPAIRS, mend
from natlog.parsing.repairs.rule import Repair
from natlog.parsing.suspicion import trust
from natlog.parsing.variants import unfit, variants
from natlog.polarity import mark
from natlog.profile import profile
from natlog.tree import Marking, Token, Tree, to_dict, tree_from_dict

pytestmark = pytest.mark.usefixtures("ends")

_WORDS = """every no boy girls who that sang dances and or but nor , . if then when a the an it not n't never
at most three more than fewer any except with without nobody everyone of in to before like likes neither only
refused unlikely doubts whether whoever is old John 's few all many"""
_TAGS = "DT NN NNS NNP VBD VBZ VBP VB VBN VBG MD IN TO CC JJ JJS RB WP WDT WRB CD PRP , . EX POS XX"
_RELATIONS = """ROOT nsubj nsubjpass csubj dobj pobj attr prep conj cc det predet neg aux relcl acl advcl
ccomp xcomp mark amod advmod poss nummod quantmod preconj punct appos npadvmod pcomp expl dep"""
WORDS, TAGS, RELATIONS = _WORDS.split(), _TAGS.split(), _RELATIONS.split()
PARTS = {"NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "JJ": "ADJ", "RB": "ADV", "CD": "NUM", "PRP": "PRON"}


def _draft(columns: list[tuple[str, str, str]], heads: list[int]) -> Draft:
    words, tags, deps = (list(column) for column in zip(*columns, strict=True)) if columns else ([], [], [])
    starts = [sum(len(word) + 1 for word in words[:index]) for index in range(len(words))]
    pos = [PARTS.get(tag, "VERB" if tag[:1] in "VM" else "PUNCT" if tag in ",." else "ADP") for tag in tags]
    return Draft(
        " ".join(words), words, starts, [word.lower() for word in words], pos, tags, deps, Heads(heads)
    )


@st.composite
def drafts(draw: st.DrawFn, smallest: int = 1) -> Draft:
    size = draw(st.integers(smallest, 12))
    token = st.tuples(*map(st.sampled_from, (WORDS, TAGS, RELATIONS)))
    columns = draw(st.lists(token, min_size=size, max_size=size))
    heads = draw(st.lists(st.integers(0, max(size - 1, 0)), min_size=size, max_size=size))
    return _draft(columns, heads)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """A tree as it may be stored: its governors needn't even be in the sentence."""
    parse = draw(drafts(smallest=0))
    heads = [draw(st.sampled_from([head, head, head, -1, 99])) for head in parse.heads]
    columns = zip(
        parse.words, parse.starts, parse.lemmas, parse.pos, parse.tags, parse.deps, heads, strict=True
    )
    tokens = tuple(
        Token(index, word, start, start + len(word), lemma, pos, tag, dep, head)
        for index, (word, start, lemma, pos, tag, dep, head) in enumerate(columns)
    )
    return Tree(parse.text, tokens, build_root(Heads(heads), parse.deps, parse.tags), "any")


def _assert_parallel(draft: Draft, size: int) -> None:
    for column in (draft.words, draft.lemmas, draft.pos, draft.tags, draft.deps, draft.heads):
        assert len(column) == size
    assert all(head in range(size) for head in draft.heads)


THE_ONE_THAT_HUNG = _draft(
    [
        ("every", "DT", "det"),
        ("boy", "NN", "nsubj"),
        ("who", "WP", "nsubj"),
        ("sang", "VBD", "relcl"),
        ("and", "CC", "cc"),
        ("every", "DT", "det"),
        ("girl", "NN", "conj"),
        ("left", "VBD", "ROOT"),
    ],
    [1, 7, 3, 1, 1, 6, 1, 7],
)


@settings(max_examples=200, deadline=None)
@given(drafts())
@example(THE_ONE_THAT_HUNG)
@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: type(repair).__name__)
def test_a_repair_ends(repair: Repair[object], draft: Draft) -> None:
    size = len(draft.words)
    repair.mend(draft)
    _assert_parallel(draft, size)
    mend(draft)
    _assert_parallel(draft, size)


@settings(max_examples=300, deadline=None)
@given(drafts())
def test_no_repair_closes_a_circle(draft: Draft) -> None:
    mend(draft)
    assert Heads(draft.heads) == draft.heads


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drafts(), st.data())
def test_a_variant_s_parse_is_adopted_whatever_it_is(draft: Draft, data: st.DataObject) -> None:
    size = len(draft.words)
    for variant in variants(draft):
        columns = [
            (word, data.draw(st.sampled_from(TAGS)), data.draw(st.sampled_from(RELATIONS)))
            for word in variant.words
        ]
        heads = [data.draw(st.integers(0, len(columns) - 1)) for _ in columns]
        parse = mend(_draft(columns, heads))
        assert severity(parse) + unfit(parse, variant) >= 0
        _assert_parallel(mend(adopt(draft, variant, parse)), size)


@settings(max_examples=200, deadline=None)
@given(drafts(), st.data())
def test_a_relative_clause_is_put_back_whatever_its_parse(draft: Draft, data: st.DataObject) -> None:
    for split in splits(draft):
        main, clause = (
            _draft(
                [(word, "NN", data.draw(st.sampled_from(RELATIONS))) for word in words],
                [data.draw(st.integers(0, len(words) - 1)) for _ in words],
            )
            for words in (split.main(draft), split.clause(draft))
        )
        _assert_parallel(join(draft, split, mend(main), mend(clause)), len(draft.words))


@settings(max_examples=200, deadline=None)
@given(drafts(), st.data())
def test_what_was_reduced_is_restored_whatever_its_parse(draft: Draft, data: st.DataObject) -> None:
    reduction = reduce_words(draft.words)
    if reduction is not None:
        size = len(reduction.words)
        columns = [(word, "NN", data.draw(st.sampled_from(RELATIONS))) for word in reduction.words]
        parse = mend(_draft(columns, [data.draw(st.integers(0, size - 1)) for _ in columns]))
        _assert_parallel(restore(parse, reduction, draft.words, draft.starts), len(draft.words))


@settings(max_examples=200, deadline=None)
@given(drafts(smallest=0))
def test_a_draft_is_frozen_to_a_tree_without_circles(draft: Draft) -> None:
    assert 0 <= trust(draft) <= 1
    tree = draft.freeze("any")
    heads = tuple(token.head for token in tree.tokens)
    assert Heads(heads) == heads == tree.heads
    assert [n.start for n in tree.root.walk() if not n.children and n.end > n.start] == list(
        range(len(heads))
    )
    assert tree_from_dict(to_dict(tree)) == tree


@settings(max_examples=400, deadline=None)
@given(trees(), st.sampled_from(["default", "med", "udep2mono"]))
def test_every_token_has_a_sign(tree: Tree, convention: str) -> None:
    marking = mark(tree, convention)
    assert len(marking.signs) == len(marking.token_why) == len(tree.tokens)
    assert all(0 <= item.start < item.end <= len(tree.tokens) for item in marking.constituents)
    assert profile(marking).depth <= len(tree.tokens)
    assert tree_svg(marking).endswith("</svg>")


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller(convention="med")


@settings(max_examples=200, deadline=None)
@given(trees(), trees(), st.booleans())
def test_any_two_parses_are_compared(labeller: Labeller, one: Tree, two: Tree, same: bool) -> None:
    premise, hypothesis = mark(one, "med"), mark(one if same else two, "med")
    verdict = labeller.label_marked(premise, hypothesis)
    assert verdict.label in ("entailment", "non-entailment", "contradiction")
    assert not same or verdict.label == "entailment"


@settings(max_examples=100, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=4))
def test_generators_end_on_any_parse(labeller: Labeller, parsed: list[Tree]) -> None:
    structures = [Structure(_marked(tree)) for tree in parsed]
    maker = Maker(Stock(structures), labeller, Options())
    for structure in structures:
        for change in maker.changes(structure):
            text, place = realise(structure.tree, change)
            assert text and place >= 0


def _marked(tree: Tree) -> Marking:
    return mark(tree, "med")
