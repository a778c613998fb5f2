"""Training on meanings: a function of rows, options and seed, however often it is broken off."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import pytest

pytest.importorskip("torch", reason="torch is not installed (make neural)")
from tests.workers.networks.sequences.conftest import SIZES, sentences
from workers.networks.options import OptionError
from workers.networks.saved import SavedError, folder_of
from workers.networks.sequences.options import SequenceOptions
from workers.networks.sequences.saved import sequence_load, sequence_save
from workers.networks.sequences.trainer import (
    SequenceEpoch,
    SequenceMaterial,
    SequenceRow,
    SequenceTrained,
    prepare,
    said,
    train,
)

pytestmark = pytest.mark.neural

ROWS = [SequenceRow(*row, "drawn") for row in sentences("vf", 96)]
MATERIAL = SequenceMaterial("vf", tuple(ROWS[:64]), tuple(ROWS[64:80]), tuple(ROWS[80:]))
BY_HEART = SequenceMaterial("vf", tuple(ROWS[:32]), (), tuple(ROWS[:32]))


@pytest.fixture(params=SIZES)
def network(request):
    return request.param


def options(network, **given):
    return SequenceOptions.of(
        network, {"epochs": 3, "patience": 0, "batch": 16, "sizes": SIZES[network], **given}
    )


def run(place, chosen, material=MATERIAL, seed=1, **more):
    return train(prepare(material), chosen, seed, place, **more)


def last(steps):
    return list(steps)[-1]


def digest(weights):
    found = hashlib.sha256()
    for name in sorted(weights):
        found.update(name.encode() + weights[name].numpy().tobytes())
    return found.hexdigest()


def test_it_learns_what_a_network_can_learn(tmp_path, network):
    rate = 0.01 if network == "gru" else 0.003
    trained = last(run(tmp_path, options(network, epochs=60, learning_rate=rate), BY_HEART))
    assert trained.said == tuple(row.meaning for row in BY_HEART.test)


def test_without_an_epoch_it_is_untrained_and_has_nothing_right(tmp_path, network):
    trained = last(run(tmp_path, options(network, epochs=0), BY_HEART))
    assert (trained.epochs, trained.best, trained.validation_accuracy) == ((), 0, None)
    assert not any(text == row.meaning for text, row in zip(trained.said, BY_HEART.test, strict=True))


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(tmp_path, network):
    first, again, other = (
        digest(last(run(tmp_path / str(n), options(network), seed=seed)).weights)
        for n, seed in enumerate((1, 1, 2))
    )
    assert first == again != other


def test_taken_up_after_any_epoch_it_ends_with_the_same_weights_bit_for_bit(tmp_path, network):
    whole = last(run(tmp_path / "whole", options(network)))
    for done in (1, 2):
        place = tmp_path / f"broken off {done}"
        for step in run(place, options(network)):  # the process ends in the middle of the epoch after
            if isinstance(step, SequenceEpoch) and step.number == done:
                break
        resumed = last(run(place, options(network), epochs_done=done))
        assert digest(resumed.weights) == digest(whole.weights)
        assert [e.loss for e in resumed.epochs] == [e.loss for e in whole.epochs]
        assert resumed.said == whole.said


def test_where_the_checkpoints_are_lost_it_goes_through_the_epochs_again(tmp_path, network):
    steps = list(run(tmp_path / "nothing here", options(network), epochs_done=2))
    assert [step.number for step in steps if isinstance(step, SequenceEpoch)] == [1, 2, 3]
    assert digest(steps[-1].weights) == digest(last(run(tmp_path / "whole", options(network))).weights)


def test_others_that_draw_in_between_change_nothing(tmp_path, network):
    import torch

    whole = digest(last(run(tmp_path / "whole", options(network))).weights)
    steps = run(tmp_path / "disturbed", options(network))
    ends = [step for step in steps if torch.rand(3) is not None and isinstance(step, SequenceTrained)]
    assert digest(ends[0].weights) == whole


def test_it_stops_where_the_loss_falls_no_more_and_keeps_the_best(tmp_path):
    """On meanings that others have, what is learnt by heart soon makes it worse."""
    turned = [SequenceRow(row.sentence, other.meaning) for row, other in pairwise(ROWS)]
    material = SequenceMaterial("vf", tuple(ROWS[:40]), tuple(turned[40:60]), ())
    trained = last(run(tmp_path, options("gru", epochs=80, patience=3, learning_rate=0.01), material))
    losses = [epoch.validation_loss for epoch in trained.epochs]
    assert len(trained.epochs) == trained.best + 3 < 80
    assert losses.index(min(losses)) == trained.best - 1


def test_the_accuracy_under_teacher_forcing_is_that_of_what_it_writes(tmp_path, network):
    rate = 0.01 if network == "gru" else 0.003
    material = SequenceMaterial("vf", tuple(ROWS[:64]), tuple(ROWS[:32]), tuple(ROWS[:32]))
    trained = last(run(tmp_path, options(network, epochs=14, learning_rate=rate), material))
    right = sum(text == row.meaning for text, row in zip(trained.said, material.test, strict=True))
    assert trained.validation_accuracy == right / 32
    assert right > 0


def test_a_saved_network_writes_what_it_wrote(tmp_path, settings, network):
    settings.VAR_DIR = tmp_path
    prepared = prepare(BY_HEART)
    trained = last(train(prepared, options(network), 1, tmp_path / "run"))
    fingerprint = sequence_save(
        options=options(network), reader=prepared.reader, weights=trained.weights, card={"seed": 1}
    )
    loaded = sequence_load(fingerprint)
    found = last(said(loaded.network, loaded.reader, [row.sentence for row in BY_HEART.test]))
    assert tuple(found) == trained.said
    assert loaded.card == {"seed": 1}
    config = folder_of(fingerprint, "sequence") / "config.json"
    config.write_text(config.read_text().replace("vf", "fol"))
    with pytest.raises(SavedError, match="changed after training"):
        sequence_load(fingerprint)


def test_a_word_that_training_did_not_have_is_read_all_the_same(tmp_path):
    material = SequenceMaterial("vf", tuple(ROWS[:64]), (), (SequenceRow("no unicorn ever slept", "X"),))
    assert len(last(run(tmp_path, options("gru"), material)).said) == 1


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"epochs": -1}, "epochs"),
        ({"batch": True}, "batch"),
        ({"learning_rate": float("nan")}, "learning_rate"),
        ({"sizes": {"width": 3}}, "sizes"),
        ({"sizes": {"model": 10, "heads": 4}}, "sizes"),
        ({"vectors": "random"}, "vectors"),
        ({"network": "gru"}, "network"),
    ],
)
def test_an_option_that_makes_no_sense_is_named(given, option):
    with pytest.raises(OptionError) as error:
        SequenceOptions.of("transformer", given)
    assert error.value.option == option


def test_options_come_back_as_they_were_stored():
    chosen = options("transformer", epochs=7)
    assert SequenceOptions(**chosen.stored()) == chosen
    with pytest.raises(OptionError, match="no network “lstm”"):
        SequenceOptions.of("lstm", {})
