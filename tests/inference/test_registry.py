"""Registering models, and starting their runs."""

import json

import pytest
from django.core.exceptions import ValidationError

from apps.inference import folder_models, folders, services
from apps.inference.models import Model, Run
from apps.jobs.models import Job
from apps.studies.models import AuditEvent


def register(study, **fields):
    return services.model_register_overlap(
        study=study, actor=None, **{"name": "m", "threshold": 0.5, **fields}
    )


def test_the_majority_class_learns_its_label_from_gold(study, ada, dataset):
    model = services.model_register_majority(study=study, actor=ada, name="most", dataset=dataset)
    assert model.config == {
        "label": "non-entailment",
        "dataset": "five pairs",
        "counts": {"entailment": 2, "non-entailment": 3},
    }
    assert AuditEvent.objects.filter(action="model.registered", object_id=model.pk).exists()


def test_the_majority_class_learns_from_people_where_there_is_no_gold(study, make_dataset, judge):
    dataset = make_dataset(rows=[("A dog runs.", "A cat runs.", "upward", "", "")])
    judge(dataset.pairs.get(), "entailment", "entailment", "unnatural")
    model = services.model_register_majority(study=study, actor=None, name="most", dataset=dataset)
    assert model.config["label"] == "entailment"


@pytest.mark.parametrize(
    ("fields", "named"),
    [({"label": "maybe"}, "label"), ({"label": ""}, "label")],
)
def test_a_majority_class_without_a_usable_label_is_refused(study, fields, named):
    with pytest.raises(ValidationError) as refused:
        services.model_register_majority(study=study, actor=None, name="most", **fields)
    assert named in refused.value.error_dict


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_share(study, threshold):
    with pytest.raises(ValidationError, match="between 0 and 1"):
        register(study, threshold=threshold)


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b", "a\ud800b"])
def test_a_name_that_cannot_be_stored_is_refused(study, name):
    with pytest.raises(ValidationError) as refused:
        register(study, name=name)
    assert "name" in refused.value.error_dict


def test_registering_the_same_twice_makes_one_model(study):
    assert register(study) == register(study)
    assert Model.objects.count() == 1


def test_a_name_taken_by_another_model_is_refused(study):
    register(study)
    with pytest.raises(ValidationError, match="another model of that name"):
        register(study, threshold=0.7)


def folder(settings, name="bert", *, id2label=None, weights="model.safetensors", **config):
    path = settings.MODELS_DIR / name
    path.mkdir(parents=True)
    id2label = id2label or {"0": "entailment", "1": "neutral", "2": "contradiction"}
    (path / "config.json").write_text(json.dumps({"id2label": id2label, **config}))
    if weights:
        (path / weights).write_bytes(b"weights")
    return path


def test_without_torch_registering_a_folder_says_what_is_missing(study, settings, monkeypatch):
    monkeypatch.setattr(folders.importlib.util, "find_spec", lambda name: None)
    folder(settings)
    with pytest.raises(ValidationError, match="torch, transformers, safetensors not installed"):
        folder_models.folder_register(study=study, actor=None, name="bert", folder="bert")


def test_a_folder_is_registered_with_labels_and_fingerprint(study, settings, monkeypatch):
    monkeypatch.setattr(folder_models, "missing_libraries", list)
    path = folder(settings)
    model = folder_models.folder_register(study=study, actor=None, name="bert", folder="bert")
    assert model.config == {"folder": "bert", "labels": ["entailment", "neutral", "contradiction"]}
    before = model.fingerprint
    (path / "model.safetensors").write_bytes(b"other weights")
    assert len(before) == 64 and folders.folder_fingerprint(path) != before


