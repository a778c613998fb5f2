"""The networks that can be trained here, by name. Nothing here imports torch: a network's file does.

A network reads batches (:mod:`workers.networks.batches`) that a reader makes out of pairs of texts
(:mod:`workers.networks.words` and its like), and answers with one logit for each label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class NetworkKind:
    """One kind of network.

    ``place`` is ``module:Class``; the class takes ``vectors`` (a (V, D) tensor of word vectors, or None
    where the network brings its own), ``labels`` (how many) and the sizes, all by keyword. ``reader`` is the
    ``module:Class`` of what turns texts into its batches. ``sizes`` are those of ``paper``, ``small`` what
    two processor cores can train in minutes, without a file of word vectors (only what differs);
    ``searches`` the values that the paper searched in, by the name of the size. ``training`` are the options
    of :mod:`workers.networks.options` that are others than the usual for it. ``parameters`` is the count that
    the paper gives, without the word vectors, and where it does; None where it gives none.
    """

    title: str
    paper: str
    place: str
    reader: str
    sizes: Mapping[str, Any]
    small: Mapping[str, Any] = field(default_factory=dict)
    searches: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    parameters: tuple[int, str] | None = None


def named(place: str) -> Any:
    """What stands at ``module:Name``, imported now."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


WORD_READER = "workers.networks.words:WordReader"

#: Each network's key (in addresses, cards and commands) and what it is.
NETWORKS: dict[str, NetworkKind] = {
    "decomposable-attention": NetworkKind(
        title="Decomposable Attention",
        paper="Parikh et al. 2016",
        place="workers.networks.decomposable_attention:DecomposableAttention",
        reader=WORD_READER,
        sizes={"hidden": 200, "dropout": 0.2, "intra": False, "update_vectors": False},
        small={"hidden": 100, "update_vectors": True},
        searches={"intra": (False, True)},
        parameters=(382_000, "Table 1"),
    ),
    "esim": NetworkKind(
        title="ESIM",
        paper="Chen et al. 2017",
        place="workers.networks.esim:ESIM",
        reader=WORD_READER,
        sizes={"hidden": 300, "dropout": 0.5, "update_vectors": True},
        small={"hidden": 60, "dropout": 0.2},
        training={"learning_rate": 0.0004},
        parameters=(4_300_000, "Table 1"),
    ),
    "bimpm": NetworkKind(
        title="BiMPM",
        paper="Wang et al. 2017",
        place="workers.networks.bimpm:BiMPM",
        reader=WORD_READER,
        sizes={"hidden": 100, "perspectives": 20, "dropout": 0.1, "update_vectors": False},
        small={"hidden": 50, "perspectives": 5, "update_vectors": True},
        searches={"perspectives": (1, 5, 10, 15, 20)},
    ),
    "kim": NetworkKind(
        title="KIM",
        paper="Chen et al. 2018",
        place="workers.networks.kim:KIM",
        reader="workers.networks.knowledge:KnowledgeReader",
        sizes={"hidden": 300, "dropout": 0.5, "knowledge_weight": 1.0, "update_vectors": True},
        small={"hidden": 60, "dropout": 0.2},
        searches={"knowledge_weight": (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)},
        training={"learning_rate": 0.0004},
    ),
    "lstm": NetworkKind(
        title="LSTM",
        paper="Yanaka et al. 2020, section 3.2",
        place="workers.networks.lstm:LSTM",
        reader=WORD_READER,
        sizes={"hidden": 200, "layers": 3, "update_vectors": True},
        small={"hidden": 100},
    ),
    "transitivity-lstm": NetworkKind(
        title="LSTM with three hidden layers",
        paper="Yanaka et al. 2021, section 4.1",
        place="workers.networks.transitivity_lstm:TransitivityLSTM",
        reader=WORD_READER,
        sizes={"hidden": 200, "layers": 1, "dropout": 0.0, "update_vectors": True},
        small={"hidden": 100},
        searches={"dropout": (0.0, 0.1, 0.2)},
    ),
    "tree-lstm": NetworkKind(
        title="Multiplicative TreeLSTM",
        paper="Tran and Cheng 2018; Yanaka et al. 2020, section 3.2",
        place="workers.networks.tree_lstm:TreeLSTM",
        reader="workers.networks.trees:TreeReader",
        sizes={"hidden": 200, "relation": 100, "update_vectors": True},
        small={"hidden": 100, "relation": 50},
    ),
    "minilm": NetworkKind(
        title="MiniLM encoder, fine-tuned",
        paper="Wang et al. 2020; Reimers and Gurevych 2019",
        place="workers.networks.encoder:Encoder",
        reader="workers.networks.encoder:EncoderReader",
        sizes={"hidden": 384, "layers": 6, "heads": 12, "feedforward": 1536, "pooling": "mean"}
        | {"dropout": 0.0, "inner_dropout": 0.0},
        searches={"dropout": (0.0, 0.1, 0.2)},
        training={"vectors": "encoder", "learning_rate": 5e-5, "warmup": 0.1, "clip": 1.0},
    ),
    "bert": NetworkKind(
        title="BERT base, fine-tuned",
        paper="Devlin et al. 2019; Yanaka et al. 2020, section 3.2, and 2021, section 4.1",
        place="workers.networks.encoder:Encoder",
        reader="workers.networks.encoder:BertReader",
        sizes={"hidden": 768, "layers": 12, "heads": 12, "feedforward": 3072, "pooling": "cls"}
        | {"dropout": 0.0, "inner_dropout": 0.0},
        searches={"dropout": (0.0, 0.1, 0.2)},
        training={"vectors": "encoder", "learning_rate": 2e-5, "warmup": 0.1, "clip": 1.0},
    ),
}
