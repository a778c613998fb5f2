"""The smallest network that learns: mean vectors of both sentences, compared, through one layer."""

from __future__ import annotations

import torch
from torch import nn

from workers.networks import WORD_READER, NetworkKind
from workers.networks.batches import Batch, Network


class Tiny(Network):
    def __init__(self, *, vectors, labels, hidden=16, dropout=0.1):
        super().__init__()
        self.words = nn.Embedding.from_pretrained(vectors, freeze=False)
        self.dropout = nn.Dropout(dropout)
        self.hidden = nn.Linear(4 * vectors.shape[1], hidden)
        self.out = nn.Linear(hidden, labels)

    def forward(self, batch: Batch):
        a, b = (self._mean(side) for side in (batch.premise, batch.hypothesis))
        both = torch.cat([a, b, (a - b).abs(), a * b], dim=-1)
        return self.out(self.dropout(self.hidden(both).relu()))

    def _mean(self, side):
        kept = side.mask.unsqueeze(-1)
        return (self.words(side.tokens) * kept).sum(dim=1) / side.lengths.unsqueeze(-1)


KIND = NetworkKind(
    title="Tiny",
    paper="",
    place="tests.workers.networks.tiny:Tiny",
    reader=WORD_READER,
    sizes={"hidden": 16, "dropout": 0.1},
    training={"dimensions": 12, "learning_rate": 0.01},
)
