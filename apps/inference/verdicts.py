"""What a run's figures say of its model in plain words: no better than one label for everything, labels that
look turned round, a model that never reads the premise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Dataset
from apps.inference.labels import LabelError, fitted
from apps.inference.models import Model
from apps.inference.references import Reference
from apps.inference.selectors import Figures
from apps.inference.services import labels_of
from apps.inference.training_models import Training
from apps.inference.training_sources import dataset_of
from measures.intervals import wilson
from measures.label_orders import Order, beats, best_order, looks_turned
from measures.undefined import Undefined

NO_BETTER, TURNED, HYPOTHESIS_ALONE = "no-better", "turned-round", "hypothesis-alone"
LEARNT_HERE = "learnt-here"

#: So many predictions show whether a model's labels are turned round; those after them are not read for it.
ENOUGH = 5000


@dataclass(frozen=True)
class Verdict:
    """``code`` for programs, ``text`` for people; ``against`` is the reference's key, "" for what is said of
    the model itself."""

    code: str
    against: str
    text: str


def verdicts_of(figures: Figures) -> list[Verdict]:
    """What must be said beside a run's accuracies. No query, but for a network one and one a source that it
    learnt from, and one a reference for a model that has more labels than the dataset."""
    model = figures.run.model
    found = [Verdict(HYPOTHESIS_ALONE, "", hypothesis_says())] if reads_hypothesis_alone(model) else []
    if learnt_from(model, figures.run.dataset):
        found.append(Verdict(LEARNT_HERE, "", learnt_says()))
    for place, reference in enumerate(figures.references):
        counts = figures.confusion(place)
        total = sum(counts.values())
        if not total:
            continue
        usual, most = _most_frequent(counts)
        right = sum(number for (said, wanted), number in counts.items() if said == wanted)
        if model.kind != Model.Kind.MAJORITY and not beats(right, total, most):
            text = _no_better(reference, Share(right, total, most), usual)
            found.append(Verdict(NO_BETTER, reference.key, text))
        order = _turned_order(figures, reference, counts)
        if order:
            found.append(Verdict(TURNED, reference.key, _turned(reference, order, model)))
    return found


def reads_hypothesis_alone(model: Model) -> bool:
    """Whether the model is of the hypothesis alone: the baseline, or a network's variant (MED, Table 7)."""
    options = (model.config.get("card") or {}).get("options") or {}
    return model.kind == Model.Kind.HYPOTHESIS or bool(options.get("hypothesis_only"))


def hypothesis_says() -> str:
    return _("This model never reads the premise: what it gets right, the hypotheses alone give away.")


def learnt_from(model: Model, dataset: Dataset) -> bool:
    """Whether the model was trained on pairs of the dataset, or of a release of it."""
    if model.kind == Model.Kind.NETWORK:
        specs = Training.objects.filter(model=model).values_list("training_set__spec", flat=True)
        # An experiment's rows that are drawn from a testbed have no source.
        used = {source["source"] for spec in specs for source in spec.get("sources", ())}
        return any(dataset_of(model.study, reference) == dataset for reference in used)
    trained: Mapping[str, object] = model.config.get("training") or {}
    return trained.get("source") == dataset.name


def learnt_says() -> str:
    return _(
        "This model was trained on pairs of this dataset: its accuracy here says nothing of pairs that it "
        "hasn't seen."
    )


@dataclass(frozen=True)
class Share:
    """``right`` of ``total`` by the model, ``most`` by always saying the most frequent label."""

    right: int
    total: int
    most: int


def _most_frequent(counts: Mapping[tuple[str, str], int]) -> tuple[str, int]:
    """The label wanted most often, of equals the first by name, and how often."""
    wanted: Counter[str] = Counter()
    for (_said, label), number in counts.items():
        wanted[label] += number
    return min(wanted.items(), key=lambda item: (-item[1], item[0]))


def _no_better(reference: Reference, share: Share, usual: str) -> str:
    told = {
        "reference": reference.title,
        "label": LABEL_NAMES.get(usual, usual),
        "share": f"{100 * share.right / share.total:.1f}",
        "always": f"{100 * share.most / share.total:.1f}",
    }
    interval = wilson(share.right, share.total)
    if share.right <= share.most or isinstance(interval, Undefined):
        text = _(
            "Against %(reference)s: no better than always saying “%(label)s” (right on %(share)s %%; always "
            "“%(label)s” on %(always)s %%)."
        )
        return text % told
    told |= {"low": f"{100 * interval[0]:.1f}", "high": f"{100 * interval[1]:.1f}"}
    text = _(
        "Against %(reference)s: not clearly better than always saying “%(label)s” (right on %(share)s %%, 95 "
        "%% interval %(low)s to %(high)s; always “%(label)s” on %(always)s %%)."
    )
    return text % told


def _turned_order(
    figures: Figures, reference: Reference, counts: Mapping[tuple[str, str], int]
) -> Order | None:
    """The order of labels that would be right much more often, where there is one. A model of three labels on
    a dataset of two is asked for its own."""
    labels, known = labels_of(figures.run.model), figures.run.dataset.labels
    amounts = {label: label for label in known}
    if len(labels) > len(known):
        try:
            amounts = {label: fitted(label, known) for label in labels}
        except LabelError:
            return None
        counts = _own_labels(figures, reference, labels)
    labels = list(amounts)
    if not counts or len(labels) > 6:
        return None
    order = best_order(counts, labels, amounts.__getitem__)
    return order if looks_turned(order, _most_frequent(counts)[1]) else None


def _own_labels(figures: Figures, reference: Reference, labels: list[str]) -> Counter[tuple[str, str]]:
    """How often which of the model's own labels, that of the highest score, met which of the dataset's."""
    found = figures.run.predictions.annotate(wanted=reference.column).exclude(wanted=None).order_by("pk")
    counts: Counter[tuple[str, str]] = Counter()
    for scores, wanted in found.values_list("scores", "wanted")[:ENOUGH]:
        if set(labels) <= set(scores) and (there := figures.fitted(wanted)) is not None:
            counts[max(labels, key=lambda label: scores[label]), there] += 1
    return counts


def _turned(reference: Reference, order: Order, model: Model) -> str:
    changed = ", ".join(
        _("“%(said)s” for “%(meant)s”")
        % {"said": LABEL_NAMES.get(said, said), "meant": LABEL_NAMES.get(meant, meant)}
        for said, meant in order.meant.items()
        if said != meant
    )
    text = _(
        "Against %(reference)s: the labels look turned round. Taking %(changed)s, %(best)s %% would be right "
        "in place of %(now)s %%."
    ) % {
        "reference": reference.title,
        "changed": changed,
        "best": f"{100 * order.best / order.total:.1f}",
        "now": f"{100 * order.right / order.total:.1f}",
    }
    tried = model.smoke_test
    if tried and not tried["meant"] and tried["right"] >= len(tried["pairs"]) - 1:
        text += " " + _(
            "It was right on the five plain pairs, so the map may well be right, and these pairs read the "
            "wrong way round."
        )
    return text
