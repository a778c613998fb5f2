"""Examples for a prompt, chosen from a dataset once and frozen into the model."""

from __future__ import annotations

import random

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.datasets.labels import CONTRADICTION
from apps.datasets.models import Dataset, Pair
from apps.frame.texts import pair_digest
from apps.inference.chat.prompts import Shot
from apps.inference.labels import LabelError, fitted
from apps.inference.references import training_labels

MOST_SHOTS = 32


def text_digest(premise: str, hypothesis: str) -> str:
    """What tells a pair by, as a chat model sees it: its premises as one text, and its hypothesis."""
    return pair_digest([premise], hypothesis)


def shots_choose(dataset: Dataset, *, labels: list[str], count: int, seed: int) -> tuple[Shot, ...]:
    """So many pairs with their gold labels (or human majorities), each of ``labels`` in turn, the same for
    the same seed. ValidationError under ``shots`` or ``dataset`` where they can't be had. Five queries."""
    if not 0 < count <= MOST_SHOTS:
        raise ValidationError({"shots": _("A prompt holds 1 to %(n)d examples.") % {"n": MOST_SHOTS}})
    if CONTRADICTION in labels and CONTRADICTION not in dataset.labels:
        raise ValidationError(
            {"dataset": _("This dataset does not tell contradictions from what is merely not entailed.")}
        )
    groups: dict[str, list[int]] = {label: [] for label in labels}
    for pair, label in sorted(training_labels(dataset).items()):
        try:
            groups[fitted(label, labels)].append(pair)
        except LabelError:
            continue
    draw = random.Random(seed)
    for pairs in groups.values():
        draw.shuffle(pairs)
    chosen: dict[int, str] = {}
    for turn in range(count):
        label = labels[turn % len(labels)]
        if not groups[label]:
            raise ValidationError(
                {"shots": _("This dataset has too few pairs of known label: %(label)s.") % {"label": label}}
            )
        chosen[groups[label].pop()] = label
    found = Pair.objects.filter(pk__in=chosen).prefetch_related("premises")
    shots = [
        Shot(pair.premise, pair.hypothesis, chosen[pair.pk], text_digest(pair.premise, pair.hypothesis))
        for pair in found.order_by("pk")
    ]
    draw.shuffle(shots)
    return tuple(shots)
