"""The models' room: register, run, watch, compare."""

import pytest
from django.urls import reverse

from apps.inference.models import Model, Run
from apps.jobs.models import Job
from apps.studies.models import Study


def url(study, name, *args):
    return reverse(f"models:{name}", args=[study.slug, *args])


@pytest.fixture
def client(rosa, client_of):
    return client_of(rosa)


def test_an_empty_room_says_what_to_do_first(study, client):
    page = client.get(url(study, "list")).content.decode()
    assert "No model is registered yet" in page
    assert url(study, "new", "majority") in page


def test_from_registering_to_the_accuracy(study, client, dataset, work):
    answer = client.post(url(study, "new", "overlap"), {"name": "words", "threshold": "1"})
    model = Model.objects.get(name="words")
    assert answer.headers["Location"] == url(study, "model", model.pk)
    answer = client.post(url(study, "run_start", model.pk), {"dataset": dataset.pk}, follow=True)
    run = Run.objects.get()
    assert answer.redirect_chain[-1][0] == url(study, "run", run.pk)
    assert "queued" in answer.content.decode()
    work()
    page = client.get(url(study, "run", run.pk)).content.decode()
    assert "<strong>60.0 %</strong>" in page  # against the gold labels, 3 of 5
    assert "<strong>40.0 %</strong>" in page  # against the calculus, 2 of 5
    assert "Every black dog runs." in page


def test_the_pairs_that_differ_are_one_click_away(study, client, dataset, work, ada):
    from apps.inference.services import model_register_majority, run_start

    model = model_register_majority(study=study, actor=ada, name="yes", label="entailment")
    run = run_start(model=model, dataset=dataset, actor=ada)
    work()
    page = client.get(url(study, "run", run.pk), {"against": "gold:file"})
    assert [row.prediction.pair.hypothesis for row in page.context["rows"]] == [
        "Every dog runs.",
        "A black dog runs.",
        "Exactly two black dogs run.",
    ]
    none = client.get(url(study, "run", run.pk), {"label": "non-entailment"})
    assert "No prediction meets these filters." in none.content.decode()


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("majority", {"name": "m"}, "Choose either a label or a dataset"),
        ("overlap", {"name": "m", "threshold": "2"}, "less than or equal to 1"),
        ("overlap", {"name": "m", "threshold": "nan"}, "Enter a number"),
        ("overlap", {"name": "", "threshold": "0.5"}, "This field is required"),
        ("overlap", {"name": "a\0b", "threshold": "0.5"}, "Null characters are not allowed"),
    ],
)
def test_a_bad_form_comes_back_with_the_reason(study, client, kind, data, reason):
    page = client.post(url(study, "new", kind), data)
    assert page.status_code == 200
    assert reason in page.content.decode()
    assert not Model.objects.exists()


def test_the_majority_class_learns_from_a_dataset(study, client, dataset):
    client.post(url(study, "new", "majority"), {"name": "most", "label": "", "dataset": dataset.pk})
    page = client.get(url(study, "model", Model.objects.get().pk)).content.decode()
    assert "non-entailment 3" in page


def test_a_classifier_is_trained_in_the_background(study, client, make_dataset, work):
    alike = [(f"Dog {n} runs.", f"Dog {n} runs.", "", "entailment", "") for n in range(20)]
    unlike = [(f"Dog {n} runs.", "Cats sleep.", "", "non-entailment", "") for n in range(20)]
    dataset = make_dataset("forty", rows=alike + unlike)
    answer = client.post(url(study, "new", "learnt"), {"name": "words", "dataset": dataset.pk})
    assert "/jobs/" in answer.headers["Location"]
    assert not Model.objects.exists()
    work()
    model = Model.objects.get(name="words")
    page = client.get(url(study, "model", model.pk)).content.decode()
    assert "100.0 %" in page and model.fingerprint in page
    job = client.get(answer.headers["Location"]).content.decode()
    assert "two-way accuracy" in job


def test_training_on_what_teaches_nothing_is_refused_at_once(study, client, make_dataset):
    dataset = make_dataset("one label", rows=[("A dog runs.", "A cat runs.", "", "entailment", "")])
    page = client.post(url(study, "new", "learnt"), {"name": "words", "dataset": dataset.pk})
    assert "at least two labels" in page.content.decode()