@pytest.mark.parametrize(
    ("made", "named", "reason"),
    [
        ({}, "../elsewhere", "does not lie below"),
        ({}, "/etc", "does not lie below"),
        ({}, ".", "does not lie below"),
        ({}, "nobody", "no folder"),
        ({}, "a\0b", "Name a folder"),
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}, "bert", "Give the labels in the order"),
        ({"id2label": {"0": "neutral", "1": "contradiction"}}, "bert", "entailment and at least one"),
        ({"id2label": {"0": "entailment", "1": "entailment"}}, "bert", "each once"),
        ({"weights": "pytorch_model.bin"}, "bert", "safetensors"),
        ({"id2label": {"first": "entailment", "second": "neutral"}}, "bert", "output numbers"),
        ({"architectures": ["BertForMaskedLM"]}, "bert", "sequence-classification"),
    ],
)
def test_an_unusable_folder_is_refused_with_the_reason(study, settings, monkeypatch, made, named, reason):
    monkeypatch.setattr(folder_models, "missing_libraries", list)
    folder(settings, **made)
    with pytest.raises(ValidationError, match=reason):
        folder_models.folder_register(study=study, actor=None, name="bert", folder=named)


@pytest.mark.parametrize("content", ["[]", "{", "\xff"])
def test_a_config_that_is_no_json_object_is_refused(study, settings, monkeypatch, content):
    monkeypatch.setattr(folder_models, "missing_libraries", list)
    (folder(settings) / "config.json").write_bytes(content.encode("latin-1"))
    with pytest.raises(ValidationError, match="cannot be read"):
        folder_models.folder_register(study=study, actor=None, name="bert", folder="bert")


def test_a_link_out_of_the_models_directory_is_refused(study, settings, monkeypatch, tmp_path):
    monkeypatch.setattr(folder_models, "missing_libraries", list)
    path = folder(settings)
    path.rename(tmp_path / "outside")
    (settings.MODELS_DIR / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(ValidationError, match="does not lie below"):
        folder_models.folder_register(study=study, actor=None, name="bert", folder="link")


def test_given_labels_name_the_outputs(study, settings, monkeypatch):
    monkeypatch.setattr(folder_models, "missing_libraries", list)
    folder(settings, id2label={"0": "LABEL_0", "1": "LABEL_1"})
    model = folder_models.folder_register(
        study=study, actor=None, name="bert", folder="bert", labels=["not_entailment", "entailment"]
    )
    assert model.config["labels"] == ["non-entailment", "entailment"]


def test_a_double_click_starts_one_run(study, ada, dataset):
    model = register(study)
    first = services.run_start(model=model, dataset=dataset, actor=ada)
    assert services.run_start(model=model, dataset=dataset, actor=ada) == first
    assert Run.objects.count() == 1


def test_a_run_over_another_studys_dataset_is_refused(study, olaf, ada):
    from apps.datasets.services import dataset_create
    from apps.studies.models import Study

    foreign = dataset_create(study=Study.objects.get(created_by=olaf), actor=olaf, name="theirs")
    with pytest.raises(ValidationError, match="of this study"):
        services.run_start(model=register(study), dataset=foreign, actor=ada)


def test_a_run_over_labels_that_do_not_fit_is_refused_at_once(study, ada, make_dataset):
    with pytest.raises(ValidationError, match="good, bad"):
        services.run_start(model=register(study), dataset=make_dataset(labels=["good", "bad"]), actor=ada)


def test_a_name_that_a_waiting_job_will_give_is_refused_at_once(study, ada, settings):
    folder(settings)
    folder_models.folder_register_start(study=study, actor=ada, name="Bert", folder="bert")
    with pytest.raises(ValidationError, match="being made already"):
        folder_models.folder_register_start(study=study, actor=ada, name="Bert", folder="bert")
    Job.objects.update(state="done")
    folder_models.folder_register_start(study=study, actor=ada, name="Bert", folder="bert")


def test_a_folder_under_a_taken_name_is_refused_by_the_form_and_not_by_its_job(study, ada, settings):
    folder(settings)
    register(study)
    taken = Model.objects.get().name
    with pytest.raises(ValidationError, match="another model of that name"):
        folder_models.folder_register_start(study=study, actor=ada, name=taken, folder="bert")
    assert not Job.objects.exists()
