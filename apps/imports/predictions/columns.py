"""Which columns of a file of predictions hold what. They are known by their names alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.corpora.sources import FileProblem
from apps.datasets.labels import SPELLINGS
from natlog.pairs import HYPOTHESIS_NAMES, PREMISE_NAMES

# Never "id" or "index": a file's own numbering would be taken for pairs that have nothing to do with it.
PAIR_NAMES = ("pair_id", "pair")
# A column of gold labels is none of them; "label" counts where there is no other.
LABEL_NAMES = ("prediction", "predicted_label", "predicted", "pred_label", "pred", "label")
SCORES_NAMES = ("probabilities", "probability", "probs", "scores")
_PREFIX = re.compile(r"(?:p|prob|probs|probability|score)(?:[ _.:-]|(?=\())")
_NUMBERED = re.compile(r"(?:premise|sentence1)_?[0-9]+")
# Without a prefix: no single letters and no "yes" or "unknown", which other columns are called too.
_PLAIN_LABELS = frozenset(
    word for word in SPELLINGS if "entail" in word or word in ("neutral", "contradiction")
)


@dataclass(frozen=True)
class Columns:
    """The columns by what they hold, in lower case, "" for none. ``scores`` is one column of JSON objects,
    ``by_label`` a column for each label (in canonical words)."""

    pair: str = ""
    premises: tuple[str, ...] = ()
    hypothesis: str = ""
    label: str = ""
    scores: str = ""
    by_label: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_scores(self) -> bool:
        return bool(self.scores or self.by_label)

    @property
    def has_texts(self) -> bool:
        return bool(self.premises and self.hypothesis)


def columns_of(names: Sequence[str]) -> Columns:
    """What the columns ``names`` hold. FileProblem where they say of no pair or no prediction, where two hold
    the same probability, and for logits, which are no probabilities."""
    keys = [name.lower() for name in names]
    if logits := [name for name in names if "logit" in name.lower()]:
        raise FileProblem(
            _(
                "the column “%(name)s” holds logits, which are no probabilities: send them through the "
                "softmax first, or leave the column out"
            )
            % {"name": logits[0][:60]}
        )
    found = Columns(
        pair=_first(PAIR_NAMES, keys),
        premises=_premises(keys),
        hypothesis=_first(HYPOTHESIS_NAMES, keys),
        label=_first(LABEL_NAMES, keys),
        scores=_first(SCORES_NAMES, keys),
        by_label=_by_label(keys),
    )
    shown = ", ".join(names)[:500] or "–"
    if not found.pair and not found.has_texts:
        raise FileProblem(
            _("no column says which pair a row is of: pair_id, or premise and hypothesis; found: %(found)s")
            % {"found": shown}
        )
    if not found.label and not found.has_scores:
        raise FileProblem(
            _("no column holds a prediction: label, probabilities, or one for each label; found: %(found)s")
            % {"found": shown}
        )
    if found.scores and found.by_label:
        raise FileProblem(
            _("probabilities stand in “%(one)s” and in “%(other)s”: leave one of them out")
            % {"one": found.scores, "other": next(iter(found.by_label.values()))}
        )
    if len(found.by_label) == 1:
        raise FileProblem(
            _("only “%(name)s” holds a probability: a column for each label is wanted")
            % {"name": next(iter(found.by_label.values()))}
        )
    return found


def _first(names: Sequence[str], keys: Sequence[str]) -> str:
    return next((name for name in names if name in keys), "")


def _premises(keys: Sequence[str]) -> tuple[str, ...]:
    """One column (a text, or a list of them), or numbered ones in the file's order."""
    one = _first(("premises", *PREMISE_NAMES), keys)
    return (one,) if one else tuple(key for key in keys if _NUMBERED.fullmatch(key))


def _by_label(keys: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key in keys:
        label = _label_in(key)
        if not label or key in LABEL_NAMES:
            continue
        if label in found:
            raise FileProblem(
                _("“%(one)s” and “%(other)s” both hold the probability of %(label)s")
                % {"one": found[label], "other": key, "label": label}
            )
        found[label] = key
    return found


def _label_in(key: str) -> str:
    """The label of which a column holds the probability, by its name; "" where it is another.

    >>> [_label_in(key) for key in ("p_entailment", "p(neutral)", "prob.neutral", "not_entailment", "p")]
    ['entailment', 'neutral', 'neutral', 'non-entailment', '']
    """
    prefix = _PREFIX.match(key)
    word = (key[prefix.end() :] if prefix else key).strip("() ")
    if prefix:
        return SPELLINGS.get(word, SPELLINGS.get(word.replace(" ", "_"), ""))
    return SPELLINGS[word] if word in _PLAIN_LABELS else ""
