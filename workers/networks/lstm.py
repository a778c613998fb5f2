"""The LSTM of the systematicity paper (Yanaka et al. 2020, section 3.2): three layers, no attention, no
dropout; a sentence's representation is the final hidden state."""

from __future__ import annotations

from torch import Tensor, nn

from workers.networks.batches import Batch, Network, Side
from workers.networks.comparison import Comparison
from workers.networks.layers import embedding


class FinalState(nn.Module):
    """A one-way LSTM of some layers (Hochreiter and Schmidhuber 1997) over words: the top layer's state at
    each row's last token, (B, S).

    It runs over whole rectangles: what follows the last token can't reach it.
    """

    def __init__(self, vectors: Tensor, states: int, layers: int, *, update_vectors: bool) -> None:
        super().__init__()
        self.words = embedding(vectors, update=update_vectors)
        self.lstm = nn.LSTM(vectors.shape[1], states, num_layers=layers, batch_first=True)

    def forward(self, side: Side) -> Tensor:
        states, _ = self.lstm(self.words(side.tokens))
        last = (side.lengths - 1).view(-1, 1, 1)
        return states.take_along_dim(last, dim=1).squeeze(1)


class LSTM(Network):
    """One reading of both sentences, compared."""

    def __init__(
        self, *, vectors: Tensor, labels: int, hidden: int = 200, layers: int = 3, update_vectors: bool = True
    ) -> None:
        super().__init__()
        self.reading = FinalState(vectors, hidden, layers, update_vectors=update_vectors)
        self.comparison = Comparison(hidden, hidden, labels)

    def forward(self, batch: Batch) -> Tensor:
        return self.comparison(self.reading(batch.premise), self.reading(batch.hypothesis))
