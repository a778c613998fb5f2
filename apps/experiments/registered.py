"""What the study's registered models said of the datasets that an experiment tests on."""

from __future__ import annotations

from apps.experiments.kept_networks import datasets_tested
from apps.experiments.models import Split
from apps.experiments.services import cell_store, scores_of
from apps.inference.models import Prediction, Run
from apps.inference.training_sets import rows_of
from natlog.fragments.embedding import two_way

#: Before the name of a registered model, among contestants.
REGISTERED = "model: "


def registered_count(split: Split) -> None:
    """Put each model into the table with the tests of whose rows every one has its prediction: MED's Tables 6
    to 9 for whatever models were run. Of a model's versions the newest that said something of a pair
    counts; what it learnt of is its own affair. A query, and two for each run over a dataset that plays a
    role."""
    experiment = split.experiment
    datasets = datasets_tested(experiment, split.training)
    if not datasets:
        return
    rows = rows_of(split.training_set)["test"]
    runs = Run.objects.filter(dataset__in=[each.pk for each in datasets], is_current=True)
    said: dict[str, dict[tuple[str, str], str]] = {}
    for run in runs.select_related("model").order_by("-pk"):
        own = said.setdefault(f"{REGISTERED}{run.model.name}"[:100], {})
        predictions = Prediction.objects.filter(run=run).select_related("pair")
        for each in predictions.prefetch_related("pair__premises").iterator(chunk_size=1000):
            own.setdefault((each.pair.premise, each.pair.hypothesis), two_way(each.label))
    for contestant, labels in said.items():
        lacking = {row.source for row in rows if (row.premise, row.hypothesis) not in labels}
        tested = [
            (row.source, row, labels[row.premise, row.hypothesis])
            for row in rows
            if row.source not in lacking
        ]
        if tested:
            cell_store(split=split, contestant=contestant, seed=split.seed or 1, scores=scores_of(tested))
