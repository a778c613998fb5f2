"""Models' writes: registering them, running them over datasets. Nothing here is ever deleted."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.datasets.labels import CONTRADICTION, ENTAILMENT, two_way_labels
from apps.datasets.models import Dataset
from apps.inference.chat.budgets import budget_checked
from apps.inference.labels import LabelError, canonical, fitted
from apps.inference.learnt_files import LearntFileError, weights_load
from apps.inference.models import ChatBudget, Model, Run
from apps.inference.pairs_left import RUN_KIND, pairs_left
from apps.inference.references import training_labels
from apps.inference.registration import MAKERS, model_store, name_checked, refuse_taken
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.studies.models import Study

TRAIN_KIND = "inference.train"
HYPOTHESIS_KIND = "inference.hypothesis"
MAKERS.update({TRAIN_KIND, HYPOTHESIS_KIND})


def model_register_majority(
    *, study: Study, actor: User | None, name: str, label: str = "", dataset: Dataset | None = None
) -> Model:
    """A model that always says ``label``, or else the label that most pairs of ``dataset`` have."""
    config: dict[str, Any] = {}
    if dataset is not None:
        if dataset.study_id != study.pk:
            raise ValidationError({"dataset": _("This dataset belongs to another study.")})
        counts = Counter(training_labels(dataset).values())
        if not counts:
            raise ValidationError(
                {"dataset": _("No pair of this dataset has a gold label or a human majority to learn from.")}
            )
        # Of labels equally frequent the first by name, so that the outcome does not vary.
        label = min(counts, key=lambda word: (-counts[word], word))
        config = {"dataset": dataset.name, "counts": dict(sorted(counts.items()))}
    if not label:
        raise ValidationError({"label": _("Give a label, or a dataset to learn it from.")})
    try:
        config["label"] = canonical(label)
    except LabelError as error:
        raise ValidationError({"label": str(error)}) from error
    return model_store(study=study, actor=actor, name=name, kind=Model.Kind.MAJORITY, config=config)


def model_register_overlap(*, study: Study, actor: User | None, name: str, threshold: float) -> Model:
    """A model that says entailment where the premise has at least ``threshold`` of the hypothesis' words."""
    if not 0 <= threshold <= 1:  # NaN fails too
        raise ValidationError({"threshold": _("The threshold is a share between 0 and 1.")})
    return model_store(
        study=study, actor=actor, name=name, kind=Model.Kind.OVERLAP, config={"threshold": threshold}
    )


def model_register_negation(*, study: Study, actor: User | None, name: str) -> Model:
    """A model that says contradiction where one of the two sentences alone has a word that negates."""
    config = {"labels": [ENTAILMENT, CONTRADICTION]}
    return model_store(study=study, actor=actor, name=name, kind=Model.Kind.NEGATION, config=config)


def model_register_learnt(
    *, study: Study, actor: User | None, name: str, fingerprint: str, kind: str = Model.Kind.LEARNT
) -> Model:
    """A trained classifier (or one of the hypothesis alone), by the fingerprint of its file."""
    try:
        weights = weights_load(fingerprint)
    except LearntFileError as error:
        raise ValidationError({"fingerprint": str(error)}) from error
    config = {"labels": list(weights.labels), "training": weights.training}
    return model_store(
        study=study,
        actor=actor,
        name=name,
        kind=kind,
        config=config,
        fingerprint=fingerprint,
    )


@transaction.atomic
def training_start(
    *, study: Study, actor: User | None, name: str, dataset: Dataset, kind: str = TRAIN_KIND
) -> Job:
    """Train a classifier on a dataset in the background (``kind`` says which); the job registers it as
    ``name``."""
    name = name_checked(name)
    if dataset.study_id != study.pk or dataset.kind != Dataset.Kind.PAIRS:
        raise ValidationError({"dataset": _("Choose a dataset of pairs of this study.")})
    refuse_taken(study, name)
    if len(set(training_labels(dataset).values())) < 2:
        raise ValidationError(
            {
                "dataset": _(
                    "The gold labels or human majorities of this dataset must hold at least two labels."
                )
            }
        )
    title = wording(gettext_noop("Training of %(name)s on %(dataset)s"), name=name, dataset=dataset.name)
    return job_start(study=study, kind=kind, title=title, actor=actor, dataset=dataset.pk, name=name)


@transaction.atomic
def run_start(
    *,
    model: Model,
    dataset: Dataset,
    actor: User | None,
    tokens: int | None = None,
    cost: Decimal | None = None,
) -> Run:
    """Have the model predict, in the background, the pairs of the dataset that this version of it has not
    predicted yet. The run is the one that there is of them, if there is one: it goes on with what is new and
    what was left pending. While it is at work, or where nothing is left, nothing starts.

    ``tokens`` and ``cost`` are the budget of a chat model's run in all; where they are not given, the model's
    own, and the run's as it was where it goes on."""
    if dataset.study_id != model.study_id or dataset.kind != Dataset.Kind.PAIRS:
        raise ValidationError({"dataset": _("Choose a dataset of pairs of this study.")})
    if model.kind == Model.Kind.FILE:
        raise ValidationError(
            {"model": _("This model was run elsewhere: bring a file of its predictions of these pairs.")}
        )
    try:
        for label in labels_of(model):
            fitted(label, dataset.labels)
    except LabelError as error:
        raise ValidationError({"dataset": str(error)}) from error
    budget = budget_checked(model, tokens, cost)
    Model.objects.select_for_update().get(pk=model.pk)  # of two at once, one starts
    run, is_new = Run.objects.select_related("job").get_or_create(
        model=model, dataset=dataset, fingerprint=model.fingerprint, is_current=True
    )
    if run.job is not None and not run.job.is_over:
        return run
    if not is_new and not pairs_left(run).exists():
        return run
    if budget is not None and (is_new or tokens is not None or cost is not None):
        ChatBudget.objects.update_or_create(run=run, defaults=budget)
    run.job = job_start(
        study=model.study,
        kind=RUN_KIND,
        title=f"{model.name} × {dataset.name}",
        actor=actor,
        run=run.pk,
    )
    run.save(update_fields=["job"])
    verb = "run.started" if is_new else "run.continued"
    audit.record(verb, study=model.study, actor=actor, subject=run, dataset=dataset.name)
    return run


def labels_of(model: Model) -> list[str]:
    """The labels that a model may say, in canonical words: its one, those of its training, or both of two."""
    if "label" in model.config:
        return [model.config["label"]]
    return list(model.config.get("labels", two_way_labels()))
