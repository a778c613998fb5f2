"""``manage.py experiment`` with files in roles: from an empty database in one go, or nothing at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from apps.accounts.models import User
from apps.datasets.models import Dataset
from apps.experiments import own_protocols
from apps.experiments.management.commands import experiment
from apps.experiments.models import Experiment
from apps.imports import uploads
from apps.inference.training_models import Training, TrainingRun
from apps.jobs.kinds import JobError
from apps.jobs.models import Job
from apps.studies.models import Study
from tests.experiments.conftest import SMALL, neural
from tests.installation import Installation
from workers.network_training import TrainNetwork

PROTOCOL = """
title = "Beside SICK"
paper = "ours"
source = "none"
about = "Learnt of one dataset, tested on another."

[sets]
nli = { role = "nli" }
held = { role = "held" }

[[trainings]]
name = "nli"
on = [{ set = "nli" }]

[[tests]]
name = "held"
on = [{ set = "held", where = { direction = ["downward"] } }]

[presets.smoke]
train = 60
test = 40
seeds = 1
pool = 200
networks = ["lstm"]
options.lstm = { epochs = 1, patience = 0, batch = 16, dimensions = 10, sizes = { hidden = 8, layers = 1 } }
"""
HEADER = "sentence1\tsentence2\tgold_label\tdirection\n"


@pytest.fixture
def files(tmp_path):
    """A protocol with two roles, and a file of generated pairs for each."""
    (tmp_path / "beside.toml").write_text(PROTOCOL, "utf-8")
    for name, animal in (("nli", "dogs"), ("held", "cats")):
        rows = [
            f"No {animal} saw {n} mice.\tNo small {animal} saw {n} mice.\tentailment\tdownward\n"
            f"No small {animal} saw {n} mice.\tNo {animal} saw {n} mice.\tnon-entailment\tdownward\n"
            for n in range(10, 110)
        ]
        (tmp_path / f"{name}.tsv").write_text(HEADER + "".join(rows), "utf-8")
    return tmp_path


def arguments(files, **roles):
    roles = {"nli": files / "nli.tsv", "held": files / "held.tsv", **roles}
    return [str(files / "beside.toml"), *(f"--role={role}={name}" for role, name in roles.items())]


@neural
def test_files_play_roles_in_an_empty_database(files):
    (files / "var").mkdir()
    elsewhere = Installation(files / "var")
    card = elsewhere.command("experiment", *arguments(files))
    assert "60 rows a training, 40 a test" in card
    assert "200 rows: 200 new pairs" in card
    assert elsewhere.database.execute("SELECT name FROM datasets_dataset ORDER BY name").fetchall() == [
        ("held.tsv",), ("nli.tsv",),
    ]  # fmt: skip


class Here:
    """Jobs one after another in this process, in place of a pool of processes."""

    def __init__(self, *given, **more):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def submit(self, work, *given):
        done = Future()
        done.set_result(work(*given))
        return done


@neural
@pytest.mark.django_db
def test_a_training_that_fails_holds_up_no_other_and_is_told_of_at_the_end(files, monkeypatch, capsys):
    two = PROTOCOL.replace("seeds = 1", "seeds = 2")
    (files / "beside.toml").write_text(two, "utf-8")
    train = TrainNetwork.work

    def of_the_first_seed_fails(self, job):
        if "lstm, 1" in job.title and "untrained" not in job.title:
            raise JobError("it fell over")
        return train(self, job)

    monkeypatch.setattr(TrainNetwork, "work", of_the_first_seed_fails)
    monkeypatch.setattr(experiment, "worker_pool", Here)
    with pytest.raises(CommandError, match=r"lstm, 1: it fell over$"):
        call_command("experiment", *arguments(files))
    states = dict(Training.objects.values_list("name", "job__state"))
    assert sorted(states.values()) == ["done", "done", "failed"]
    assert "2 of 3 over, 1 failed or cancelled" in capsys.readouterr().out


@neural
@pytest.mark.django_db
def test_a_study_that_is_made_is_the_owners(files, ada, monkeypatch, capsys):
    monkeypatch.setattr(experiment, "worker_pool", Here)
    with pytest.raises(CommandError, match="nobody here has the address olaf@nowhere"):
        call_command("experiment", *arguments(files), owner="olaf@nowhere.example")
    with pytest.raises(CommandError, match="not with --study"):
        call_command("experiment", *arguments(files), owner=ada.email, study="dogs")
    assert not Study.objects.exists()
    call_command("experiment", *arguments(files), owner=ada.email.upper())
    study = Study.objects.get()
    assert study.created_by == ada and study.name.startswith("beside, smoke, ")
    assert f"its study is {study.slug}, of {ada.email}" in capsys.readouterr().err


@neural
@pytest.mark.django_db
def test_what_was_broken_off_is_gone_on_with(files, monkeypatch, capsys):
    """A training whose worker is silent is taken up as one is that was cancelled; what is over stays."""
    monkeypatch.setattr(experiment, "worker_pool", Here)
    with pytest.raises(CommandError, match="No experiment of it at smoke was begun"):
        call_command("experiment", str(files / "beside.toml"), "--go-on")
    call_command("experiment", *arguments(files))
    whole = capsys.readouterr().out
    call_command("experiment", str(files / "beside.toml"), "--go-on")
    told = capsys.readouterr()
    assert told.err.startswith("nothing is left to do of “Beside SICK") and table_in(told.out) == table_in(
        whole
    )
    done, silent = Job.objects.filter(trainings__isnull=False).order_by("pk")
    kept = done.finished_at
    Job.objects.filter(pk=silent.pk).update(
        state=Job.State.RUNNING, heartbeat_at=None, finished_at=None, cursor=0, done=0, claim="somebody's"
    )
    TrainingRun.objects.filter(training__job=silent).delete()
    call_command("experiment", str(files / "beside.toml"), "--go-on")
    assert table_in(capsys.readouterr().out) == table_in(whole)
    assert Experiment.objects.count() == 1 and Job.objects.get(pk=done.pk).finished_at == kept
    Job.objects.filter(pk=silent.pk).update(state=Job.State.CANCELLED)
    call_command("experiment", str(files / "beside.toml"), "--go-on")
    assert table_in(capsys.readouterr().out) == table_in(whole)
    # Killed, then cancelled by somebody on its page before anybody had missed its worker.
    Job.objects.filter(pk=silent.pk).update(
        state=Job.State.RUNNING, heartbeat_at=None, cancel_requested=True, finished_at=None, claim="gone"
    )
    (files / "beside.toml").write_text(PROTOCOL + "\n# of today\n", "utf-8")
    call_command("experiment", str(files / "beside.toml"), "--go-on")
    told = capsys.readouterr()
    assert table_in(told.out) == table_in(whole) and "its protocol has another text since" in told.err
    for way, other in (("--go-on", "--keep"), ("--cancel", "--keep"), ("--go-on", "--cancel")):
        with pytest.raises(CommandError, match="takes an experiment as it was begun: no --"):
            call_command("experiment", str(files / "beside.toml"), way, other)


@neural
@pytest.mark.django_db
def test_what_was_broken_off_is_cancelled(files, monkeypatch, capsys):
    """No worker takes up what nobody wants any more; what is over stays, and another size is let alone."""
    monkeypatch.setattr(experiment, "worker_pool", Here)
    call_command("experiment", *arguments(files))
    capsys.readouterr()
    done, queued = Job.objects.filter(trainings__isnull=False).order_by("pk")
    Job.objects.filter(pk=queued.pk).update(state=Job.State.QUEUED, finished_at=None, claim="")
    with pytest.raises(CommandError, match="No experiment of it at desk was begun"):
        call_command("experiment", str(files / "beside.toml"), "--cancel", "--preset", "desk")
    call_command("experiment", str(files / "beside.toml"), "--cancel")
    told = capsys.readouterr().err
    assert told.startswith("cancelled: “Beside SICK, smoke, ") and told.count("\n") == 1
    assert [Job.objects.get(pk=job.pk).state for job in (done, queued)] == ["done", "cancelled"]
    call_command("experiment", str(files / "beside.toml"), "--cancel")
    assert capsys.readouterr().err.startswith("nothing of “Beside SICK, smoke, ")
    # What a killed process left is waited for until nobody has it any more.
    monkeypatch.setattr(experiment, "SECONDS", 0.01)
    Job.objects.filter(pk=queued.pk).update(
        state=Job.State.RUNNING, heartbeat_at=timezone.now(), finished_at=None, cancel_requested=False
    )
    sleep = time.sleep

    def falls_silent(seconds):
        Job.objects.filter(pk=queued.pk).update(heartbeat_at=None)
        sleep(seconds)

    monkeypatch.setattr(experiment.time, "sleep", falls_silent)
    call_command("experiment", str(files / "beside.toml"), "--cancel")
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("in work: 1; ") and told[1].startswith("cancelled: ")
    assert Job.objects.get(pk=queued.pk).state == "cancelled"


def table_in(printed):
    return [line for line in printed.splitlines() if line.startswith("| nli |")]


@neural
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("roles", "said"),
    [
        (
            {"held": "nobody.tsv"},
            "--role held: “nobody.tsv” is no file, and no dataset of the study: nli.tsv",
        ),
        ({"help": "nli.tsv"}, "--role help: nothing here asks for it"),
        ({"held": "nli.tsv"}, "“nli.tsv” can't be both “held” and “nli”"),
        ({"held": "bad.tsv"}, "“sideways” is none of upward, downward, non-monotone"),
        ({"held": "empty.tsv"}, "--role held: “empty.tsv” has no pairs: it can't be “held”"),
        ({"held": "header.tsv"}, "--role held: “header.tsv” has no pairs: it can't be “held”"),
        ({"nli": "unlabelled.tsv"}, "--role nli: “unlabelled.tsv” has no pairs with a label"),
    ],
)
def test_a_role_that_is_refused_leaves_nothing_behind(files, monkeypatch, capsys, roles, said):
    monkeypatch.chdir(files)
    (files / "bad.tsv").write_text(HEADER + "No dog ran.\tNo cat ran.\tneutral\tsideways\n", "utf-8")
    (files / "empty.tsv").write_bytes(b"")
    (files / "header.tsv").write_text(HEADER, "utf-8")
    (files / "unlabelled.tsv").write_text("sentence1\tsentence2\nNo dog ran.\tNo cat ran.\n", "utf-8")
    with pytest.raises(CommandError, match=said):
        call_command("experiment", *arguments(files, **roles))
    nothing_is_left(capsys)


@neural
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--preset", "desk"], "The protocol has no size “desk”"),
        (["--network", "gru"], "“gru” is none of the networks of the size smoke"),
        (["--processes", "0"], "--processes: one at least is wanted"),
    ],
)
def test_a_start_that_is_refused_leaves_nothing_behind(files, capsys, option, said):
    with pytest.raises(CommandError, match=said):
        call_command("experiment", *arguments(files), *option)
    nothing_is_left(capsys)


@neural
@pytest.mark.django_db(transaction=True)
def test_of_several_protocols_none_is_started_where_one_is_refused(files, monkeypatch, capsys):
    """The second by its preset: what the first has stored and would have sent goes too."""
    sent = []
    monkeypatch.setattr("apps.jobs.services.send", sent.append)
    first = own_protocols.protocol_checked(PROTOCOL.encode(), "first")
    text = PROTOCOL.replace("presets.smoke", "presets.desk").replace("Beside", "After")
    second = own_protocols.protocol_checked(text.encode(), "second")
    monkeypatch.setattr(experiment, "_chosen", lambda what, slug: [first, second])
    with pytest.raises(CommandError, match="has no size"):
        call_command("experiment", *arguments(files))
    nothing_is_left(capsys)
    assert not sent


@neural
@pytest.mark.django_db
def test_a_study_s_own_protocol_is_run_by_its_name(study, ada, monkeypatch):
    text = SMALL.replace("tiny", "lstm").encode()
    own_protocols.protocol_add(study=study, actor=ada, name="mine", data=text)
    ended = []
    monkeypatch.setattr(experiment.Command, "_end", lambda self, made, processes: ended.extend(made))
    with pytest.raises(CommandError, match="There is no “mine”"):
        call_command("experiment", "mine")
    call_command("experiment", "mine", study=study.slug)
    assert [each.protocol for each in ended] == ["mine"]


def nothing_is_left(capsys):
    """No rows, none of the files' copies, and no word of an import that did not last."""
    for kind in (User, Study, Dataset, Experiment, Job):
        assert not kind.objects.exists()
    assert not uploads.folder().exists() or not list(uploads.folder().iterdir())
    assert capsys.readouterr().out == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("data", "option"),
    [
        (HEADER + "No dog ran.\tNo cat ran.\tENTAIL\tdownward\n", "--value ENTAIL=entailment"),
        (HEADER + "No dog ran.\t\tneutral\tdownward\n", "--skip-bad"),
        (HEADER + "No café ran.\tNo cat ran.\tneutral\tdownward\n", "--encoding"),
    ],
)
def test_options_of_the_importer_are_told_with_the_command_that_has_them(files, data, option):
    (files / "bad.tsv").write_text(data, "cp1252")
    with pytest.raises(CommandError) as told:
        call_command("experiment", *arguments(files, held=files / "bad.tsv"))
    first, *_between, last = str(told.value).splitlines()
    assert first.startswith("--role held: ") and option in str(told.value)
    assert last.startswith("These are options of “manage.py import_pairs STUDY FILE --dataset NAME”")
    assert last.endswith("“--study STUDY --role held=NAME” then.")


