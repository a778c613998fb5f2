"""A training whose worker is killed with SIGKILL is taken up at its last epoch, and ends as the same network;
where the checkpoints are on another machine it is gone through again, and ends so too.

Everything here is real: an installation of its own, and Celery workers as processes.
"""

from __future__ import annotations

import importlib.util
import signal

import pytest

from tests.installation import Installation

if not all(importlib.util.find_spec(name) for name in ("torch", "safetensors")):
    pytest.skip("torch is not installed (make neural)", allow_module_level=True)

pytestmark = [
    pytest.mark.neural,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL"),
]

EPOCHS = 8

SET_UP = """
import hashlib, random, zlib
from apps.accounts.models import User
from apps.inference import training_sets
from apps.inference.mixing import Mixed, Row
from apps.studies.services import study_create
ada = User.objects.create_user("ada@example.org", "correct horse")
study = study_create(actor=ada, name="Dogs and cats")
chance, words = random.Random(3), "dogs cats men women run sleep sing eat some no all few old small".split()
def row(number):
    kept = chance.choices(words, k=9)
    other = sorted(kept) if number % 2 else chance.choices(words, k=9)
    label = "entailment" if number % 2 else "non-entailment"
    return Row(" ".join(kept), " ".join(other), label, "", "machine")
parts = {"train": 1200, "validation": 100, "test": 0}
mixed = Mixed({part: [row(n) for n in range(count)] for part, count in parts.items()})
lines = mixed.lines()
made = training_sets.Made("small", {"labels": "two-way"}, mixed.counts(), [], zlib.compress(lines),
    hashlib.sha256(lines).hexdigest())
training_sets.training_set_store(study=study, actor=ada, made=made)
"""

START = f"""
from apps.accounts.models import User
from apps.inference import trainings
from apps.inference.models import TrainingSet
trainings.training_start(training_set=TrainingSet.objects.get(), actor=User.objects.get(), name="%s",
    network="lstm", options={{"epochs": {EPOCHS}, "patience": 0, "dimensions": 50,
                             "sizes": {{"hidden": 50, "layers": 1}}}})
"""


@pytest.mark.parametrize("files", ["the same", "its own"])
def test_killed_by_the_system_it_ends_as_an_undisturbed_one_also_on_a_machine_with_other_files(
    tmp_path, files
):
    elsewhere = Installation(tmp_path)
    other = None
    if files == "its own":
        (other := tmp_path / "other").mkdir()
    elsewhere.run(SET_UP)

    elsewhere.run(START % "killed")
    with elsewhere.worker(kill=True):
        elsewhere.wait_for(lambda: elsewhere.job()[1] >= 2, elsewhere.job)
    state, done, total, claim = elsewhere.job()
    assert (state, total) == ("running", EPOCHS) and done < EPOCHS, "killed in the middle"

    elsewhere.run(START % "undisturbed")
    with elsewhere.worker(files=other):
        elsewhere.wait_for(lambda: elsewhere.job(1)[0] == elsewhere.job(2)[0] == "done", elsewhere.job)
    assert elsewhere.job()[1] == EPOCHS and elsewhere.job()[3] != claim, "another worker took it up"

    def of(query):
        return elsewhere.database.execute(query).fetchall()

    curves = of(
        "select t.name, e.number, e.loss, e.validation_accuracy from inference_trainingepoch e"
        " join inference_training t on t.id = e.training_id order by e.number"
    )
    killed, undisturbed = (
        [row[1:] for row in curves if row[0] == name] for name in ("killed", "undisturbed")
    )
    assert len(killed) == EPOCHS and killed == undisturbed
    prints = of("select fingerprint from inference_trainingrun")
    assert len(prints) == 2 and len(set(prints)) == 1 and all(print_ for (print_,) in prints)
    assert [path.name for path in ((other or tmp_path) / "models").iterdir()] == [f"network-{prints[0][0]}"]
