"""A run predicts every pair once, in chunks, and is measured against people, calculus and gold."""

import pytest

from apps.comparison.majority import majority_of
from apps.inference import selectors, services
from apps.inference.models import Prediction
from apps.jobs.models import Job
from apps.jobs.runner import run as run_job
from workers.runtimes import overlap

pytestmark = pytest.mark.both


def overlap_model(study, threshold=1.0):
    return services.model_register_overlap(study=study, actor=None, name=f"o{threshold}", threshold=threshold)


def test_every_pair_is_predicted_once_however_small_the_chunks(study, ada, dataset, work, monkeypatch):
    monkeypatch.setattr(overlap.Overlap, "__init__", lambda self, threshold, chunk=2: vars(self).update(
        threshold=threshold, chunk=2))  # fmt: skip
    run = services.run_start(model=overlap_model(study, 0.99), dataset=dataset, actor=ada)
    work()
    run.job.refresh_from_db()
    assert (run.job.state, run.job.done, run.job.total) == ("done", 5, 5)
    said = [p.label for p in run.predictions.order_by("pair")]
    assert said == ["non-entailment", "entailment", "entailment", "non-entailment", "non-entailment"]


def test_storing_a_chunk_twice_changes_nothing(study, ada, dataset, work):
    from apps.jobs.kinds import kind_named

    run = services.run_start(model=overlap_model(study), dataset=dataset, actor=ada)
    kind = kind_named("inference.run")
    chunk = kind.work(run.job)
    kind.store(run.job, chunk)
    kind.store(run.job, chunk)
    work()
    assert Prediction.objects.filter(run=run).count() == 5


def test_an_empty_dataset_ends_with_no_predictions(study, ada, make_dataset, work):
    run = services.run_start(model=overlap_model(study), dataset=make_dataset(rows=[]), actor=ada)
    work()
    run.job.refresh_from_db()
    assert (run.job.state, run.job.result) == ("done", {"predictions": 0})


def test_contradiction_is_non_entailment_in_a_two_way_dataset(study, ada, make_dataset, work):
    model = services.model_register_majority(study=study, actor=ada, name="no", label="contradiction")
    two = services.run_start(model=model, dataset=make_dataset("two"), actor=ada)
    labels = ["entailment", "neutral", "contradiction"]
    three = services.run_start(model=model, dataset=make_dataset("three", labels), actor=ada)
    work()
    assert set(two.predictions.values_list("label", flat=True)) == {"non-entailment"}
    assert set(three.predictions.values_list("label", flat=True)) == {"contradiction"}


def test_a_model_that_cannot_run_waits_with_the_reason_and_holds_nothing_up(study, ada, dataset, work):
    """CASES 38."""
    from apps.inference.models import Model

    gone = Model.objects.create(study=study, name="gone", kind="learnt", fingerprint="0" * 64,
                                config={"labels": ["entailment", "neutral"], "training": {}})  # fmt: skip
    waiting = services.run_start(model=gone, dataset=dataset, actor=ada)
    other = services.run_start(model=overlap_model(study), dataset=dataset, actor=ada)
    run_job(waiting.job.pk)
    run_job(other.job.pk)
    waiting.job.refresh_from_db()
    other.job.refresh_from_db()
    assert waiting.job.state == Job.State.QUEUED
    assert "is not on this machine" in waiting.job.error
    assert other.job.state == Job.State.DONE
    for _attempt in range(20):
        run_job(waiting.job.pk)
    waiting.job.refresh_from_db()
    assert waiting.job.state == Job.State.QUEUED
    assert "is not on this machine" in waiting.job.error


def test_a_run_is_scored_against_each_reference_by_direction(study, ada, dataset, work, judge):
    run = services.run_start(model=overlap_model(study), dataset=dataset, actor=ada)
    work()
    first, second, *_rest = dataset.pairs.all()
    judge(first, "entailment", "entailment", "non-entailment")
    judge(second, "entailment", "entailment", "entailment")
    scores = {score.key: score for score in selectors.run_scores(run)}
    assert set(scores) == {"calculus", "people", "gold:file"}
    gold = scores["gold:file"]
    assert (gold.overall.right, gold.overall.total) == (3, 5)
    assert [share.value for share in gold.directions] == [1.0, 0.0, 1.0]
    assert scores["calculus"].overall.value == pytest.approx(0.4)
    assert (scores["people"].overall.right, scores["people"].overall.total) == (1, 2)


def test_without_any_reference_there_is_no_score(study, ada, make_dataset, work):
    bare = make_dataset(rows=[("A dog runs.", "A cat runs.", "upward", "", "")])
    run = services.run_start(model=overlap_model(study), dataset=bare, actor=ada)
    work()
    assert selectors.run_scores(run) == []


@pytest.mark.parametrize(
    ("answers", "majority"),
    [
        (("entailment", "entailment", "non-entailment"), "entailment"),
        (("entailment", "non-entailment", "unnatural"), None),
        (("entailment", "entailment", "non-entailment", "non-entailment"), None),
        (("unnatural", "unnatural", "entailment"), None),
        (("entailment", "", ""), "entailment"),
    ],
)
def test_the_human_majority_is_more_than_half_of_the_judgements(dataset, judge, answers, majority):
    pair = dataset.pairs.first()
    judge(pair, *answers)
    assert majority_of(dataset).get(pair.pk) == majority


def test_surplus_answers_do_not_count(dataset, judge):
    judge(dataset.pairs.first(), "entailment", counted=False)
    assert majority_of(dataset) == {}
