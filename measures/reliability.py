"""How reliable are raters whose items have no known answer? Two published estimators, on plain data, and
what follows from them for an item.

Dawid and Skene (1979), *Maximum likelihood estimation of observer error-rates using the EM algorithm*,
Applied Statistics 28(1), section 2: each rater has a table of how often they call class j class l.

MACE: Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), *Learning whom to trust with MACE*, NAACL, section 3:
each rater either knows the answer or spams, by a habit of their own. Here with their variational Bayes and
its priors (section 3.2), from several random starts, the likeliest kept.

Both take ratings as (item, rater, label); a rater may have rated an item more than once. Whoever has
nothing that can be compared gets no number.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Any

from measures.undefined import Undefined

Rating = tuple[Hashable, Hashable, str]

_STEPS = 200
_STEADY = 1e-6
_STARTS = 10
_PRIOR = 0.5  # Beta(0.5, 0.5) on competence (section 3.2)
_HABIT_PRIOR = 10.0  # Dirichlet(10) on the habits (section 3.2)
# Tables are kept to four decimals; a zero there is not impossible, only rarer than that.
_RAREST = 5e-5


@dataclass(frozen=True)
class Estimate:
    """What an estimator says: each rater's reliability in [0, 1], each item's class probabilities.

    ``undefined`` is the reason why there is nothing, None where there is. ``confusion`` has, for each rater,
    a row for each true class with the probabilities of each label; ``prior`` the classes' shares. From both,
    the classes' probabilities of any item follow (:func:`posterior`). (MACE's rows are the variational
    weights that stand for probabilities in its E step; they add up to less than 1.)
    """

    labels: tuple[str, ...] = ()
    raters: dict[Hashable, float] = field(default_factory=dict)
    items: dict[Hashable, dict[str, float]] = field(default_factory=dict)
    confusion: dict[Hashable, list[list[float]]] = field(default_factory=dict)
    prior: tuple[float, ...] = ()
    undefined: Undefined | None = None


def dawid_skene(ratings: Sequence[Rating]) -> Estimate:
    """Maximum likelihood by EM (equations 2.3 to 2.5), begun from each item's shares of votes, as in the
    paper. Undefined without an item that two rated, and where everybody gave one and the same label.

    A rater's reliability is the probability of the right label for an item drawn at random: the sum over
    classes of the class' share times the rater's probability of calling it by its name.

    >>> truth = "ynynynynyn"
    >>> found = dawid_skene(
    ...     [(item, rater, label) for rater in "ab" for item, label in enumerate(truth)]
    ...     + [(item, "always y", "y") for item in range(10)]
    ... )
    >>> {rater: round(value, 2) for rater, value in found.raters.items()}
    {'a': 1.0, 'always y': 0.5, 'b': 1.0}
    >>> dawid_skene([(1, "a", "y"), (2, "b", "n")]).undefined
    <Undefined.NO_OVERLAP: 'no-overlap'>
    """
    import numpy as np

    if why := undefined(ratings):
        return Estimate(undefined=why)
    names, (item, rater, label) = _indexed(ratings)
    shape = (len(names[1]), len(names[2]), len(names[2]))
    classes = np.zeros((len(names[0]), len(names[2])))
    np.add.at(classes, (item, label), 1.0)
    classes /= classes.sum(axis=1, keepdims=True)
    for _step in range(_STEPS):
        prior = classes.mean(axis=0)
        by_label = np.zeros(shape)  # rater, label, class
        np.add.at(by_label, (rater, label), classes[item])
        errors = by_label.transpose(0, 2, 1)
        totals = errors.sum(axis=2, keepdims=True)
        errors = np.divide(errors, totals, out=np.zeros_like(errors), where=totals > 0)
        with np.errstate(divide="ignore"):
            logs = np.log(errors)
            weights = np.tile(np.log(prior), (len(names[0]), 1))
        np.add.at(weights, item, logs[rater, :, label])
        before, classes = classes, _normalised(weights)
        if np.abs(before - classes).max() < _STEADY:
            break
    right = errors.diagonal(axis1=1, axis2=2) @ prior
    return Estimate(
        labels=tuple(names[2]),
        raters=dict(zip(names[1], _clipped(right), strict=True)),
        items=_by_item(names, classes),
        confusion=dict(zip(names[1], errors.round(4).tolist(), strict=True)),
        prior=tuple(prior.tolist()),
    )


def mace(ratings: Sequence[Rating], *, seed: int = 0) -> Estimate:
    """Variational Bayes from ten random starts; a rater's reliability is their competence, the expected
    share of answers that they gave because they knew. The same ``seed`` gives the same. Undefined where
    :func:`dawid_skene` is.

    >>> ratings = [(item, rater, "yn"[item % 2]) for rater in "abc" for item in range(40)]
    >>> found = mace([*ratings, *((item, "always y", "y") for item in range(40))])
    >>> found.raters["always y"] < 0.1 < 0.9 < found.raters["a"]
    True
    """
    import numpy as np

    if why := undefined(ratings):
        return Estimate(undefined=why)
    names, index = _indexed(ratings)
    draw = np.random.default_rng(seed)
    best, likeliest = None, -np.inf
    for _start in range(_STARTS):
        found = _mace_from(draw, names, index)
        if found[0] > likeliest:
            likeliest, best = found[0], found
    assert best is not None
    _likelihood, competence, classes, (know, habit) = best
    labels = len(names[2])
    # A row for each true class: by habit any label, and by knowing the class' own.
    errors = np.repeat(habit[:, None, :], labels, axis=1) + know[:, None, None] * np.eye(labels)
    return Estimate(
        labels=tuple(names[2]),
        raters=dict(zip(names[1], _clipped(competence), strict=True)),
        items=_by_item(names, classes),
        confusion=dict(zip(names[1], errors.round(6).tolist(), strict=True)),
        prior=tuple([1 / labels] * labels),
    )


def _mace_from(draw: Any, names: Any, index: Any) -> tuple[float, Any, Any, Any]:
    """One start: the marginal likelihood of the data, competences, the items' classes, and each rater's
    weights of knowing and of each label by habit that these classes came from."""
    import numpy as np
    from scipy.special import digamma

    item, rater, label = index
    raters, labels = len(names[1]), len(names[2])
    knowing = draw.uniform(1.0, 2.0, (raters, 2))  # expected counts of knowing and of spamming
    habits = draw.uniform(1.0, 2.0, (raters, labels))
    likelihood = -np.inf
    for _step in range(_STEPS):
        counts, wont = knowing + _PRIOR, habits + _HABIT_PRIOR
        know, spam = np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True))).T
        habit = np.exp(digamma(wont) - digamma(wont.sum(axis=1, keepdims=True)))
        by_habit = spam[rater] * habit[rater, label]
        weights = np.full((len(names[0]), labels), -np.log(labels))
        each = np.repeat(np.log(by_habit)[:, None], labels, axis=1)
        each[np.arange(len(item)), label] = np.log(know[rater] + by_habit)
        np.add.at(weights, item, each)
        classes = _normalised(weights)
        knew = classes[item, label] * know[rater] / (know[rater] + by_habit)
        knowing, habits = np.zeros((raters, 2)), np.zeros((raters, labels))
        np.add.at(knowing[:, 0], rater, knew)
        np.add.at(knowing[:, 1], rater, 1 - knew)
        np.add.at(habits, (rater, label), 1 - knew)
        before, likelihood = likelihood, float(_log_sums(weights).sum())
        if abs(likelihood - before) < _STEADY * max(1.0, abs(likelihood)):
            break
    counts = knowing + _PRIOR
    return likelihood, counts[:, 0] / counts.sum(axis=1), classes, (know, spam[:, None] * habit)


def undefined(ratings: Sequence[Rating]) -> Undefined | None:
    """Why nothing can be estimated from these ratings; None where it can."""
    raters: dict[Hashable, set[Hashable]] = {}
    for item, rater, _label in ratings:
        raters.setdefault(item, set()).add(rater)
    if not any(len(those) > 1 for those in raters.values()):
        return Undefined.NO_OVERLAP
    return None if len({label for _item, _rater, label in ratings}) > 1 else Undefined.NO_VARIATION


def _indexed(ratings: Sequence[Rating]) -> tuple[list[list[Any]], Any]:
    """Names of items, raters and labels (sorted), and the ratings as three arrays of their places."""
    import numpy as np

    names = [sorted({rating[axis] for rating in ratings}, key=str) for axis in range(3)]
    places = [{name: place for place, name in enumerate(those)} for those in names]
    columns = [[places[axis][rating[axis]] for rating in ratings] for axis in range(3)]
    return names, tuple(np.array(column) for column in columns)


def _log_sums(weights: Any) -> Any:
    """log Σ exp of each row, without overflow."""
    import numpy as np

    most = weights.max(axis=1)
    return most + np.log(np.exp(weights - most[:, None]).sum(axis=1))


def _normalised(weights: Any) -> Any:
    """Log weights as probabilities, row by row."""
    import numpy as np

    return np.exp(weights - _log_sums(weights)[:, None])


def _clipped(values: Any) -> list[float]:
    return [min(1.0, max(0.0, float(value))) for value in values]


def _by_item(names: Any, classes: Any) -> dict[Hashable, dict[str, float]]:
    return {
        item: dict(zip(names[2], row, strict=True))
        for item, row in zip(names[0], classes.round(4).tolist(), strict=True)
    }


@dataclass(frozen=True)
class Table:
    """One rater: ``errors`` has a row for each true class with the probability of each label, as
    :attr:`Estimate.confusion` has; ``shares`` are the classes'. Both in the order of ``labels``."""

    labels: tuple[str, ...]
    errors: Sequence[Sequence[float]]
    shares: Sequence[float]


