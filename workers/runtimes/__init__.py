"""What runs registered models: one module a kind, each with a ``load``.

A runtime turns pairs of texts into canonical labels with a score for each of the model's own labels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from apps.inference.models import Model, Run
from workers.runtimes.runtime import Output, Paid, Pending, Runtime, Stopped, Unavailable

__all__ = ["Output", "Pending", "Runtime", "Stopped", "Unavailable", "runtime_for"]


def runtime_for(model: Model, run: Run | None = None) -> Runtime:
    """The runtime of a registered model, kept for the next chunk. ``run`` is who pays for what costs
    something. Raises :class:`Unavailable`."""
    # A chat model's answers, and its keys, are the study's.
    own = {"study": model.study_id} if model.kind == Model.Kind.CHAT else {}
    loaded = _loaded(model.kind, json.dumps({**model.config, **own}, sort_keys=True), model.fingerprint)
    return loaded.in_run(run) if run is not None and isinstance(loaded, Paid) else loaded


@lru_cache(maxsize=2)  # a transformer fills memory; a worker rarely goes back and forth
def _loaded(kind: str, config: str, fingerprint: str) -> Runtime:
    from workers.runtimes import calculus, chat, huggingface, learnt, majority, negation, overlap

    loads: dict[str, Callable[[Mapping[str, Any], str], Runtime]] = {
        Model.Kind.MAJORITY.value: majority.load,
        Model.Kind.OVERLAP.value: overlap.load,
        Model.Kind.NEGATION.value: negation.load,
        Model.Kind.LEARNT.value: learnt.load,
        Model.Kind.TRANSFORMERS.value: huggingface.load,
        Model.Kind.CALCULUS.value: calculus.load,
        Model.Kind.CHAT.value: chat.load,
    }
    return loads[kind](json.loads(config), fingerprint)
