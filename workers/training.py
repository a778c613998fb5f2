"""Training the learnt classifier: a logistic regression over the features of :mod:`workers.runtimes`.

The weights come from one part of the material, the reported figures from the other.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.datasets.labels import ENTAILMENT
from apps.datasets.models import Dataset
from apps.inference.learnt_files import Weights
from apps.inference.references import training_labels
from natlog.pairs import Pair, PairFileError, read_pairs
from workers.runtimes.features import NAMES, features_of
from workers.runtimes.learnt import Learnt

# Columns (or JSON keys) that say which part of a published split a row belongs to.
PART_COLUMNS = ("semeval_set", "split", "partition")
HELD_OUT_SHARE = 5  # one in five, where the material has no parts of its own


class TrainingError(ValueError):
    """Material that nothing can be learnt from, with the reason in words."""


@dataclass(frozen=True)
class Example:
    premise: str
    hypothesis: str
    label: str


@dataclass(frozen=True)
class Material:
    """Examples to learn from and examples to report on; ``source`` and ``split`` say where they came from."""

    source: str
    split: str
    train: tuple[Example, ...]
    test: tuple[Example, ...]


@dataclass(frozen=True)
class Trained:
    """Weights, and how often they are right on the test part.

    ``two_way`` is entailment against the rest, ``full`` over all labels (the same where there are two).
    ``baselines`` are what always saying the training part's most frequent label gives, likewise.
    """

    weights: Weights
    two_way: float
    full: float
    baselines: tuple[float, float]


def material_from_file(path: Path) -> Material:
    """A pair file's labelled rows, by its own TRAIN and TEST parts or else held out one in five."""
    try:
        pairs = read_pairs(str(path))
    except PairFileError as error:
        raise TrainingError(str(error)) from error
    parts = _parts_of(path)
    chosen: dict[str, list[Example]] = {"train": [], "test": []}
    for pair in pairs:
        if pair.label:
            chosen.setdefault(parts.get(pair.line, ""), []).append(_example(pair))
    if chosen["train"] and chosen["test"]:
        return Material(path.name, "TRAIN/TEST", tuple(chosen["train"]), tuple(chosen["test"]))
    return _held_out(path.name, [_example(pair) for pair in pairs if pair.label])


def material_from_dataset(dataset: Dataset) -> Material:
    """A dataset's pairs that have a gold label or a human majority."""
    labels = training_labels(dataset)
    pairs = dataset.pairs.prefetch_related("premises").order_by("pk").iterator(chunk_size=1000)
    examples = [Example(p.premise, p.hypothesis, labels[p.pk]) for p in pairs if p.pk in labels]
    if not examples:
        raise TrainingError(
            f"No pair of “{dataset.name}” has a gold label or a human majority to learn from."
        )
    return _held_out(dataset.name, examples)


def train(material: Material) -> Trained:
    """Fit the classifier to the material's training part. Deterministic."""
    from sklearn import __version__
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    labels = sorted({example.label for example in material.train})
    if len(labels) < 2 or ENTAILMENT not in labels:
        raise TrainingError(
            f"{material.source}: the training part holds {', '.join(labels) or 'no labels'}; entailment and "
            "at least one other label are wanted."
        )
    if not material.test:
        raise TrainingError(f"{material.source}: no pair is left to report on; more pairs are wanted.")
    scaler = StandardScaler()
    matrix = scaler.fit_transform([features_of(e.premise, e.hypothesis) for e in material.train])
    model = LogisticRegression(max_iter=2000).fit(matrix, [example.label for example in material.train])
    rows, intercepts = model.coef_.tolist(), model.intercept_.tolist()
    if len(rows) == 1:  # two labels: one row speaks for the second, the first is at zero
        rows, intercepts = [[0.0] * len(NAMES), rows[0]], [0.0, intercepts[0]]
    training = {
        "source": material.source,
        "split": material.split,
        "pairs": len(material.train),
        "tested on": len(material.test),
        "library": f"scikit-learn {__version__}",
    }
    weights = Weights(
        features=NAMES,
        labels=tuple(str(label) for label in model.classes_),
        coefficients=tuple(tuple(round(value, 9) for value in row) for row in rows),
        intercepts=tuple(round(value, 9) for value in intercepts),
        means=tuple(round(float(value), 9) for value in scaler.mean_),
        scales=tuple(round(float(value), 9) for value in scaler.scale_),
        training=training,
    )
    trained = _tested(weights, material)
    training.update({"two-way accuracy": round(trained.two_way, 6), "accuracy": round(trained.full, 6)})
    return trained


def _tested(weights: Weights, material: Material) -> Trained:
    """Score the stored weights themselves, as they will be used."""
    said = [o.label for o in Learnt(weights).predict([(e.premise, e.hypothesis) for e in material.test])]
    gold = [example.label for example in material.test]
    most = Counter(example.label for example in material.train).most_common(1)[0][0]
    entails = [example.label == ENTAILMENT for example in material.train]
    usual = 2 * sum(entails) > len(entails)
    return Trained(
        weights=weights,
        two_way=_share((a == ENTAILMENT) == (b == ENTAILMENT) for a, b in zip(said, gold, strict=True)),
        full=_share(a == b for a, b in zip(said, gold, strict=True)),
        baselines=(_share((b == ENTAILMENT) == usual for b in gold), _share(b == most for b in gold)),
    )


def _share(outcomes: Iterable[bool]) -> float:
    values = list(outcomes)
    return sum(values) / len(values)


def _example(pair: Pair) -> Example:
    return Example(pair.premise, pair.hypothesis, pair.label)


def _held_out(source: str, examples: Sequence[Example]) -> Material:
    """One in five for the test, by a digest of the two sentences: a pair and its twin stay together."""
    train: list[Example] = []
    test: list[Example] = []
    for example in examples:
        both = "\n".join(sorted((example.premise, example.hypothesis)))
        number = int(hashlib.sha256(both.encode()).hexdigest()[:8], 16)
        (test if number % HELD_OUT_SHARE == 0 else train).append(example)
    return Material(source, "one in five held out", tuple(train), tuple(test))


def _parts_of(path: Path) -> dict[int, str]:
    """The part of each line (numbered as natlog.pairs does), in lower case; empty without such a column."""
    text = path.read_text(encoding="utf-8-sig")
    lines = text.split("\n")
    if text.lstrip().startswith("{"):
        rows = ((number, json.loads(line)) for number, line in enumerate(lines, 1) if line.strip())
        return {n: _part({str(key).lower(): value for key, value in row.items()}) for n, row in rows}
    reader = csv.reader((line.rstrip("\r") for line in lines), delimiter="\t", quoting=csv.QUOTE_NONE)
    header = [field.strip().lower() for field in next(reader, [])]
    if not set(header) & set(PART_COLUMNS):
        return {}
    numbered = ((reader.line_num, fields) for fields in reader)
    return {number: _part(dict(zip(header, fields, strict=False))) for number, fields in numbered}


def _part(row: dict[str, object]) -> str:
    return str(next((row[name] for name in PART_COLUMNS if row.get(name)), "")).strip().lower()
