"""The calculus' labels: the rule for rewritten blanks, natlog for any other pair, kept side by side."""

from __future__ import annotations

import hashlib

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.corpora.models import Blank, BlankSet, Corpus, Sentence
from apps.datasets import labelling
from apps.datasets.models import CalculusLabel, Pair
from apps.datasets.services import FEW_PAIRS, labelling_start, labels_complete, pair_get_or_create
from apps.jobs.models import Job
from natlog import ENGINE, VERSION

pytestmark = pytest.mark.django_db


@pytest.fixture
def rewrite(study, dataset):
    """A pair made by rewriting a blank: premise with [the blank], polarity, replacement."""
    corpus = Corpus.objects.create(study=study, name="C", licence="-", source="-")
    blanks = BlankSet.objects.create(study=study, name="B")

    def make(marked: str, polarity: str, replacement: str, convention: str = "med", **fields) -> Pair:
        before, _bracket, rest = marked.partition("[")
        text, _bracket, after = rest.partition("]")
        premise = before + text + after
        sentence, _new = Sentence.objects.get_or_create(
            corpus=corpus,
            digest=hashlib.sha256(premise.encode()).hexdigest(),
            defaults={"position": Sentence.objects.count(), "text": premise},
        )
        blank, _new = Blank.objects.get_or_create(
            blank_set=blanks,
            sentence=sentence,
            start=len(before),
            end=len(before) + len(text),
            defaults={
                "text": text,
                "category": "NP",
                "polarity": polarity,
                "engine": ENGINE,
                "engine_version": VERSION,
                "convention": convention,
                "parser": "p",
            },
        )
        return pair_get_or_create(
            dataset=dataset,
            premises=[(premise, sentence)],
            hypothesis=before + replacement + after,
            origin="crowd",
            blank=blank,
            **fields,
        )

    return make


@pytest.fixture
def label(dataset, ada, work):
    def run(convention: str = "med") -> Job:
        job = labelling_start(dataset=dataset, actor=ada, convention=convention)
        work()
        job.refresh_from_db()
        assert job.state == "done", job.error
        return job

    return run


REWRITTEN = [
    # premise with the blank, its polarity, the replacement, label, change
    ("No [dog] ran in the park.", "down", "small dog", "entailment", "more specific"),
    ("Some [dog] ran in the park.", "up", "small dog", "non-entailment", "more specific"),
    ("Exactly three [dogs] ran.", "flat", "small dogs", "non-entailment", "more specific"),
    ("No [dog] ran in the park.", "down", "poodle", "entailment", "more specific"),
    ("Some [dog] ran in the park.", "up", "poodle", "non-entailment", "more specific"),
    ("Tom is no longer [a child].", "down", "a kid", "entailment", "synonym"),
    ("Tom is [a child].", "up", "a kid", "entailment", "synonym"),
    ("Exactly three [children] slept.", "flat", "kids", "entailment", "synonym"),
    ("Some [small dog] ran.", "up", "dog", "entailment", "more general"),
    ("No [small dog] ran.", "down", "dog", "non-entailment", "more general"),
    ("No [dog] ran in the park.", "down", "blorp", "entailment", "unknown"),
    ("Some [dog] ran in the park.", "up", "blorp", "non-entailment", "unknown"),
    ("[A dog] ran.", "up", "No dog", "contradiction", "operator"),
]


def test_a_rewritten_blank_is_labelled_by_its_place_and_by_what_was_done(rewrite, label):
    pairs = [rewrite(marked, polarity, text) for marked, polarity, text, _label, _change in REWRITTEN]
    label()
    found = {item.pair_id: item for item in CalculusLabel.objects.all()}
    assert [
        (marked, text, found[pair.pk].label, found[pair.pk].detail["change"])
        for pair, (marked, _polarity, text, _label, _change) in zip(pairs, REWRITTEN, strict=True)
    ] == [(marked, text, wanted, change) for marked, _polarity, text, wanted, change in REWRITTEN]
    for pair in pairs:
        item = found[pair.pk]
        assert item.direction == pair.direction
        assert (item.engine, item.engine_version, item.convention) == (ENGINE, VERSION, "med")
        assert item.parser.startswith("spacy:")
        assert item.is_current
    sure, unsure = found[pairs[3].pk], found[pairs[10].pk]
    assert "more specific, at a downward place (↓)" in sure.reason
    assert "as the task asks" in unsure.reason
    assert unsure.confidence < sure.confidence
    assert [found[pair.pk].detail["swappable"] for pair in pairs] == [
        change.startswith("more") for *_rest, change in REWRITTEN
    ]
    assert set(pairs[3].tags.values_list("name", "source")) == {("lexical_knowledge", "natlog")}


def test_other_pairs_are_natlog_s_to_judge_and_odd_ones_are_listed(make, dataset, label):
    imported = make(
        premise="No delegate finished the report on time.",
        hypothesis="No delegate finished the report.",
        origin="import",
        direction="",
    )
    two = pair_get_or_create(
        dataset=dataset, premises=[("A.", None), ("B.", None)], hypothesis="C.", origin="import"
    )
    job = label()
    found = imported.calculus_labels.get()
    assert (found.label, found.direction) == ("non-entailment", "downward")
    assert not two.calculus_labels.exists()
    failure = job.failures.get()
    assert (failure.item, failure.message) == (
        str(two.pk),
        "The calculus takes one premise; this pair has 2.",
    )


