"""An experiment from its protocol to its table: what it starts, what comes out, what a kill leaves."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from datetime import timedelta
from io import BytesIO, StringIO
from unittest.mock import patch

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone, translation

from apps.experiments import answers, services
from apps.experiments.card import card
from apps.experiments.exhibits import kept
from apps.experiments.figures import figure_of, spread
from apps.experiments.models import Cell, Experiment
from apps.experiments.protocols import protocols, read
from apps.experiments.results import (
    Line,
    Progress,
    Reached,
    Seed,
    cells_of,
    contestants_of,
    lines_of,
    progress_of,
    rows_short,
    states_of,
)
from apps.frame import exhibits
from apps.frame.exhibits import Column
from apps.frame.exhibits.tables import Form, shown
from apps.inference.models import Model, Training, TrainingSet
from apps.inference.training_selectors import sets_of, trainings_of
from apps.inference.training_sets import rows_of
from apps.jobs import kinds, runner
from apps.jobs.models import Job
from apps.jobs.services import job_cancel
from tests.experiments.conftest import SMALL, neural


def table_of(experiment):
    lines = lines_of(experiment, cells_of(experiment))
    return {(line.training, line.test): line for line in lines}


@neural
@pytest.mark.both
def test_an_experiment_ends_as_the_table_that_its_parts_give(start, work):
    experiment = start()
    work()
    cells = cells_of(experiment)
    progress = progress_of(cells)
    # Two trainings of two seeds, and each network untrained.
    assert (progress.total, progress.done, progress.failed) == (6, 6, 0)
    table = table_of(experiment)
    assert list(table) == [
        (training, test) for training in ("D1", "D1 and D2") for test in ("D1", "D2", "D2, downward", "both")
    ]
    line = table["D1", "both"]
    assert line.pairs == 120 and table["D1", "D2"].pairs == 60 and 0 < table["D1", "D2, downward"].pairs < 60
    assert set(line.reached) == {"tiny", "untrained:tiny", "calculus", "majority"}
    assert line.reached["tiny"].seeds == 2 and line.reached["tiny"].sd is not None
    assert line.reached["calculus"].sd is None
    # Counted once more, by hand.
    runs = [
        cell.training.runs.get()
        for cell in cells
        if cell.contestant == "tiny" and cell.split.training == "D1"
    ]
    shares = [sum(run.scores[test]["all"][0] for test in ("D1", "D2")) / 120 for run in runs]
    assert line.reached["tiny"].mean == pytest.approx(sum(shares) / 2)
    assert table["D1", "D1"].published == {"tiny": [91.1, 5.4]}


@neural
def test_the_calculus_and_the_most_frequent_label_are_counted_as_they_should(start, work, labelled_by_hand):
    experiment = start()
    work()
    for split in experiment.splits.all():
        parts = rows_of(split.training_set)
        learnt = [row.label for row in parts["train"]]
        most = max(sorted(set(learnt)), key=learnt.count)
        majority = split.cells.get(contestant="majority").scores
        calculus = split.cells.get(contestant="calculus").scores
        for test in ("D1", "D2"):
            rows = [row for row in parts["test"] if row.source == test]
            assert calculus[test]["all"] == [labelled_by_hand(rows), 60]
            if learnt.count(most) * 2 != len(learnt):
                assert majority[test]["all"] == [sum(row.label == most for row in rows), 60]


@neural
def test_what_the_calculus_has_not_read_to_its_end_is_no_figure(start, work, study, ada, client_of):
    experiment = start()
    work()
    experiment.refresh_from_db()
    page = reverse("experiments:experiment", args=[study.slug, experiment.pk])
    why = "The calculus stands in the table once it has read every test."
    for state, is_there in ((Job.State.RUNNING, False), (Job.State.DONE, True)):
        Job.objects.filter(pk=experiment.calculus_job_id).update(state=state)
        experiment.refresh_from_db()
        lines = lines_of(experiment, cells_of(experiment))
        assert ["calculus" in line.reached for line in lines] == [is_there] * len(lines)
        assert (why in client_of(ada).get(page).content.decode()) != is_there


@pytest.fixture
def labelled_by_hand():
    from natlog.calculus import Labeller

    by = Labeller()

    def right(rows):
        said = [by.label(row.premise, row.hypothesis) for row in rows]
        return sum(
            verdict.read and (verdict.label == "entailment") == (row.label == "entailment")
            for row, verdict in zip(rows, said, strict=True)
        )

    return right


@neural
def test_untrained_networks_stand_at_chance(start, work):
    experiment = start()
    work()
    right = pairs = 0
    for cell in Cell.objects.filter(split__experiment=experiment, contestant="untrained:tiny"):
        run = cell.training.runs.get()
        assert run.best_epoch == 0 and not cell.training.epochs.exists()
        for test in ("D1", "D2"):
            right, pairs = right + run.scores[test]["all"][0], pairs + run.scores[test]["all"][1]
    assert pairs == 240 and abs(right / pairs - 0.5) < 0.15


@neural
def test_two_runs_give_the_same_table_and_so_does_one_that_was_killed(start, work):
    first = start("First")
    work()
    second = start("Second")
    dealing = kinds.kind_named(services.DEAL_KIND)
    went = dealing.store

    def dies(job, chunk):
        if job.cursor == 1 and job.attempts < 2:
            raise SystemExit
        went(job, chunk)

    with patch.object(dealing, "store", dies), pytest.raises(SystemExit):
        work()
    dealing._dealer = None  # nothing of it is left in memory
    Job.objects.filter(state=Job.State.RUNNING).update(state=Job.State.QUEUED, claim="")
    work()
    tables = [
        [(line.training, line.test, line.pairs, line.reached) for line in table_of(each).values()]
        for each in (first, second)
    ]
    assert tables[0] == tables[1] and len(tables[0]) == 8
    prints = [
        [split.training_set.fingerprint for split in each.splits.order_by("training")]
        for each in (first, second)
    ]
    assert prints[0] == prints[1]


def test_its_trainings_do_not_stand_among_the_studys_own(start, study, work, monkeypatch):
    start()
    dealing = Job.objects.get(kind=services.DEAL_KIND)
    runner.run(dealing.pk)
    assert TrainingSet.objects.count() == 2 and Training.objects.count() == 6
    assert not sets_of(study) and not trainings_of(study)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": " "}, "name"),
        ({"preset": "huge"}, "preset"),
        ({"networks": ["esim"]}, "networks"),
        ({"protocol": protocols()["transitivity_conditions"], "preset": "smoke"}, "roles"),
    ],
)
def test_what_can_not_be_run_is_refused_before_anything_is_drawn(start, change, field):
    with pytest.raises(ValidationError) as told:
        start(**change)
    assert field in told.value.message_dict
    assert not Experiment.objects.exists() and not Job.objects.exists()


def test_an_experiment_that_began_with_a_size_too_small_is_still_read(start, small):
    from apps.experiments.protocols import of_data

    data = json.loads(json.dumps(small.data))
    data["presets"]["smoke"]["test"] = 10
    experiment = start(protocol=of_data(data, "small"))
    assert services.protocol_of(experiment).presets["smoke"].test == 10
    runner.run(experiment.job_id)
    experiment.job.refresh_from_db()
    assert experiment.job.state == Job.State.FAILED
    assert "”: 600; 10 are wanted, 20 at least" in experiment.job.error


def test_an_unknown_network_or_option_of_a_protocol_is_refused_before_anything_is_drawn(start, small):
    from apps.experiments.protocols import of_data

    for name, options in (("gru", {}), ("tiny", {"colour": 1}), ("tiny", {"sizes": {"layers": 9}})):
        data = json.loads(json.dumps(small.data))
        data["presets"]["smoke"] |= {"networks": [name], "options": {name: options}}
        with pytest.raises(ValidationError):
            start(protocol=of_data(data, "small"))
    assert not Experiment.objects.exists()


def test_a_name_is_given_once(start):
    start()
    with pytest.raises(ValidationError):
        start()


@neural
def test_cancelled_it_keeps_what_is_there(start, ada, work):
    experiment = start()
    runner.run(experiment.job_id)
    services.experiment_cancel(experiment=experiment, actor=ada)
    work()
    states = set(services.jobs_of([experiment.pk]).values_list("state", flat=True))
    assert states == {Job.State.DONE, Job.State.CANCELLED}
    assert table_of(experiment)["D1", "D1"].reached.keys() == {"majority"}


@neural
def test_cancelled_while_its_last_rows_are_stored_it_is_cancelled_all_the_same(start, ada):
    """The job that deals ends, and starts the trainings, between the list of jobs and its own turn."""
    from apps.jobs import runner

    experiment = start()

    def cancel(*, job, actor):
        if job.pk == experiment.job_id:
            runner.run(job.pk)
        job_cancel(job=job, actor=actor)

    with patch.object(services, "job_cancel", cancel):
        services.experiment_cancel(experiment=experiment, actor=ada)
    states = list(services.jobs_of([experiment.pk]).order_by("pk").values_list("state", flat=True))
    assert states == [Job.State.DONE, *[Job.State.CANCELLED] * 7]


@neural
def test_what_was_cancelled_goes_on_to_the_table_of_one_that_was_not(start, ada, work):
    whole = start(name="Whole")
    work()
    experiment = start()
    services.experiment_cancel(experiment=experiment, actor=ada)
    work()
    assert not experiment.splits.exists()
    services.experiment_go_on(experiment=experiment, actor=ada)
    work()
    assert {place: line.reached for place, line in table_of(experiment).items()} == {
        place: line.reached for place, line in table_of(whole).items()
    }
    services.experiment_go_on(experiment=experiment, actor=ada)
    assert not services.jobs_of([experiment.pk]).exclude(state=Job.State.DONE).exists()


def test_what_is_left_is_guessed_from_what_is_over_and_before_that_from_what_goes_on():
    begun = Progress(total=8, done=0, failed=0, running=2, seconds=0.0, waiting=6, going=[(5.0, None)] * 2)
    assert begun.seconds_left is None
    assert replace(begun, going=[(5.0, 15), (5.0, None)]).seconds_left == (15 + 15 + 6 * 20) / 2
    two = Progress(total=8, done=2, failed=0, running=2, seconds=15.0, learnt=2, spent=20.0, waiting=4)
    assert two.seconds_left is None, "nothing goes on"
    assert replace(two, going=[(0.0, None)] * 2).seconds_left == 30
    one = Progress(total=4, done=3, failed=0, running=1, seconds=3.0, learnt=3, spent=30.0)
    assert [replace(one, going=[each]).seconds_left for each in ((4.0, None), (4.0, 90), (40.0, 90))] == [
        6,
        6,
        90,
    ]
    two = replace(one, total=8, running=2, waiting=4, going=[(4.0, None), (40.0, 90)])
    assert two.seconds_left == 90, "the slowest holds it up, whatever the others take"


@neural
def test_untrained_networks_which_answer_at_once_make_nobody_hope(start, work):
    start()
    work()
    cells = cells_of(Experiment.objects.get())
    learnt = [cell for cell in cells if cell.contestant == "tiny"]
    for cell in learnt[1:]:
        cell.training.job.state = Job.State.QUEUED
    learnt[1].training.job.state = Job.State.RUNNING
    learnt[1].training.job.heartbeat_at = timezone.now()
    learnt[1].training.job.started_at = timezone.now()
    job = learnt[0].training.job
    job.finished_at = job.started_at + timedelta(seconds=100)
    progress = progress_of(cells)
    assert (progress.learnt, progress.waiting, round(progress.spent)) == (1, len(learnt) - 2, 100)
    assert progress.seconds_left == pytest.approx(100 * (len(learnt) - 1), abs=1)


def test_trainings_that_got_fewer_rows_than_the_sizes_say_are_named(start):
    """Of D1 alone there are 600 to draw from; of both together enough."""
    from apps.jobs import runner

    experiment = start(protocol=read(SMALL.replace("train = 120", "train = 700", 1), "short"))
    runner.run(experiment.job_id)
    short = rows_short(experiment)
    counted = {
        split.training: split.training_set.counts["train"]["source"][split.training]
        for split in experiment.splits.select_related("training_set")
    }
    assert short == {"D1": counted["D1"]} and counted["D1"] < 600
    assert f"(fewer for: D1 {counted['D1']})" in card(experiment)


@neural
def test_the_trained_networks_become_models_where_that_is_asked_for(start, work):
    start(keeps=True)
    work()
    assert sorted(Model.objects.values_list("name", flat=True)) == [
        f"An experiment, {training}, tiny, {seed}" for training in ("D1 and D2", "D1") for seed in (1, 2)
    ]  # fmt: skip


@neural
def test_the_card_and_the_files_say_what_the_table_says(start, work):
    experiment = start()
    work()
    line = table_of(experiment)["D1", "D2"]
    shown = f"{100 * line.reached['tiny'].mean:.1f} ± {100 * line.reached['tiny'].sd:.1f}"
    found = kept(experiment, cells_of(experiment))
    assert shown in found["results"]().csv() and shown.replace("±", r"$\pm$") in found["results"]().latex()
    rows = [row.split(",") for row in found["figures"]().csv().splitlines()]
    assert [row[5] for row in rows if row[:3] == ["D1", "D2", "tiny"]] == [
        str(round(line.reached["tiny"].mean, 10))
    ]
    assert ["D1", "D1", "published tiny", "right", "", "0.911", "0.054", ""] in rows
    seeds = [row.split(",") for row in found["seeds"]().csv().splitlines()]
    own = [[int(row[6]), float(row[7])] for row in seeds if row[:3] == ["D1", "D2", "tiny"]]
    assert own == [[each.seed, pytest.approx(each.share)] for each in line.reached["tiny"].by_seed]
    assert [seed for seed, _share in own] == [1, 2]
    assert "<svg" in found["accuracy"]().svg()
    told = card(experiment)
    assert shown in told and "2 seeds" in told and "torch" in told and "6 of 6 over" in told
    with translation.override("de"):
        assert card(experiment) == told
    assert "experiment.py" not in told and "--network" not in told and "--keep" not in told
    call_command("experiment_tables", experiment.protocol, stdout=(out := StringIO()))
    heading, *rows = [row for row in out.getvalue().splitlines() if row.startswith("| ")]
    assert heading.startswith("| trained on | tested on | rows | Tiny | Tiny, untrained |")
    assert heading.endswith("| paper: Tiny |") and all(row in told for row in rows)
    assert any(f"| D1 | D2 | {line.pairs} | {shown} |" in row for row in rows)
    assert any(row.startswith("| D1 | D1 |") and row.endswith("| 91.1 ± 5.4 |") for row in rows)
    kept_too = start("A part", networks=["tiny"], keeps=True)
    assert "small.toml --preset smoke --keep |" in card(kept_too)


@neural
def test_a_curve_s_points_stand_at_their_numbers_and_the_rest_is_left_to_the_table(start, work):
    """The calculus is the same at each point; what was not on the curve is no point of it."""
    text = SMALL.replace('name = "D1"\non', 'name = "D1"\ncurve = "depths"\nat = 1\non', 1)
    experiment = start(protocol=read(text, "curved"))
    work()
    figure = kept(experiment, cells_of(experiment))["accuracy"]()
    points = figure.spec["data"]["values"]
    assert {(point["curve"], point["at"], point["who"]) for point in points} == {("depths", 1.0, "Tiny")}
    assert [point["test"] for point in points] == ["D1", "D2", "D2, downward", "both"]
    assert "D1 → D2: Tiny" in figure.says and "D1 and D2" not in figure.says and "<svg" in figure.svg()


@neural
def test_of_one_training_alone_the_tests_stand_beside_each_other(start, work):
    experiment = start(protocol=read(SMALL, "small"))
    work()
    cells = cells_of(experiment)
    protocol, lines = services.protocol_of(experiment), lines_of(experiment, cells)
    names = contestants_of(experiment, cells)
    several = figure_of(protocol, lines, names)
    assert "facet" in several.spec and several.spec["spec"]["layer"][1]["mark"]["type"] == "point"
    alone = figure_of(protocol, [line for line in lines if line.training == "D1"], names)
    assert "facet" not in alone.spec and "<svg" in alone.svg()
    assert {layer["encoding"]["x"]["field"] for layer in alone.spec["layer"]} == {"test"}


# ---- Splits as files, and answers from elsewhere ----------------------------------------------


@pytest.fixture
def split(start, small):
    experiment = start()
    runner.run(experiment.job_id)
    return experiment.splits.order_by("pk").first()


def rows_tested(split):
    with zipfile.ZipFile(BytesIO(answers.archive(split))) as packed:
        return [json.loads(line) for line in packed.read("test.jsonl").decode().splitlines()]


def test_a_split_as_files_carries_its_rows_and_their_sums(split):
    import hashlib

    data = answers.archive(split)
    assert data == answers.archive(split)
    with zipfile.ZipFile(BytesIO(data)) as packed:
        manifest = json.loads(packed.read("manifest.json"))
        for name, told in manifest["files"].items():
            assert hashlib.sha256(packed.read(name)).hexdigest() == told["sha256"]
    assert set(manifest["files"]) == {"train.jsonl", "validation.jsonl", "test.jsonl"}
    assert (manifest["training"], manifest["protocol"]) == ("D1", "small")
    assert len(rows_tested(split)) == 120


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_answers_from_elsewhere_stand_in_the_table(split, ada, form):
    rows = rows_tested(split)
    said = [(row["id"], "entailment" if row["source"] == "D1" else row["label"]) for row in rows]
    if form == "csv":
        data = "id,label\n" + "".join(f"{identifier},{label}\n" for identifier, label in said)
    else:
        data = "".join(json.dumps({"id": identifier, "label": label}) + "\n" for identifier, label in said)
    answers.answers_store(split=split, actor=ada, contestant="RoBERTa", seed=1, data=data.encode())
    table = table_of(split.experiment)
    assert table["D1", "D2"].reached["RoBERTa"].mean == 1.0
    entailed = sum(row["label"] == "entailment" for row in rows if row["source"] == "D1")
    assert table["D1", "D1"].reached["RoBERTa"].mean == pytest.approx(entailed / 60)


def id_in(line):
    return line.partition(",")[0]


DAMAGE = {
    "empty": (lambda lines: [], "The file is empty."),
    "no header": (lambda lines: lines[1:], "there is no column “id”"),
    "no label column": (lambda lines: ["id,said", *lines[1:]], "there is no column “label”"),
    "semicolons": (lambda lines: [line.replace(",", ";") for line in lines], "commas are wanted between the"),
    "tabs": (lambda lines: [line.replace(",", "\t") for line in lines], "commas are wanted between the"),
    "a list of JSON objects": (lambda lines: ['[{"id": "test-1", "label": "entailment"}]'],
                               "one JSON object a line is wanted"),
    "a row too many": (lambda lines: [*lines, "test-999,entailment"], "line 122: there is no test row"),
    "a row of another split": (lambda lines: [*lines, "test-1-00000g,neutral", "test-1-000000,neutral"],
                               "line 122: there is no test row “test-1-00000g”"),
    "rows of another split": (lambda lines: ["id,label", "test-1-000000,neutral"],
                              "line 2: “test-1-000000” is a row of another split"),
    "a row twice": (lambda lines: [*lines, lines[1]], "line 122: “test-1-*” is there twice"),
    "a row missing": (lambda lines: [*lines[:-1]], "1 row has no answer: “test-120-"),
    "rows missing": (lambda lines: [*lines[:-10]], "10 rows have no answer, the first is “test-111-"),
    "no label": (lambda lines: ["id,label", id_in(lines[1]) + ",", *lines[2:]], "line 2: “” is no label"),
    "another label": (lambda lines: ["id,label", id_in(lines[1]) + ",neutral"], "“neutral” is no label"),
    "NUL": (lambda lines: [*lines[:2], id_in(lines[2]) + "\0,entailment"],
            "line 3: “id” has a character that can't be stored"),
    "a field too many": (lambda lines: [*lines[:2], "test-2,entailment,1", *lines[3:]], "line 3 has"),
    "a field too few": (lambda lines: [*lines[:2], "test-2", *lines[3:]], "line 3 has"),
    "an open quote": (lambda lines: [*lines[:3], '"test-3,entailment', *lines[4:]], "line 4: "),
    "a quote within": (lambda lines: [*lines[:3], '"test-3"x,entailment', *lines[4:]], "line 4: "),
    "a number of thousands of digits": (lambda lines: ['{"id": "test-1", "label": ' + "1" * 5000 + "}"],
                                        "line 1 is no JSON"),
    "half of a character twice": (lambda lines: [r'{"\ud800": 1, "\ud800": 2}'], "“\ufffd” is there twice"),
    "half a JSON line": (lambda lines: ['{"id": "test-1", "label"'], "line 1 is no JSON"),
    "a column twice": (lambda lines: ["id,label,label", *(f"{x},neutral" for x in lines[1:])],
                       "line 1: “label” is there twice"),
    "a name twice": (lambda lines: ['{"id": "test-1", "label": "entailment", "label": "non-entailment"}'],
                     "line 1: “label” is there twice"),
    "JSON without a label": (lambda lines: ['{"id": "test-1"}'], "line 1: “label” is missing, or no text"),
    "a label that is a number": (lambda lines: ['{"id": "test-1", "label": 1}'],
                                 "line 1: “label” is missing"),
    "JSON that is no object": (lambda lines: [f'{{"id": "{id_in(lines[1])}", "label": "entailment"}}', "[1]"],
                               "line 2 is no JSON object"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_refused_with_its_line_and_changes_nothing(split, ada, damage):
    lines = ["id,label", *(f"{row['id']},{row['label']}" for row in rows_tested(split))]
    change, said = DAMAGE[damage]
    before = Cell.objects.count()
    with pytest.raises(ValidationError) as told:
        answers.answers_store(
            split=split, actor=ada, contestant="RoBERTa", seed=1, data="\n".join(change(lines)).encode()
        )
    text = told.value.message_dict["file"][0]
    assert all(part in text for part in said.split("*")), text
    assert Cell.objects.count() == before


def test_answers_to_an_experiment_that_is_deleted_while_they_are_read_are_refused(split, ada):
    data = "id,label\n" + "".join(f"{row['id']},{row['label']}\n" for row in rows_tested(split))
    checked = answers.model_name_checked

    def deleted_meanwhile(experiment, name):
        Experiment.objects.all().delete()
        return checked(experiment, name)

    with (
        patch.object(answers, "model_name_checked", deleted_meanwhile),
        pytest.raises(ValidationError, match="The experiment is not there any more"),
    ):
        answers.answers_store(split=split, actor=ada, contestant="Mine", seed=1, data=data.encode())
    assert not Cell.objects.exists()


def test_answers_to_the_splits_of_several_seeds_count_each_whatever_seed_they_have(start, ada):
    text = SMALL.replace("[sets]", '[shuffled]\nup = ["some", "a few"]\n\n[sets]', 1)
    experiment = start(protocol=read(text, "small"))
    runner.run(experiment.job_id)
    first, second = experiment.splits.filter(training="D1").order_by("seed")
    rows = rows_tested(first)
    right = "".join(f"{row['id']},{row['label']}\n" for row in rows)
    with pytest.raises(ValidationError, match="is a row of another split"):
        answers.answers_store(
            split=second, actor=ada, contestant="Mine", seed=1, data=f"id,label\n{right}".encode()
        )
    wrong = {"entailment": "non-entailment", "non-entailment": "entailment"}
    turned = "".join(f"{row['id']},{wrong[row['label']]}\n" for row in rows_tested(second))
    for split, said in ((first, right), (second, turned)):
        answers.answers_store(
            split=split, actor=ada, contestant="Mine", seed=1, data=f"id,label\n{said}".encode()
        )
        shown_so_far = spread(table_of(experiment)["D1", "both"].reached["Mine"])
        assert shown_so_far == ("100.0 (1 of 2 seeds)" if split == first else "50.0 ± 70.7")
        with translation.override("de"):
            found = kept(experiment, cells_of(experiment))["results"]()
        assert ("100.0 (1 of 2 seeds)" in found.csv()) == (split == first) and "von 2" not in found.csv()
    reached = table_of(experiment)["D1", "both"].reached["Mine"]
    assert (reached.mean, reached.seeds) == (0.5, 2)
    assert [(each.rows, each.seed, each.share) for each in reached.by_seed] == [(1, 1, 1.0), (2, 1, 0.0)]


def test_a_figure_of_some_of_the_seeds_says_so():
    some = [Seed(0, seed, 0.5) for seed in (1, 2)]
    assert spread(Reached(0.5, 0.0, some, missing=1)) == "50.0 ± 0.0 (2 of 3 seeds)"
    assert spread(Reached(0.5, None, some[:1], missing=1)) == "50.0 (1 of 2 seeds)"
    with translation.override("de"):
        text = spread(Reached(0.5, None, some[:1], missing=1))
        assert shown(Column("right", "", Form.SPREAD), exhibits.Cell(text)) == "50,0 (1 von 2 Startwerten)"


def test_a_point_of_some_of_the_seeds_is_hollow_and_the_figure_says_so():
    protocol = read(SMALL, "small")
    whole, some = Reached(0.5, 0.0, [Seed(0, 1, 0.5)]), Reached(0.5, None, [Seed(0, 1, 0.5)], missing=1)

    def drawn(*reached):
        lines = [
            Line(name, "D1", 9, {"Mine": each})
            for name, each in zip(("D1", "D1 and D2"), reached, strict=True)
        ]
        figure = figure_of(protocol, lines, ["Mine"])
        return figure.title, [point["some"] for point in figure.spec["data"]["values"]], figure.svg()

    title, hollow, svg = drawn(whole, some)
    assert "hollow: only some of the seeds are there" in title and hollow == [False, True]
    assert svg.count('fill-opacity="0"') == 1
    title, hollow, svg = drawn(whole, whole)
    assert "hollow" not in title and hollow == [False, False] and 'fill-opacity="0"' not in svg


def test_a_file_in_another_encoding_and_a_contestant_of_the_experiments_own_are_refused(split, ada):
    with pytest.raises(ValidationError, match="line 2 is not in UTF-8"):
        answers.answers_store(
            split=split, actor=ada, contestant="R", seed=1, data="id,label\nl\xe4".encode("latin-1")
        )
    # By its key or its title, whatever its case: no two columns of the table are called the same.
    for name in (
        "calculus",
        "majority",
        "tiny",
        "untrained:tiny",
        "Tiny",
        "TINY",
        "Most frequent label",
        "Tiny, untrained",
        "Untrained:Tiny",
        "Kalkül",
        "häufigstes Label",
        "Ｔｉｎｙ",
        "T\u200bin\u034fy",
        "grammar of ours",
        "Paper: Tiny",
        "Aufsatz: Tiny",
    ):
        with pytest.raises(ValidationError, match="of the experiment's own"):
            answers.answers_store(split=split, actor=ada, contestant=name, seed=1, data=b"id,label\n")


def test_a_model_from_elsewhere_is_called_like_no_column_no_form_and_no_other_model(split, ada):
    def brought(name, seed=1):
        said = "".join(f"{row['id']},{row['label']}\n" for row in rows_tested(split))
        data = f"id,label\n{said}".encode()
        return answers.answers_store(split=split, actor=ada, contestant=name, seed=seed, data=data)

    for name in ("trained_on", "PAIRS", "Trained  on", "Zeilen", "published tiny", "published_tiny"):
        with pytest.raises(ValidationError, match="another column"):
            brought(name)
    for name in ("mine fol", "mine VF"):
        with pytest.raises(ValidationError, match="can't end in a form's: fol, clf, vf"):
            brought(name)
    for name in ("a\x01b", "two\nlines"):
        with pytest.raises(ValidationError, match="one line"):
            brought(name)
    for name in ("bert", "esim mine"):  # a table would show their titles
        with pytest.raises(ValidationError, match="is how a network of the program is written"):
            brought(name)
    brought("BERT")
    brought("mine")
    brought("mine", seed=2)
    for name in ("Mine", "mi\u200bne", "mine\ufe0f", "\u3164mine"):
        with pytest.raises(ValidationError, match="There is “mine” already, which looks the same"):
            brought(name)


@pytest.mark.parametrize(
    ("share", "shown"), [(0.3875, "38.8"), (0.0125, "1.3"), (0.0875, "8.8"), (1, "100.0")]
)
def test_halves_are_rounded_up(share, shown):
    assert spread(Reached(share, None, [])) == shown


def test_titles_are_refused_in_the_language_of_the_page_and_in_english(split, ada):
    with translation.override("de"):
        for name in ("Häufigstes Label", "most frequent label"):
            with pytest.raises(ValidationError, match="contestant"):
                answers.answers_store(split=split, actor=ada, contestant=name, seed=1, data=b"id,label\n")


def test_a_bar_in_a_name_ends_no_cell_of_the_card_and_one_of_a_thing_is_one(start, work):
    text = SMALL.replace("seeds = 2", "seeds = 1", 1).replace('name = "D1"\non', 'name = "D|1"\non', 1)
    text = text.replace("[published.D1", '[published."D|1"') if "[published.D1" in text else text
    experiment = start(protocol=read(text[: text.index("[published")], "barred"), name="a | b")
    from apps.jobs import runner

    runner.run(experiment.job_id)
    told = card(experiment)
    assert r"| D\|1 |" in told and "1 seed, 600 rows drawn" in told and "1 seeds" not in told


def test_a_list_of_experiments_says_in_two_queries_how_each_stands(start, ada, django_assert_num_queries):
    from apps.jobs import runner

    going, cancelled, failed = (start(name=name) for name in "abc")
    services.experiment_cancel(experiment=cancelled, actor=ada)
    Job.objects.filter(pk=failed.job_id).update(state=Job.State.FAILED)
    runner.run(going.job_id)
    with django_assert_num_queries(2):
        assert states_of([going, cancelled, failed]) == {
            going.pk: "goes on", cancelled.pk: "cancelled", failed.pk: "failed",
        }  # fmt: skip
    services.jobs_of([going.pk]).update(state=Job.State.DONE)
    assert states_of([going]) == {going.pk: "over"}
