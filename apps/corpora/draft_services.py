"""A file of sentences on its way in: a draft to look at, then one commit."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterable
from pathlib import PurePath
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.accounts.models import User
from apps.corpora import encodings, selectors
from apps.corpora.archives import unpacked
from apps.corpora.formats.readings import MAXIMUM_BYTES, Format, Row, nul_lines, sentence_digest
from apps.corpora.formats.tables import Layout
from apps.corpora.marking_rows import tree_row
from apps.corpora.models import Corpus, CorpusDraft, Parse, Sentence
from apps.corpora.sources import FileProblem
from apps.studies import audit
from apps.studies.models import Study


@transaction.atomic
def draft_create(
    *,
    study: Study,
    actor: User | None,
    file_name: str,
    data: bytes,
    name: str,
    licence: str,
    source: str,
    format: Format,
    simulated: bool = False,
) -> CorpusDraft:
    """Keep a file for its preview; nothing of it is a sentence yet.

    A file that is not UTF-8 is kept as its bytes with a guess of its encoding, and asks for that to be
    accepted. Raises :class:`ValidationError` for a file that is too large, holds NUL characters, or
    names a corpus whose licence or source differ. An archive's only file, or a workbook's only sheet, is
    taken out; one that is broken or holds several says so.
    """
    if len(data) > MAXIMUM_BYTES:
        raise ValidationError(
            _("The file has %(found)s MB; at most %(limit)d MB are taken at once. Split it.")
            % {"found": number_format(f"{len(data) / 2**20:.1f}"), "limit": MAXIMUM_BYTES // 2**20}
        )
    if not licence.strip() or not source.strip():
        raise ValidationError(_("A corpus needs a licence and a source."))
    name = name.strip()[:200] or PurePath(file_name).name.partition(".")[0][:200]
    if not name:
        raise ValidationError({"name": _("Give the corpus a name.")})
    data, format = _unpacked(data, file_name, format)
    _refuse_another_origin(study, name, licence.strip(), source.strip())
    options: dict[str, Any] = {
        "name": name,
        "licence": licence.strip(),
        "source": source.strip(),
        "format": str(format),
        "simulated": simulated,
    }
    try:
        content = _checked(encodings.decode(data))
        options["encoding"] = "utf-8"
    except encodings.NotUtf8 as refusal:
        content = base64.b64encode(data).decode()
        options |= {"raw": True, "encoding": refusal.guess, "line": refusal.line}
    draft = CorpusDraft.objects.create(
        study=study, file_name=file_name[:255], content=content, options=options, created_by=actor
    )
    audit.record("corpus_draft.created", study=study, actor=actor, subject=draft, bytes=len(data))
    return draft


def _unpacked(data: bytes, file_name: str, format: Format) -> tuple[bytes, Format]:
    """The only file of an archive or the only sheet of a workbook, and its format; else what was given."""
    try:
        packed = unpacked(data, file_name, MAXIMUM_BYTES)
    except FileProblem as problem:
        text = str(problem)
        raise ValidationError(f"{text[:1].upper()}{text[1:]}.") from None
    if packed is None:
        return data, format
    said_by_its_name = format == Format.of_file(file_name)  # and not somebody's choice
    return packed.data, Format.of_file(packed.name) if said_by_its_name else format


def _refuse_another_origin(study: Study, name: str, licence: str, source: str) -> None:
    """A corpus has one licence and one source: a file of another origin is another corpus."""
    corpus = Corpus.objects.filter(study=study, name=name).first()
    if corpus and (corpus.licence, corpus.source) != (licence, source):
        raise ValidationError(
            {
                "name": _(
                    "There is a corpus of this name with the licence “%(licence)s” and the source"
                    " “%(source)s”. Repeat those to add to it, or choose another name."
                )
                % {"licence": corpus.licence, "source": corpus.source}
            }
        )


def _checked(text: str) -> str:
    if lines := nul_lines(text):
        raise ValidationError(
            _("The file holds NUL characters (U+0000), first in line %(lines)s. Remove them and try again.")
            % {"lines": ", ".join(map(str, lines))}
        )
    return text


@transaction.atomic
def draft_accept_encoding(*, draft: CorpusDraft, actor: User | None, encoding: str) -> CorpusDraft:
    """Read a file that is not UTF-8 in the encoding that a person has looked at and accepted."""
    held = CorpusDraft.objects.select_for_update().get(pk=draft.pk)
    if not held.options.get("raw"):
        return held
    try:
        text = encodings.decode_as(base64.b64decode(held.content), encoding)
    except encodings.Undecodable as error:
        raise ValidationError(str(error)) from None
    held.content = _checked(text)
    held.options = {**held.options, "raw": False, "encoding": encoding}
    held.save(update_fields=["content", "options"])
    audit.record(
        "corpus_draft.encoding_accepted", study=held.study, actor=actor, subject=held, encoding=encoding
    )
    return held


@transaction.atomic
def draft_choose_column(*, draft: CorpusDraft, actor: User | None, layout: Layout) -> CorpusDraft:
    """Say which column of a table holds the sentences."""
    held = CorpusDraft.objects.select_for_update().get(pk=draft.pk)
    if held.committed_at:
        return held
    columns = len(selectors.table_of(held).header)
    wanted = [layout.column, *([] if layout.id_column is None else [layout.id_column])]
    if not all(0 <= column < columns for column in wanted):
        raise ValidationError(_("The file has no such column."))
    held.options = {
        **held.options,
        "column": layout.column,
        "id_column": layout.id_column,
        "has_header": layout.has_header,
    }
    held.save(update_fields=["options"])
    audit.record(
        "corpus_draft.column_chosen", study=held.study, actor=actor, subject=held, column=layout.column
    )
    return held


@transaction.atomic
def draft_discard(*, draft: CorpusDraft, actor: User) -> None:
    """Throw an uncommitted file away."""
    held = CorpusDraft.objects.select_for_update().get(pk=draft.pk)
    if held.committed_at:
        raise ValidationError(_("This file is already a corpus."))
    audit.record("corpus_draft.discarded", study=held.study, actor=actor, subject=held)
    held.delete()


@transaction.atomic
def drafts_discard(*, study: Study, actor: User, drafts: Collection[int]) -> int:
    """Throw these uncommitted files of a study away; returns how many there were. One that was begun
    since is not among them."""
    held = CorpusDraft.objects.select_for_update().filter(study=study, pk__in=drafts, committed_at=None)
    for draft in (found := list(held.defer("content"))):
        audit.record("corpus_draft.discarded", study=study, actor=actor, subject=draft)
        draft.delete()
    return len(found)


@transaction.atomic
def draft_commit(*, draft: CorpusDraft, actor: User | None, skip_bad: bool = False) -> CorpusDraft:
    """Store the draft's new sentences; done a second time, it changes nothing.

    All or nothing: with a bad row it raises :class:`ValidationError`, unless ``skip_bad`` says to leave
    bad rows out; the result then lists them.
    """
    held = CorpusDraft.objects.select_for_update().get(pk=draft.pk)
    if held.committed_at:
        return held
    if not selectors.is_readable(held):
        raise ValidationError(_("Accept the encoding and choose the column first."))
    options = held.options
    _refuse_another_origin(held.study, options["name"], options["licence"], options["source"])
    reading = selectors.reading_of(held)
    if not reading.rows and not reading.errors:
        return _nothing_to_store(held, actor)
    corpus, made = _held_corpus(held, actor)
    preview = selectors.preview_of(held, reading)
    if preview.errors and not skip_bad:
        raise ValidationError(
            ngettext(
                "Nothing was stored: %(n)d row is bad. Mend the file, or choose to skip it.",
                "Nothing was stored: %(n)d rows are bad. Mend the file, or choose to skip them.",
                len(preview.errors),
            )
            % {"n": len(preview.errors)}
        )
    _store(corpus, preview.new)
    counts: dict[str, Any] = {
        "new": len(preview.new),
        "duplicates": len(preview.duplicates),
        "stored": len(preview.stored),
        "skipped": len(preview.errors),
    }
    held.corpus, held.committed_at = corpus, timezone.now()
    held.result = counts | {"skipped_rows": [str(error) for error in preview.errors]}
    held.save(update_fields=["corpus", "committed_at", "result"])
    audit.record(
        "corpus.imported", study=held.study, actor=actor, subject=corpus, made=made, draft=held.pk, **counts
    )
    return held


def _held_corpus(draft: CorpusDraft, actor: User | None) -> tuple[Corpus, bool]:
    """The corpus that a draft is of, locked, and whether it was made for it. One import at a time into one
    corpus: positions and duplicates are counted under this lock."""
    options = draft.options
    corpus, made = Corpus.objects.get_or_create(
        study=draft.study,
        name=options["name"],
        defaults={
            "licence": options["licence"],
            "source": options["source"],
            "simulated": options["simulated"],
            "created_by": actor,
        },
    )
    return Corpus.objects.select_for_update().get(pk=corpus.pk), made


def _store(corpus: Corpus, rows: Iterable[Row]) -> None:
    """New sentences, after those that a corpus has, and the parses that came with them."""
    last = corpus.sentences.aggregate(last=Max("position"))["last"] or 0
    rows = list(rows)
    made = Sentence.objects.bulk_create(
        [
            Sentence(
                corpus=corpus,
                position=position,
                text=row.text,
                digest=sentence_digest(row.text),
                external_id=row.external_id,
            )
            for position, row in enumerate(rows, last + 1)
        ],
        batch_size=500,
    )
    pairs = zip(made, rows, strict=True)
    parses = [tree_row(sentence.pk, row.tree) for sentence, row in pairs if row.tree is not None]
    Parse.objects.bulk_create(parses, batch_size=500)


def _nothing_to_store(draft: CorpusDraft, actor: User | None) -> CorpusDraft:
    """An empty file is done with: no corpus is made for it."""
    draft.committed_at = timezone.now()
    draft.result = {"new": 0, "duplicates": 0, "stored": 0, "skipped": 0, "skipped_rows": []}
    draft.save(update_fields=["committed_at", "result"])
    audit.record("corpus_draft.empty", study=draft.study, actor=actor, subject=draft)
    return draft