@pytest.mark.django_db
def test_an_import_that_is_refused_for_another_reason_names_no_options(files, monkeypatch):
    (files / "bad.tsv").write_text("x" * 5, "utf-8")

    def refused(*arguments, **options):
        raise CommandError("bad.tsv: it is locked. Nothing was stored.")

    monkeypatch.setattr(experiment, "call_command", refused)
    with pytest.raises(CommandError) as told:
        call_command("experiment", *arguments(files, nli=files / "bad.tsv"))
    assert str(told.value) == "--role nli: bad.tsv: it is locked. Nothing was stored."


@pytest.mark.django_db
@pytest.mark.parametrize("command", [["experiment", "systematicity"], ["experiment_tables"]])
def test_a_database_that_was_not_migrated_is_told_in_one_line(monkeypatch, command):
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda self: {})
    with pytest.raises(CommandError) as told:
        call_command(*command)
    assert str(told.value) == "The database lacks tables of this version: run “manage.py migrate” first."
    assert not Study.objects.exists()


@neural
@pytest.mark.django_db
def test_two_files_of_one_name_do_not_become_one_dataset(files, capsys):
    (files / "other").mkdir()
    other = (files / "held.tsv").rename(files / "other" / "nli.tsv")
    with pytest.raises(CommandError, match=r"--role held: another file is called “nli\.tsv” too"):
        call_command("experiment", *arguments(files, held=other))
    nothing_is_left(capsys)


