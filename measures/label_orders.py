"""Whether a model's labels look turned round, and whether it does better than one label for everything.

Both read a table of counts: how often a model said one label where another was wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from measures.intervals import wilson
from measures.undefined import Undefined

#: How often the model said the first label where the second was wanted.
Counts = Mapping[tuple[str, str], int]


@dataclass(frozen=True)
class Order:
    """Which reading of a model's labels is most often right. ``meant`` says for each label that the model
    says what it would mean; ``best`` of ``total`` would be right by it, and ``right`` are as they stand."""

    total: int
    right: int
    best: int
    meant: dict[str, str]

    @property
    def is_other(self) -> bool:
        return any(said != meant for said, meant in self.meant.items())


def best_order(
    counts: Counts, labels: Sequence[str], amounts: Callable[[str], str] = lambda label: label
) -> Order:
    """Try every order of a model's ``labels``. ``amounts`` says what one of them comes to among those wanted
    (contradiction to non-entailment). Of orders equally good the one that stands, or else the first.

    >>> best_order({("yes", "no"): 9, ("no", "yes"): 8, ("yes", "yes"): 1}, ["yes", "no"])
    Order(total=18, right=1, best=17, meant={'yes': 'no', 'no': 'yes'})
    """
    right = {
        (said, meant): sum(
            n for (word, wanted), n in counts.items() if word == said and amounts(meant) == wanted
        )
        for said in labels
        for meant in labels
    }
    orders = [dict(zip(labels, order, strict=True)) for order in permutations(labels)]
    found = [sum(right[pair] for pair in order.items()) for order in orders]
    best = max(range(len(orders)), key=lambda number: (found[number], -number))
    return Order(sum(counts.values()), found[0], found[best], orders[best])


def looks_turned(order: Order, most: int) -> bool:
    """Whether another order is right clearly more often than the one that stands, and than always saying the
    label that ``most`` pairs have: the 95 % intervals (Wilson) of the two orders lie apart, and that of the
    better one above the share of that label. (A model that always says one wrong label isn't turned round.)

    >>> order = best_order({("yes", "no"): 45, ("no", "yes"): 45, ("yes", "yes"): 10}, ["yes", "no"])
    >>> looks_turned(order, 55), looks_turned(best_order({("yes", "no"): 100}, ["yes", "no"]), 100)
    (True, False)
    """
    if not (order.is_other and order.total):
        return False
    now, other = wilson(order.right, order.total), wilson(order.best, order.total)
    if isinstance(now, Undefined) or isinstance(other, Undefined):
        return False
    return other[0] > now[1] and other[0] > most / order.total


def beats(right: int, total: int, most: int) -> bool:
    """Whether ``right`` of ``total`` are more than always saying the label that ``most`` of them have would
    get right: that share lies below the 95 % interval (Wilson). No model beats it on no pairs.

    >>> beats(59, 100, 50), beats(70, 100, 50), beats(20, 100, 50), beats(0, 0, 0)
    (False, True, False, False)
    """
    interval = wilson(right, total)
    return not isinstance(interval, Undefined) and interval[0] > most / total
