"""GRU encoder and decoder with global attention (Cho et al. 2014; Luong et al. 2015, *Effective approaches to
attention-based neural machine translation*, EMNLP): one layer each, from the left alone, dot products as
scores (SyGNS, section 4.1). Luong's input feeding (section 3.3 there) is left out, so that a whole meaning is
followed at once."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from workers.networks.batches import PADDING, Side
from workers.networks.layers import masked_softmax
from workers.networks.sequences.reading import SequenceNetwork


class GRU(SequenceNetwork):
    """``embedding`` numbers a word and a token, ``hidden`` a state. Dropout stands at both embeddings and on
    what the logits are made of."""

    def __init__(
        self, *, words: int, tokens: int, embedding: int = 256, hidden: int = 1024, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(words, embedding, padding_idx=PADDING)
        self.tokens = nn.Embedding(tokens, embedding, padding_idx=PADDING)
        self.encoder = nn.GRU(embedding, hidden, batch_first=True)
        self.decoder = nn.GRU(embedding, hidden, batch_first=True)
        self.combination = nn.Linear(2 * hidden, hidden, bias=False)  # W_c
        self.output = nn.Linear(hidden, tokens)  # W_s
        self.dropout = nn.Dropout(dropout)

    def read(self, source: Side) -> tuple[Tensor, ...]:
        """The encoder's states (B, S, H), their mask, and the state behind each sentence's last word."""
        states, _ = self.encoder(self.dropout(self.words(source.tokens)))
        last = (source.lengths - 1).view(-1, 1, 1)
        return states, source.mask, states.take_along_dim(last, dim=1).squeeze(1)

    def follow(self, memory: tuple[Tensor, ...], tokens: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        states, mask, state = memory
        h, end = self.decoder(self.dropout(self.tokens(tokens)), state.unsqueeze(0).contiguous())
        a = masked_softmax(h @ states.transpose(1, 2), mask.unsqueeze(1))  # Luong, equations (7) and (8)
        c = a @ states
        attentional = self.combination(torch.cat([c, h], dim=-1)).tanh()  # equation (5)
        return self.output(self.dropout(attentional)), (states, mask, end.squeeze(0))
