"""The commands on pairs: label, score pairs, explain."""

import io
import json
import sys

import pytest

from natlog.__main__ import main

PAIRS = (
    "sentence1\tsentence2\tgold_label\tgenre\n"
    "No dog barks.\tNo small dog barks.\tentailment\tpaper:downward_monotone\n"
    "No small dog barks.\tNo dog barks.\tneutral\tpaper:downward_monotone\n"
    "A dog barks.\tA poodle barks.\tneutral\tcrowd:upward_monotone:lexical_knowledge\n"
    "A poodle barks.\tA dog barks.\tentailment\tcrowd:upward_monotone:lexical_knowledge\n"
)


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS)
    return str(path)


def feed(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_label_prints_a_table_with_a_header(pairs, capsys):
    assert main(["label", pairs]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split("\t") == [
        "premise",
        "hypothesis",
        "label",
        "direction",
        "tags",
        "confidence",
        "reason",
    ]
    assert [row.split("\t")[2] for row in rows] == [
        "entailment",
        "non-entailment",
        "non-entailment",
        "entailment",
    ]
    assert rows[0].split("\t")[-1] == "*No* makes *dog* ↓; *small dog* is more specific than *dog*"


def test_label_reads_a_pipe_and_writes_mnli_style(monkeypatch, capsys):
    feed(monkeypatch, "A dog barks.\tA poodle barks.\n")
    assert main(["label", "-", "--style", "mnli"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split("\t")[2] == "neutral"


def test_label_prints_json_lines_with_the_edits(pairs, capsys):
    assert main(["label", pairs, "--json"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (first["label"], first["edits"][0]["after"]) == ("entailment", "small")


def test_nothing_but_labels_goes_into_a_pipe(pairs, capsys):
    main(["label", pairs])
    assert capsys.readouterr().err == ""


def test_score_prints_fractions_as_json(pairs, capsys):
    assert main(["score", "pairs", pairs, "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert (scores["accuracy"], scores["n"]) == (1.0, 4)
    assert scores["by_direction"] == {"downward": 1.0, "upward": 1.0}
    assert scores["by_genre"]["paper:downward_monotone"] == 1.0
    assert scores["by_tag"] == {"lexical_knowledge": 1.0}
    assert scores["baselines"] == {"majority": 0.5, "always_downward": 0.5}


def test_score_prints_tables(pairs, capsys):
    assert main(["score", "pairs", pairs, "--labels", "3", "--errors", "2"]) == 0
    out = capsys.readouterr().out
    for part in (
        "by direction",
        "by genre",
        "by tag",
        "majority label",
        "always downward",
        "gold, across: given",
    ):
        assert part in out


def test_the_halves_keep_swapped_pairs_together_and_make_the_whole(pairs, capsys):
    seen = []
    for half in ("even", "odd"):
        main(["score", "pairs", pairs, "--split", half, "--json"])
        seen.append(list(json.loads(capsys.readouterr().out)["by_direction"]))
    assert seen == [["downward"], ["upward"]]


def test_explain_lays_a_pair_out(capsys):
    assert main(["explain", "No dog barks.", "No poodle barks."]) == 0
    out = capsys.readouterr().out
    for part in ("No↑ dog↓", "place: dog ↓, made by No", "dog, poodle: hypernym (", "verdict     entailment"):
        assert part in out


def test_explain_gives_json_and_a_drawing(tmp_path, capsys):
    target = tmp_path / "tree.svg"
    assert main(["explain", "No dog barks.", "No poodle barks.", "--json", "--svg", str(target)]) == 0
    account = json.loads(capsys.readouterr().out)
    assert account["edits"][0]["word_relation"]["relation"] == "hypernym"
    assert target.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["label", "nowhere.tsv"], "label: nowhere.tsv: No such file"),
        (["score", "pairs", "nowhere.tsv"], "score pairs: nowhere.tsv: No such file"),
        (["label", "PAIRS", "--convention", "klingon"], "klingon"),
        (["label", "PAIRS", "--parser", "no_such_pipeline"], "no_such_pipeline"),
        (["label", "PAIRS", "--supplement", "nowhere.tsv"], "nowhere.tsv"),
        (["label", "PAIRS", "--embedding", "nowhere"], "label: nowhere: there is no such folder"),
        (["score", "pairs", "PAIRS", "--embedding", "nowhere"], "score pairs: nowhere: there is no such"),
        (["explain", "A dog.", "A cat.", "--embedding", "nowhere"], "explain: nowhere: there is no such"),
        (["score", "pairs", "PAIRS", "--genre", "novel"], "no pair is left"),
        (["explain", "", "A dog."], "the premise is empty"),
    ],
)
def test_bad_input_is_named_and_exits_with_2(pairs, capsys, arguments, message):
    assert main([pairs if argument == "PAIRS" else argument for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_an_embedding_without_its_libraries_is_refused_with_the_remedy(pairs, tmp_path, capsys, monkeypatch):
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / name).write_text("{}")
    monkeypatch.setattr("natlog.lexicon.embedding.NEEDED", ("no_such_library",))
    assert main(["label", pairs, "--embedding", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert "an embedding needs no_such_library: not installed here (see `make neural`)" in captured.err
    assert captured.out == ""


def test_a_file_without_labels_cannot_be_scored(monkeypatch, capsys):
    feed(monkeypatch, "A dog.\tA cat.\n")
    assert main(["score", "pairs", "-"]) == 2
    assert "no pair has a label" in capsys.readouterr().err


FRACAS = """<fracas-problems><comment class="section">1</comment>
<problem id="1" fracas_answer="yes"><p idx="1">Every dog barks.</p><h>Some dog barks.</h></problem>
<problem id="2" fracas_answer="yes"><p idx="1">A dog barks.</p><p idx="2">It is old.</p>
<h>A dog is old.</h></problem>
<problem id="3" fracas_answer="undef"><p idx="1">A dog barks.</p><h>A dog sings.</h></problem>
</fracas-problems>"""


def test_what_is_not_read_is_said_and_counted(monkeypatch, capsys):
    feed(monkeypatch, "Tom sneezed that Ann left.\tAnn left.\nA poodle barks.\tA dog barks.\n")
    assert main(["label", "-"]) == 0
    captured = capsys.readouterr()
    rows = [row.split("\t") for row in captured.out.splitlines()[1:]]
    assert [row[2] for row in rows] == ["not read", "entailment"]
    assert rows[0][-1] == "not read: what *sneezed that* says of its clause"
    assert captured.err == "label: 1 of 2 not read\n"


def test_in_mnli_style_what_is_not_read_has_no_label(monkeypatch, capsys):
    feed(monkeypatch, "Tom sneezed that Ann left.\tAnn left.\n")
    assert main(["label", "-", "--style", "mnli"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split("\t")[2] == "-"


def test_every_problem_of_fracas_is_answered_or_listed(monkeypatch, capsys):
    feed(monkeypatch, FRACAS)
    assert main(["label", "-"]) == 0
    rows = [row.split("\t") for row in capsys.readouterr().out.splitlines()[1:]]
    assert [row[2] for row in rows] == ["entailment", "not read", "not read"]
    assert rows[1][-1] == "not read: several premises; the calculus takes one"
    assert rows[2][-1] == "not read: no defined answer"


def test_scores_count_what_is_not_read_and_what_is_no_pair(monkeypatch, capsys):
    feed(monkeypatch, FRACAS)
    assert main(["score", "pairs", "-"]) == 0
    out = capsys.readouterr().out
    assert "of what is read" in out
    assert "2  of 3: 1 several premises; the calculus takes one, 1 no defined answer" in out


UNSURE = "No dog barks.\tNo small dog barks.\nNo glorp came.\tNo blorp came.\nA dog barks.\tA dog barks.\n"


def test_verdicts_below_a_confidence_are_not_sure_and_counted(monkeypatch, capsys):
    feed(monkeypatch, UNSURE)
    main(["label", "-", "--json"])
    sure, unsure, same = (json.loads(line)["confidence"] for line in capsys.readouterr().out.splitlines())
    assert unsure < min(sure, same)
    feed(monkeypatch, UNSURE)
    assert main(["label", "-", "--at-least", str(unsure + 0.001)]) == 0
    captured = capsys.readouterr()
    assert [row.split("\t")[2] for row in captured.out.splitlines()[1:]] == [
        "entailment",
        "not sure",
        "entailment",
    ]
    assert captured.err == f"label: 1 of 3 not sure (confidence below {unsure + 0.001:g})\n"


def test_the_reason_for_doubt_stands_in_json_and_in_explain(monkeypatch, capsys):
    feed(monkeypatch, UNSURE)
    main(["label", "-", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "an unknown word is taken to be more specific" in rows[1]["doubts"]
    assert all(row["sure"] for row in rows)
    main(["explain", "No glorp came.", "No blorp came."])
    assert "less sure   an unknown word is taken to be more specific" in capsys.readouterr().out


@pytest.mark.parametrize("given", ["1.5", "-0.1", "much", "nan"])
def test_a_threshold_is_a_probability(pairs, capsys, given):
    with pytest.raises(SystemExit) as stop:
        main(["label", pairs, f"--at-least={given}"])
    assert stop.value.code == 2
    assert "no number between 0 and 1" in capsys.readouterr().err


def test_scores_say_whether_confidence_comes_true(pairs, capsys):
    assert main(["score", "pairs", pairs, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["confidence"]
    assert 0 < found["calibration_error"] < 0.2  # all four are right, none is said to be certain
    assert sum(item["n"] for item in found["bins"]) == 4
    assert found["thresholds"][0] == {"at_least": 0.5, "n": 4, "coverage": 1.0, "precision": 1.0}
    main(["score", "pairs", pairs])
    out = capsys.readouterr().out
    assert "expected calibration error 0." in out
    assert "at least 0.9" in out


def test_explain_says_that_a_pair_is_not_read(capsys):
    assert main(["explain", "Tom sneezed that Ann left.", "Ann left."]) == 0
    assert "verdict     not read" in capsys.readouterr().out
