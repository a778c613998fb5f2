"""Pairs: both directions, a check that can refuse, the same again by the same seed."""

import pytest

from natlog.calculus import Labeller
from natlog.generation import Maker, Operation, Options, maker_for
from natlog.generation.checking import LABEL, PARSE, pairs_of
from natlog.generation.choosing import Quota
from natlog.generation.realising import realise
from natlog.generation.structure import Structure


def test_each_change_gives_a_pair_and_its_reverse(made):
    pairs = made("No dog barked loudly.").pairs
    assert pairs
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        assert (one.premise, one.hypothesis) == (other.hypothesis, other.premise)
        assert (one.is_reversed, other.is_reversed) == (False, True)
        assert {one.relation, other.relation} == {"⊏", "⊐"}
        assert {one.label, other.label} == {"entailment", "non-entailment"}
        assert one.direction == other.direction == "downward"


def test_at_a_non_monotone_place_neither_direction_holds(made):
    pairs = [pair for pair in made("Exactly three dogs barked.").pairs if pair.direction == "non-monotone"]
    assert pairs
    assert {pair.label for pair in pairs} == {"non-entailment"}


def test_a_pair_says_where_it_came_from(made):
    pairs = made("No dog barked loudly.").pairs
    pair = next(pair for pair in pairs if pair.after == "animal" and not pair.is_reversed)
    assert pair.sentence[pair.start : pair.end] == pair.before == "dog"
    assert pair.premise == pair.sentence == "No dog barked loudly."
    assert (pair.operation, pair.kind, pair.polarity) == ("substitute", "hypernym", "↓")
    assert pair.first
    assert pair.second
    assert pair.engine == "natlog"
    assert pair.convention == "med"
    assert pair.parser.startswith("spacy:")
    assert pair.seed == 0


def test_wordnet_senses_are_named(made):
    pairs = made("Tom bought a pencil.", operations=frozenset({Operation.SUBSTITUTE})).pairs
    named = [pair for pair in pairs if pair.first == "pencil.n.1"]
    assert all(pair.second.endswith(".n.1") for pair in named)


def test_the_label_is_what_the_calculus_says_of_the_bare_sentences(corpus):
    maker, markings = corpus
    by = Labeller(convention="med")
    for made in maker.make(markings.values()):
        for pair in made.pairs:
            verdict = by.label(pair.premise, pair.hypothesis)
            assert (verdict.label, verdict.direction) == (pair.label, pair.direction), pair


def test_a_pair_on_which_the_calculus_differs_is_refused_with_the_reason(corpus):
    from dataclasses import replace

    maker, markings = corpus
    structure = Structure(markings["No dog barked loudly."])
    change = next(c for c in maker.changes(structure) if c.words == ("animal",))
    text, place = realise(structure.tree, change)
    changed = maker.labeller.markings([text])[text]
    assert len(pairs_of(structure, change, changed, place, maker.labeller, 0)) == 2

    wrong = replace(change, wider=False)
    refused = pairs_of(structure, wrong, changed, place, maker.labeller, 0)
    assert refused.why == LABEL
    assert "more general" in refused.detail

    other = maker.labeller.markings(["Does no animal bark loudly?", "No animal loudly barked."])
    assert (
        pairs_of(structure, change, other["No animal loudly barked."], place, maker.labeller, 0).why == PARSE
    )


def test_the_same_seed_makes_the_same_pairs_in_whatever_company(corpus):
    maker, markings = corpus
    options = Options(per_sentence=1, seed=5)
    together = [made.pairs for made in Maker(maker.stock, maker.labeller, options).make(markings.values())]
    alone = [
        made.pairs
        for marking in reversed(markings.values())
        for made in Maker(maker.stock, maker.labeller, options).make([marking])
    ]
    assert together == alone[::-1]


def test_another_seed_draws_other_changes(corpus):
    maker, markings = corpus

    def drawn(seed):
        options = Options(per_sentence=1, seed=seed)
        made = Maker(maker.stock, maker.labeller, options).make(markings.values())
        return [pair.hypothesis for one in made for pair in one.pairs]

    assert drawn(1) != drawn(2)


@pytest.mark.parametrize("operation", list(Operation))
def test_only_the_operations_asked_for(made, operation):
    for sentence in (
        "Tom saw a small dog in the park.",
        "Mary bought a book and a pen.",
        "Ann ate an apple.",
    ):
        pairs = made(sentence, operations=frozenset({operation})).pairs
        assert {pair.operation for pair in pairs} <= {operation.value}


def test_no_more_changes_of_a_sentence_than_asked_for(made):
    assert len(made("Tom saw a small dog in the park.", per_sentence=2).pairs) == 4


def test_questions_and_quotations_are_left_alone(med):
    texts = ["Did the small dog bark?", 'Tom said "a small dog barked".', "Bark at the small dog!"]
    maker, markings = maker_for(texts, med, Options(per_sentence=9))
    assert [made.pairs for made in maker.make(markings)] == [[], [], []]


def test_a_full_cell_takes_no_more(corpus):
    maker, markings = corpus
    quota = Quota(3)
    taken = [pair for made in maker.make(markings.values()) for pair in made.pairs if quota.take(pair)]
    assert max(quota.taken.values()) == 3
    assert len(taken) == sum(quota.taken.values())
    assert quota.taken["disjunction", "upward", "entailment"] == 3
    assert quota.taken["disjunction", "upward", "non-entailment"] == 3


def test_real_sentences_hold_together(shared_data, med):
    """Over real sentences: all but the place is unchanged, no article is wrong, no space is doubled."""
    import re

    lines = (shared_data / "pmb_sentences.txt").read_text("utf-8").splitlines()[:600:2]
    maker, markings = maker_for(lines, med, Options())
    pairs = [pair for made in maker.make(markings) for pair in made.pairs if not pair.is_reversed]
    assert len(pairs) > 60
    for pair in pairs:
        assert "  " not in pair.hypothesis
        assert not re.search(r"\ba [aei]\w", pair.hypothesis.replace("a one", "")) or re.search(
            r"\ba [aei]\w", pair.premise
        ), pair
        kept = pair.sentence[: max(pair.start - 3, 0)]
        assert pair.hypothesis.lower().startswith(kept.lower())
