"""The multiplicative TreeLSTM level by level beside node by node: the same trees, the same equations.

python -m bench.tree_lstm ../shared/data [--pairs 16,32,64] [--rounds 5]

Prints milliseconds of processor time a batch of SICK's and of MED's pairs (so many pairs are twice as many
trees), on one thread, at the systematicity paper's sizes, the best of some rounds: for predicting, and for a
step of training (forward, backward, Adam). Laying a batch out is given by itself; parsing is outside of all.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from workers.networks.tree_lstm import TreeCell, TreeLSTM
from workers.networks.trees import TreeExample, TreeReader

DIMENSIONS, LABELS = 300, 2


def node_by_node(network: TreeLSTM, example: TreeExample) -> Tensor:
    """The logits (labels,) of one pair, by the equations of :mod:`workers.networks.tree_lstm` as they stand
    there, one node after the other."""
    roots = []
    for tree in (example.premise_tree, example.hypothesis_tree):
        # A sentence's words and relations are looked up at once: a look-up's gradient is a whole table.
        words = [network.words(torch.tensor(layer.words)).unbind() for layer in tree]
        relations = [network.relations(torch.tensor(layer.relations)).unbind() for layer in tree]
        parents = [layer.parents for layer in tree]
        roots.append(_state(network.cell, words, relations, parents, 0, 0)[0])
    return network.comparison(*roots)


def _state(
    cell: TreeCell, words: Any, relations: Any, parents: list[Sequence[int]], level: int, place: int
) -> tuple[Tensor, Tensor]:
    """A node's h and c, after its children's. A node is a place on a level, as are its word's vector, its
    relation's and its parent."""
    below = parents[level + 1] if level + 1 < len(parents) else ()
    children = [number for number, parent in enumerate(below) if parent == place]
    states = cell.states
    h_sum = kept = torch.zeros(states)
    from_word = cell.w_x(words[level][place])
    for child in children:
        h_k, c_k = _state(cell, words, relations, parents, level + 1, child)
        m_k = cell.w_mx(relations[level + 1][child]) * cell.w_mh(h_k)
        h_sum = h_sum + cell.w_h(m_k)
        f_k = torch.sigmoid(from_word[3 * states :] + cell.u_f(h_k))
        kept = kept + f_k * c_k
    i, o, u = (from_word[: 3 * states] + cell.u_iou(h_sum)).chunk(3)
    c = torch.sigmoid(i) * torch.tanh(u) + kept
    return torch.sigmoid(o) * torch.tanh(c), c


def pairs_of(data: Path) -> dict[str, list[tuple[str, str]]]:
    """SICK's training pairs and MED's, in the files' order."""
    from natlog.pairs import read_pairs

    files = {"SICK": data / "sick_corrected.csv", "MED": data / "MED_dev.tsv"}
    return {
        name: [(pair.premise, pair.hypothesis) for pair in read_pairs(file)] for name, file in files.items()
    }


def milliseconds(work: Callable[[], Any], rounds: int) -> float:
    """Of one thread's processor time: others at work beside it don't count."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return 1000 * min(taken)


def measure(pairs: list[tuple[str, str]], rounds: int) -> dict[str, tuple[float, float]]:
    """By level and node by node, for each kind of work; and the largest difference of logits."""
    reader = TreeReader.fit(pairs)
    examples = reader.examples(pairs)
    torch.manual_seed(1)
    vectors = reader.vectors(source="random", dimensions=DIMENSIONS, seed=1)
    network = TreeLSTM(vectors=vectors, labels=LABELS)
    batch = reader.batch(examples)
    targets = torch.arange(len(pairs)) % LABELS
    optimizer = torch.optim.Adam(network.parameters())

    def by_level() -> Tensor:
        return network(batch)

    def by_node() -> Tensor:
        return torch.stack([node_by_node(network, example) for example in examples])

    def step(logits: Callable[[], Tensor]) -> None:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(logits(), targets).backward()
        optimizer.step()

    with torch.inference_mode():
        by_level(), by_node()
        difference = (by_level() - by_node()).abs().max().item()
        predicting = milliseconds(by_level, rounds), milliseconds(by_node, rounds)
    step(by_level), step(by_node)
    training = milliseconds(lambda: step(by_level), rounds), milliseconds(lambda: step(by_node), rounds)
    layout = milliseconds(lambda: reader.batch(examples), rounds)
    return {
        "predicting": predicting,
        "training": training,
        "layout": (layout, 0.0),
        "difference": (difference, 0.0),
    }


def main() -> None:
    """Print a row for each data set and size of batch."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    torch.set_num_threads(1)
    options = argparse.ArgumentParser(description="The TreeLSTM by level and node by node.")
    options.add_argument("data", type=Path)
    options.add_argument("--pairs", default="16,32,64")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    print("| pairs | predicting, ms | node by node | ratio | training, ms | node by node | ratio | layout, ms | logits differ by |")  # fmt: skip  # noqa: E501
    print("|---|---|---|---|---|---|---|---|---|")
    for name, pairs in pairs_of(chosen.data).items():
        for count in map(int, chosen.pairs.split(",")):
            found = measure(pairs[:count], chosen.rounds)
            cells = [f"{name}, {count}"]
            for kind in ("predicting", "training"):
                quick, slow = found[kind]
                cells += [f"{quick:.1f}", f"{slow:.0f}", f"{slow / quick:.1f} ×"]
            cells += [f"{found['layout'][0]:.1f}", f"{found['difference'][0]:.1e}"]
            print("|", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
