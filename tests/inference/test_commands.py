"""manage.py model_add and model_list."""

import pytest
from django.core.management import CommandError, call_command

from apps.inference.models import Model
from tests.inference.onnx_folders import LABELS, onnx_folder


@pytest.fixture
def add(study, capsys):
    def run(kind, name="m", **fields):
        call_command("model_add", study=study.slug, kind=kind, name=name, **fields)
        return capsys.readouterr().out

    return run


def test_a_baseline_is_registered_and_said_to_be(add):
    assert "m  (overlap)" in add("overlap", threshold="0.75")
    assert Model.objects.get().config == {"threshold": 0.75}


def test_what_is_not_given_is_as_on_the_page(add):
    assert "labels: entailment, non-entailment, contradiction" in add("calculus", convention="med")
    config = Model.objects.get().config
    assert (config["convention"], config["unknown"], config["coreference"]) == ("med", "specific", True)
    add("calculus", "other", convention="med", coreference="no", unread="non-entailment")
    config = Model.objects.get(name="other").config
    assert (config["coreference"], config["unread"]) == (False, "non-entailment")


def test_a_folder_shows_its_labels_first_and_its_five_answers_then(add, settings, capsys):
    onnx_folder(settings.MODELS_DIR / "o")
    with pytest.raises(CommandError, match="--confirmed yes"):
        add("onnx", folder="o")
    assert "output 0 → entailment" in capsys.readouterr().out and not Model.objects.exists()
    told = add("onnx", folder="o", confirmed="yes")
    assert "right on 5 of 5 plain pairs" in told and "TURNED ROUND" not in told
    assert Model.objects.get().labels_confirmed


def test_a_turned_map_is_said_aloud(add, settings):
    onnx_folder(settings.MODELS_DIR / "o", outputs=LABELS[::-1])
    told = add("onnx", folder="o", confirmed="yes")
    assert "THE LABELS LOOK TURNED ROUND: entailment → contradiction, contradiction → entailment" in told


def test_a_dataset_is_named(add, dataset):
    assert "labels: non-entailment" in add("majority", dataset="five pairs")
    with pytest.raises(CommandError, match="no “six pairs”"):
        add("majority", dataset="six pairs")


@pytest.mark.parametrize(
    ("kind", "fields", "reason"),
    [
        ("overlap", {"threshold": "2"}, "threshold: "),
        ("overlap", {"folder": "x"}, "has no folder"),
        ("onnx", {"folder": "../x"}, "folder: "),
    ],
)
def test_bad_fields_are_refused_by_their_names(add, kind, fields, reason):
    with pytest.raises(CommandError, match=reason):
        add(kind, **fields)
    assert not Model.objects.exists()


def test_an_unknown_study_is_said_to_be(db):
    for command, fields in (("model_add", {"kind": "negation", "name": "m"}), ("model_list", {})):
        with pytest.raises(CommandError, match="no study at “nowhere”"):
            call_command(command, study="nowhere", **fields)


def test_the_list_names_what_looks_turned_round(add, study, settings, capsys):
    onnx_folder(settings.MODELS_DIR / "o", outputs=LABELS[::-1])
    add("onnx", "turned", folder="o", confirmed="yes")
    add("negation", "cue")
    call_command("model_list", study=study.slug)
    first, second = capsys.readouterr().out.splitlines()
    assert first.split("\t")[2:5] == ["cue", "negation", "–"] and "turned round" not in first
    assert second.split("\t")[2:4] == ["turned", "onnx"] and second.endswith("turned round")
