"""KIM, the knowledge-based inference model (Chen et al. 2018, *Neural natural language inference models
enhanced with external knowledge*, ACL): ESIM that is told how WordNet relates the words of its two sentences
(:mod:`workers.networks.knowledge`)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from workers.networks.batches import Batch, Network
from workers.networks.knowledge import RELATIONS
from workers.networks.layers import BiLSTM, embedding, masked_softmax, max_over, mean_over


class KIM(Network):
    """Knowledge enters at three places: in who attends to whom (section 3.3), in what is compared (3.4) and
    in how much each word counts in the end (3.5). ``knowledge_weight`` is λ of section 3.3. Dropout stands
    where ESIM has it."""

    def __init__(
        self,
        *,
        vectors: Tensor,
        labels: int,
        hidden: int = 300,
        dropout: float = 0.5,
        knowledge_weight: float = 1.0,
        update_vectors: bool = True,
    ) -> None:
        super().__init__()
        related = len(RELATIONS)
        self.knowledge_weight = knowledge_weight
        self.words = embedding(vectors, update=update_vectors)
        self.encoding = BiLSTM(vectors.shape[1], hidden)
        self.projection = nn.Linear(8 * hidden + related, hidden)  # G
        self.composition = BiLSTM(hidden + related, hidden)
        self.pooling = nn.Linear(related, 1)  # H
        with torch.no_grad():  # features are never negative: begun below zero, its ReLU would pass nothing on
            self.pooling.weight.abs_()
            self.pooling.bias.zero_()
        self.classifier = nn.Linear(12 * hidden, hidden)
        self.output = nn.Linear(hidden, labels)
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: Batch) -> Tensor:
        r, r_back = batch.knowledge, batch.knowledge_back  # r_ij and r_ji
        if r is None or r_back is None:
            raise ValueError("KIM reads batches with knowledge: those of a KnowledgeReader.")
        a_mask, b_mask = batch.premise.mask, batch.hypothesis.mask
        # Section 3.2, encoding
        a = self.encoding(self.dropout(self.words(batch.premise.tokens)), a_mask)
        b = self.encoding(self.dropout(self.words(batch.hypothesis.tokens)), b_mask)
        # Section 3.3, co-attention: words that WordNet relates in any way attend to each other more
        e = a @ b.transpose(1, 2) + self.knowledge_weight * (r != 0).any(-1)
        alpha = masked_softmax(e, b_mask.unsqueeze(1), dim=2)  # (B, P, H)
        beta = masked_softmax(e, a_mask.unsqueeze(2), dim=1).transpose(1, 2)  # (B, H, P)
        a_knows = torch.einsum("bph,bphr->bpr", alpha, r)  # Σ_j α_ij r_ij
        b_knows = torch.einsum("bhp,bhpr->bhr", beta, r_back)  # Σ_i β_ij r_ji
        v = [self._composed(a, alpha @ b, a_knows, a_mask), self._composed(b, beta @ a, b_knows, b_mask)]
        # Section 3.5, the last layers
        return self.output(self.dropout(self.classifier(self.dropout(torch.cat(v, dim=-1))).tanh()))

    def _composed(self, states: Tensor, aligned: Tensor, knows: Tensor, mask: Tensor) -> Tensor:
        """(B, 6 hidden): one sentence composed with what the other has for it, and how they relate."""
        # Section 3.4: what is compared, with a short cut for the knowledge around the layer
        m = torch.cat([states, aligned, states - aligned, states * aligned, knows], dim=-1)
        m = torch.cat([self.dropout(self.projection(m).relu()), knows], dim=-1)
        # Section 3.5: mean, maximum, and a mean in which words count by their knowledge
        v = self.composition(m, mask)
        weights = masked_softmax(self.pooling(knows).relu().squeeze(-1), mask)
        weighted = (weights.unsqueeze(-1) * v).sum(1)
        return torch.cat([mean_over(v, mask), max_over(v, mask), weighted], dim=-1)
