"""Training sets: rows mixed out of sources, without what is tested on, and frozen."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.exceptions import ValidationError

from apps.datasets.labels import two_way_labels
from apps.inference import training_sets, training_sources
from apps.inference.labels import fitted
from apps.inference.mixing import MixingError, Mixture, Portion, Row, mix, normalised
from apps.inference.models import TrainingSet
from apps.jobs.models import Job


def made(count, direction="upward", name="made"):
    """Pairs in both orders, half of them entailments."""
    rows = []
    for number in range(count):
        long, short = f"A black {name} {direction} {number} runs.", f"A {name} {direction} {number} runs."
        pair = (long, short) if number % 2 else (short, long)
        rows.append(Row(*pair, "entailment" if number % 2 else "neutral", direction, name))
    return rows


BOTH = [*made(200), *made(200, "downward")]


def drawn(*portions, sources=(BOTH,), test=(), validation=(), **more):
    return mix(Mixture(portions, **more), sources, test=test, validation=validation)


def counted(mixed, name):
    return dict(Counter(getattr(row, name) for part in ("train", "validation") for row in mixed.rows[part]))


@pytest.mark.parametrize(("upward", "up", "down"), [(1.0, 100, 0), (0.0, 0, 100), (0.3, 30, 70)])
def test_a_source_gives_its_directions_in_the_ratio_asked_for(upward, up, down):
    mixed = drawn(Portion("made", count=100, upward=upward))
    found = counted(mixed, "direction")
    assert (found.get("upward", 0), found.get("downward", 0)) == (up, down)


def test_all_of_a_source_in_a_ratio_is_as_much_as_the_ratio_allows():
    mixed = drawn(Portion("made", upward=0.2))
    assert counted(mixed, "direction") == {"upward": 50, "downward": 200}


def test_shares_divide_what_the_counts_leave_of_the_size():
    mixed = drawn(
        Portion("a", count=20), Portion("b", share=3), Portion("c", share=1),
        sources=[made(200, name=name) for name in "abc"], size=100,
    )  # fmt: skip
    assert counted(mixed, "source") == {"a": 20, "b": 60, "c": 20}


def test_the_same_asked_for_again_is_the_same_whatever_the_order_of_the_rows():
    first = drawn(Portion("made", count=60, upward=0.5))
    assert drawn(Portion("made", count=60, upward=0.5), sources=(BOTH[::-1],)).lines() == first.lines()
    assert drawn(Portion("made", count=60, upward=0.5), seed=2).lines() != first.lines()


def test_a_larger_set_holds_the_smaller_one():
    small, large = (drawn(Portion("made", count=n)) for n in (50, 100))
    rows = [{row for part in mixed.rows.values() for row in part} for mixed in (small, large)]
    assert rows[0] < rows[1]


def test_what_is_tested_on_is_left_out_however_it_is_punctuated_or_turned_round():
    rows = [
        Row("No dog, runs!", "no black dog runs", "entailment", "downward", "s"),
        Row("No black dog runs.", "No dog runs.", "neutral", "downward", "s"),
        Row("No dog runs.", "No old dog runs.", "entailment", "downward", "s"),
        *made(20),
    ]
    test = [Row("No dog runs.", "No black dog runs.", "entailment", "downward", "t")]
    mixed = drawn(Portion("s"), sources=(rows,), test=test)
    overlap = mixed.overlap[0]
    assert (overlap.rows, overlap.pairs, overlap.swapped, overlap.premises) == (23, 1, 1, 2)
    assert sum(map(len, mixed.rows.values())) == 21 + 1
    stricter = drawn(Portion("s"), sources=(rows,), test=test, without_premises=True)
    assert sum(map(len, stricter.rows.values())) == 20 + 1


def test_a_tenth_is_put_aside_and_twins_stay_together():
    twins = [
        row
        for pair in BOTH
        for row in (pair, pair._replace(premise=pair.hypothesis, hypothesis=pair.premise))
    ]
    mixed = drawn(Portion("made"), sources=(twins,))
    sides = [
        {frozenset((normalised(r.premise), normalised(r.hypothesis))) for r in mixed.rows[part]}
        for part in ("train", "validation")
    ]
    assert not sides[0] & sides[1]
    assert len(mixed.rows["validation"]) == 80 and len(mixed.rows["train"]) == 720


def test_a_validation_part_of_its_own_is_not_learnt_from():
    mixed = drawn(Portion("made"), validation=BOTH[:30])
    assert len(mixed.rows["validation"]) == 30 and len(mixed.rows["train"]) == 370
    assert mixed.overlap[0].validation == 30


def test_labels_are_turned_into_those_of_the_set():
    assert set(counted(drawn(Portion("made")), "label")) == {"entailment", "non-entailment"}


@pytest.mark.parametrize(
    ("portions", "more", "reason"),
    [
        ([Portion("made", count=500)], {}, "“made” has 400 rows left to draw from; 500 are wanted"),
        ([Portion("made", count=300, upward=1.0)], {}, "200 upward rows left to draw from; 300"),
        ([Portion("made", share=1)], {}, "Shares need a size"),
        ([Portion("made", count=9)], {"size": 5}, None),
        ([Portion("made")], {"size": 5}, "needs a count or a share"),
        ([], {}, "at least one source"),
        ([Portion("made")], {"labels": "five-way"}, "no set of labels"),
    ],
)
def test_what_can_not_be_mixed_is_said(portions, more, reason):
    if reason is None:
        assert sum(map(len, drawn(*portions, **more).rows.values())) == 9
        return
    with pytest.raises(MixingError, match=reason):
        drawn(*portions, sources=[BOTH] * len(portions), **more)


def test_one_label_is_nothing_to_learn_from():
    with pytest.raises(MixingError, match="Only one label"):
        drawn(Portion("made"), sources=([row for row in BOTH if row.label == "entailment"],))


# ---- In a study -----------------------------------------------------------------------------


@pytest.fixture
def sources(make_dataset):
    """A dataset to learn from and one to be tested on, which share a pair."""
    rows = [
        (row.premise, row.hypothesis, row.direction, fitted(row.label, two_way_labels()), "")
        for row in [*made(30), *made(30, "downward")]
    ]
    learnt, tested = make_dataset("machine", rows=rows), make_dataset("tested", rows=rows[:1])
    return {"learnt": f"dataset:{learnt.pk}", "tested": f"dataset:{tested.pk}", "dataset": learnt}


def spec(of, **more):
    return {
        "sources": [{"source": of["learnt"], "count": 40, "upward": 0.5}],
        "test": [of["tested"]],
        **more,
    }


def test_a_set_is_frozen_whatever_becomes_of_its_datasets(study, ada, sources, work):
    training_sets.training_set_start(study=study, actor=ada, name="both ways", spec=spec(sources))
    work()
    stored = TrainingSet.objects.get(study=study, name="both ways")
    assert stored.counts["train"]["direction"] == {"downward": 18, "upward": 18}
    assert stored.overlap[0]["pairs"] == 1 and stored.overlap[0]["source"] == "machine"
    before = training_sets.rows_of(stored)
    assert {part: len(rows) for part, rows in before.items()} == {"train": 36, "validation": 4, "test": 1}
    sources["dataset"].pairs.all().delete()
    assert training_sets.rows_of(TrainingSet.objects.get()) == before


def test_the_same_spec_and_data_give_the_same_fingerprint(study, ada, sources, work):
    for name in ("one", "two"):
        training_sets.training_set_start(study=study, actor=ada, name=name, spec=spec(sources))
    work()
    assert len(set(TrainingSet.objects.values_list("fingerprint", flat=True))) == 1


def test_changed_rows_are_refused(study, ada, sources, work):
    import zlib

    training_sets.training_set_start(study=study, actor=ada, name="one", spec=spec(sources))
    work()
    stored = TrainingSet.objects.get()
    stored.rows = zlib.compress(zlib.decompress(stored.rows).replace(b"black", b"white"))
    with pytest.raises(ValueError, match="were changed"):
        training_sets.rows_of(stored)


def test_too_few_rows_fail_the_job_and_store_nothing(study, ada, sources, work):
    much = spec(sources, sources=[{"source": sources["learnt"], "count": 40, "upward": 1.0}])
    job = training_sets.training_set_start(study=study, actor=ada, name="much", spec=much)
    work()
    job.refresh_from_db()
    assert job.state == Job.State.FAILED and "much: “machine” has 29 upward rows left" in job.error
    assert not TrainingSet.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"sources": []}, "sources"),
        ({"sources": [{"source": "dataset:999999"}]}, "sources"),
        ({"sources": [{"source": "/etc/passwd"}]}, "sources"),
        ({"test": ["dataset:999999"]}, "test"),
        ({"labels": "none"}, "labels"),
        ({"validation": 2}, "validation"),
        ({"seed": -1}, "seed"),
        ({"size": 0}, "size"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_spec_that_makes_no_sense_is_refused_under_its_name(study, ada, sources, change, field):
    with pytest.raises(ValidationError) as error:
        training_sets.training_set_start(study=study, actor=ada, name="x", spec=spec(sources, **change))
    assert set(error.value.message_dict) == {field}
    assert not Job.objects.exists()


def test_another_studys_dataset_is_no_source(study, olaf, sources):
    from apps.studies.models import Study

    other = Study.objects.exclude(pk=study.pk).get()
    assert training_sources.choices_of(other) == []
    with pytest.raises(MixingError, match="not among the study's sources"):
        training_sources.rows_of(other, sources["learnt"])
