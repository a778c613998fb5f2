"""Training: a function of rows, options and seed, however often it is broken off."""

from __future__ import annotations

import hashlib

import pytest

pytest.importorskip("torch", reason="torch is not installed")
from tests.workers.networks.tiny import KIND
from workers import networks
from workers.networks.options import OptionError, Options
from workers.networks.runs import Run
from workers.networks.trainer import Epoch, Material, Row, Trained, _Labelling, prepare, train

pytestmark = pytest.mark.neural

LABELS = ("entailment", "non-entailment")
ANIMALS = ("dog", "cat", "horse", "cow", "bird", "fish", "mouse", "fox")
DEEDS = ("runs", "sleeps", "eats", "sings")


def rows(start, stop):
    """Adding a word doesn't follow, leaving it out does."""
    found = []
    for number in range(start, stop):
        animal, deed = ANIMALS[number % 8], DEEDS[number % 4]
        long, short = f"a black {animal} {deed} {number}", f"a {animal} {deed} {number}"
        found += [
            Row(long, short, LABELS[0], "upward", "made"),
            Row(short, long, LABELS[1], "upward", "made"),
        ]
    return tuple(found)


def both_ways():
    """A pair under both labels: no network has all of it right, and each goes through all of its epochs."""
    pair = Row("a dog runs", "a dog runs 40", LABELS[0], "upward", "made")
    return pair, pair._replace(label=LABELS[1])


MATERIAL = Material(LABELS, rows(0, 32), rows(32, 40) + both_ways(), rows(40, 48))
LEARNABLE = Material(LABELS, rows(0, 32), rows(32, 40), rows(40, 48))


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(networks.NETWORKS, "tiny", KIND)


def options(**given):
    return Options.of("tiny", {"epochs": 4, "patience": 0, "batch": 8, **given})


def last(steps):
    return list(steps)[-1]


def run(place, chosen=None, seed=1, material=MATERIAL, **more):
    chosen = chosen or options()
    return train(last(prepare(material, chosen)), chosen, seed, place, **more)


def digest(weights):
    found = hashlib.sha256()
    for name in sorted(weights):
        found.update(name.encode() + weights[name].numpy().tobytes())
    return found.hexdigest()


def test_it_learns_what_a_network_can_learn(tmp_path):
    trained = last(run(tmp_path, options(epochs=30)))
    assert trained.epochs[-1].train_accuracy == 1.0
    assert trained.scores == {"made": {"all": [16, 16], "upward": [16, 16]}}


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(tmp_path):
    first, again, other = (
        digest(last(run(tmp_path / str(n), seed=seed)).weights) for n, seed in enumerate((1, 1, 2))
    )
    assert first == again != other


def test_taken_up_after_any_epoch_it_ends_with_the_same_weights_bit_for_bit(tmp_path):
    whole = last(run(tmp_path / "whole"))
    for done in (1, 2, 3):
        place = tmp_path / f"broken off {done}"
        for step in run(place):  # the process ends in the middle of the epoch after
            if isinstance(step, Epoch) and step.number == done:
                break
        resumed = last(run(place, epochs_done=done))
        assert digest(resumed.weights) == digest(whole.weights)
        assert [e.loss for e in resumed.epochs] == [e.loss for e in whole.epochs]
        assert resumed.scores == whole.scores


def test_a_checkpoint_that_was_written_and_not_told_of_is_made_again(tmp_path):
    whole = last(run(tmp_path / "whole"))
    place = tmp_path / "broken off"
    for step in run(place):
        if isinstance(step, Epoch) and step.number == 3:
            break
    assert digest(last(run(place, epochs_done=2)).weights) == digest(whole.weights)


def test_where_the_checkpoints_are_lost_it_goes_through_the_epochs_again(tmp_path):
    steps = list(run(tmp_path / "nothing here", epochs_done=3))
    assert [step.number for step in steps if isinstance(step, Epoch)] == [1, 2, 3, 4]
    assert digest(steps[-1].weights) == digest(last(run(tmp_path / "whole")).weights)


def test_a_damaged_checkpoint_is_as_good_as_lost(tmp_path):
    whole = last(run(tmp_path))
    (tmp_path / "epoch-0003" / "moments.safetensors").write_bytes(b"no")
    assert digest(last(run(tmp_path, epochs_done=3)).weights) == digest(whole.weights)


def test_a_checkpoint_of_another_optimizer_is_as_good_as_lost(tmp_path):
    from safetensors.torch import load_file, save_file

    whole = last(run(tmp_path))
    place = tmp_path / "epoch-0003" / "moments.safetensors"
    moments = {name: value[:1] if value.dim() else value for name, value in load_file(place).items()}
    save_file(moments, place)
    assert digest(last(run(tmp_path, epochs_done=3)).weights) == digest(whole.weights)


