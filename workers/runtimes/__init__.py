"""What runs registered models: one module a kind, each with a ``load``.

A runtime turns pairs of texts into canonical labels with a score for each of the model's own labels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from apps.inference.models import Model
from workers.runtimes.runtime import Output, Pending, Runtime, Unavailable

__all__ = ["Output", "Pending", "Runtime", "Unavailable", "runtime_for"]


def runtime_for(model: Model) -> Runtime:
    """The runtime of a registered model, kept for the next chunk. Raises :class:`Unavailable`."""
    return _loaded(model.kind, json.dumps(model.config, sort_keys=True), model.fingerprint)


@lru_cache(maxsize=2)  # a transformer fills memory; a worker rarely goes back and forth
def _loaded(kind: str, config: str, fingerprint: str) -> Runtime:
    from workers.runtimes import calculus, huggingface, learnt, majority, negation, overlap

    loads: dict[str, Callable[[Mapping[str, Any], str], Runtime]] = {
        Model.Kind.MAJORITY.value: majority.load,
        Model.Kind.OVERLAP.value: overlap.load,
        Model.Kind.NEGATION.value: negation.load,
        Model.Kind.LEARNT.value: learnt.load,
        Model.Kind.TRANSFORMERS.value: huggingface.load,
        Model.Kind.CALCULUS.value: calculus.load,
    }
    return loads[kind](json.loads(config), fingerprint)
