"""The LSTM of the transitivity paper (Yanaka et al. 2021, section 4.1): the final states of premise and
hypothesis, one after the other, through three hidden layers into a softmax. Dropout on the output is searched
in {0, 0.1, 0.2}."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from workers.networks.batches import Batch, Network
from workers.networks.layers import embedding
from workers.networks.lstm import FinalState


class TransitivityLSTM(Network):
    """The paper names neither the LSTM's size, nor that of the hidden layers, nor what lies between them:
    200 as in the systematicity paper, and ReLU. Dropout stands before the last layer."""

    def __init__(
        self,
        *,
        vectors: Tensor,
        labels: int,
        hidden: int = 200,
        layers: int = 1,
        dropout: float = 0.0,
        update_vectors: bool = True,
    ) -> None:
        super().__init__()
        self.words = embedding(vectors, update=update_vectors)
        self.reading = FinalState(vectors.shape[1], hidden, layers)
        self.classifier = nn.Sequential(
            nn.Linear(2 * hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Dropout(dropout), nn.Linear(hidden, labels),
        )  # fmt: skip

    def forward(self, batch: Batch) -> Tensor:
        finals = (
            self.reading(self.words(side.tokens), side.lengths) for side in (batch.premise, batch.hypothesis)
        )
        return self.classifier(torch.cat(list(finals), dim=-1))
