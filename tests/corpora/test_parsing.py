"""Parsing and polarising a corpus: a background job in chunks that doubles and loses nothing."""

import pytest
from django.conf import settings

from apps.corpora import background, selectors, services
from apps.corpora.models import Constituent, Parse, PolarityMarking
from apps.jobs.models import Job, JobFailure
from apps.jobs.runner import run

pytestmark = pytest.mark.both


def counts():
    return Parse.objects.count(), PolarityMarking.objects.count(), Constituent.objects.count()


def test_every_sentence_gets_a_parse_a_marking_and_its_constituents(parsed):
    assert Parse.objects.count() == PolarityMarking.objects.count() == 8
    for marking in PolarityMarking.objects.select_related("parse__sentence"):
        assert len(marking.signs) == marking.parse.tokens == len(marking.token_why)
        text = marking.parse.sentence.text
        assert marking.constituents.exists()
        for constituent in marking.constituents.all():
            assert text[constituent.start : constituent.end] == constituent.text


def test_the_job_reports_what_it_did(parsed):
    job = selectors.parse_jobs_of(parsed).get()
    assert (job.state, job.done, job.total, job.failed) == (Job.State.DONE, 8, 8, 0)
    assert job.result == {"marked": 8, "declarative": 5, "question": 1, "imperative": 1, "fragment": 1}


@pytest.mark.parametrize(
    ("text", "constituent", "polarity", "operators"),
    [
        ("Every small dog", "small dog", "down", "|every|"),
        ("No student", "reads old books", "down", "|no|"),
        ("If a guest", "late", "down", "|if|"),
        ("Tom does not", "live in a big house", "down", "|not|"),
    ],
)
def test_signs_and_operators_are_stored_with_the_constituent(text, constituent, polarity, operators, parsed):
    found = Constituent.objects.get(marking__parse__sentence__text__startswith=text, text=constituent)
    assert found.polarity == polarity
    assert operators in found.operators
    assert found.why[0]["operator"] in operators
    assert found.operator == found.why[-1]["operator"]


def test_done_again_it_changes_nothing(parsed, ada, work):
    before = counts()
    job = services.corpus_parse(corpus=parsed, actor=ada)
    assert work() == 1
    job.refresh_from_db()
    assert (job.state, counts()) == (Job.State.DONE, before)


def test_another_convention_is_marked_beside_the_first_on_the_same_parse(parsed, ada, work):
    _parses, markings, constituents = counts()
    services.corpus_parse(corpus=parsed, actor=ada, convention="med")
    work()
    assert counts() == (8, 2 * markings, 2 * constituents)
    assert [g.convention for g in selectors.marking_groups(study=parsed.study)] == ["med", "default"]


def test_two_clicks_are_one_job(corpus, ada):
    first = services.corpus_parse(corpus=corpus, actor=ada)
    assert services.corpus_parse(corpus=corpus, actor=ada) == first
    assert services.corpus_parse(corpus=corpus, actor=ada, convention="med") != first


def test_small_chunks_give_the_same_rows(corpus, ada, work, monkeypatch):
    monkeypatch.setattr(background, "CHUNK", 3)
    services.corpus_parse(corpus=corpus, actor=ada)
    work()
    assert Parse.objects.count() == PolarityMarking.objects.count() == 8


def test_a_chunk_stored_twice_is_stored_once(corpus, ada):
    """A worker that was given up for dead may have computed what another has stored already."""
    job = services.corpus_parse(corpus=corpus, actor=ada)
    kind = background.ParseCorpus()
    chunk = kind.work(job)
    kind.store(job, chunk)
    before = counts()
    kind.store(job, chunk)
    assert counts() == before


def test_a_sentence_that_cannot_be_marked_fails_alone(corpus, ada, work, monkeypatch):
    from natlog import polarity

    mark = polarity.mark

    def fragile(tree, convention="default"):
        if tree.text.startswith("No student"):
            raise RecursionError("too deep")
        return mark(tree, convention)

    monkeypatch.setattr(polarity, "mark", fragile)
    job = services.corpus_parse(corpus=corpus, actor=ada)
    work()
    job.refresh_from_db()
    assert (job.state, job.done, job.failed) == (Job.State.DONE, 8, 1)
    failure = JobFailure.objects.get()
    assert (failure.item, failure.message) == ("2", "RecursionError: too deep")
    assert PolarityMarking.objects.count() == 7


def test_a_sentence_that_cannot_be_parsed_fails_alone(corpus, ada, work, monkeypatch):
    from natlog.parsing.spacy import SpacyParser

    pipe = SpacyParser.pipe

    def fragile(self, texts, *args, **options):
        texts = list(texts)
        if any(text.startswith("Put the") for text in texts):
            raise ValueError("no parse")
        return pipe(self, texts, *args, **options)

    monkeypatch.setattr(SpacyParser, "pipe", fragile)
    job = services.corpus_parse(corpus=corpus, actor=ada)
    work()
    job.refresh_from_db()
    assert (job.state, job.failed) == (Job.State.DONE, 1)
    assert JobFailure.objects.get().text.startswith("Put the")
    assert Parse.objects.count() == 7


def test_a_cancelled_job_stops_after_its_chunk_and_goes_on_from_there(corpus, ada, monkeypatch):
    from apps.jobs.services import job_cancel, job_retry

    monkeypatch.setattr(background, "CHUNK", 3)
    job = services.corpus_parse(corpus=corpus, actor=ada)
    store = background.ParseCorpus.store

    def cancel_meanwhile(self, held, chunk):
        store(self, held, chunk)
        held.cancel_requested = True

    with monkeypatch.context() as patch:
        patch.setattr(background.ParseCorpus, "store", cancel_meanwhile)
        run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, Parse.objects.count()) == (Job.State.CANCELLED, 3, 3)
    job_retry(job=job, actor=ada)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, Parse.objects.count()) == (Job.State.DONE, 8, 8)
    job_cancel(job=job, actor=ada)
    job.refresh_from_db()
    assert job.state == Job.State.DONE


def test_a_parser_that_is_not_installed_is_named(corpus, ada, monkeypatch):
    monkeypatch.setattr(settings, "PARSER", "no_such_pipeline")
    job = services.corpus_parse(corpus=corpus, actor=ada)
    run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED and "no_such_pipeline" in job.error


def test_an_empty_corpus_is_parsed_at_once(corpus, ada, work):
    corpus.sentences.all().delete()
    job = services.corpus_parse(corpus=corpus, actor=ada)
    work()
    job.refresh_from_db()
    assert (job.state, job.total) == (Job.State.DONE, 0)
