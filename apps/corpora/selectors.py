"""What the corpora's pages read: previews of drafts, counts, markings, samples."""

from __future__ import annotations

import base64
from collections import Counter
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Count, Max, Model, Q, QuerySet

from apps.corpora import encodings
from apps.corpora.formats.ccg import read_ccg
from apps.corpora.formats.conllu import read_conllu
from apps.corpora.formats.readings import Format, Reading, Row, RowError, read_lines, sentence_digest
from apps.corpora.formats.tables import Layout, Record, column_name, is_header, read_column, read_records
from apps.corpora.models import (
    Corpus,
    CorpusDraft,
    Parse,
    ParseCheck,
    ParseSample,
    PolarityMarking,
    Sentence,
)
from apps.jobs.models import Job
from apps.studies.models import Study

M = TypeVar("M", bound=Model)


# ---- Drafts ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Table:
    """A table draft before its column is chosen: the first record and a few sentences' records.

    ``names_columns`` is the guess whether the first record does; where it does not, it is a sentence's.
    """

    header: tuple[str, ...]
    names: tuple[str, ...]
    sample: tuple[Record, ...]
    names_columns: bool

    @property
    def columns(self) -> list[tuple[int, str, str, list[str]]]:
        """For each column its index, its header as found, the name it goes by, and a few cells."""
        return [
            (
                index,
                cell,
                self.names[index],
                [record.cells[index][:200] for record in self.sample if index < len(record.cells)],
            )
            for index, cell in enumerate(self.header)
        ]


@dataclass(frozen=True)
class Duplicate:
    """A row whose sentence stands earlier in the same file, at row ``first``."""

    row: Row
    first: int


@dataclass(frozen=True)
class Preview:
    """What a commit would do: the rows that are new, twice in the file, or stored already.

    ``elsewhere`` of the new ones stand in another corpus of the study; ``adds_to`` sentences are in the
    corpus of the same name already.
    """

    new: tuple[Row, ...]
    duplicates: tuple[Duplicate, ...]
    stored: tuple[Row, ...]
    errors: tuple[RowError, ...]
    elsewhere: int
    adds_to: int

    @property
    def items(self) -> int:
        return len(self.new) + len(self.duplicates) + len(self.stored)


def is_readable(draft: CorpusDraft) -> bool:
    """The encoding is settled, and a table's column is chosen (where there is a row to choose it for)."""
    options = draft.options
    if options.get("raw"):
        return False
    if not Format(options["format"]).is_table or options.get("column") is not None:
        return True
    return not table_of(draft).sample


def table_of(draft: CorpusDraft) -> Table:
    records = read_records(draft.content, Format(draft.options["format"]))
    header = records[0].cells if records else ()
    names = tuple(column_name(header, index) for index in range(len(header)))
    names_columns = is_header(header)
    return Table(header, names, tuple(records[1:4] if names_columns else records[:3]), names_columns)


def named_columns(draft: CorpusDraft) -> tuple[tuple[str, ...], bool] | None:
    """The record of a table that is taken as the columns' names, and whether it reads like names; None
    where no record is."""
    if not Format(draft.options["format"]).is_table or not draft.options.get("has_header", True):
        return None
    table = table_of(draft)
    return (table.header, table.names_columns) if table.header else None


def encoding_preview(draft: CorpusDraft, encoding: str, lines: int = 8) -> list[str]:
    """The first lines of a draft's bytes as ``encoding``; raises :class:`encodings.Undecodable`."""
    text = encodings.decode_as(base64.b64decode(draft.content), encoding)
    return [line[:300] for line in text.splitlines() if line.strip()][:lines]


def reading_of(draft: CorpusDraft) -> Reading:
    """Everything in a readable draft, row by row."""
    options = draft.options
    format = Format(options["format"])
    if format.is_table:
        if options.get("column") is None:
            return Reading((), ())
        layout = Layout(options["column"], options.get("id_column"), options.get("has_header", True))
        return read_column(read_records(draft.content, format), layout).limited()
    read = {Format.CONLLU: read_conllu, Format.CCG: read_ccg}.get(format, read_lines)
    return read(draft.content).limited()


