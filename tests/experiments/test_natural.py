"""A dataset's pairs under verbs (the transitivity paper's natural sentences), and what is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from apps.datasets.models import Dataset, GoldLabel, Pair, Premise
from apps.experiments.dealing import Dealer, Drawn, embedded_rows
from apps.experiments.plans import Preset, RowSet
from apps.experiments.protocols import protocols, read
from apps.experiments.toml_values import ProtocolError
from apps.inference.training_sets import rows_of
from apps.inference.trainings import NETWORK_KIND
from apps.jobs import runner
from apps.jobs.models import Job
from natlog.fragments.embedding import verbs
from natlog.parsing import load_parser

BASES = 100
ROWS = RowSet("rows", "transitivity", None, {}, None, source="pairs")
SIZES = Preset(train=300, test=40, seeds=2, pool=61 * BASES, networks=["lstm"], options={})
NATURAL = [
    key
    for key, protocol in protocols().items()
    if any(each.source for each in protocol.sets.values()) and "people" not in protocol.roles
]
NOUNS = ["dog", "cat", "man", "woman", "boy", "girl", "bird", "horse"]
DOINGS = ["running", "sleeping", "eating", "jumping", "singing", "playing", "swimming", "falling"]


def sentences(count):
    """So many different pairs, every second an entailment: premise, hypothesis, label."""
    made = []
    for n in range(count):
        noun, doing = NOUNS[n // 2 % 8], DOINGS[n // 16 % 8]
        hypothesis = f"A {noun} is {doing}" if n % 2 == 0 else f"A {noun} is {doing} with a ball"
        label = "entailment" if n % 2 == 0 else "non-entailment"
        made.append((f"A {'small' if n % 2 == 0 else 'large'} {noun} is {doing}", hypothesis, label))
    return made


@cache
def played(role):
    part = {"fact split": "train"} if role == "sick" else {}
    return [Drawn(*pair, "", part) for pair in sentences(110)]


def test_rows_are_the_other_set_s_pairs_under_each_verb_labelled_by_table_3():
    rows = embedded_rows(ROWS, 61 * 4, played("sick"), load_parser())
    assert Counter(row.columns["kind"] for row in rows) == {"s1-s2": 4, "f(s1)-s1": 120, "f(s1)-s2": 120}
    assert {row.columns["verb"] for row in rows} == {"-", *(verb.lemma for verb in verbs())}
    for row in rows:
        veridical, follows = row.columns["verb_type"] == "V", row.columns["base_label"] == "entailment"
        entails = {"s1-s2": follows, "f(s1)-s1": veridical, "f(s1)-s2": veridical and follows}
        assert (row.label == "entailment") == entails[row.columns["kind"]]
        if row.columns["kind"] != "s1-s2":
            assert row.premise.startswith("Someone ") and " that a " in row.premise
        assert not row.premise.endswith(".") and not row.hypothesis.endswith(".")


def test_the_same_two_sentences_are_there_once():
    same = [Drawn("A dog is running", f"A {noun} is running", "entailment", "", {}) for noun in NOUNS]
    other = [Drawn("A dog is running", f"A {noun} is eating", "non-entailment", "", {}) for noun in NOUNS]
    rows = embedded_rows(ROWS, 61 * 16, [*same, *other], load_parser())
    assert len({row.key for row in rows}) == len(rows)
    # Of the first sentence there is one under each verb in each of its tenses.
    assert sum(row.columns["kind"] == "f(s1)-s1" for row in rows) == 2 * 30


@pytest.mark.parametrize("key", NATURAL)
def test_each_protocol_is_dealt_by_cell_and_nothing_is_learnt_that_is_tested(key):
    protocol = protocols()[key]
    dealer = Dealer(protocol, SIZES, played)
    for training in protocol.trainings:
        dealt = dealer.deal(training, 1)
        learnt = [row.key for row in [*dealt.train, *dealt.validation]]
        assert len(learnt) == len(set(learnt))
        assert not set(learnt) & {row.key for rows in dealt.test.values() for row in rows}
        for cell in ("yes-yes", "yes-unk", "unk-yes", "unk-unk"):
            assert {row.label for row in dealt.test[cell]} == {
                "entailment" if cell == "yes-yes" else "non-entailment"
            }
        kinds = {row.columns.get("kind", "nli") for row in dealt.train}
        asked = {
            protocol.sets[selection.set].role or selection.where["kind"][0]
            for selection in protocol.trainings[training].on
        }
        assert kinds == asked


def test_forty_main_clauses_are_there_where_they_are_asked_for():
    dealer = Dealer(protocols()["transitivity_natural"], SIZES, played)
    for training, least, most in (("-B", 1, 1), ("-B, forty main clauses (I)", 35, 40)):
        embedded = [row for row in dealer.deal(training, 1).train if row.columns["kind"] != "s1-s2"]
        assert least <= len({row.columns["template"] for row in embedded}) <= most


def test_what_can_not_be_embedded_is_said():
    for few in (played("sick")[:6], [row for row in played("sick") if row.label != "entailment"]):
        with pytest.raises(
            ProtocolError, match=r"rows: pairs: 100 pairs are wanted, and \d are left in equal"
        ):
            embedded_rows(ROWS, 61 * BASES, few, load_parser())
    for of, said in (
        (replace(ROWS, testbed="systematicity"), "transitivity alone"),
        (replace(ROWS, options={"depth": 1}), "no option “depth”"),
    ):
        with pytest.raises(ProtocolError, match=said):
            embedded_rows(of, 61, played("sick"), load_parser())


# ---- A dataset of the study in the role ----------------------------------------------------------


@pytest.fixture
def sick(study, ada):
    """A dataset of so many pairs of a part; the rest are of the other."""

    def make(pairs, part="train"):
        dataset = Dataset.objects.create(study=study, name="SICK", created_by=ada)
        for n, (premise, hypothesis, label) in enumerate(
            [*pairs, ("A zebra is running", "A zebra is here", "entailment")]
        ):
            facts = {"split": part if n < len(pairs) else "test"}
            pair = Pair.objects.create(
                dataset=dataset, hypothesis=hypothesis, digest=f"{n}", origin="import", facts=facts
            )
            Premise.objects.create(pair=pair, position=0, text=premise)
            GoldLabel.objects.create(pair=pair, label=label, source="file")
        return {"sick": f"dataset:{dataset.pk}"}

    return make


@pytest.fixture
def dealt(start):
    text = protocols()["transitivity_natural"].text
    text = text.replace("pool = 61000", f"pool = {61 * BASES}", 1).replace("train = 2500", "train = 300", 1)
    small = read(text.replace("test = 500", "test = 40", 1), "natural")

    def deal(roles):
        experiment = start(protocol=small, roles=roles)
        runner.run(experiment.job_id)
        experiment.job.refresh_from_db()
        return experiment

    return deal


def test_a_dataset_s_training_part_plays_the_role_and_no_other(dealt, sick):
    experiment = dealt(sick(sentences(110)))
    assert experiment.job.state == Job.State.DONE, experiment.job.error
    assert experiment.splits.count() == 3
    assert Job.objects.filter(kind=NETWORK_KIND).count() == 3 * 3  # two seeds, and one untrained
    texts = {
        text
        for split in experiment.splits.all()
        for rows in rows_of(split.training_set).values()
        for row in rows
        for text in (row.premise, row.hypothesis)
    }
    assert any(" that a small dog " in text for text in texts) and not any("zebra" in text for text in texts)


@pytest.mark.parametrize(
    ("pairs", "part", "said"),
    [
        (sentences(20), "train", "100 pairs are wanted, and 20 are left in equal parts of both labels"),
        ([each for each in sentences(110) if each[2] != "entailment"], "train", "and 0 are left"),
        (sentences(110), "trial", "100 pairs are wanted, and 0 are left"),
    ],
)
def test_a_dataset_without_enough_pairs_of_both_labels_is_told_of_before_anything_is_trained(
    dealt, sick, pairs, part, said
):
    experiment = dealt(sick(pairs, part))
    assert experiment.job.state == Job.State.FAILED and said in experiment.job.error
    assert not Job.objects.filter(kind=NETWORK_KIND).exists()


def test_a_dataset_that_knows_no_parts_is_told_of(dealt, sick):
    roles = sick(sentences(110))
    Pair.objects.update(facts={})
    experiment = dealt(roles)
    assert experiment.job.state == Job.State.FAILED
    assert "pairs: it has no column “fact split”" in experiment.job.error
