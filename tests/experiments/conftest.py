"""A protocol small enough to be run whole in a test, and the smallest network."""

from __future__ import annotations

import importlib.util

import pytest

from apps.experiments import services
from apps.experiments.protocols import read

SMALL = """
title = "Small"
paper = "systematicity"
source = "nowhere, section 1"
about = "A small one."

[sets]
D1 = { testbed = "systematicity", depth = 1 }
D2 = { testbed = "systematicity", depth = 2 }

[[trainings]]
name = "D1"
on = [{ set = "D1" }]

[[trainings]]
name = "D1 and D2"
on = [{ set = "D1" }, { set = "D2" }]

[[tests]]
name = "D1"
on = [{ set = "D1" }]

[[tests]]
name = "D2"
on = [{ set = "D2" }]

[[tests]]
name = "D2, downward"
within = "D2"
direction = "downward"

[[tests]]
name = "both"
sum = ["D1", "D2"]

[presets.smoke]
train = 120
test = 60
seeds = 2
pool = 600
networks = ["tiny"]
options.tiny = { epochs = 2, batch = 16 }

[presets.desk]
train = 120
test = 60
seeds = 2
pool = 600
networks = ["tiny"]

[presets.paper]
train = 120
test = 60
seeds = 2
pool = 600
networks = ["tiny"]

[published.D1.D1]
tiny = [91.1, 5.4]
"""

neural = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("torch", "safetensors")),
    reason="torch is not installed (make neural)",
)


@pytest.fixture
def small():
    return read(SMALL, "small")


@pytest.fixture(autouse=True)
def tiny_network(monkeypatch):
    """Among the networks that can be trained; without torch it can be chosen all the same."""
    from apps.inference import networks
    from workers.apps import _check_of
    from workers.networks import NETWORKS, NetworkKind

    kind = NetworkKind(
        title="Tiny",
        paper="",
        place="tests.workers.networks.tiny:Tiny",
        reader="workers.networks.words:WordReader",
        sizes={"hidden": 16, "dropout": 0.1},
        training={"dimensions": 12, "learning_rate": 0.01},
    )
    monkeypatch.setitem(NETWORKS, "tiny", kind)
    offer = networks.NetworkOffer("tiny", "Tiny", "", kind.sizes, kind.training, _check_of("tiny"))
    monkeypatch.setitem(networks._offers, "tiny", offer)


@pytest.fixture(autouse=True)
def var_dir(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.MODELS_DIR = tmp_path / "models"


@pytest.fixture
def start(study, ada, small):
    def start(name="An experiment", **more):
        given = {"study": study, "actor": ada, "name": name, "protocol": small, "preset": "smoke", **more}
        return services.experiment_start(**given)

    return start