def preview_of(draft: CorpusDraft, reading: Reading | None = None) -> Preview:
    """What committing a readable draft would do. Two queries."""
    reading = reading or reading_of(draft)
    study_sentences = Sentence.objects.filter(corpus__study=draft.study)
    own = study_sentences.filter(corpus__name=draft.options["name"])
    known = set(own.values_list("digest", flat=True))
    others = set(study_sentences.exclude(corpus__name=draft.options["name"]).values_list("digest", flat=True))
    new: list[Row] = []
    duplicates: list[Duplicate] = []
    stored: list[Row] = []
    elsewhere = 0
    first: dict[str, int] = {}
    for row in reading.rows:
        digest = sentence_digest(row.text)
        if digest in first:
            duplicates.append(Duplicate(row, first[digest]))
            continue
        first[digest] = row.number
        if digest in known:
            stored.append(row)
            continue
        new.append(row)
        elsewhere += digest in others
    return Preview(tuple(new), tuple(duplicates), tuple(stored), reading.errors, elsewhere, len(known))


def open_drafts_of(study: Study) -> QuerySet[CorpusDraft]:
    """Files that somebody has begun to import, newest first, without their content."""
    return CorpusDraft.objects.filter(study=study, committed_at=None).defer("content").order_by("-pk")


# ---- Markings ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class MarkingGroup:
    """The markings of one parser, engine, version and convention; ``count`` of them in scope."""

    parser: str
    engine: str
    engine_version: str
    convention: str
    count: int = 0

    @property
    def key(self) -> str:
        return "|".join((self.parser, self.engine, self.engine_version, self.convention))

    def __str__(self) -> str:
        return f"{self.engine} {self.engine_version}, {self.convention}, {self.parser}"

    def of(self, queryset: QuerySet[M], path: str = "") -> QuerySet[M]:
        """The rows of ``queryset`` that belong to the group; ``path`` leads to the marking."""
        return queryset.filter(
            **{
                f"{path}parse__parser": self.parser,
                f"{path}engine": self.engine,
                f"{path}engine_version": self.engine_version,
                f"{path}convention": self.convention,
            }
        )


def marking_groups(*, study: Study, corpus: Corpus | None = None) -> list[MarkingGroup]:
    """Whose markings there are, the latest first. One query."""
    markings = PolarityMarking.objects.filter(parse__sentence__corpus__study=study)
    if corpus is not None:
        markings = markings.filter(parse__sentence__corpus=corpus)
    rows = (
        markings.values("parse__parser", "engine", "engine_version", "convention")
        .annotate(count=Count("pk"), latest=Max("pk"))
        .order_by("-latest")
    )
    return [
        MarkingGroup(
            row["parse__parser"], row["engine"], row["engine_version"], row["convention"], row["count"]
        )
        for row in rows
    ]


def group_by_key(groups: list[MarkingGroup], key: str | None) -> MarkingGroup | None:
    """The group of this key, or the latest, or None where there is none at all."""
    return next((group for group in groups if group.key == key), groups[0] if groups else None)


# ---- Corpora -----------------------------------------------------------------------------------
def corpora_of(study: Study, *, archived: bool = False) -> QuerySet[Corpus]:
    """With the numbers of sentences, and of those parsed and marked, by any parser."""
    return Corpus.objects.filter(study=study, archived_at__isnull=not archived).annotate(
        sentence_count=Count("sentences", distinct=True),
        parsed_count=Count("sentences", filter=Q(sentences__parses__markings__isnull=False), distinct=True),
    )


def parse_jobs_of(corpus: Corpus) -> QuerySet[Job]:
    return Job.objects.filter(study=corpus.study_id, kind="corpora.parse", params__corpus=corpus.pk)


