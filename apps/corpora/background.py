"""Background work on corpora: parse and polarise."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from apps.corpora.marking_rows import Polarised, constituent_rows, marking_row, parse_row
from apps.corpora.models import Constituent, Corpus, Parse, PolarityMarking, Sentence
from apps.corpora.services import PARSE_KIND
from apps.jobs import signs_of_life
from apps.jobs.kinds import Chunk, Failure, JobError, register
from apps.jobs.models import Job
from natlog import ENGINE, VERSION

CHUNK = 200


class ParseCorpus:
    """Parse every sentence of a corpus and mark its polarity under one convention.

    Parameters: ``corpus`` and ``convention``. The cursor is the key of the last sentence done. A parse
    that is stored is not made again, nor is a marking of this engine, version and convention. A sentence that
    came with its derivation is marked on that, and not parsed.
    """

    items_a_chunk = CHUNK

    def total(self, job: Job) -> int:
        return Sentence.objects.filter(corpus=job.params["corpus"]).count()

    def work(self, job: Job) -> Chunk | None:
        if not Corpus.objects.filter(pk=job.params["corpus"], study=job.study_id).exists():
            raise JobError(_("The corpus is gone."))
        sentences = self._next(job, job.at_most(CHUNK))
        if not sentences:
            return None
        polarised, failures = self._polarise(sentences, job.params["convention"])
        return Chunk(next_cursor=sentences[-1].pk, count=len(sentences), payload=polarised, failures=failures)

    def skipped(self, job: Job, why: str) -> Chunk | None:
        for sentence in self._next(job, 1):
            return Chunk(sentence.pk, 1, [], [Failure(str(sentence.position), sentence.text, why)])
        return None

    @staticmethod
    def _next(job: Job, count: int) -> list[Sentence]:
        following = Sentence.objects.filter(corpus=job.params["corpus"], pk__gt=job.cursor)
        return list(following.order_by("pk")[:count])

    def _polarise(self, sentences: list[Sentence], convention: str) -> tuple[list[Polarised], list[Failure]]:
        """What is not yet marked, computed; a sentence that can't be done fails alone."""
        from natlog.lexicon.conventions import UnknownConvention
        from natlog.parsing import load_parser
        from natlog.parsing.spacy import UnusableParser
        from natlog.polarity import mark
        from natlog.tree import Tree, tree_from_dict

        try:
            parser = load_parser(settings.PARSER)
        except UnusableParser as error:
            raise JobError(str(error)) from error
        pks = [sentence.pk for sentence in sentences]
        parses = _parses_of(pks, parser.name)
        trees: dict[int, Tree] = {}
        marked = set(_markings(parses, convention).values_list("parse__sentence", flat=True))
        for pk, tree in parses.exclude(sentence__in=marked).values_list("sentence", "tree"):
            trees[pk] = tree_from_dict(tree)
        failures: dict[int, Failure] = {}
        waiting = [s for s in sentences if s.pk not in marked and s.pk not in trees]
        for sentence, result in zip(waiting, _parse(parser, waiting), strict=True):
            if isinstance(result, Exception):
                failures[sentence.pk] = _failure(sentence, result)
            else:
                trees[sentence.pk] = result
        polarised = []
        for sentence in sentences:
            if sentence.pk not in trees:
                continue
            signs_of_life.item_begins()
            try:
                marking = mark(trees[sentence.pk], convention)
            except UnknownConvention as error:
                raise JobError(str(error)) from error
            except Exception as error:
                failures[sentence.pk] = _failure(sentence, error)
                continue
            polarised.append(Polarised(sentence.pk, trees[sentence.pk], marking))
        return polarised, [failures[sentence.pk] for sentence in sentences if sentence.pk in failures]

    def store(self, job: Job, chunk: Chunk) -> None:
        polarised: list[Polarised] = chunk.payload
        if not polarised:
            return
        # Two jobs on one corpus (another convention, or a worker given up for dead) take turns here, so
        # that what the other has stored is seen below.
        Corpus.objects.select_for_update().get(pk=job.params["corpus"])
        for parser in dict.fromkeys(item.tree.parser for item in polarised):
            self._store(job, parser, [item for item in polarised if item.tree.parser == parser])

    @staticmethod
    def _store(job: Job, parser: str, polarised: list[Polarised]) -> None:
        """The parses and markings of one parser."""
        convention = job.params["convention"]
        parses = Parse.objects.filter(sentence__in=[item.sentence for item in polarised], parser=parser)
        known = set(parses.values_list("sentence", flat=True))
        Parse.objects.bulk_create(
            [parse_row(item) for item in polarised if item.sentence not in known], batch_size=500
        )
        parse_of = dict(parses.values_list("sentence", "pk"))
        marked = set(_markings(parses, convention).values_list("parse__sentence", flat=True))
        fresh = [item for item in polarised if item.sentence not in marked]
        rows = PolarityMarking.objects.bulk_create(
            [marking_row(item, parse_of[item.sentence]) for item in fresh], batch_size=500
        )
        Constituent.objects.bulk_create(
            [
                constituent
                for item, row in zip(fresh, rows, strict=True)
                for constituent in constituent_rows(item, row.pk)
            ],
            batch_size=500,
        )

    def finish(self, job: Job) -> dict[str, Any]:
        parses = Parse.objects.filter(sentence__corpus=job.params["corpus"])
        markings = _markings(parses, job.params["convention"])
        kinds = parses.filter(markings__in=markings).values_list("kind", flat=True)
        counts: dict[str, int] = {}
        for kind in kinds:
            counts[kind] = counts.get(kind, 0) + 1
        return {"marked": markings.count(), **dict(sorted(counts.items()))}


def _parses_of(sentences: list[int], parser: str) -> Any:
    """The stored parses to be marked: a sentence's derivation where it came with one, else this parser's."""
    from natlog.parsing.ccg import FORMATS

    parses = Parse.objects.filter(sentence__in=sentences, parser__in=[parser, *FORMATS])
    given = parses.filter(parser__in=FORMATS).values("sentence")
    return parses.exclude(parser=parser, sentence__in=given)


def _markings(parses: Any, convention: str) -> Any:
    return PolarityMarking.objects.filter(
        parse__in=parses, engine=ENGINE, engine_version=VERSION, convention=convention
    )


def _parse(parser: Any, sentences: list[Sentence]) -> list[Any]:
    """A tree for each sentence, or the exception that its text raises."""
    signs_of_life.item_begins(len(sentences))
    try:
        return list(parser.pipe([sentence.text for sentence in sentences]))
    except Exception:
        # One text spoils the whole batch: find it by parsing one at a time.
        return [_parse_one(parser, sentence.text) for sentence in sentences]


def _parse_one(parser: Any, text: str) -> Any:
    signs_of_life.item_begins()
    try:
        return next(iter(parser.pipe([text])))
    except Exception as error:
        return error


def _failure(sentence: Sentence, error: Exception) -> Failure:
    return Failure(str(sentence.position), sentence.text, f"{type(error).__name__}: {error}")


register(PARSE_KIND, ParseCorpus())
