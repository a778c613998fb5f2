"""An ONNX folder at work: small graphs that the test writes, run by onnxruntime, without torch."""

import math
import sys

import pytest
from django.core.exceptions import ValidationError

from apps.inference import services
from apps.inference.folder_models import folder_register
from apps.inference.models import Model
from apps.jobs.models import Job
from tests.inference.onnx_folders import LABELS, onnx_folder
from workers.runtimes import Unavailable, runtime_for


def register(study, **fields):
    return folder_register(
        study=study, actor=None, kind=Model.Kind.ONNX, **{"name": "o", "folder": "o", **fields}
    )


@pytest.fixture
def build(settings):
    return lambda **options: onnx_folder(settings.MODELS_DIR / "o", **options)


def test_it_predicts_every_pair_of_a_run(study, ada, dataset, build, work):
    build(known={"black": 2, "every": 0})
    run = services.run_start(model=register(study), dataset=dataset, actor=ada)
    work()
    run.job.refresh_from_db()
    assert run.job.state == Job.State.DONE, run.job.error
    assert run.predictions.count() == 5
    for prediction in run.predictions.all():
        assert sum(prediction.scores.values()) == pytest.approx(1, abs=1e-5)


def test_scores_are_the_softmax_of_the_outputs(study, build):
    build(known={"dog": 0})
    (output,) = runtime_for(register(study)).predict([("a dog", "a dog")])
    powers = [math.exp(6), 1, 1]
    assert list(output.scores.values()) == pytest.approx([power / sum(powers) for power in powers])
    assert output.label == "entailment"


def test_batches_by_length_change_neither_the_order_nor_the_scores(study, build):
    build(known={"dog": 0, "cat": 1, "cow": 2})
    words = ["dog", "cat", "cow"]
    pairs = [(f"{words[n % 3]} " + "x " * (n * 7 % 50), "x") for n in range(100)]
    runtime = runtime_for(register(study))
    together = runtime.predict(pairs)
    assert [output.label for output in together] == [LABELS[n % 3] for n in range(100)]
    for pair, output in zip(pairs, together, strict=True):
        (alone,) = runtime.predict([pair])
        assert alone.scores == pytest.approx(output.scores, abs=1e-6)


def test_a_pair_longer_than_the_model_is_cut_the_longer_sentence_first(study, build):
    build(known={"dog": 0, "cat": 2}, length=16)
    (output,) = runtime_for(register(study)).predict([("x " * 600 + "dog", "cat")])
    assert output.label == "contradiction"  # the end of the premise is gone, the hypothesis is there


def test_a_model_that_asks_which_sentence_a_token_is_of_is_told(study, build):
    build(known={"dog": 0}, second=[0.0, 1.0, 0.0])
    (output,) = runtime_for(register(study)).predict([("x", "x x x")])
    powers = [1, math.exp(4), 1]  # three words and the end
    assert list(output.scores.values()) == pytest.approx([power / sum(powers) for power in powers])


def test_an_encoder_runs_without_torch(study, build, tmp_path, settings):
    import subprocess

    folder = build()
    script = (
        "import django, sys; django.setup()\n"
        "from pathlib import Path\nfrom workers.runtimes.onnx import Onnx\n"
        f"Onnx(Path({str(folder)!r}), {LABELS!r}).predict([('a', 'b')])\n"
        "print(sorted({'torch', 'transformers'} & set(sys.modules)))"
    )
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "POLARLAB_VAR": str(tmp_path), "PATH": ""}
    told = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert told.stdout == "[]\n", told.stderr


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        ("model.onnx", "has no model.onnx"),
        ("tokenizer.json", "has no tokenizer.json"),
        ("config.json", "has no config.json"),
    ],
)
def test_a_folder_that_lacks_a_file_is_refused_by_its_name(study, build, spoilt, reason):
    (build() / spoilt).unlink()
    with pytest.raises(ValidationError, match=reason):
        register(study)


@pytest.mark.parametrize("spoilt", ["model.onnx", "tokenizer.json"])
def test_a_file_that_cannot_be_read_leaves_the_run_waiting_with_the_reason(study, build, spoilt):
    (build() / spoilt).write_bytes(b"{}")
    with pytest.raises(Unavailable, match="“o” cannot be loaded"):
        runtime_for(register(study))


def test_as_many_labels_as_outputs_are_wanted(study, build):
    build(labels=("LABEL_0", "LABEL_1"))
    model = register(study, labels=["entailment", "neutral"])
    with pytest.raises(Unavailable, match="3 outputs, but 2 labels"):
        runtime_for(model)


def test_changed_weights_are_not_passed_off_as_the_registered_ones(study, build):
    weights = build() / "model.onnx"
    model = register(study)
    weights.write_bytes(weights.read_bytes() + b"\0")
    with pytest.raises(Unavailable, match="changed since the model was registered"):
        runtime_for(model)


def test_outputs_that_are_no_numbers_leave_the_pair_pending(study, build):
    build(known={"dog": 0}, second=[float("nan"), 0.0, 0.0])
    from workers.runtimes import Pending

    model = Model(
        kind="onnx", config={"folder": "o", "labels": list(LABELS)}, fingerprint=register(study).fingerprint
    )
    assert runtime_for(model).predict([("dog", "dog")]) == [Pending("the model's outputs are no numbers")]