def posterior(answers: Sequence[tuple[Table, str]]) -> dict[str, float]:
    """The probability of each label of an item, given answers and who gave them, by Bayes' rule (Dawid and
    Skene 1979, equation 2.5; MACE's tables have two sources, knowing and a habit of guessing).

    The first table says the classes and their shares; an answer that is none of them, and one by a table of
    other labels, says nothing. Without any answer no classes are known: {}.

    >>> careful = Table(("e", "n"), [[0.9, 0.1], [0.1, 0.9]], [0.5, 0.5])
    >>> guesses = Table(("e", "n"), [[0.5, 0.5], [0.5, 0.5]], [0.5, 0.5])
    >>> found = posterior([(careful, "e"), (guesses, "n"), (guesses, "n")])
    >>> round(found["e"], 3)
    0.9
    """
    if not answers:
        return {}
    labels, shares = answers[0][0].labels, answers[0][0].shares
    weights = [log(max(share, _RAREST)) for share in shares]
    for table, answer in answers:
        if table.labels == labels and answer in labels:
            column = labels.index(answer)
            weights = [
                weight + log(max(row[column], _RAREST))
                for weight, row in zip(weights, table.errors, strict=True)
            ]
    most = max(weights)
    scaled = [exp(weight - most) for weight in weights]
    return {label: share / sum(scaled) for label, share in zip(labels, scaled, strict=True)}
