"""The pairs that a run has no prediction of: new ones, and those that were left pending with a reason."""

from __future__ import annotations

from typing import Any

from django.db.models import CharField, Exists, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.utils.translation import gettext as _

from apps.datasets.models import Pair
from apps.inference.models import Model, Prediction, Run
from apps.jobs.models import Job, JobFailure

RUN_KIND = "inference.run"


def pairs_left(run: Run, *, after: int = 0) -> QuerySet[Pair]:
    """The pairs of the run's dataset that it has not predicted, from number ``after`` on, in their order."""
    # The bound stands in both, so that the first pass over a dataset looks at none of its predictions again.
    predicted = Prediction.objects.filter(run=run.pk, pair_id__gt=after, pair=OuterRef("pk"))
    pairs = Pair.objects.filter(dataset=run.dataset_id, pk__gt=after)
    return pairs.filter(~Exists(predicted)).order_by("pk")


def pairs_pending(run: Run) -> QuerySet[Any]:
    """Those pairs with their premises, and as ``reason`` why the last job that came to one left it; empty
    where none has come to it. A file's predictions have one reason for all. Three queries when read."""
    other = _("not in the file") if run.model.kind == Model.Kind.FILE else ""
    jobs = Job.objects.filter(study=run.dataset.study_id, kind=RUN_KIND, params__run=run.pk)
    reasons = JobFailure.objects.filter(
        job__in=list(jobs.values_list("pk", flat=True)), item=Cast(OuterRef("pk"), CharField())
    )
    last = Subquery(reasons.order_by("-pk").values("message")[:1])
    return (
        pairs_left(run)
        .annotate(reason=Coalesce(last, Value(other), output_field=TextField()))
        .prefetch_related("premises")
    )
