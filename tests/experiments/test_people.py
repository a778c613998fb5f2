"""People beside the networks: the majority of a pair's answers, and each answer by itself."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from apps.campaigns.models import Judgement
from apps.datasets.models import Dataset
from apps.experiments import answers
from apps.experiments.exhibits import kept
from apps.experiments.protocols import protocols, read
from apps.experiments.results import cells_of, lines_of
from apps.jobs import runner
from apps.jobs.models import Job
from tests.experiments.conftest import SMALL

JUDGED = """
[[tests]]
name = "yes-yes"
on = [{ set = "judged", where = { "fact cell" = ["yes-yes"] } }]

[[tests]]
name = "unk-unk"
on = [{ set = "judged", where = { "fact cell" = ["unk-unk"] } }]

[[tests]]
name = "judged"
sum = ["yes-yes", "unk-unk"]

[[tests]]
name = "all"
sum = ["D1", "judged"]

[presets.smoke]"""
HEADER = "pair_ID genre verb sentence1 sentence2 gold_label avg_score freq_label crowd_score crowd_label"


def told(scores):
    return str(list(scores)), str(["entailment" if score > 3 else "neutral" for score in scores])


@pytest.fixture
def judged(study, tmp_path):
    """Twenty pairs of each of two cells, rated as the transitivity paper's file has it: of the first cell
    fifteen 5 5 1 and five 1 5 1, of the second all 1 1 2."""
    lines = [HEADER.split()]
    for n in range(20):
        for kind, word, ratings in (
            ("entailment.act.pos.factive", "knows", (5, 5, 1) if n < 15 else (1, 5, 1)),
            ("neutral.act.pos.non-factive", "hopes", (1, 1, 2)),
        ):
            gold = kind.partition(".")[0]
            first, second = (
                f"Someone {word} that {n} dogs run",
                f"{n} dogs {'move' if gold == 'entailment' else 'sleep'}",
            )
            lines.append(
                [str(n), f"present.fph.{kind}", word, first, second, gold, "3", gold, *told(ratings)]
            )
    path = tmp_path / "judged.tsv"
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    call_command("import_pairs", study.slug, str(path), dataset="Judged", verbosity=0)
    return Dataset.objects.get(name="Judged")


@pytest.fixture
def experiment(start, judged):
    text = SMALL.replace("[[trainings]]", 'judged = { role = "people" }\n\n[[trainings]]', 1)
    text = text.replace("\n[presets.smoke]", JUDGED, 1)
    made = start(protocol=read(text, "judged"), roles={"people": f"dataset:{judged.pk}"})
    runner.run(made.job_id)
    made.job.refresh_from_db()
    assert made.job.state == Job.State.DONE, made.job.error
    return made


def reached(experiment, contestant):
    lines = lines_of(experiment, cells_of(experiment))
    return {
        line.test: round(100 * line.reached[contestant].mean, 1)
        for line in lines
        if line.training == "D1" and contestant in line.reached
    }


def test_both_measures_stand_in_each_test_whose_pairs_people_judged_and_in_no_other(experiment):
    assert reached(experiment, "human") == {"yes-yes": 75.0, "unk-unk": 100.0, "judged": 87.5}
    assert reached(experiment, "single") == {"yes-yes": 58.3, "unk-unk": 100.0, "judged": 79.2}
    # Three answers a pair are no more pairs.
    assert {line.test: line.pairs for line in lines_of(experiment, cells_of(experiment))}["judged"] == 40


def test_they_stand_in_the_table_under_their_own_names_and_no_one_else_s_answers_do(experiment, ada):
    table = kept(experiment, cells_of(experiment))["results"]()
    titles = {column.key: str(column.title) for column in table.columns}
    assert (titles["human"], titles["single"]) == ("people, majority", "people, each answer")
    split = experiment.splits.first()
    with pytest.raises(ValidationError, match="the experiment's own"):
        answers.answers_store(split=split, actor=ada, contestant="single", seed=1, data=b"id,label\n")


def test_where_nobody_judged_there_are_no_people(start):
    made = start()
    runner.run(made.job_id)
    assert not reached(made, "human") and not reached(made, "single")


def test_a_pair_that_nobody_judged_leaves_its_test_without_people(start, judged):
    pair = judged.pairs.filter(facts__cell="yes-yes").first()
    Judgement.objects.filter(item__pair=pair).update(counted=False)
    text = SMALL.replace("[[trainings]]", 'judged = { role = "people" }\n\n[[trainings]]', 1)
    made = start(
        protocol=read(text.replace("\n[presets.smoke]", JUDGED, 1), "judged"),
        roles={"people": f"dataset:{judged.pk}"},
    )
    runner.run(made.job_id)
    assert reached(made, "human") == {"unk-unk": 100.0}


def test_the_transitivity_paper_s_table_10_comes_out_with_both_measures(start, study, shared_data):
    """By majority 98.75, 98.75, 39.58, 99.58, by single answers 95.14, 92.64, 44.86, 95.97: the print has
    three of the first and one of the second."""
    for name, file in (("SICK", "sick_corrected.csv"), ("Judged", "transitivity_human.tsv")):
        call_command("import_pairs", study.slug, str(shared_data / file), dataset=name, verbosity=0)
    roles = {"sick": "SICK", "people": "Judged"}
    made = start(
        protocol=protocols()["transitivity_people"],
        roles={role: f"dataset:{Dataset.objects.get(name=name).pk}" for role, name in roles.items()},
    )
    runner.run(made.job_id)
    lines = {line.test: line for line in lines_of(made, cells_of(made))}
    found = {
        test: [round(100 * lines[test].reached[who].mean, 2) for who in ("human", "single")]
        for test in ("yes-yes", "yes-unk", "unk-yes", "unk-unk", "overall")
    }
    assert found == {
        "yes-yes": [98.75, 95.14], "yes-unk": [98.75, 92.64], "unk-yes": [39.58, 44.86],
        "unk-unk": [99.58, 95.97], "overall": [84.17, 82.15],
    }  # fmt: skip
    printed = {"suspect: f(s1) → s2": 79, "wish: f(s1) → s2": 92}
    for test, line in lines.items():
        if ": f(s1)" in test and "single" in line.published:
            own, (paper,) = 100 * line.reached["single"].mean, line.published["single"]
            assert (abs(own - paper) > 1) == (test in printed), (test, own)
