"""How WordNet relates words (Chen et al. 2018, section 4.1), and how a batch says it."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from workers.networks.knowledge import RELATIONS, KnowledgeReader, relations
from workers.networks.words import WordReader


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("dog", "canid", {"hypernymy": 0.875}),  # the paper's examples
        ("wolf", "canid", {"hypernymy": 0.875}),
        ("dog", "carnivore", {"hypernymy": 0.75}),
        ("canid", "dog", {"hyponymy": 0.875}),
        ("dog", "wolf", {"co-hyponymy": 1}),
        ("hot", "cold", {"antonymy": 1}),
        ("man", "woman", {"antonymy": 1, "co-hyponymy": 1}),
        ("kids", "children", {"synonymy": 1}),
        ("dogs", "dog", {"synonymy": 1}),
        ("running", "runs", {"synonymy": 1}),
        ("dog", "dog", {"synonymy": 1}),
        ("the", "the", {}),  # not in WordNet
        ("dog", "idea", {}),
    ],
)
def test_relations_of_two_words(first, second, expected):
    assert dict(zip(RELATIONS, relations(first, second), strict=True)) == {
        name: expected.get(name, 0) for name in RELATIONS
    }


def test_what_is_eight_steps_above_is_not_related():
    """By the shortest way a poodle is seven steps below *object* and eight below *physical entity*."""
    assert relations("poodle", "object")[2] == 0.125
    assert relations("poodle", "physical_entity") == (0, 0, 0, 0, 0)


def test_a_batch_has_them_from_both_sides():
    pairs = [("a dog runs", "canids"), ("hot", "the cold dogs run")]
    reader = KnowledgeReader.fit(pairs)
    batch = reader.batch(reader.examples(pairs))
    assert batch.knowledge.shape == (2, 3, 4, len(RELATIONS))
    assert batch.knowledge[0, 1, 0].tolist() == list(relations("dog", "canids"))
    assert batch.knowledge_back[0, 0, 1].tolist() == list(relations("canids", "dog"))
    assert batch.knowledge[1, 0, 1].tolist() == list(relations("hot", "cold"))
    assert batch.knowledge_back[1, 1, 0].tolist() == list(relations("cold", "hot"))
    assert batch.knowledge[:, :, 3].count_nonzero() == 0  # padding, and a premise without *run*


def test_words_without_any_relation_leave_zeros():
    reader = KnowledgeReader.fit([("the", "of")])
    batch = reader.batch(reader.examples([("the", "of")]))
    assert batch.knowledge.count_nonzero() == 0


def test_an_empty_premise_has_no_relations():
    reader = KnowledgeReader.fit([("a dog", "a dog")], hypothesis_only=True)
    assert reader.batch(reader.examples([("a dog", "a dog")])).knowledge.count_nonzero() == 0


def test_the_words_are_those_of_the_plain_reader():
    pairs = [("a dog runs", "canids")]
    plain, knowing = WordReader.fit(pairs), KnowledgeReader.fit(pairs)
    assert knowing.config() == plain.config()
    assert torch.equal(
        knowing.batch(knowing.examples(pairs)).premise.tokens,
        plain.batch(plain.examples(pairs)).premise.tokens,
    )
