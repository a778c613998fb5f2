import pytest

from apps.inference.models import Model, Prediction, Run
from tests.datasets.conftest import campaign, dataset, make

__all__ = ["campaign", "dataset", "make"]

WORDS = {"e": "entailment", "n": "non-entailment", "c": "contradiction"}


@pytest.fixture
def predict(study, dataset):
    """A run that says these letters of the pairs in turn ("-" for nothing), with its probability of
    entailment where there is one."""

    def run(name, pairs, letters, scores=()):
        model, _new = Model.objects.get_or_create(study=study, name=name, kind="overlap")
        number = f"{Run.objects.count()}"  # each run is of another version of the model
        made = Run.objects.create(model=model, dataset=pairs[0].dataset, fingerprint=number)
        for pair, letter, score in zip(pairs, letters, scores or [None] * len(pairs), strict=True):
            if letter != "-":
                said = {} if score is None else {"entailment": score, "non-entailment": 1 - score}
                Prediction.objects.create(run=made, pair=pair, label=WORDS[letter], scores=said)
        return made

    return run
