"""Transformer encoder and decoder (Vaswani et al. 2017, *Attention is all you need*, NIPS), normed after each
sum as there; three layers, ``model`` 512 and ``hidden`` 256 in SyGNS, section 4.1."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from workers.networks.batches import PADDING, Side
from workers.networks.sequences.reading import SequenceNetwork


class Transformer(SequenceNetwork):
    """Words and tokens have ``model`` numbers, the layer between two attentions ``hidden``."""

    def __init__(
        self,
        *,
        words: int,
        tokens: int,
        model: int = 512,
        hidden: int = 256,
        layers: int = 3,
        heads: int = 8,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.words = _embedding(words, model)
        self.tokens = _embedding(tokens, model)
        self.encoders = nn.ModuleList([_Encoding(model, hidden, heads, dropout) for _ in range(layers)])
        self.decoders = nn.ModuleList([_Decoding(model, hidden, heads, dropout) for _ in range(layers)])
        self.output = nn.Linear(model, tokens)
        self.dropout = nn.Dropout(dropout)
        self.model = model

    def read(self, source: Side) -> tuple[Tensor, ...]:
        """The mask, and for each decoder's layer the keys and values of the sentence (B, heads, S, model /
        heads), then those of what is followed, none yet."""
        mask = source.mask[:, None, None, :]
        states = self.dropout(self._placed(self.words(source.tokens), 0))
        for layer in self.encoders:
            states = layer(states, mask)
        kept: list[Tensor] = [mask]
        for layer in self.decoders:
            keys, values = layer.across.keys_values(states)
            kept += [keys, values, keys[:, :, :0], values[:, :, :0]]
        return tuple(kept)

    def follow(self, memory: tuple[Tensor, ...], tokens: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        mask, *kept = memory
        before, now = kept[2].shape[2], tokens.shape[1]
        states = self.dropout(self._placed(self.tokens(tokens), before))
        # Each looks at what was followed before, at those that come with it, and at itself.
        past = torch.ones(now, before + now, dtype=torch.bool, device=tokens.device).tril(before)
        after: list[Tensor] = [mask]
        for number, layer in enumerate(self.decoders):
            keys, values, own_keys, own_values = kept[4 * number : 4 * number + 4]
            more_keys, more_values = layer.own.keys_values(states)
            own = torch.cat([own_keys, more_keys], dim=2), torch.cat([own_values, more_values], dim=2)
            states = layer(states, own, past, (keys, values), mask)
            after += [keys, values, *own]
        return self.output(states), tuple(after)

    def _placed(self, vectors: Tensor, first: int) -> Tensor:
        """Vectors times √model, plus the sines and cosines of their places (sections 3.4 and 3.5)."""
        place = torch.arange(first, first + vectors.shape[1], device=vectors.device).unsqueeze(1)
        rates = torch.exp(
            torch.arange(0, self.model, 2, device=vectors.device) * (-math.log(10_000) / self.model)
        )
        angles = place * rates
        waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, : self.model]
        return vectors * math.sqrt(self.model) + waves


class Attention(nn.Module):
    """Several heads of scaled dot products (section 3.2)."""

    def __init__(self, model: int, heads: int) -> None:
        super().__init__()
        self.queries, self.keys, self.values = (nn.Linear(model, model) for _ in range(3))
        self.output = nn.Linear(model, model)
        self.heads = heads

    def keys_values(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """What is looked at: (B, heads, S, model / heads) each."""
        return self._divided(self.keys(states)), self._divided(self.values(states))

    def forward(self, states: Tensor, looked_at: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        """``states`` (B, T, model) look at keys and values, where the mask (…, T or 1, S) lets them."""
        keys, values = looked_at
        queries = self._divided(self.queries(states))
        found = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        return self.output(found.transpose(1, 2).flatten(2))

    def _divided(self, states: Tensor) -> Tensor:
        return states.unflatten(2, (self.heads, -1)).transpose(1, 2)


class _Encoding(nn.Module):
    """A layer that reads."""

    def __init__(self, model: int, hidden: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.own, self.forwards = Attention(model, heads), _feed_forward(model, hidden)
        self.norms = nn.ModuleList([nn.LayerNorm(model) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.norms[0](x + self.dropout(self.own(x, self.own.keys_values(x), mask)))
        return self.norms[1](x + self.dropout(self.forwards(x)))


class _Decoding(nn.Module):
    """A layer that writes: it looks at what is written, then at the sentence."""

    def __init__(self, model: int, hidden: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.own, self.across = Attention(model, heads), Attention(model, heads)
        self.forwards = _feed_forward(model, hidden)
        self.norms = nn.ModuleList([nn.LayerNorm(model) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Tensor,
        own: tuple[Tensor, Tensor],
        past: Tensor,
        sentence: tuple[Tensor, Tensor],
        mask: Tensor,
    ) -> Tensor:
        x = self.norms[0](x + self.dropout(self.own(x, own, past)))
        x = self.norms[1](x + self.dropout(self.across(x, sentence, mask)))
        return self.norms[2](x + self.dropout(self.forwards(x)))


def _feed_forward(model: int, hidden: int) -> nn.Module:
    """Section 3.3."""
    return nn.Sequential(nn.Linear(model, hidden), nn.ReLU(), nn.Linear(hidden, model))


def _embedding(rows: int, model: int) -> nn.Embedding:
    """Vectors that are of about length 1 before they are multiplied with √model."""
    layer = nn.Embedding(rows, model, padding_idx=PADDING)
    with torch.no_grad():
        layer.weight.mul_(model**-0.5)
    return layer
