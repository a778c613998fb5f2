"""The calculus registered as a model: its options, what it leaves pending, when it is another."""

import pytest
from django.core.exceptions import ValidationError

from apps.inference import services
from apps.inference.calculus_models import calculus_register
from apps.jobs.models import Job, JobFailure
from workers.runtimes import Pending, Unavailable, runtime_for

UNREAD = ("Kim pretended to leave.", "Kim planned to leave.")


def register(study, **fields):
    return calculus_register(study=study, actor=None, **{"name": "natlog", **fields})


def test_it_says_what_natlog_says_with_its_confidence_as_score(study):
    from natlog.calculus import Labeller

    pairs = [("No dog barks.", "No small dog barks."), ("A dog barks.", "A small dog barks.")]
    verdicts = list(Labeller().label_many(pairs))
    outputs = runtime_for(register(study)).predict(pairs)
    assert [output.label for output in outputs] == ["entailment", "non-entailment"]
    assert [output.scores for output in outputs] == [{v.label: v.confidence} for v in verdicts]


def test_conventions_are_models_of_their_own(study):
    pair = ("The small dog barks.", "The dog barks.")  # *the*: neither way, or upward
    said = {
        convention: runtime_for(register(study, name=convention, convention=convention)).predict([pair])[0]
        for convention in ("default", "med")
    }
    assert len({model.fingerprint for model in study.models.all()}) == 2
    assert [output.label for output in said.values()] == ["non-entailment", "entailment"]


def test_what_no_rule_reads_is_pending_or_counts_as_the_option_says(study):
    (pending,) = runtime_for(register(study)).predict([UNREAD])
    assert isinstance(pending, Pending) and pending.reason.startswith("not read: ")
    (output,) = runtime_for(register(study, name="all", unread="non-entailment")).predict([UNREAD])
    assert (output.label, output.scores) == ("non-entailment", {})


def test_a_run_lists_what_is_pending_with_the_reason(study, ada, make_dataset, work):
    from apps.datasets.services import pair_get_or_create

    rows = [("No dog barks.", "No small dog barks.", "", "", ""), (*UNREAD, "", "", "")]
    dataset = make_dataset(rows=rows)
    pair_get_or_create(
        dataset=dataset,
        premises=[("All dogs bark.", None), ("Kim is a dog.", None)],
        hypothesis="Kim barks.",
        origin="import",
    )
    run = services.run_start(model=register(study), dataset=dataset, actor=ada)
    work()
    run.job.refresh_from_db()
    assert (run.job.state, run.job.done, run.job.failed) == (Job.State.DONE, 3, 2)
    assert list(run.predictions.values_list("label", flat=True)) == ["entailment"]
    messages = list(JobFailure.objects.filter(job=run.job).order_by("pk").values_list("message", flat=True))
    assert messages[0].startswith("not read: ")
    assert messages[1] == "This model takes pairs of one premise."


def test_another_version_of_natlog_is_another_model(study, monkeypatch):
    model = register(study)
    monkeypatch.setattr("apps.inference.calculus_models.VERSION", "0.0")
    with pytest.raises(Unavailable, match="which is gone here"):
        runtime_for(model)


@pytest.mark.parametrize(
    ("field", "value"), [("convention", "mine"), ("unread", "entailment"), ("unknown", "wild")]
)
def test_an_unknown_option_is_refused_by_its_name(study, field, value):
    with pytest.raises(ValidationError) as refused:
        register(study, **{field: value})
    assert field in refused.value.error_dict
