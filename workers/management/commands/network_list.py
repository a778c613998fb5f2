"""The networks that can be trained here, with their sizes and numbers of parameters."""

from __future__ import annotations

import importlib.util
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from workers.networks import NETWORKS, NetworkKind, named

DIMENSIONS = 300  # of the papers' word vectors


class Command(BaseCommand):
    help = (
        "The networks that can be trained here: key, paper, parameters at the paper's sizes with 3 labels "
        "(without word vectors, and with 300-dimensional ones), the paper's own count, what it searched in."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--vocabulary", type=int, default=10_000, help="word vectors in the second count (10000)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if importlib.util.find_spec("torch") is None:
            raise CommandError("Networks need torch, which is not installed: make neural")
        words = options["vocabulary"]
        if words < 1:
            raise CommandError("--vocabulary: at least 1 word is wanted.")
        rows = [("network", "paper", "parameters", "with vectors", "the paper's count", "searched")]
        for key, kind in NETWORKS.items():
            own, all_of_them = parameters(kind, words)
            theirs = f"{kind.parameters[0]:,} ({kind.parameters[1]})" if kind.parameters else "–"
            searched = "; ".join(
                f"{size} {', '.join(map(str, values))}" for size, values in kind.searches.items()
            )
            rows.append((key, kind.paper, _number(own), _number(all_of_them), theirs, searched or "–"))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        self.stdout.write(f"Vectors: {words:,} words of {DIMENSIONS}; an encoder's own pieces of words.")
        for row in rows:
            cells = [
                cell.rjust(width) if column in (2, 3) else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            self.stdout.write("  ".join(cells).rstrip())


def parameters(kind: NetworkKind, words: int) -> tuple[int | None, int | None]:
    """How many numbers a network of the paper's sizes has, without and with its word vectors (an encoder's
    are those of its own pieces of words). None where a library that it is built from is not there."""
    import torch

    with torch.device("meta"):  # shapes alone, no memory
        brings_its_own = kind.training.get("vectors") == "encoder"
        vectors = None if brings_its_own else torch.zeros(words, DIMENSIONS)
        try:
            network = named(kind.place)(vectors=vectors, labels=3, **kind.sizes)
        except ImportError:
            return None, None
    brought = network.encoder.get_input_embeddings().weight if vectors is None else vectors
    count = sum(parameter.numel() for parameter in network.parameters())
    return count - brought.numel(), count


def _number(count: int | None) -> str:
    return "–" if count is None else f"{count:,}"
