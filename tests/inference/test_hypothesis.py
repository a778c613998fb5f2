"""The model of the hypothesis alone: what hypotheses give away it finds, and where they give nothing away it
is at chance and says so."""

import pytest

from apps.inference.models import Model
from apps.inference.services import HYPOTHESIS_KIND, training_start
from apps.jobs.models import Job
from workers import hypothesis_training
from workers.runtimes import runtime_for
from workers.training import Example, Material, TrainingError

NOUNS = ["dog", "cat", "horse", "cow", "bird", "frog", "goat", "duck", "sheep", "pig"]
VERBS = ["runs", "sleeps", "eats", "jumps", "sings", "waits"]
PLACES = ["here", "there", "outside", "inside", "alone", "together"]


def material(rows):
    return Material("made", "", tuple(Example(*row) for row in rows), ())


def sentences():
    return [f"A {noun} {verb} {place}." for noun in NOUNS for verb in VERBS for place in PLACES]


def artifact():
    """Contradictions are written with *not*, whatever the premise: the hypothesis gives the label away."""
    for n, sentence in enumerate(sentences()):
        if n % 2:
            yield "A premise.", sentence, "entailment"
        else:
            yield "A premise.", sentence.replace("A ", "Not a "), "non-entailment"


def balanced():
    """Every hypothesis once with each label: nothing to see without the premise."""
    for sentence in sentences():
        yield sentence, sentence, "entailment"
        yield "Something else.", sentence, "non-entailment"


def test_an_artifact_is_found():
    told = hypothesis_training.train(material(artifact())).training
    assert told["accuracy"] > 0.95 and told["beats it"]
    assert 0.35 < told["its accuracy"] < 0.65


def test_where_hypotheses_give_nothing_away_it_is_at_chance_and_says_so():
    told = hypothesis_training.train(material(balanced())).training
    assert told["accuracy"] == told["its accuracy"] == 0.5
    assert not told["beats it"]


def test_no_hypothesis_is_both_learnt_and_held_out():
    learnt, held_out = hypothesis_training._parts([Example(*row) for row in balanced()])
    assert not {e.hypothesis for e in learnt} & {e.hypothesis for e in held_out}
    assert len(held_out) / (len(learnt) + len(held_out)) == pytest.approx(0.2, abs=0.06)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("a", "A dog runs.", "entailment")] * 3, "at least two labels"),
    ],
)
def test_what_teaches_nothing_is_refused_with_the_reason(rows, reason):
    with pytest.raises(TrainingError, match=reason):
        hypothesis_training.train(material(rows))


def test_the_same_material_gives_the_same_weights_whatever_its_order():
    rows = list(artifact())
    assert hypothesis_training.train(material(rows)) == hypothesis_training.train(material(rows[::-1]))


def test_it_is_trained_by_a_job_registered_and_shown_as_what_it_is(study, ada, make_dataset, client_of, work):
    rows = [(premise, hypothesis, "", label, "") for premise, hypothesis, label in list(balanced())[:120]]
    training_start(
        study=study, actor=ada, name="blind", dataset=make_dataset(rows=rows), kind=HYPOTHESIS_KIND
    )
    work()
    job = Job.objects.get()
    assert job.state == Job.State.DONE, job.error
    model = Model.objects.get(name="blind")
    assert model.kind == "hypothesis" and len(model.fingerprint) == 64
    page = client_of(ada).get(f"/s/{study.slug}/models/{model.pk}/").content.decode()
    assert "always saying" in page and "never reads the premise" in page

    outputs = runtime_for(model).predict(
        [("One premise.", "A dog runs here."), ("Another.", "A dog runs here.")]
    )
    assert outputs[0] == outputs[1]
    assert sum(outputs[0].scores.values()) == pytest.approx(1)
