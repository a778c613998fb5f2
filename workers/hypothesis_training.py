"""Training the model that reads the hypothesis alone: what it gets right tells of the data, not of inference.

A bag of words and of neighbouring words, by multinomial logistic regression (Poliak et al. 2018, *Hypothesis
only baselines in natural language inference*; Gururangan et al. 2018, *Annotation artifacts in natural
language inference data*). Pairs are held out by their hypotheses, so that none is known by heart.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from apps.datasets.labels import ENTAILMENT
from apps.inference.learnt_files import Weights
from measures.label_orders import beats
from workers.runtimes.hypothesis import HypothesisAlone, features_of
from workers.training import HELD_OUT_SHARE, Example, Material, TrainingError

#: A feature must be in so many hypotheses of the training part, and of those the most frequent are kept.
LEAST_HYPOTHESES, MOST_FEATURES = 2, 20_000
#: More pairs would take longer than a step of a job may.
MOST_PAIRS = 50_000


def train(material: Material) -> Weights:
    """Fit to four in five of the material's hypotheses, and report on the others beside always saying the
    label most frequent in training. Deterministic. Raises :class:`TrainingError`."""
    from sklearn import __version__
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    learnt, held_out = _parts([*material.train, *material.test])
    labels = sorted({example.label for example in learnt})
    if len(labels) < 2:
        raise TrainingError(f"{material.source}: at least two labels are wanted to tell apart.")
    if not held_out:
        raise TrainingError(f"{material.source}: no hypothesis is left to report on; more pairs are wanted.")
    known = _vocabulary(learnt)
    if not known:
        raise TrainingError(f"{material.source}: no word is in two hypotheses, so there is nothing to learn.")
    vectorizer = DictVectorizer().fit([dict.fromkeys(known, 1.0)])
    rows = [dict.fromkeys(known & features_of(example.hypothesis), 1.0) for example in learnt]
    fitted = LogisticRegression(max_iter=500).fit(
        vectorizer.transform(rows), [example.label for example in learnt]
    )
    names = tuple(str(name) for name in vectorizer.get_feature_names_out())
    coefficients, intercepts = fitted.coef_.tolist(), fitted.intercept_.tolist()
    if len(coefficients) == 1:  # two labels: one row speaks for the second, the first is at zero
        coefficients, intercepts = [[0.0] * len(names), coefficients[0]], [0.0, intercepts[0]]
    weights = Weights(
        features=names,
        labels=tuple(str(label) for label in fitted.classes_),
        coefficients=tuple(tuple(round(value, 6) for value in row) for row in coefficients),
        intercepts=tuple(round(value, 6) for value in intercepts),
        means=(0.0,) * len(names),
        scales=(1.0,) * len(names),
        training={
            "source": material.source,
            "split": "one hypothesis in five held out",
            "pairs": len(learnt),
            "tested on": len(held_out),
            "library": f"scikit-learn {__version__}",
        },
    )
    weights.training.update(_tested(weights, learnt, held_out))
    return weights


def _tested(weights: Weights, learnt: Sequence[Example], held_out: Sequence[Example]) -> dict[str, object]:
    """The stored weights themselves, as they will be used, on what was held out."""
    outputs = HypothesisAlone(weights).predict([(e.premise, e.hypothesis) for e in held_out])
    gold = [example.label for example in held_out]
    said = [output.label for output in outputs]
    most = Counter(example.label for example in learnt).most_common(1)[0][0]
    right = sum(one == other for one, other in zip(said, gold, strict=True))
    two_way = sum((one == ENTAILMENT) == (other == ENTAILMENT) for one, other in zip(said, gold, strict=True))
    always = sum(label == most for label in gold)
    return {
        "accuracy": round(right / len(gold), 6),
        "two-way accuracy": round(two_way / len(gold), 6),
        "most frequent": most,
        "its accuracy": round(always / len(gold), 6),
        "beats it": beats(right, len(gold), always),
    }


def _parts(examples: Sequence[Example]) -> tuple[list[Example], list[Example]]:
    """Those to learn from and those held out, by a digest of the hypothesis; of very many the first by it."""
    digests = {
        example.hypothesis: hashlib.sha256(example.hypothesis.encode()).hexdigest() for example in examples
    }
    ordered = sorted(examples, key=lambda e: (digests[e.hypothesis], e.premise, e.label))[:MOST_PAIRS]
    learnt: list[Example] = []
    held_out: list[Example] = []
    for example in ordered:
        number = int(digests[example.hypothesis][-8:], 16)
        (held_out if number % HELD_OUT_SHARE == 0 else learnt).append(example)
    return learnt, held_out


def _vocabulary(learnt: Sequence[Example]) -> frozenset[str]:
    """What enough hypotheses have; of equally frequent features the first by name."""
    texts = {example.hypothesis for example in learnt}
    counts = Counter(feature for text in texts for feature in features_of(text))
    enough = [feature for feature, n in counts.items() if n >= LEAST_HYPOTHESES]
    return frozenset(sorted(enough, key=lambda feature: (-counts[feature], feature))[:MOST_FEATURES])
