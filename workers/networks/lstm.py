"""The LSTM of the systematicity paper (Yanaka et al. 2020, section 3.2): three layers, no attention, no
dropout; a sentence's representation is the final hidden state."""

from __future__ import annotations

from torch import Tensor, nn

from workers.networks.batches import Batch, Network
from workers.networks.comparison import Comparison
from workers.networks.layers import embedding


class FinalState(nn.LSTM):
    """A one-way LSTM of some layers (Hochreiter and Schmidhuber 1997): word vectors (B, T, D) and lengths
    (B,) to the top layer's state at each row's last word, (B, S).

    It runs over whole rectangles: what follows the last word can't reach it.
    """

    def __init__(self, inputs: int, states: int, layers: int) -> None:
        super().__init__(inputs, states, num_layers=layers, batch_first=True)

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        states, _ = super().forward(words)
        return states.take_along_dim((lengths - 1).view(-1, 1, 1), dim=1).squeeze(1)


class LSTM(Network):
    """One reading of both sentences, compared."""

    def __init__(
        self, *, vectors: Tensor, labels: int, hidden: int = 200, layers: int = 3, update_vectors: bool = True
    ) -> None:
        super().__init__()
        self.words = embedding(vectors, update=update_vectors)
        self.reading = FinalState(vectors.shape[1], hidden, layers)
        self.comparison = Comparison(hidden, hidden, labels)

    def forward(self, batch: Batch) -> Tensor:
        premise, hypothesis = (
            self.reading(self.words(side.tokens), side.lengths) for side in (batch.premise, batch.hypothesis)
        )
        return self.comparison(premise, hypothesis)
