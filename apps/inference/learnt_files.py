"""Learnt classifiers on disk: weights as JSON, so that reading one can never run code.

A file is named after the SHA-256 of its bytes and never changed; the name is the fingerprint.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

FORMAT = "polarlab-learnt-1"


class LearntFileError(ValueError):
    """A file that is no learnt classifier of this format, or not the one that was registered."""


@dataclass(frozen=True)
class Weights:
    """A multinomial logistic regression over standardised features.

    ``coefficients[label][feature]`` and ``intercepts[label]``; ``means`` and ``scales`` standardise
    the features. ``training`` says what it was trained on and how well it did.
    """

    features: tuple[str, ...]
    labels: tuple[str, ...]
    coefficients: tuple[tuple[float, ...], ...]
    intercepts: tuple[float, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    training: dict[str, Any]


def models_dir() -> Path:
    return Path(settings.VAR_DIR) / "models"


def weights_save(weights: Weights) -> str:
    """Write the weights; returns the fingerprint. The same weights give the same file."""
    content = json.dumps({"format": FORMAT, **asdict(weights)}, indent=1, sort_keys=True).encode()
    fingerprint = hashlib.sha256(content).hexdigest()
    path = models_dir() / f"learnt-{fingerprint}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.write_bytes(content)
    draft.replace(path)
    return fingerprint


def weights_load(fingerprint: str) -> Weights:
    """The weights named ``fingerprint``; LearntFileError when they are gone, changed or malformed."""
    if len(fingerprint) != 64 or not set(fingerprint) <= set("0123456789abcdef"):
        raise LearntFileError(_("The model's fingerprint is malformed; train it again."))
    path = models_dir() / f"learnt-{fingerprint}.json"
    name = {"name": f"learnt-{fingerprint[:12]}….json"}
    try:
        content = path.read_bytes()
    except OSError:
        raise LearntFileError(_("The trained file %(name)s is not on this machine.") % name) from None
    if hashlib.sha256(content).hexdigest() != fingerprint:
        raise LearntFileError(_("The trained file %(name)s was changed after training.") % name)
    try:
        data = json.loads(content)
        weights = Weights(
            features=tuple(data["features"]),
            labels=tuple(data["labels"]),
            coefficients=tuple(tuple(float(n) for n in row) for row in data["coefficients"]),
            intercepts=tuple(float(n) for n in data["intercepts"]),
            means=tuple(float(n) for n in data["means"]),
            scales=tuple(float(n) for n in data["scales"]),
            training=dict(data["training"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise LearntFileError(_("The trained file %(name)s is malformed.") % name) from error
    if data.get("format") != FORMAT or not _shapes_fit(weights):
        raise LearntFileError(_("The trained file %(name)s is of another format.") % name)
    return weights


def _shapes_fit(weights: Weights) -> bool:
    width, height = len(weights.features), len(weights.labels)
    numbers = [*weights.intercepts, *weights.means, *weights.scales, *sum(weights.coefficients, ())]
    return (
        height >= 2
        and len(weights.coefficients) == len(weights.intercepts) == height
        and all(len(row) == width for row in weights.coefficients)
        and len(weights.means) == len(weights.scales) == width
        and all(scale > 0 for scale in weights.scales)
        and all(math.isfinite(number) for number in numbers)
    )
