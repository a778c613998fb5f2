"""ESIM, the enhanced sequential inference model (Chen et al. 2017, *Enhanced LSTM for natural language
inference*, ACL), in its sequential form; the ensemble with a tree-LSTM (HIM) is not built."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from workers.networks.batches import Batch, Network
from workers.networks.layers import BiLSTM, embedding, masked_softmax, max_over, mean_over


class ESIM(Network):
    """Encode, align, compare, compose, pool (sections 3.1 to 3.4). One encoder and one composer read both
    sentences. Dropout stands at the vectors and before and after each feed-forward layer (section 4)."""

    def __init__(
        self,
        *,
        vectors: Tensor,
        labels: int,
        hidden: int = 300,
        dropout: float = 0.5,
        update_vectors: bool = True,
    ) -> None:
        super().__init__()
        self.words = embedding(vectors, update=update_vectors)
        self.encoding = BiLSTM(vectors.shape[1], hidden)
        self.projection = nn.Linear(8 * hidden, hidden)  # F
        self.composition = BiLSTM(hidden, hidden)
        self.classifier = nn.Linear(8 * hidden, hidden)
        self.output = nn.Linear(hidden, labels)
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: Batch) -> Tensor:
        a_mask, b_mask = batch.premise.mask, batch.hypothesis.mask
        a = self.encoding(self.dropout(self.words(batch.premise.tokens)), a_mask)  # equation (1)
        b = self.encoding(self.dropout(self.words(batch.hypothesis.tokens)), b_mask)  # equation (2)
        e = a @ b.transpose(1, 2)  # equation (11)
        a_aligned = masked_softmax(e, b_mask.unsqueeze(1), dim=2) @ b  # equation (12)
        b_aligned = masked_softmax(e, a_mask.unsqueeze(2), dim=1).transpose(1, 2) @ a  # equation (13)
        v = torch.cat([self._composed(a, a_aligned, a_mask), self._composed(b, b_aligned, b_mask)], dim=-1)
        return self.output(self.dropout(self.classifier(self.dropout(v)).tanh()))

    def _composed(self, states: Tensor, aligned: Tensor, mask: Tensor) -> Tensor:
        """(B, 4 hidden): what became of one sentence beside what the other has for it."""
        m = torch.cat([states, aligned, states - aligned, states * aligned], dim=-1)  # equations (14), (15)
        v = self.composition(self.dropout(self.projection(m).relu()), mask)  # section 3.3, as (1) and (2)
        return torch.cat([mean_over(v, mask), max_over(v, mask)], dim=-1)  # equations (18) to (20)