def test_a_learnt_classifiers_page_shows_the_command_for_files(study, client):
    page = client.get(url(study, "new", "learnt")).content.decode()
    assert f"train_model {study.slug} NAME FILE" in page


def test_a_foreign_model_run_or_dataset_is_like_an_unknown_one(study, client, dataset, olaf, ada, client_of):
    """CASES 40."""
    from apps.datasets.services import dataset_create
    from apps.inference.services import model_register_overlap, run_start

    theirs = Study.objects.get(created_by=olaf)
    foreign = dataset_create(study=theirs, actor=olaf, name="theirs")
    model = model_register_overlap(study=study, actor=ada, name="m", threshold=0.5)
    run = run_start(model=model, dataset=dataset, actor=ada)
    outsider = client_of(olaf)
    for room, pk in (("model", model.pk), ("run", run.pk)):
        assert outsider.get(url(theirs, room, pk)).status_code == 404
        assert outsider.get(url(theirs, room, 10**9)).status_code == 404
    assert client.post(url(study, "run_start", model.pk), {"dataset": foreign.pk}).status_code == 302
    assert Run.objects.count() == 1


@pytest.mark.parametrize("kind", ["majority", "overlap", "learnt", "transformers"])
def test_only_researchers_register(study, ben, client_of, kind):
    assert client_of(ben).get(url(study, "new", kind)).status_code == 403


def test_an_unknown_kind_is_a_404(study, client):
    assert client.get(url(study, "new", "oracle")).status_code == 404


def test_a_script_in_a_name_is_text(study, client, dataset, ada, work):
    """CASES 10."""
    from apps.inference.services import model_register_overlap, run_start

    model = model_register_overlap(study=study, actor=ada, name="<script>alert(1)</script>", threshold=0.5)
    run = run_start(model=model, dataset=dataset, actor=ada)
    for page in (url(study, "list"), url(study, "model", model.pk), url(study, "run", run.pk)):
        assert "<script>alert" not in client.get(page).content.decode()


def test_a_run_page_takes_constantly_many_queries(
    study, client, make_dataset, work, ada, django_assert_max_num_queries
):
    from apps.inference.services import model_register_overlap, run_start

    rows = [
        (f"Dog {n} runs.", f"Black dog {n} runs.", "upward", "entailment", "entailment") for n in range(60)
    ]
    model = model_register_overlap(study=study, actor=ada, name="m", threshold=0.5)
    run = run_start(model=model, dataset=make_dataset("many", rows=rows), actor=ada)
    work()
    client.get(url(study, "run", run.pk))
    with django_assert_max_num_queries(15):
        client.get(url(study, "run", run.pk))
    with django_assert_max_num_queries(15):
        client.get(url(study, "model", model.pk))


def test_a_folder_is_chosen_from_those_of_the_models_directory(study, client, settings, monkeypatch, work):
    import json

    from apps.inference import folder_models, kinds

    for module in (folder_models, kinds):
        monkeypatch.setattr(module, "missing_libraries", list)
    assert "no folder with a config.json" in client.get(url(study, "new", "transformers")).content.decode()
    folder = settings.MODELS_DIR / "bert" / "mnli"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}))
    (folder / "model.safetensors").write_bytes(b"weights")
    form = {"name": "bert", "folder": "bert/mnli"}
    refused = client.post(url(study, "new", "transformers"), form).content.decode()
    assert "Give the labels in the order of the outputs." in refused
    form = {**form, "labels": "entailment, neutral"}
    shown = client.post(url(study, "new", "transformers"), form).content.decode()
    assert "Confirm and register" in shown
    confirmed = {**form, "confirmed": "entailment, neutral"}
    page = client.post(url(study, "new", "transformers"), confirmed, follow=True)
    assert "Registering bert" in page.content.decode()
    work()
    assert Job.objects.get().state == Job.State.FAILED  # these weights are none, or torch is not here
    assert not Model.objects.exists()


def test_without_the_libraries_the_page_says_which_are_missing(study, client, monkeypatch):
    from apps.inference import kinds

    monkeypatch.setattr(kinds, "missing_libraries", lambda: ["torch"])
    assert "torch not installed" in client.get(url(study, "new", "transformers")).content.decode()
