"""What a step of training costs each network: seconds, and the most memory that its process came to hold.

python -m bench.networks [--only esim,kim] [--batch 32] [--lengths 82,62] [--words 40000] [--threads 1]

At the papers' sizes, with Adam and word vectors of 300 that are updated where the paper does so. Pairs are
random words of WordNet, as many in each as in SNLI's longest premise and longest hypothesis; the vocabulary
is about the size of SNLI's; trees hang at random; an encoder begins at random, with the pieces of words of
the encoder that is here, and is shown words that are one piece. ``--small`` takes the sizes for two processor
cores. Each network has a process of its own.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any

from workers.networks import NETWORKS, NetworkKind, named

LIMIT = 4096  # MB
STEPS = 3


def main() -> None:
    """Print a line for each network."""
    parser = argparse.ArgumentParser(description="Time and memory of a step of training.")
    parser.add_argument("--only", default="", help="keys of networks, separated by commas")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lengths", default="82,62", help="words of each premise and hypothesis")
    parser.add_argument("--words", type=int, default=40_000, help="size of the vocabulary")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="the small sizes in place of the papers'")
    parser.add_argument("--step", help=argparse.SUPPRESS)  # the process of one network
    options = parser.parse_args()
    if options.step:
        measure(options.step, options)
        return
    keys = options.only.split(",") if options.only else list(NETWORKS)
    print(f"{'network':24} {'parameters':>12} {'s/step':>8} {'peak MB':>8}   (limit {LIMIT} MB)")
    for key in keys:
        subprocess.run([sys.executable, "-m", "bench.networks", *sys.argv[1:], "--step", key], check=True)  # noqa: S603


def measure(key: str, options: argparse.Namespace) -> None:
    """Train one network for a few steps on the same batch and print its line."""
    import torch
    from torch.nn import functional

    from natlog.lexicon.wordnet import wordnet

    torch.set_num_threads(options.threads)
    kind = NETWORKS[key]
    draw = random.Random(1)
    lemmas = sorted({lemma for lemma, _ in wordnet().entries("n") if lemma.isalpha()})
    vocabulary = draw.sample(lemmas, options.words)
    reader = reader_of(kind, vocabulary)
    is_encoder = kind.training.get("vectors") == "encoder"
    if is_encoder:  # rare words would come to several times as many pieces as a sentence's words do
        vocabulary = [word for word in vocabulary if word in reader.config()["tokenizer"]["model"]["vocab"]]
    lengths = [int(length) for length in options.lengths.split(",")]
    texts = [[" ".join(draw.choices(vocabulary, k=k)) for k in lengths] for _ in range(options.batch)]
    examples = reader.examples([(premise, hypothesis) for premise, hypothesis in texts])
    batch = reader.batch(examples)
    labels = torch.tensor(draw.choices(range(3), k=options.batch))
    vectors = reader.vectors(source="random", dimensions=300, seed=1)
    sizes = {**kind.sizes, **(kind.small if options.small else {})}
    network = named(kind.place)(vectors=vectors, labels=3, **sizes)
    del vectors
    own_vectors = network.encoder.get_input_embeddings() if is_encoder else network.words
    own = sum(p.numel() for p in network.parameters()) - own_vectors.weight.numel()
    network.begins(examples)
    optimizer = torch.optim.Adam(p for p in network.parameters() if p.requires_grad)
    taken = []
    for _ in range(STEPS):
        start = time.perf_counter()
        optimizer.zero_grad()
        functional.cross_entropy(network(batch), labels).backward()
        optimizer.step()
        taken.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{key:24} {own:12,} {min(taken):8.2f} {peak:8.0f}", flush=True)


def reader_of(kind: NetworkKind, vocabulary: list[str]) -> Any:
    """A reader of these words, that needs no parser and no weights."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    reader = named(kind.reader)
    if kind.training.get("vectors") == "encoder":
        # Both encoders' pieces of words are BERT's.
        return named("workers.networks.encoder:EncoderReader").fit([])
    if kind.reader != "workers.networks.trees:TreeReader":
        return reader(vocabulary)
    from workers.networks import trees
    from workers.networks.words import WordReader

    def any_trees(texts: Iterable[str], pipeline: str) -> list[trees.Parse]:
        draw = random.Random(1)
        found = []
        for words in map(str.split, texts):
            heads = tuple(draw.randrange(place) if place else 0 for place in range(len(words)))
            relations = tuple(draw.randrange(len(trees.RELATIONS)) for _ in words)
            found.append(trees.Parse(tuple(words), heads, relations))
        return found

    trees.parses = any_trees
    return reader(WordReader(vocabulary), "none")


if __name__ == "__main__":
    main()