def test_others_that_draw_in_between_change_nothing(tmp_path):
    import torch

    whole = digest(last(run(tmp_path / "whole")).weights)
    steps = run(tmp_path / "disturbed")
    ends = [step for step in steps if torch.rand(3) is not None and isinstance(step, Trained)]
    assert digest(ends[0].weights) == whole


def test_it_stops_where_validation_rises_no_more_and_keeps_the_best(tmp_path):
    trained = last(run(tmp_path, options(epochs=40, patience=3)))
    assert isinstance(trained, Trained)
    assert len(trained.epochs) == trained.best + 3 < 40
    accuracies = [epoch.validation_accuracy for epoch in trained.epochs]
    assert accuracies.index(max(accuracies)) == trained.best - 1


def test_it_stops_where_no_epoch_can_be_better_on_validation(tmp_path, monkeypatch):
    """All of validation is right, and the first such epoch is the best whatever would follow: the network
    that is kept is, bit for bit, the one that all epochs would have ended with."""
    stopped = last(run(tmp_path / "stopped", options(epochs=60), material=LEARNABLE))
    assert len(stopped.epochs) == stopped.best < 60
    assert stopped.validation_accuracy == 1.0
    assert not [epoch for epoch in stopped.epochs[:-1] if epoch.validation_accuracy == 1.0]
    monkeypatch.setattr(_Labelling, "is_perfect", Run.is_perfect)
    whole = last(run(tmp_path / "whole", options(epochs=60), material=LEARNABLE))
    assert len(whole.epochs) == 60
    assert (whole.best, digest(whole.weights)) == (stopped.best, digest(stopped.weights))


def test_two_checkpoints_are_kept_and_none_is_half_there(tmp_path):
    list(run(tmp_path))
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["epoch-0003", "epoch-0004"]


def test_the_hypothesis_alone_is_at_chance_where_it_tells_nothing(tmp_path):
    """Each hypothesis stands once with each label."""
    both = [("a black dog runs", "a dog runs"), ("a white dog", "a dog runs")]
    material = Material(
        LABELS,
        tuple(Row(p, h, LABELS[n % 2]) for n, (p, h) in enumerate(both * 16)),
        (),
        tuple(Row(p, h, LABELS[n % 2], source="made") for n, (p, h) in enumerate(both)),
    )
    shares = {}
    for alone in (False, True):
        chosen = options(epochs=20, hypothesis_only=alone)
        trained = last(train(last(prepare(material, chosen)), chosen, 1, tmp_path / str(alone)))
        shares[alone] = trained.scores["made"]["all"][0] / 2
    assert shares == {False: 1.0, True: 0.5}


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"epochs": -1}, "epochs"),
        ({"epochs": True}, "epochs"),
        ({"batch": 2.5}, "batch"),
        ({"learning_rate": float("nan")}, "learning_rate"),
        ({"warmup": 1}, "warmup"),
        ({"optimizer": "SGD"}, "optimizer"),
        ({"precision": "float8"}, "precision"),
        ({"dropouts": [0.1, 0.1]}, "dropouts"),
        ({"dropouts": "0.1"}, "dropouts"),
        ({"sizes": {"width": 3}}, "sizes"),
        ({"sizes": {"hidden": "16"}}, "sizes"),
        ({"vectors": "../../etc/passwd"}, "vectors"),
        ({"vectors": "no such file"}, "vectors"),
        ({"vectors": "\0"}, "vectors"),
        ({"vectors": "é" * 200}, "vectors"),
        ({"speed": 1}, "speed"),
        ({"network": "tiny"}, "network"),
    ],
)
def test_an_option_that_makes_no_sense_is_named(given, option):
    with pytest.raises(OptionError) as error:
        Options.of("tiny", given)
    assert error.value.option == option


def test_a_coarse_training_learns_otherwise_and_goes_on_bit_for_bit(tmp_path):
    """Products in bfloat16; what is kept, and tested, is float32."""
    fine = last(run(tmp_path / "fine", options(epochs=30)))
    chosen = options(epochs=30, precision="bfloat16")
    coarse = last(run(tmp_path / "coarse", chosen))
    assert coarse.scores["made"]["all"] == [16, 16]
    assert {str(weights.dtype) for weights in coarse.weights.values()} == {"torch.float32"}
    assert digest(coarse.weights) != digest(fine.weights)
    resumed = last(run(tmp_path / "coarse", chosen, epochs_done=7))
    assert digest(resumed.weights) == digest(coarse.weights)


def test_an_unknown_network_is_named():
    with pytest.raises(OptionError, match="no network “huge”"):
        Options.of("huge", {})


def test_a_glove_file_must_have_the_dimensions(settings, tmp_path):
    settings.MODELS_DIR = tmp_path
    (tmp_path / "glove.txt").write_text("dog 1 2 3\n")
    assert (
        Options.of("tiny", {"vectors": "glove.txt", "dimensions": 3}).vectors_source().endswith("glove.txt")
    )
    with pytest.raises(OptionError, match="3 numbers a word"):
        Options.of("tiny", {"vectors": "glove.txt", "dimensions": 50})
