"""BERT-style encoders, fine-tuned (Devlin et al. 2019, section 4.1): a pair is one sequence, [CLS] premise
[SEP] hypothesis [SEP], with segments, and one layer stands on what the encoder makes of it.

Pretrained weights are read from a folder of this machine, as safetensors; nothing is downloaded, and no code
comes with them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import Any, ClassVar, NamedTuple, Self

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from workers.networks.batches import PADDING, Batch, Network, padded
from workers.networks.encoder_folders import BERT, MINILM, encoder_folder

#: Tokens of a pair, the three marks with them; of a longer one the longer sentence is cut first.
MOST_TOKENS = 512
WEIGHTS = "model.safetensors"
SHORT = 128  # tokens of a pair


class Encoder(Network):
    """``vectors`` are pretrained weights by their names (:meth:`EncoderReader.vectors`), or None to begin
    at random. ``pooling`` says what the layer reads: ``mean`` the mean of the last states, ``cls`` the
    first one through the encoder's pooler. ``dropout`` is that of the output, ``inner_dropout`` that inside.

    MiniLM's sentence encoder was trained to say what it says by the mean of its states, and its pooler was
    not; BERT was trained by its first state through the pooler. So each is read as it was trained.
    """

    def __init__(
        self,
        *,
        vectors: Mapping[str, Tensor] | None,
        labels: int,
        hidden: int,
        layers: int,
        heads: int,
        feedforward: int,
        vocabulary: int = 30522,
        pooling: str = "mean",
        dropout: float = 0.0,
        inner_dropout: float = 0.0,
    ) -> None:
        from transformers import BertConfig, BertModel

        super().__init__()
        if pooling not in ("mean", "cls"):
            raise ValueError(f"pooling is mean or cls, not {pooling!r}")
        self.pooling = pooling
        self.encoder = BertModel(
            BertConfig(
                vocab_size=vocabulary,
                hidden_size=hidden,
                num_hidden_layers=layers,
                num_attention_heads=heads,
                intermediate_size=feedforward,
                max_position_embeddings=MOST_TOKENS,
                hidden_dropout_prob=inner_dropout,
                attention_probs_dropout_prob=inner_dropout,
            ),
            add_pooling_layer=pooling == "cls",
        )
        if vectors is not None:
            self._begin_with(vectors)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(hidden, labels)
        nn.init.normal_(self.output.weight, std=0.02)  # as BERT's own layers begin
        nn.init.zeros_(self.output.bias)

    def _begin_with(self, weights: Mapping[str, Tensor]) -> None:
        wanted = self.encoder.state_dict()
        misfits = [
            name for name, own in wanted.items() if name not in weights or weights[name].shape != own.shape
        ]
        if misfits:
            raise ValueError(f"the encoder's sizes are others than these: {', '.join(misfits[:3])}")
        self.encoder.load_state_dict({name: weights[name] for name in wanted})

    def begins(self, examples: Sequence[EncoderExample]) -> None:
        shown = set(chain.from_iterable(chain(each.premise, each.hypothesis) for each in examples))
        embeddings = self.encoder.embeddings
        embeddings.word_embeddings = ShownVectors(embeddings.word_embeddings, sorted(shown - {PADDING}))

    def forward(self, batch: Batch) -> Tensor:
        tokens, mask, segments = one_sequence(batch)
        with attention_kernel(tokens):
            found = self.encoder(input_ids=tokens, attention_mask=mask.long(), token_type_ids=segments)
        if self.pooling == "cls":
            return self.output(self.dropout(found.pooler_output))
        kept = mask.unsqueeze(-1)
        mean = (found.last_hidden_state * kept).sum(1) / kept.sum(1)
        return self.output(self.dropout(mean))


def attention_kernel(tokens: Tensor) -> AbstractContextManager[None]:
    """How attention is computed: on a processor, in bfloat16, the fused kernel's way back takes longer for a
    sentence than the plain products, which for a long text take more memory."""
    is_coarse = torch.is_autocast_enabled(tokens.device.type)
    if tokens.device.type == "cpu" and is_coarse and tokens.shape[1] <= SHORT:
        return sdpa_kernel(SDPBackend.MATH)
    return nullcontext()


class ShownVectors(nn.Module):
    """An embedding (V, D) of which only the rows that training shows, ``shown``, are learnt.

    No other row would change, for none has a gradient; but gradients and what the optimizer keeps are as
    large as what is learnt, and 30,522 rows are more than all layers of a small encoder. To whom weights are
    given and taken from it is the whole embedding, ``weight``.
    """

    learnt: nn.Parameter
    whole: Tensor
    shown: Tensor
    places: Tensor

    def __init__(self, embedding: nn.Embedding, shown: Sequence[int]) -> None:
        super().__init__()
        whole, numbers = embedding.weight.detach(), torch.tensor(shown, dtype=torch.long)
        places = torch.full((len(whole),), -1)
        places[numbers] = torch.arange(len(numbers))
        self.learnt = nn.Parameter(whole[numbers])
        self.register_buffer("whole", whole, persistent=False)
        self.register_buffer("shown", numbers, persistent=False)
        self.register_buffer("places", places, persistent=False)

    def forward(self, tokens: Tensor) -> Tensor:
        places = self.places[tokens]
        learnt = functional.embedding(places.clamp(min=0), self.learnt)
        return learnt.where((places >= 0).unsqueeze(-1), functional.embedding(tokens, self.whole))

    def _save_to_state_dict(self, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        destination[f"{prefix}weight"] = self.whole.index_copy(0, self.shown, self.learnt.detach())

    def _load_from_state_dict(self, state_dict: Mapping[str, Tensor], prefix: str, *told: Any) -> None:
        with torch.no_grad():
            self.whole.copy_(state_dict[f"{prefix}weight"])
            self.learnt.copy_(self.whole[self.shown])


def one_sequence(batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """The hypotheses moved up to the ends of their premises: tokens, mask and segments (B, longest pair)."""
    first, second = batch.premise, batch.hypothesis
    ends = first.lengths.unsqueeze(1)
    whole = ends + second.lengths.unsqueeze(1)
    places = torch.arange(int(whole.max()), device=ends.device).expand(len(batch), -1)
    mask, is_second = places < whole, places >= ends
    width = first.tokens.shape[1]
    from_place = torch.where(is_second, places - ends + width, places).clamp(
        max=width + second.tokens.shape[1] - 1
    )
    tokens = torch.cat([first.tokens, second.tokens], dim=1).gather(1, from_place)
    return tokens * mask, mask, (is_second & mask).long()


class EncoderExample(NamedTuple):
    """``[CLS] premise [SEP]`` and ``hypothesis [SEP]`` as numbers."""

    premise: tuple[int, ...]
    hypothesis: tuple[int, ...]


class EncoderReader:
    """Pairs in the pieces of words of the encoder's own tokenizer, which it keeps: a trained network's folder
    needs no other. ``encoder`` names what is fine-tuned (:mod:`workers.networks.encoder_folders`)."""

    encoder: ClassVar[str] = MINILM

    def __init__(self, tokenizer: dict[str, Any], *, hypothesis_only: bool = False) -> None:
        from tokenizers import Tokenizer

        self.hypothesis_only = hypothesis_only
        self._stored = tokenizer
        self._tokenizer = Tokenizer.from_str(json.dumps(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_TOKENS, strategy="longest_first")

    @classmethod
    def fit(cls, pairs: Sequence[tuple[str, str]], *, hypothesis_only: bool = False) -> Self:
        """Raises :class:`~workers.networks.encoder_folders.EncoderNotFound`."""
        folder = encoder_folder(cls.encoder)
        tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
        return cls(tokenizer, hypothesis_only=hypothesis_only)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        return cls(config["tokenizer"], hypothesis_only=config["hypothesis_only"])

    def config(self) -> dict[str, Any]:
        return {"tokenizer": self._stored, "hypothesis_only": self.hypothesis_only}

    def examples(self, pairs: Sequence[tuple[str, str]]) -> list[EncoderExample]:
        shown = [("" if self.hypothesis_only else premise, hypothesis) for premise, hypothesis in pairs]
        return [self._example(encoding) for encoding in self._tokenizer.encode_batch(shown)]

    def _example(self, encoding: Any) -> EncoderExample:
        begin = encoding.type_ids.index(1)
        return EncoderExample(tuple(encoding.ids[:begin]), tuple(encoding.ids[begin:]))

    def unknown(self, premise: str, hypothesis: str) -> list[str]:
        return []

    def size(self, example: EncoderExample) -> int:
        return len(example.premise) + len(example.hypothesis)

    def batch(self, examples: Sequence[EncoderExample]) -> Batch:
        return Batch(padded([e.premise for e in examples]), padded([e.hypothesis for e in examples]))

    def vectors(self, *, source: str, dimensions: int, seed: int) -> dict[str, Tensor] | None:
        """The pretrained weights, of ``source`` ``encoder``; None for ``random``, an encoder that begins
        with nothing. ValueError for a file: an encoder has its own vectors."""
        if source == "random":
            return None
        if source != "encoder":
            raise ValueError("an encoder brings its own word vectors: encoder or random")
        return pretrained(self.encoder)


class BertReader(EncoderReader):
    encoder = BERT


def pretrained(name: str) -> dict[str, Tensor]:
    """An encoder's weights by their names."""
    from transformers import BertModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    model = BertModel.from_pretrained(
        encoder_folder(name), local_files_only=True, use_safetensors=True, trust_remote_code=False
    )
    weights: dict[str, Tensor] = model.state_dict()
    return weights


def word_vectors(words: Sequence[str], dimensions: int) -> dict[str, Tensor]:
    """A vector (dimensions,) for each word: MiniLM's for its pieces, their mean. ValueError where it has
    another number of dimensions."""
    from safetensors import safe_open
    from tokenizers import Tokenizer

    folder = encoder_folder(MINILM)
    with safe_open(folder / WEIGHTS, framework="pt") as weights:
        table = weights.get_tensor("embeddings.word_embeddings.weight")
    if table.shape[1] != dimensions:
        raise ValueError(f"the encoder's vectors have {table.shape[1]} dimensions, not {dimensions}")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pieces = tokenizer.encode_batch(list(words), add_special_tokens=False)
    return {word: table[found.ids].mean(0) for word, found in zip(words, pieces, strict=True) if found.ids}