def test_a_pair_that_is_not_read_has_no_label_but_is_listed_with_what_was_not_read(make, label):
    unread = make(premise="Tom sneezed that Ann left.", hypothesis="Ann left.", origin="import", direction="")
    read = make(premise="Tom knew that Ann left.", hypothesis="Ann left.", origin="import", direction="")
    job = label()
    assert not unread.calculus_labels.exists()
    assert job.failures.get().message == (
        "The calculus could not read this pair: what *sneezed that* says of its clause."
    )
    assert read.calculus_labels.get().label == "entailment"
    assert read.tags.filter(name="veridicality", source="natlog").exists()


def test_labelling_again_changes_nothing_and_labels_what_is_new(make, label):
    first = make()
    label()
    before = first.calculus_labels.get()
    second = make()
    label()
    assert first.calculus_labels.get() == before
    assert second.calculus_labels.count() == 1


def test_another_convention_stands_beside_the_earlier_labels(rewrite, label):
    pair = rewrite("The [dog] ran in the park.", "up", "small dog")
    label("med")
    label("default")
    old, new = pair.calculus_labels.order_by("pk")
    assert [(item.convention, item.direction, item.is_current) for item in (old, new)] == [
        ("med", "upward", False),
        ("default", "non-monotone", True),
    ]
    label("med")
    assert pair.calculus_labels.get(is_current=True) == old
    assert pair.calculus_labels.count() == 2


def test_the_blank_s_own_sign_holds_where_the_versions_are_its_own(rewrite):
    class NothingToAsk:
        engine, version, convention = ENGINE, VERSION, "med"

    pair = rewrite("Some [dog] ran.", "down", "small dog")
    assert labelling.site_direction(pair.blank, NothingToAsk()) == "downward"


def test_a_worker_that_dies_halfway_leaves_the_rest_to_the_next(make, dataset, ada, work, monkeypatch):
    from apps.datasets import background
    from apps.jobs import runner

    monkeypatch.setattr(background, "LABELS_A_CHUNK", 2)
    for _number in range(5):
        make()
    job = labelling_start(dataset=dataset, actor=ada, convention="med")
    store = background.calculus_labels_store
    calls = []

    def dies_the_second_time(**fields):
        calls.append(fields)
        if len(calls) == 2:
            raise KeyboardInterrupt
        store(**fields)

    monkeypatch.setattr(background, "calculus_labels_store", dies_the_second_time)
    with pytest.raises(KeyboardInterrupt):
        runner.run(job.pk)
    assert CalculusLabel.objects.count() == 2
    Job.objects.filter(pk=job.pk).update(heartbeat_at=None)
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done) == ("done", 5)
    assert CalculusLabel.objects.filter(is_current=True).count() == 5


def test_a_sentence_that_breaks_the_parser_is_listed_and_the_others_are_labelled(make, label, monkeypatch):
    from natlog.calculus import Labeller

    markings = Labeller.markings

    def fragile(self, sentences):
        texts = list(sentences)
        if any("boom" in text for text in texts):
            raise RuntimeError("too deep")
        return markings(self, texts)

    monkeypatch.setattr(Labeller, "markings", fragile)
    bad, good = make(premise="No boom.", hypothesis="No big boom."), make()
    job = label()
    assert job.failures.get().item == str(bad.pk)
    assert "too deep" in job.failures.get().message
    assert good.calculus_labels.exists()


# ---- What a campaign asks for -----------------------------------------------------------------


def test_a_campaign_has_what_lacks_a_label_labelled_as_the_dataset_was(make, label, dataset, ada, work):
    make()
    label("udep2mono")
    new = [make(), make()]
    job = labels_complete(dataset=dataset, actor=ada)
    work()
    job.refresh_from_db()
    assert (job.state, job.total, job.done) == ("done", 2, 2)
    assert [pair.calculus_labels.get(is_current=True).convention for pair in new] == ["udep2mono"] * 2
    assert labels_complete(dataset=dataset, actor=ada) is None


def test_where_nothing_was_labelled_yet_it_is_as_corpora_are_marked(make, dataset, ada, work):
    make()
    labels_complete(dataset=dataset, actor=ada)
    work()
    assert CalculusLabel.objects.get().convention == "default"


def test_few_pairs_are_done_before_long_jobs(make, dataset, ada):
    for _number in range(FEW_PAIRS):
        make()
    assert labels_complete(dataset=dataset, actor=ada).urgency == Job.Urgency.CARD
    make()
    assert labels_complete(dataset=dataset, actor=ada).urgency == Job.Urgency.MACHINE


def test_the_convention_is_looked_up_once_a_job_by_the_dataset_s_number(
    make, dataset, ada, work, monkeypatch
):
    from apps.datasets import background

    monkeypatch.setattr(background, "LABELS_A_CHUNK", 2)
    for _number in range(6):
        make()
    labels_complete(dataset=dataset, actor=ada)
    with CaptureQueriesContext(connection) as queries:
        work()
    asked = [query["sql"] for query in queries if "labelled_under" in query["sql"].split(" FROM ")[0]]
    alone = [sql for sql in asked if sql.startswith('SELECT "datasets_dataset"."labelled_under"')]
    assert len(alone) == 1 and "datasets_calculuslabel" not in alone[0]
    assert Job.objects.get().params["convention"] == "default"
