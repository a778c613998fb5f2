"""The load benchmark itself: its pairs, its meters, and its annotators at a server of this process."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.load import study
from bench.load.browser import BenchError
from bench.load.loop import Measured, measure
from bench.load.pairs import pairs_of
from bench.load.polarlab import PolarlabAnnotator, verdict
from bench.load.processes import Meter, running, tree

BURN = "import time\nwhile time.process_time() < 0.3: pass"


def test_pairs_differ_and_are_the_same_each_time() -> None:
    pairs = pairs_of(5000)
    assert len(set(pairs)) == 5000
    assert pairs == pairs_of(5000)


def test_a_files_pairs_come_first(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("sentence1\tsentence2\nNo \"dog' ran\tNo small dog ran\n", encoding="utf-8")
    assert pairs_of(2, file)[0] == ("No \"dog' ran", "No small dog ran")


def test_percentiles_are_by_nearest_rank() -> None:
    row = Measured("", "", 1, 1, 1, 1, 0, 0, 0, 0, waits={"next": [n / 1000 for n in range(1, 101)]})
    assert [row.wait("next", percent) for percent in (50, 95, 99)] == [50, 95, 99]
    assert row.wait("submit", 50) is None


def test_the_meter_counts_children_that_have_ended(tmp_path: Path) -> None:
    script = f"""
import subprocess, sys
input()
subprocess.run([sys.executable, "-c", {BURN!r}])
print("burnt")
input()
"""
    process = subprocess.Popen([sys.executable, "-uc", script], stdin=-1, stdout=-1, text=True)
    try:
        used = Meter([process.pid])
        assert process.stdin and process.stdout
        print(file=process.stdin, flush=True)
        process.stdout.readline()
        assert used.stop()[0] >= 0.25
    finally:
        process.kill()
        process.communicate()


def test_what_was_started_is_ended_with_its_children(tmp_path: Path) -> None:
    script = "import subprocess; subprocess.run(['sleep', '60'])"
    with running([sys.executable, "-c", script], {"PATH": "/usr/bin:/bin"}, tmp_path / "log") as process:
        while len(tree(process.pid)) < 2:
            assert process.poll() is None
        child = tree(process.pid)[1]
    assert process.poll() is not None
    until = time.monotonic() + 30  # it was told to end; a busy machine takes a moment over it
    while lives(child):
        assert time.monotonic() < until


def lives(process: int) -> bool:
    """A process that is over and not yet waited for has no command line."""
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return False


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("script", [True, False])
def test_annotators_work_until_nothing_is_left(live_server, script: bool) -> None:
    dataset = study.fill(items=3, pairs="", annotators=3)["dataset"]
    made = study.campaign(dataset=dataset, target=2, annotators=3, name="Load")
    port = int(live_server.url.rsplit(":", 1)[1])
    people = [PolarlabAnnotator(port, link, made["campaign"], script=script) for link in made["links"]]
    for person in people:
        person.sign_in()
        more = person.begin()
        while more:
            more = person.answer()
            person.answered.append(0)
        person.browser.close()
    stored = study.check(made["campaign"])
    assert stored["stored"] == sum(len(person.answered) for person in people) == 6
    assert verdict(stored, accepted=6) == "ok"
    assert verdict(stored, accepted=7) == "7 accepted, 6 stored"


@pytest.mark.django_db(transaction=True)
def test_a_refused_answer_ends_the_loop(live_server) -> None:
    dataset = study.fill(items=3, pairs="", annotators=1)["dataset"]
    made = study.campaign(dataset=dataset, target=1, annotators=1, name="Load")
    port = int(live_server.url.rsplit(":", 1)[1])
    person = PolarlabAnnotator(port, "no-such-link", made["campaign"], script=True)
    with pytest.raises(BenchError, match="status 410"):
        measure([person], program="Polarlab", database="", meter=([], ""), seconds=1)
