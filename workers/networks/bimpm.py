"""BiMPM (Wang et al. 2017, *Bilateral multi-perspective matching for natural language sentences*, IJCAI).

Left out: the vector of a word's characters (section 3.1, word representation layer: an LSTM over letters,
50 numbers beside the word's 300). A batch holds words, and what letters say is of words without a vector.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from workers.networks.batches import Batch, Network
from workers.networks.layers import BiLSTM, embedding, last_states

TINY = 1e-12  # below any squared length that a state has; padding's is zero


class BiMPM(Network):
    """Each word of one sentence is matched with the other sentence in four ways (section 3.2), from the left
    and from the right; the matchings are read by a second LSTM (section 3.1). Both sentences share all
    weights. Dropout stands at every layer (section 4.1)."""

    def __init__(
        self,
        *,
        vectors: Tensor,
        labels: int,
        hidden: int = 100,
        perspectives: int = 20,
        dropout: float = 0.1,
        update_vectors: bool = False,
    ) -> None:
        super().__init__()
        self.words = embedding(vectors, update=update_vectors)
        self.context = BiLSTM(vectors.shape[1], hidden)
        self.forwards = Matching(hidden, perspectives)
        self.backwards = Matching(hidden, perspectives)
        self.aggregation = BiLSTM(8 * perspectives, hidden)
        self.prediction = nn.Linear(4 * hidden, 2 * hidden)
        self.output = nn.Linear(2 * hidden, labels)
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: Batch) -> Tensor:
        p_mask, q_mask = batch.premise.mask, batch.hypothesis.mask
        p = self.dropout(self.context(self.dropout(self.words(batch.premise.tokens)), p_mask))
        q = self.dropout(self.context(self.dropout(self.words(batch.hypothesis.tokens)), q_mask))
        ends = [*self._aggregated(p, p_mask, q, q_mask), *self._aggregated(q, q_mask, p, p_mask)]
        return self.output(self.dropout(self.prediction(self.dropout(torch.cat(ends, dim=-1))).tanh()))

    def _aggregated(self, p: Tensor, p_mask: Tensor, q: Tensor, q_mask: Tensor) -> tuple[Tensor, Tensor]:
        """The last states (B, hidden), twice, of the LSTM that reads how ``p`` matches ``q``."""
        (p_ahead, p_back), (q_ahead, q_back) = p.chunk(2, dim=-1), q.chunk(2, dim=-1)
        last, first = last_states(q, q_mask)
        matched = torch.cat(
            [self.forwards(p_ahead, q_ahead, q_mask, last), self.backwards(p_back, q_back, q_mask, first)], -1
        )
        return last_states(self.aggregation(self.dropout(matched), p_mask), p_mask)


class Matching(nn.Module):
    """The four matching strategies of section 3.2 in one direction: (B, P, S) against (B, Q, S), whose last
    state in this direction is ``end`` (B, S), to (B, P, 4 l), l the number of perspectives."""

    def __init__(self, states: int, perspectives: int) -> None:
        super().__init__()
        self.full = Perspectives(states, perspectives)
        self.max_pooling = Perspectives(states, perspectives)
        self.attentive = Perspectives(states, perspectives)
        self.max_attentive = Perspectives(states, perspectives)

    def forward(self, p: Tensor, q: Tensor, q_mask: Tensor, end: Tensor) -> Tensor:
        kept = q_mask.unsqueeze(1)
        alpha = _unit(p) @ _unit(q).transpose(1, 2)  # equation (7): the cosines
        # Equation (8) divides by the sum of the weights. A cosine doesn't see lengths, so that of the
        # division only the sum's sign is left, and a sum near zero is no trouble.
        weights = alpha * kept
        mean = (weights @ q) * weights.sum(-1, keepdim=True).sign()
        best = alpha.masked_fill(~kept, -torch.inf).argmax(-1, keepdim=True)
        of_all = self.max_pooling.with_each(p, q).masked_fill(~kept.unsqueeze(1), -torch.inf)
        return torch.cat(
            [
                self.full(p, end.unsqueeze(1)),  # equation (5)
                of_all.amax(-1).transpose(1, 2),  # equation (6)
                self.attentive(p, mean),  # equation (9)
                self.max_attentive(p, q.take_along_dim(best, dim=1)),
            ],
            dim=-1,
        )


class Perspectives(nn.Module):
    """f_m of equations (3) and (4): cosines of two vectors, each weighted by every row W_k in turn."""

    def __init__(self, states: int, perspectives: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(perspectives, states))

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """(…, S) and (…, S), which may have to be repeated, to (…, l)."""
        squares = self.weight.square().T  # (W_k ∘ x) · (W_k ∘ y) = Σ W_k² x y
        lengths = _root(first.square() @ squares) * _root(second.square() @ squares)
        return (first * second) @ squares / lengths

    def with_each(self, first: Tensor, second: Tensor) -> Tensor:
        """(B, P, S) and (B, Q, S) to (B, l, P, Q): each of the one with each of the other."""
        weights = self.weight.unsqueeze(1)  # (l, 1, S)
        return _unit(first.unsqueeze(1) * weights) @ _unit(second.unsqueeze(1) * weights).transpose(2, 3)


def _unit(vectors: Tensor) -> Tensor:
    return vectors / _root(vectors.square().sum(-1, keepdim=True))


def _root(squares: Tensor) -> Tensor:
    return squares.clamp_min(TINY).sqrt()