def kinds_of(corpus: Corpus, group: MarkingGroup | None) -> dict[str, int]:
    """How many sentences are declarative, question, imperative, fragment; one query."""
    if group is None:
        return {}
    parses = Parse.objects.filter(sentence__corpus=corpus, parser=group.parser)
    return dict(parses.order_by("kind").values_list("kind").annotate(Count("pk")))


def sentences_of(
    corpus: Corpus, group: MarkingGroup | None, *, text: str = "", kind: str = ""
) -> QuerySet[Sentence]:
    """A corpus' sentences with this text in them and of this kind; ``unparsed`` and ``aside`` too."""
    sentences = corpus.sentences.order_by("position")
    if text:
        sentences = sentences.filter(text__icontains=text.replace("\0", ""))
    parses = Parse.objects.filter(parser=group.parser if group else "")
    if kind == "aside":
        return sentences.exclude(put_aside_at=None)
    if kind == "unparsed":
        return sentences.exclude(parses__in=parses)
    if kind in Parse.Kind.values:
        return sentences.filter(parses__in=parses.filter(kind=kind))
    return sentences


def markings_of(sentences: list[Sentence], group: MarkingGroup | None) -> dict[int, PolarityMarking]:
    """The group's marking of each sentence, by the sentence's key. One query."""
    if group is None:
        return {}
    found = group.of(PolarityMarking.objects.filter(parse__sentence__in=sentences)).select_related("parse")
    return {marking.parse.sentence_id: marking for marking in found}


def markings_with_parses(sentence: Sentence) -> list[PolarityMarking]:
    """Every marking of a sentence, the latest first. One query."""
    found = PolarityMarking.objects.filter(parse__sentence=sentence).select_related("parse")
    return list(found.order_by("-pk"))


def neighbour(sentence: Sentence, step: int) -> Sentence | None:
    """The next sentence of the corpus (``step`` 1) or the one before (-1)."""
    others = Sentence.objects.filter(corpus=sentence.corpus_id)
    if step > 0:
        return others.filter(position__gt=sentence.position).order_by("position").first()
    return others.filter(position__lt=sentence.position).order_by("-position").first()


def tokens_of(marking: PolarityMarking) -> list[tuple[str, str]]:
    """The tokens of a marked sentence, each with its arrow."""
    words = [token["text"] for token in marking.parse.tree["tokens"]]
    return list(zip(words, marking.signs, strict=True))


def tokens_beside(marking: PolarityMarking, chosen: PolarityMarking | None) -> list[tuple[str, str, bool]]:
    """The tokens of a marking with their arrows, and whether the chosen marking has another one there.

    Tokens that another parser cut differently can't be compared, and count as no difference.
    """
    tokens = tokens_of(marking)
    others = tokens_of(chosen) if chosen else []
    comparable = [word for word, _sign in tokens] == [word for word, _sign in others]
    return [
        (word, sign, comparable and sign != others[index][1]) for index, (word, sign) in enumerate(tokens)
    ]


# ---- Samples -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class SampleScore:
    """How far a sample is checked; ``share`` is the share right of those checked, None of none."""

    size: int
    right: int
    wrong: int

    @property
    def checked(self) -> int:
        return self.right + self.wrong

    @property
    def left(self) -> int:
        return self.size - self.checked

    @property
    def share(self) -> float | None:
        return self.right / self.checked if self.checked else None


def score_of(sample: ParseSample) -> SampleScore:
    counts: Counter[str] = Counter(sample.checks.values_list("verdict", flat=True))
    return SampleScore(
        counts.total(), counts[ParseCheck.Verdict.RIGHT.value], counts[ParseCheck.Verdict.WRONG.value]
    )


def samples_of(corpus: Corpus) -> list[tuple[ParseSample, SampleScore]]:
    """A corpus' samples with their scores, newest first. Two queries."""
    samples: list[Any] = list(
        corpus.samples.annotate(
            right=Count("checks", filter=Q(checks__verdict="right")),
            wrong=Count("checks", filter=Q(checks__verdict="wrong")),
        )
    )
    return [(sample, SampleScore(sample.size, sample.right, sample.wrong)) for sample in samples]
