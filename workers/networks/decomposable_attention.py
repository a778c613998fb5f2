"""The Decomposable Attention Model (Parikh et al. 2016, *A decomposable attention model for natural language
inference*, EMNLP). Words are compared with words; nothing reads their order."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.networks.batches import Batch, Network, Side
from workers.networks.layers import embedding, masked_softmax
from workers.networks.words import NOTHING

FARTHEST = 10  # words: longer distances share one bias (section 3.4)


class DecomposableAttention(Network):
    """Attend, compare, aggregate (sections 3.1 to 3.3), with attention within the sentences (3.4) where
    ``intra`` asks for it.

    Vectors have length one, stay as they are and are projected to ``hidden``; both sentences begin with the
    NULL token (section 5), here the one that an empty premise consists of. Differences: unknown words share
    one vector in place of 100; weights begin as PyTorch's do, since from the paper's N(0, 0.01²) six layers
    take far more steps than small training sets have; the trainer has Adam for the paper's Adagrad.
    """

    def __init__(
        self,
        *,
        vectors: Tensor,
        labels: int,
        hidden: int = 200,
        dropout: float = 0.2,
        intra: bool = False,
        update_vectors: bool = False,
    ) -> None:
        super().__init__()
        self.words = embedding(vectors, update=update_vectors)
        self.projection = nn.Linear(vectors.shape[1], hidden, bias=False)
        self.intra = _Intra(hidden, dropout) if intra else None
        width = 2 * hidden if intra else hidden
        self.attend = _feed_forward(width, hidden, dropout)  # F
        self.compare = _feed_forward(2 * width, hidden, dropout)  # G
        self.aggregate = _feed_forward(2 * hidden, hidden, dropout)  # H, with the layer below
        self.output = nn.Linear(hidden, labels)

    def forward(self, batch: Batch) -> Tensor:
        a, a_mask = self._represented(batch.premise)
        b, b_mask = self._represented(batch.hypothesis)
        e = self.attend(a) @ self.attend(b).transpose(1, 2)  # equation (1)
        beta = masked_softmax(e, b_mask.unsqueeze(1), dim=2) @ b  # equation (2)
        alpha = masked_softmax(e, a_mask.unsqueeze(2), dim=1).transpose(1, 2) @ a
        v1 = self.compare(torch.cat([a, beta], dim=-1))  # equation (3)
        v2 = self.compare(torch.cat([b, alpha], dim=-1))
        sums = [(v1 * a_mask.unsqueeze(-1)).sum(1), (v2 * b_mask.unsqueeze(-1)).sum(1)]  # equation (4)
        return self.output(self.aggregate(torch.cat(sums, dim=-1)))  # equation (5)

    def _represented(self, side: Side) -> tuple[Tensor, Tensor]:
        """The sentence (B, 1 + T, width) behind its NULL token, and its mask."""
        tokens = functional.pad(side.tokens, (1, 0), value=NOTHING)
        mask = functional.pad(side.mask, (1, 0), value=True)
        states = self.projection(functional.normalize(self.words(tokens), dim=-1))
        return (states if self.intra is None else self.intra(states, mask)), mask


class _Intra(nn.Module):
    """Section 3.4: each word beside what its own sentence has for it, with a bias for the distance."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        self.attend = _feed_forward(hidden, hidden, dropout)  # F_intra
        self.distance = nn.Parameter(torch.zeros(2 * FARTHEST + 2))  # -10 … 10, and all beyond

    def forward(self, a: Tensor, mask: Tensor) -> Tensor:
        f = self.attend(a)
        places = torch.arange(a.shape[1], device=a.device)
        apart = places.unsqueeze(1) - places
        which = torch.where(apart.abs() > FARTHEST, 2 * FARTHEST + 1, apart + FARTHEST)
        scores = f @ f.transpose(1, 2) + self.distance[which]
        return torch.cat([a, masked_softmax(scores, mask.unsqueeze(1)) @ a], dim=-1)  # equation (7)


def _feed_forward(inputs: int, hidden: int, dropout: float) -> Any:
    """Two layers with ReLU, and dropout before each (section 5: at all ReLU layers, not at the last one)."""
    return nn.Sequential(
        nn.Dropout(dropout),
        nn.Linear(inputs, hidden),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
    )
