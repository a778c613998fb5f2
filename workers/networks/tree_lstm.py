"""The multiplicative tree-structured LSTM (Tran and Cheng 2018, *Multiplicative tree-structured long
short-term memory networks for semantic representations*, *SEM) as the systematicity paper (section 3.2) has
it: over spaCy's dependency trees, hidden 200, no dropout.

For a node j with word x, its children k with states h_k, c_k and the relation r_k of k to j:

    m_k = (W_mx r_k) * (W_mh h_k)                          the relation scales what the child says
    h~  = sum_k W_h m_k
    i, o = sigmoid(W x + U h~ + b),  u = tanh(W x + U h~ + b)
    f_k = sigmoid(W_f x + U_f h_k + b_f)                   one forget gate for each child
    c   = i * u + sum_k f_k * c_k,   h = o * tanh(c)

(* element by element; the gates as in the authors' program, which lets f_k see the child as it is. Everything
but m_k is the child-sum tree-LSTM of Tai et al. 2015, equations (2) to (8).)
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from workers.networks.batches import Batch, Network
from workers.networks.comparison import Comparison
from workers.networks.layers import embedding
from workers.networks.trees import RELATIONS, Forest


class TreeCell(nn.Module):
    """The equations, for all nodes of a level at once."""

    def __init__(self, inputs: int, relation: int, states: int) -> None:
        super().__init__()
        self.states = states
        self.w_mx = nn.Linear(relation, states, bias=False)
        self.w_mh = nn.Linear(states, states, bias=False)
        self.w_h = nn.Linear(states, states, bias=False)
        self.w_x = nn.Linear(inputs, 4 * states)  # of i, o, u and f, with their b
        self.u_iou = nn.Linear(states, 3 * states, bias=False)
        self.u_f = nn.Linear(states, states, bias=False)

    def forward(self, forest: Forest, words: nn.Embedding, relations: nn.Embedding) -> Tensor:
        """The roots' states (trees, S), from the deepest level up."""
        sizes = [len(level.words) for level in forest.levels]
        from_words = self.w_x(words(torch.cat([level.words for level in forest.levels]))).split(sizes)
        scales = self.w_mx(relations.weight)  # W_mx r of every relation
        h = c = from_words[0].new_zeros(0, self.states)
        below = None
        for level, from_word in zip(reversed(forest.levels), reversed(from_words), strict=True):
            iou, from_word_f = from_word.split([3 * self.states, self.states], dim=-1)
            kept = iou.new_zeros(len(iou), self.states)  # sum_k f_k * c_k
            if below is not None:
                parents = below.parents
                m = scales[below.relations] * self.w_mh(h)
                # W_h is linear: of the sum in place of each m_k.
                h_sum = self.w_h(kept.index_add(0, parents, m))
                f = torch.sigmoid(from_word_f[parents] + self.u_f(h))
                kept = kept.index_add(0, parents, f * c)
                iou = iou + self.u_iou(h_sum)
            i, o, u = iou.chunk(3, dim=-1)
            c = i.sigmoid() * u.tanh() + kept
            h = o.sigmoid() * c.tanh()
            below = level
        return h


class TreeLSTM(Network):
    """Both sentences read by one cell, compared. ``relation`` is the size of the relations' vectors."""

    def __init__(
        self,
        *,
        vectors: Tensor,
        labels: int,
        hidden: int = 200,
        relation: int = 100,
        update_vectors: bool = True,
    ) -> None:
        super().__init__()
        self.words = embedding(vectors, update=update_vectors)
        self.relations = nn.Embedding(len(RELATIONS), relation)
        self.cell = TreeCell(vectors.shape[1], relation, hidden)
        self.comparison = Comparison(hidden, hidden, labels)

    def forward(self, batch: Batch) -> Tensor:
        premise, hypothesis = self.cell(batch.trees, self.words, self.relations).chunk(2)
        return self.comparison(premise, hypothesis)
