"""An experiment whose networks write meanings: dealt, trained, scored, killed, answered from elsewhere."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.experiments import answers, services
from apps.experiments.card import card
from apps.experiments.elsewhere import models_brought
from apps.experiments.exhibits import kept, results
from apps.experiments.measures import ERROR_TITLES, MEASURES
from apps.experiments.models import Experiment
from apps.experiments.protocols import of_data, read
from apps.experiments.results import Line, Reached, cells_of, lines_of, title_of
from apps.inference.meanings import gold_meanings
from apps.inference.trainings import WRITER_KIND
from apps.jobs import kinds, runner
from apps.jobs.models import Job
from natlog.fragments.testbeds import SYGNS
from natlog.logic.meaning_errors import KINDS
from natlog.logic.meaning_scores import compared
from natlog.logic.prover import Prover
from tests.experiments.conftest import neural
from tests.experiments.test_experiments import rows_tested
from workers.networks.sequences.tokens import text_of, tokens_of

SMALL = """
title = "Meanings"
paper = "sygns"
source = "nowhere, section 2"
about = "A small one."
forms = ["fol", "clf", "vf"]
measures = ["exact", "counter", "proofs", "polarity"]

[sets]
D0 = { testbed = "sygns", depth = 0 }

[[trainings]]
name = "plain"
on = [{ set = "D0", where = { modifiers = ["-"] } }]

[[tests]]
name = "plain"
on = [{ set = "D0", where = { modifiers = ["-"] } }]

[[tests]]
name = "modified"
on = [{ set = "D0", where = { modifiers = ["ADJ", "ADV", "CON"] } }]

[presets.smoke]
train = 60
test = 24
seeds = 2
pool = 400
networks = ["small"]
options.small = { network = "gru", epochs = 2, batch = 16, sizes = { embedding = 8, hidden = 12 } }

[presets.desk]
train = 60
test = 24
seeds = 2
pool = 400
forms = ["fol"]
networks = ["gru"]

[presets.paper]
train = 60
test = 24
seeds = 5
pool = 400
networks = ["gru"]

