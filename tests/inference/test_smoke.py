"""The smoke test at registration: a map that is right passes, one that is turned round is caught, one that
knows nothing is neither."""

import pytest
from django.urls import reverse

from apps.inference.models import Model
from apps.jobs.models import Job
from tests.inference.onnx_folders import LABELS, onnx_folder
from workers.runtimes import Output, Pending
from workers.smoke import smoke_pairs, smoke_test

TWO = ["entailment", "non-entailment"]


class Says:
    """A runtime that answers from a list."""

    chunk = 5

    def __init__(self, *labels):
        self.labels = labels

    def predict(self, pairs):
        return [Output(label, {label: 1.0}) if label else Pending("no idea") for label in self.labels]


def swapped(label, one="entailment", other="contradiction"):
    return {one: other, other: one}.get(label, label)


@pytest.mark.parametrize("labels", [list(LABELS), TWO, ["contradiction", "entailment"]])
def test_there_are_five_pairs_with_every_label(labels):
    pairs = smoke_pairs(labels)
    assert len(pairs) == 5 and {label for _p, _h, label in pairs} == set(labels)


def test_a_model_that_is_right_is_not_called_turned_round():
    right = [label for _p, _h, label in smoke_pairs(LABELS)]
    tried = smoke_test(Says(*right), LABELS)
    assert (tried["right"], tried["meant"]) == (5, None)


@pytest.mark.parametrize(("one", "other"), [("entailment", "contradiction"), ("neutral", "contradiction")])
def test_two_labels_exchanged_are_caught(one, other):
    said = [swapped(label, one, other) for _p, _h, label in smoke_pairs(LABELS)]
    meant = smoke_test(Says(*said), LABELS)["meant"]
    assert meant == {label: swapped(label, one, other) for label in LABELS}


def test_one_mistake_does_not_hide_that_they_are_exchanged():
    said = [swapped(label) for _p, _h, label in smoke_pairs(LABELS)]
    assert smoke_test(Says("neutral", *said[1:]), LABELS)["meant"]["entailment"] == "contradiction"


def test_two_labels_of_two_are_caught():
    turned = {"entailment": "non-entailment", "non-entailment": "entailment"}
    said = [turned[label] for _p, _h, label in smoke_pairs(TWO)]
    assert smoke_test(Says(*said), TWO)["meant"] == turned


@pytest.mark.parametrize("label", LABELS)
def test_a_model_that_always_says_the_same_is_not_called_turned_round(label):
    assert smoke_test(Says(*[label] * 5), LABELS)["meant"] is None


def test_what_is_left_pending_counts_as_wrong():
    tried = smoke_test(Says("", "", "", "", ""), LABELS)
    assert (tried["right"], tried["meant"], tried["pairs"][0]["said"]) == (0, None, "")


# ---- as folders are registered -----------------------------------------------------------------


def url(study, name, *args):
    return reverse(f"models:{name}", args=[study.slug, *args])


@pytest.fixture
def client(ada, client_of):
    return client_of(ada)


def registered(study, client, work, folder):
    page = client.post(url(study, "new", "onnx"), {"name": folder, "folder": folder})
    order = page.context["form"].order
    client.post(url(study, "new", "onnx"), {"name": folder, "folder": folder, "confirmed": ", ".join(order)})
    work()
    return Model.objects.get(name=folder)


def test_a_right_folder_is_registered_with_its_five_answers(study, client, settings, work):
    onnx_folder(settings.MODELS_DIR / "right")
    model = registered(study, client, work, "right")
    assert model.smoke_test["right"] == 5 and model.labels_confirmed
    page = client.get(url(study, "model", model.pk)).content.decode()
    assert "right on 5 of 5 pairs" in page and "turned round" not in page
    assert "A man is playing an instrument." in page


def test_a_folder_whose_map_is_turned_round_is_registered_and_says_so(study, client, settings, work):
    onnx_folder(settings.MODELS_DIR / "turned", outputs=LABELS[::-1])
    model = registered(study, client, work, "turned")
    assert model.smoke_test["right"] == 1
    page = client.get(url(study, "model", model.pk)).content.decode()
    assert "The labels look turned round" in page
    assert "“entailment” would have to mean “contradiction”" in page
    job = Job.objects.get(kind="inference.folder")
    assert job.result["labels look turned round"].startswith("entailment → contradiction")


def test_a_folder_that_knows_nothing_is_right_on_few(study, client, settings, work):
    onnx_folder(settings.MODELS_DIR / "empty", known={"zebra": 0})
    model = registered(study, client, work, "empty")
    assert model.smoke_test["right"] == 2 and model.smoke_test["meant"] is None


def test_the_order_of_the_labels_is_shown_before_anything_is_registered(study, client, settings):
    onnx_folder(settings.MODELS_DIR / "o")
    page = client.post(url(study, "new", "onnx"), {"name": "o", "folder": "o"}).content.decode()
    assert "<li>output 0 → entailment</li><li>output 1 → neutral</li>" in page
    assert "Confirm and register" in page and 'value="entailment, neutral, contradiction"' in page
    assert not Job.objects.exists()


def test_what_was_confirmed_must_be_what_is_registered(study, client, settings):
    onnx_folder(settings.MODELS_DIR / "o")
    form = {"name": "o", "folder": "o", "confirmed": "contradiction, neutral, entailment"}
    assert client.post(url(study, "new", "onnx"), form).status_code == 200
    assert not Job.objects.exists()
    turned = {**form, "labels": "contradiction, neutral, entailment"}
    assert client.post(url(study, "new", "onnx"), turned).status_code == 302
    assert Job.objects.get().params["labels"] == ["contradiction", "neutral", "entailment"]
