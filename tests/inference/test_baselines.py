"""Baselines at work: majority, always entailment, overlap, the negation cue."""

import pytest

from apps.inference import services
from workers.runtimes import runtime_for


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A dog runs.", "A dog doesn't run.", "contradiction"),
        ("Nobody runs.", "A dog runs.", "contradiction"),
        ("A dog runs.", "An animal runs.", "entailment"),
        ("No dog runs.", "No black dog runs.", "entailment"),  # both sides: no cue
        ("A dog is nominated.", "A dog knots a rope.", "entailment"),  # words, not letters
    ],
)
def test_negation_on_one_side_is_the_cue(study, premise, hypothesis, label):
    model = services.model_register_negation(study=study, actor=None, name="cue")
    (output,) = runtime_for(model).predict([(premise, hypothesis)])
    assert output.label == label
    assert output.scores[label] == 1.0 and sum(output.scores.values()) == 1.0


def test_in_a_dataset_of_two_labels_the_cue_means_non_entailment(study, ada, make_dataset, work):
    rows = [("A dog runs.", "No dog runs.", "", "", ""), ("A dog runs.", "A dog moves.", "", "", "")]
    model = services.model_register_negation(study=study, actor=ada, name="cue")
    run = services.run_start(model=model, dataset=make_dataset(rows=rows), actor=ada)
    work()
    assert list(run.predictions.order_by("pk").values_list("label", flat=True)) == [
        "non-entailment",
        "entailment",
    ]


def test_always_entailment_is_a_majority_class_with_its_label_given(study):
    model = services.model_register_majority(study=study, actor=None, name="yes", label="entailment")
    assert [output.label for output in runtime_for(model).predict([("a", "b"), ("c", "d")])] == [
        "entailment",
        "entailment",
    ]
