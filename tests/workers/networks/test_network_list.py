"""The registry: its sizes are those that the classes take, and its counts those of the papers."""

from __future__ import annotations

from io import StringIO

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from django.core.management import CommandError, call_command

from workers.management.commands.network_list import parameters
from workers.networks import NETWORKS, named

ATTENTION = ("decomposable-attention", "esim", "bimpm", "kim")


@pytest.mark.parametrize("key", ATTENTION)
def test_small_sizes_are_sizes_of_the_network(key):
    kind = NETWORKS[key]
    assert set(kind.small) | set(kind.searches) <= set(kind.sizes)
    network = named(kind.place)(vectors=torch.zeros(5, 20), labels=2, **{**kind.sizes, **kind.small})
    assert network.output.out_features == 2


@pytest.mark.parametrize("key", ATTENTION)
def test_the_sizes_are_what_the_class_has_by_itself(key):
    kind = NETWORKS[key]
    with_sizes = named(kind.place)(vectors=torch.zeros(5, 300), labels=3, **kind.sizes)
    by_itself = named(kind.place)(vectors=torch.zeros(5, 300), labels=3)
    assert [p.shape for p in with_sizes.parameters()] == [p.shape for p in by_itself.parameters()]
    assert [p.requires_grad for p in with_sizes.parameters()] == [
        p.requires_grad for p in by_itself.parameters()
    ]


@pytest.mark.parametrize("key", ["decomposable-attention", "esim"])
def test_the_count_is_the_papers(key):
    kind = NETWORKS[key]
    assert parameters(kind, 10)[0] == pytest.approx(kind.parameters[0], rel=0.01)


def test_with_attention_within_the_sentences_it_is_the_papers_other_count():
    """Parikh et al. 2016, Table 1: 582,000."""
    kind = NETWORKS["decomposable-attention"]
    network = named(kind.place)(vectors=torch.zeros(5, 300), labels=3, **{**kind.sizes, "intra": True})
    own = sum(p.numel() for p in network.parameters()) - network.words.weight.numel()
    assert own == pytest.approx(582_000, rel=0.01)


def test_the_command_prints_a_line_for_each():
    out = StringIO()
    call_command("network_list", "--vocabulary", "1000", stdout=out)
    lines = out.getvalue().splitlines()
    assert [line.split()[0] for line in lines] == ["Vectors:", "network", *NETWORKS]
    (line,) = (line for line in lines if line.startswith("decomposable-attention"))
    assert "381,803" in line
    assert "681,803" in line
    assert "382,000 (Table 1)" in line


def test_a_vocabulary_without_words_is_refused():
    with pytest.raises(CommandError, match="at least 1 word"):
        call_command("network_list", "--vocabulary", "0")
