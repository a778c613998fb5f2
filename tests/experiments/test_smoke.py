"""One protocol at its smoke size, from an empty database by one command, as workers would run it."""

from __future__ import annotations

import csv
import io

from tests.experiments.conftest import neural
from tests.installation import Installation

READ = """
import sys
from apps.experiments.exhibits import kept
from apps.experiments.models import Experiment
from apps.experiments.results import cells_of
experiment = Experiment.objects.get()
sys.stdout.write(kept(experiment, cells_of(experiment))["figures"]().csv())
"""


@neural
def test_the_control_of_transitivity_is_learnt_by_the_network_and_by_nothing_untrained(tmp_path):
    elsewhere = Installation(tmp_path)
    card = elsewhere.command("experiment", "transitivity_random", "--preset", "smoke")
    assert "smoke: 3000 rows a training, 500 a test, 2 seeds" in card
    rows = list(csv.DictReader(io.StringIO(elsewhere.run(READ))))
    right = {(row["tested_on"], row["contestant"]): float(row["mean"]) for row in rows}
    # In distribution, so that failing outside of it means something.
    assert right["overall", "transitivity-lstm"] >= 0.95
    assert right["basic: f(s1) → s1", "transitivity-lstm"] >= 0.95
    for test in ("basic: f(s1) → s1", "basic: s1 → s2"):
        assert abs(right[test, "untrained:transitivity-lstm"] - 0.5) < 0.1
    assert right["basic: f(s1) → s1", "calculus"] >= 0.95
    assert right["yes-yes", "published transitivity-lstm"] == 0.998
