"""What runs registered models: one module a kind, each with a ``load``.

A runtime turns pairs of texts into canonical labels with a score for each of the model's own labels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from apps.inference.models import Model, Run
from workers.runtimes.loaded import Loaded, folder_weight
from workers.runtimes.runtime import Output, Paid, Pending, Runtime, Stopped, Unavailable

__all__ = ["Output", "Pending", "Runtime", "Stopped", "Unavailable", "runtime_for"]

#: Those of this process.
loaded = Loaded()


def runtime_for(model: Model, run: Run | None = None) -> Runtime:
    """The runtime of a registered model, kept for the next chunk. ``run`` is who pays for what costs
    something. Raises :class:`Unavailable`."""
    # A chat model's answers, and its keys, are the study's.
    own = {"study": model.study_id} if model.kind == Model.Kind.CHAT else {}
    config = json.dumps({**model.config, **own}, sort_keys=True)
    weight = folder_weight(model.config["folder"]) if "folder" in model.config else 0
    runtime = loaded.get(
        (model.kind, config, model.fingerprint),
        weight,
        lambda: _load(model.kind, config, model.fingerprint),
    )
    return runtime.in_run(run) if run is not None and isinstance(runtime, Paid) else runtime


def _load(kind: str, config: str, fingerprint: str) -> Runtime:
    from workers.runtimes import (
        calculus,
        chat,
        huggingface,
        hypothesis,
        learnt,
        majority,
        negation,
        network,
        onnx,
        overlap,
    )

    loads: dict[str, Callable[[Mapping[str, Any], str], Runtime]] = {
        Model.Kind.MAJORITY.value: majority.load,
        Model.Kind.OVERLAP.value: overlap.load,
        Model.Kind.NEGATION.value: negation.load,
        Model.Kind.HYPOTHESIS.value: hypothesis.load,
        Model.Kind.LEARNT.value: learnt.load,
        Model.Kind.TRANSFORMERS.value: huggingface.load,
        Model.Kind.ONNX.value: onnx.load,
        Model.Kind.CALCULUS.value: calculus.load,
        Model.Kind.CHAT.value: chat.load,
        Model.Kind.NETWORK.value: network.load,
    }
    return loads[kind](json.loads(config), fingerprint)