[published.plain.modified]
"small fol" = [12.4]
"small clf counter" = [98.3]
"small fol entails gold" = [83.4]
"small vf downward" = [40.7]
"""
TRAINED = ["small fol", "small clf", "small vf"]


@pytest.fixture
def small():
    return read(SMALL, "meanings")


def lines(experiment, group="exact"):
    return lines_of(experiment, cells_of(experiment), group)


@neural
def test_each_form_has_its_networks_untrained_ones_and_the_grammar_with_every_measure(start, work):
    experiment = start()
    work()
    by_test = {line.test: line for line in lines(experiment)}
    own = {*TRAINED, *(f"untrained:{each}" for each in TRAINED)}
    grammars = {"grammar fol", "grammar clf", "grammar vf"}
    for test in ("plain", "modified"):
        assert set(by_test[test].reached) == own | grammars and by_test[test].pairs == 24
        assert all(by_test[test].reached[each].mean == 0 for each in own if each.startswith("untrained"))
        # The grammar that made the sentences reads them; nothing but the network is measured here.
        assert all(by_test[test].reached[each].mean == 1 for each in grammars)
        assert all(by_test[test].reached[each].seeds == 2 for each in TRAINED)
    assert by_test["modified"].published == {"small fol": [12.4]}
    measured = {
        (group, str(line.measure.key), line.measure.part): line
        for group in ("counter", "proofs", "polarity")
        for line in lines(experiment, group)
        if line.test == "modified"
    }
    counted = {each for each in own | grammars if "clf" in each}
    assert set(measured["counter", "counter", "f"].reached) == counted
    assert measured["counter", "counter", "f"].published == {"small clf": [98.3]}
    assert measured["proofs", "entails gold", "share"].published == {"small fol": [83.4]}
    assert measured["proofs", "equivalent", "share"].reached["grammar fol"].mean == 1
    assert measured["polarity", "down words", "f"].published == {"small vf": [40.7]}
    assert measured["polarity", "up words", "recall"].reached["grammar vf"].mean == 1


@neural
def test_two_runs_give_the_same_table_and_so_does_one_that_was_killed_in_an_epoch(start, work):
    networks = ["small fol"]
    first = start("First", networks=networks)
    work()
    second = start("Second", networks=networks)
    training = kinds.kind_named(WRITER_KIND)
    went, killed = training.store, []

    def dies(job, chunk):
        if chunk.payload and "number" in chunk.payload[1] and not killed:
            killed.append(job.pk)
            raise SystemExit
        went(job, chunk)

    with patch.object(training, "store", dies), pytest.raises(SystemExit):
        work()
    assert killed
    training._going = training._prepared = None  # nothing of it is left in memory
    Job.objects.filter(state=Job.State.RUNNING).update(state=Job.State.QUEUED, claim="")
    work()
    tables = [
        [(line.test, line.measure, line.pairs, line.reached) for group in ("exact", "polarity")
         for line in lines(each, group)]
        for each in (first, second)
    ]  # fmt: skip
    assert tables[0] == tables[1] and tables[0][0][3]["small fol"].seeds == 2
    kept_errors = [[cell.training.runs.get().errors for cell in cells_of(each) if cell.training]
                   for each in (first, second)]  # fmt: skip
    assert kept_errors[0] == kept_errors[1] and kept_errors[0][0]


@neural
def test_page_card_and_files_show_measures_errors_and_examples(start, work, study, ada, client_of):
    experiment = start(networks=["small fol"])
    work()
    assert title_of("small fol") == "small, FOL" and title_of("gru clf") == "GRU with attention, DRS"
    assert title_of("gru 4M fol") == "GRU with attention 4M, FOL"
    found = kept(experiment, cells_of(experiment))
    assert {"results", "proofs", "polarity", "errors", "examples"} <= set(found)
    wrong = [row for row in found["errors"]().rows if row[0].value == "small, FOL"]
    # Each row of both tests and seeds is right, or an error of one kind.
    right = sum(
        by_key["all"][0]
        for cell in cells_of(experiment)
        if cell.contestant == "small fol"
        for by_key in cell.training.runs.get().scores.values()
    )
    assert sum(row[3].value for row in wrong) + right == 96 and {row[4].value for row in wrong} == {96}
    assert "modified" in found["proofs"]().csv() and "published small fol" in found["figures"]().csv()
    told = card(experiment)
    assert "## Proved both ways, in %" in told and "COUNTER" not in told
    assert "| trained on | tested on | form | rows | small | small, untrained | grammar |" in told
    assert 'meanings.toml --preset smoke --network "small fol" |' in told
    page = client_of(ada).get(reverse("experiments:experiment", args=[study.slug, experiment.pk]))
    files = [found[key]().csv() for key in ("results", "proofs", "polarity", "errors", "examples")]
    with translation.override("de"):
        found = kept(experiment, cells_of(experiment))
        assert [
            found[key]().csv() for key in ("results", "proofs", "polarity", "errors", "examples")
        ] == files
        assert "keine Bedeutung" in found["errors"]().latex()
    assert "What went wrong" in page.content.decode() and "G ⇒ P" in page.content.decode()


def test_every_kind_of_error_has_its_word_in_the_same_order():
    assert list(ERROR_TITLES) == list(KINDS)


def test_a_table_of_meanings_has_a_line_for_each_form_that_its_measure_is_for():
    def reached(share):
        return Reached(share, None, [])

    both = Line("one", "EXI", 100, {"gru fol": reached(0.5), "gru clf": reached(0.25)}, {"gru clf": [12.0]})
    counter = Line("one", "EXI", 100, {"gru clf": reached(1.0)}, measure=MEASURES["counter"][0])
    names, forms = ["gru fol", "gru clf", "untrained:gru fol"], ["fol", "clf", "vf"]
    table = results([both], names, forms)
    assert [column.key for column in table.columns][2:] == [
        "form", "pairs", "gru", "untrained:gru", "published_gru",
    ]  # fmt: skip
    assert [[cell.value or "" for cell in row][2:] for row in table.rows] == [
        ["FOL", 100, "50.0", "", ""],
        ["DRS", 100, "25.0", "", "12.0"],
        ["VF", 100, "", "", ""],  # it goes on
    ]
    (only,) = results([counter], names, forms, "counter").rows
    assert [cell.value for cell in only] == ["one", "EXI", "DRS", 100, "100.0"]


# ---- Before anything is drawn -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("networks", "options"),
    [
        (["reservoir"], {}),
        (["tiny"], {}),  # it labels pairs
        (["small"], {"small": {"network": "gru", "colour": 1}}),
        (["small"], {"small": {"network": "nothing"}}),
        (["small"], {"small": {"network": "gru", "sizes": {"heads": 4}}}),
    ],
)
def test_an_unknown_network_or_option_is_refused_before_anything_is_drawn(start, small, networks, options):
    data = json.loads(json.dumps(small.data))
    data["presets"]["smoke"] |= {"networks": networks, "options": options}
    with pytest.raises(ValidationError):
        start(protocol=of_data(data, "meanings"))
    assert not Experiment.objects.exists() and not Job.objects.exists()


def test_some_networks_or_one_of_their_forms_can_be_chosen(start):
    assert start("All", networks=["small"]).spec["sizes"]["networks"] == TRAINED
    assert start("One", networks=["small vf"]).spec["sizes"]["networks"] == ["small vf"]


# ---- Meanings from elsewhere ------------------------------------------------------------------


@pytest.fixture
def split(start):
    experiment = start()
    runner.run(experiment.job_id)
    return experiment.splits.get()


def as_lines(rows, said):
    return "".join(
        json.dumps({"id": row["id"], "meaning": said(row)}) + "\n" for row in rows
    ).encode()  # fmt: skip


def test_a_test_row_stands_there_with_each_form_and_the_grammar_reads_it(split):
    rows = rows_tested(split)
    assert len(rows) == 2 * 24 * 3 and {row["form"] for row in rows} == {"fol", "clf", "vf"}
    assert all(gold_meanings(row["sentence"])[row["form"]] == row["meaning"] for row in rows)
    assert gold_meanings("colourless ideas slept") == {}


def test_meanings_from_elsewhere_come_to_the_same_table_as_a_network_that_wrote_them(split, ada):
    rows = [row for row in rows_tested(split) if row["form"] == "fol"]

    def half(row):
        return row["meaning"] if row["source"] == "plain" else "exists x1.(no"

    answers.answers_store(split=split, actor=ada, contestant="T5", seed=1, data=as_lines(rows, half))
    table = {line.test: line.reached["T5 fol"].mean for line in lines(split.experiment)}
    assert table == {"plain": 1.0, "modified": 0.0}
    proofs = {line.test: line.reached["T5 fol"].mean for line in lines(split.experiment, "proofs")}
    assert proofs["plain"] == 0.0  # the last of the measures: no proof lacked time
    cell = split.cells.get(contestant="T5 fol")
    assert cell.scores["modified"]["error: no meaning"] == [24, 24]
    assert {error["kind"] for error in cell.errors} == {"no meaning"}


def test_an_example_of_what_a_model_did_not_end_is_its_beginning(split, ada):
    rows = [row for row in rows_tested(split) if row["form"] == "fol"]
    data = as_lines(rows, lambda row: "exists x1." * 1900)
    cell = answers.answers_store(split=split, actor=ada, contestant="T5", seed=1, data=data)
    assert {error["said"] for error in cell.errors} == {"exists x1." * 200 + " …"}


def test_what_a_model_from_elsewhere_answered_is_taken_back_whatever_forms_it_wrote(
    split, ada, study, client_of
):
    rows = rows_tested(split)
    for form in ("fol", "vf"):
        data = as_lines([row for row in rows if row["form"] == form], lambda row: row["meaning"])
        for name in ("T5", "T5 small"):
            answers.answers_store(split=split, actor=ada, contestant=name, seed=1, data=data)
    experiment, client = split.experiment, client_of(ada)
    assert models_brought(experiment) == ["T5", "T5 small"]
    address = reverse("experiments:answers_remove", args=[study.slug, experiment.pk])
    assert "Taken back: “T5”." in client.post(address, {"contestant": "T5"}, follow=True).content.decode()
    assert models_brought(experiment) == ["T5 small"]
    for name in ("T5", "grammar", "small", "T5 small vf"):
        told = client.post(address, {"contestant": name}, follow=True).content.decode()
        assert "There are no answers of this model." in told
    assert split.cells.filter(contestant__startswith="grammar").count() == 3


def test_two_forms_in_one_file_or_a_row_left_out_are_refused(split, ada):
    rows = rows_tested(split)
    formulas = [row for row in rows if row["form"] == "fol"]
    for some, said in (
        (rows, "one form at a time"),
        (formulas[:-1], "1 row has no answer"),
        ([], "file is empty"),
    ):
        with pytest.raises(ValidationError, match=said):
            data = as_lines(some, lambda row: row["meaning"])
            answers.answers_store(split=split, actor=ada, contestant="T5", seed=1, data=data)
    own = dict.fromkeys(("grammar", "small", "small fol"), "of the experiment's own")
    for name, said in {**own, "gru": "is how a network of the program is written"}.items():
        with pytest.raises(ValidationError, match=said):
            answers.answers_store(
                split=split, actor=ada, contestant=name, seed=1, data=as_lines(formulas, lambda r: "")
            )
    assert not split.cells.filter(contestant__startswith="T5").exists()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"label": "x"}, "is missing, or no text"),
        ({"meaning": None}, "is missing, or no text"),
        ({"meaning": {"a": 1}}, "is missing, or no text"),
        ({"meaning": "p(\ud800)"}, "has a character that can't be stored"),
        ({"meaning": "p\0"}, "has a character that can't be stored"),
    ],
)
def test_a_row_without_a_meaning_that_can_be_kept_is_refused(split, ada, said, why):
    """What is not to be read is an answer, and wrong; what is none is a mistake in the file."""
    rows = [row for row in rows_tested(split) if row["form"] == "fol"]
    data = as_lines(rows[:1], lambda row: "").decode() + "".join(
        json.dumps({"id": row["id"], **said}) + "\n" for row in rows[1:]
    )
    with pytest.raises(ValidationError, match=f"line 2: “meaning” {why}"):
        answers.answers_store(split=split, actor=ada, contestant="T5", seed=1, data=data.encode())
    assert not split.cells.filter(contestant__startswith="T5").exists()


def test_networks_that_write_learn_from_meanings_and_the_others_from_pairs(split, ada):
    from apps.inference.trainings import training_start

    with pytest.raises(ValidationError, match="Networks that write meanings"):
        training_start(training_set=split.training_set, actor=ada, name="L", network="lstm")
    assert services.readers_of({"forms": []}) == ["calculus"]


DRAWN = [item.row() for depth in (0, 1, 2) for item in SYGNS.draw(40, depth, 5)]
PROVER = Prover("repeatable")


@pytest.mark.parametrize("form", ["fol", "clf", "vf"])
@given(data=st.data())
@settings(deadline=None, max_examples=200)
def test_whatever_a_network_writes_is_compared(form, data):
    """A meaning's tokens, some of them left out, put in, changed or cut off."""
    meanings = [row[list(SYGNS.columns).index(form) - 1] for row in DRAWN]
    gold, other = (data.draw(st.sampled_from(meanings)) for _ in range(2))
    tokens, words = tokens_of(form, gold), tokens_of(form, gold) + tokens_of(form, other)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(tokens)))
        gone = data.draw(st.integers(0, len(tokens)))
        put_in = data.draw(st.lists(st.sampled_from(words), max_size=3))
        tokens = tokens[:start] + put_in + tokens[start + gone :]
    written = text_of(form, tokens)
    assert compared(form, written, gold, PROVER).exact == (written == gold)
