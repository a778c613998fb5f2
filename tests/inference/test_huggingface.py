"""A Hugging Face folder at work: a tiny BERT that the test builds, with weights at random."""

import importlib.util

import pytest
from django.core.exceptions import ValidationError

from apps.inference import folder_models, services
from apps.jobs.models import Job
from apps.jobs.runner import run as run_job
from workers.runtimes import Unavailable, runtime_for

if not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "safetensors")):
    pytest.skip("torch and transformers are not installed (make neural)", allow_module_level=True)
pytestmark = pytest.mark.neural

WORDS = ["every", "some", "no", "dog", "dogs", "cat", "runs", "run", "black", "the", "a"]


@pytest.fixture
def build(settings):
    """Write a folder ``name`` with a model of the given labels, and return its path."""

    def make(name="tiny", labels=("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), seed=1):
        import torch
        from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

        folder = settings.MODELS_DIR / name
        folder.mkdir(parents=True)
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
        (folder / "vocab.txt").write_text("\n".join(vocabulary))
        BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=64,
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
        )
        model = BertForSequenceClassification(config)
        torch.nn.init.normal_(model.classifier.weight, std=2.0)  # so that outputs differ between pairs
        model.save_pretrained(folder)
        return folder

    return make


def register(study, **fields):
    return folder_models.folder_register(
        study=study, actor=None, **{"name": "tiny", "folder": "tiny", **fields}
    )


def test_it_predicts_every_pair_with_a_score_for_each_label(study, ada, dataset, build, work):
    build()
    run = services.run_start(model=register(study), dataset=dataset, actor=ada)
    work()
    run.job.refresh_from_db()
    assert run.job.state == Job.State.DONE, run.job.error
    predictions = list(run.predictions.order_by("pair"))
    assert len(predictions) == 5
    for prediction in predictions:
        assert set(prediction.scores) == {"entailment", "neutral", "contradiction"}
        assert sum(prediction.scores.values()) == pytest.approx(1, abs=1e-5)
        top = max(prediction.scores, key=prediction.scores.get)
        assert prediction.label == ("entailment" if top == "entailment" else "non-entailment")


def test_the_scores_are_those_of_the_model_itself(study, build):
    folder = build()
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    pairs = [("every dog runs", "every black dog runs"), ("a dog runs", "no cat runs")]
    outputs = runtime_for(register(study)).predict(pairs)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for (premise, hypothesis), output in zip(pairs, outputs, strict=True):
        with torch.no_grad():
            logits = model(**tokenizer(premise, hypothesis, return_tensors="pt")).logits[0]
        assert list(output.scores.values()) == pytest.approx(logits.softmax(-1).tolist(), abs=1e-5)


def test_the_order_of_the_labels_is_the_folders(study, build):
    build("one", ("entailment", "not_entailment"))
    build("other", ("not_entailment", "entailment"))
    pairs = [("every dog runs", "a cat runs")]
    one, other = (
        runtime_for(register(study, name=name, folder=name)).predict(pairs)[0] for name in ("one", "other")
    )
    assert one.scores["entailment"] == pytest.approx(other.scores["non-entailment"], abs=1e-5)


def test_a_pair_longer_than_the_model_is_cut(study, build):
    build()
    long = "every dog runs " * 200
    assert len(runtime_for(register(study)).predict([(long, long)])) == 1


def test_outputs_without_names_must_be_named_by_the_researcher(study, build):
    build(labels=("LABEL_0", "LABEL_1"))
    with pytest.raises(ValidationError, match="Give the labels in the order of the outputs"):
        register(study)
    model = register(study, labels=["entailment", "non-entailment"])
    assert model.config["labels"] == ["entailment", "non-entailment"]


def test_a_classifier_whose_head_is_missing_is_not_run_with_a_random_one(study, build):
    from safetensors.torch import load_file, save_file

    weights = build() / "model.safetensors"
    kept = {name: value for name, value in load_file(weights).items() if not name.startswith("classifier")}
    save_file(kept, weights, metadata={"format": "pt"})
    with pytest.raises(Unavailable, match=r"cannot be loaded: its weights lack classifier\.bias"):
        runtime_for(register(study))


def test_as_many_labels_as_outputs_are_wanted(study, build):
    build(labels=("LABEL_0", "LABEL_1"))
    model = register(study, labels=["entailment", "neutral", "contradiction"])
    with pytest.raises(Unavailable, match="2 outputs, but 3 labels"):
        runtime_for(model)


def test_changed_weights_are_not_passed_off_as_the_registered_ones(study, build, settings):
    folder = build()
    model = register(study)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4] + b"\1\1\1\1")
    with pytest.raises(Unavailable, match="changed since the model was registered"):
        runtime_for(model)


def test_a_folder_that_is_gone_leaves_the_run_waiting_with_the_reason(study, ada, dataset, build):
    folder = build()
    run = services.run_start(model=register(study), dataset=dataset, actor=ada)
    folder.rename(folder.with_name("elsewhere"))
    run_job(run.job.pk)
    run.job.refresh_from_db()
    assert (run.job.state, run.job.error) == ("queued", "There is no folder “tiny” in the models' directory.")
    folder.with_name("elsewhere").rename(folder)
    run_job(run.job.pk)
    run.job.refresh_from_db()
    assert (run.job.state, run.job.error, run.job.done) == ("done", "", 5)
