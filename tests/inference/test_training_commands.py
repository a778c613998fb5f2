"""The commands that mix a set and train a network, and what they say when something is wrong."""

from __future__ import annotations

import importlib.util

import pytest
from django.core.management import CommandError, call_command

from apps.inference.models import Model, TrainingSet

neural = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("torch", "safetensors")),
    reason="torch is not installed (make neural)",
)


@pytest.fixture
def machine(make_dataset):
    labels = ("entailment", "non-entailment")
    return make_dataset("machine", rows=[
        (f"A {n} {way} black dog.", f"A {n} {way} dog.", way, labels[n % 2], "")
        for n in range(12)
        for way in ("upward", "downward")
    ])  # fmt: skip


def test_a_set_by_a_command_is_the_one_of_the_page(study, machine, dataset, capsys, tmp_path):
    out = tmp_path / "rows.jsonl"
    call_command(
        "training_set",
        study.slug,
        "mixed",
        source=["machine;count=10;upward=0.3"],
        test=["five pairs"],
        out=out,
    )
    told = capsys.readouterr().out
    stored = TrainingSet.objects.get(name="mixed")
    assert stored.fingerprint in told and "overlap of machine: rows 24" in told
    assert len(out.read_text().splitlines()) == 15


def test_it_lists_its_sources(study, machine, capsys):
    call_command("training_set", study.slug, sources=True)
    assert capsys.readouterr().out == f"dataset:{machine.pk}\tmachine\n"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"source": ["nothing"]}, "no source “nothing”"),
        ({"source": ["machine;size=3"]}, "count=N, share=X or upward=X"),
        ({"source": ["machine;count=99"]}, "24 rows left to draw from; 99"),
        ({"source": []}, "from 1 to"),
    ],
)
def test_a_set_that_can_not_be_mixed_is_said(study, machine, options, reason):
    with pytest.raises(CommandError, match=reason):
        call_command("training_set", study.slug, "mixed", **options)
    assert not TrainingSet.objects.exists()


@pytest.fixture
def tiny_network(monkeypatch):
    from tests.workers.networks.tiny import KIND
    from workers.networks import NETWORKS

    monkeypatch.setitem(NETWORKS, "tiny", KIND)


@neural
def test_a_network_is_trained_on_a_file_and_tells_its_figures(study, tiny_network, saved, capsys):
    lines = ["sentence1\tsentence2\tgold_label\tsplit"]
    for n in range(40):
        long, short = f"a black dog {n}", f"a dog {n}"
        pair = (long, short, "entailment") if n % 2 else (short, long, "neutral")
        lines.append("\t".join([*pair, "test" if n >= 32 else "train"]))
    file = saved("\n".join(lines) + "\n")
    call_command("network_train", study.slug, "net", "tiny", file, seeds=2, options=["epochs=1"])
    told = capsys.readouterr().out
    model = Model.objects.get(name="net")
    assert "seed 2, epoch 1" in told and "±" in told and "most frequent label" in told
    assert model.fingerprint in told and model.config["card"]["options"]["epochs"] == 1


@neural
@pytest.mark.parametrize(
    ("arguments", "options", "reason"),
    [
        ((), {}, "Give one of"),
        ((), {"dataset": "none"}, "no dataset"),
        ((), {"training_set": "none"}, "no training set"),
        ((), {"dataset": "machine", "options": ["epochs=-1"]}, "epochs: a whole number"),
        (("no-such-file.tsv",), {}, "no-such-file.tsv"),
    ],
)
def test_a_training_that_makes_no_sense_is_said(study, machine, tiny_network, arguments, options, reason):
    with pytest.raises(CommandError, match=reason):
        call_command("network_train", study.slug, "net", "tiny", *arguments, **options)
    assert not Model.objects.exists()