@pytest.mark.django_db
def test_a_role_without_a_dataset_is_told_how_it_is_written(files):
    with pytest.raises(CommandError, match="--role nli: ROLE=DATASET is wanted"):
        call_command("experiment", "transitivity_conditions", "--role", "nli")


POOL = """
import os, signal, time
from apps.experiments.management.worker_processes import worker_pool

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what is begun in the background ignores it
    with worker_pool(1, lambda: print("broken off")) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        waiting = [pool.submit(time.sleep, 600) for _ in range(3)]
        waiting[0].result()
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_its_worker_processes_end_with_the_command_however_it_ends(how, tmp_path):
    """Ctrl-C goes to all of a terminal's processes; it is the command's, which says what can be done."""
    (tmp_path / "pool.py").write_text(POOL, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(settings.BASE_DIR)}
    with subprocess.Popen(
        [sys.executable, "pool.py"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as command:  # fmt: skip
        try:
            worker = int(command.stdout.readline())
            assert is_alive(worker)
            if how == signal.SIGINT:
                os.killpg(command.pid, how)
            else:
                command.send_signal(how)
            assert command.wait(timeout=60) == (130 if how == signal.SIGINT else -how)
        finally:
            command.kill()
        assert command.stdout.read() == ("broken off\n" if how == signal.SIGINT else "")
    for _moment in range(600):
        if not is_alive(worker):
            return
        time.sleep(0.1)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("it still worked a minute later")


def is_alive(pid):
    """A process that is over and was not looked at is none any more."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
