"""A run's state at the end of an epoch, as a folder of safetensors and JSON: never a pickle.

A folder is written beside its place and moved there, so that it is there whole or not at all. The last two
are kept: a worker may be killed after it wrote one and before the epoch was stored in the database.
"""

from __future__ import annotations

import json
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

KEPT = 2


@dataclass(frozen=True)
class Checkpoint:
    """``moments`` are what the optimizer keeps, named ``<parameter>.<what>``; ``best`` is the best epoch
    until now, with its weights; ``history`` the epochs as JSON."""

    weights: dict[str, Tensor]
    best_weights: dict[str, Tensor]
    moments: dict[str, Tensor]
    best: int
    history: list[dict[str, Any]]


def checkpoint_write(place: Path, checkpoint: Checkpoint) -> None:
    """Write the checkpoint of the last epoch in its history; older ones are thrown away."""
    from safetensors.torch import save_file

    epoch = len(checkpoint.history)
    target = place / f"epoch-{epoch:04d}"
    draft = place / f".draft-{uuid.uuid4().hex}"
    draft.mkdir(parents=True)
    save_file(checkpoint.weights, draft / "weights.safetensors")
    save_file(checkpoint.moments, draft / "moments.safetensors")
    if checkpoint.best != epoch:  # else they are the weights
        save_file(checkpoint.best_weights, draft / "best.safetensors")
    state = {"best": checkpoint.best, "history": checkpoint.history}
    (draft / "state.json").write_text(json.dumps(state), encoding="utf-8")
    shutil.rmtree(target, ignore_errors=True)  # of a run that came so far and was not stored
    draft.rename(target)
    keep = {f"epoch-{number:04d}" for number in range(epoch - KEPT + 1, epoch + 1)}
    for old in place.iterdir():
        if old.name not in keep:
            shutil.rmtree(old, ignore_errors=True)


def checkpoint_read(place: Path, epoch: int) -> Checkpoint | None:
    """The checkpoint of an epoch; None where it is not there, or can't be read."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    folder = place / f"epoch-{epoch:04d}"
    try:
        state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        weights = load_file(folder / "weights.safetensors")
        is_best = state["best"] == epoch
        return Checkpoint(
            weights=weights,
            best_weights=dict(weights) if is_best else load_file(folder / "best.safetensors"),
            moments=load_file(folder / "moments.safetensors"),
            best=int(state["best"]),
            history=list(state["history"]),
        )
    except (OSError, ValueError, KeyError, TypeError, SafetensorError):
        return None
