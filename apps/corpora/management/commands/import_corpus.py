"""``manage.py import_corpus STUDY FILE``: the same import as in the browser, without the preview."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from apps.corpora import draft_services, encodings, selectors, services
from apps.corpora.formats.readings import Format
from apps.corpora.formats.tables import Layout, column_named
from apps.corpora.models import Corpus, CorpusDraft
from apps.jobs.models import Job
from apps.jobs.runner import run
from apps.studies.models import Study

SHOWN_ERRORS = 20


class Command(BaseCommand):
    help = "Import sentences into a study: one a line, a column of CSV or TSV, or CoNLL-U."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="the study's address (slug)")
        parser.add_argument("file", help="the file, or - for standard input")
        parser.add_argument("--name", default="", help="the corpus (default: the file's name)")
        parser.add_argument("--licence", default="", help="the licence of the sentences")
        parser.add_argument("--source", default="", help="where they come from (default: the file's name)")
        parser.add_argument("--column", default="", help="a table's column: its header, or its number from 1")
        parser.add_argument("--id-column", default="", help="a column of identifiers, likewise")
        parser.add_argument("--no-header", action="store_true", help="the first row is a sentence already")
        parser.add_argument("--format", choices=Format.values, help="default: by the file's extension")
        parser.add_argument("--encoding", choices=encodings.ENCODINGS, help="for a file that is not UTF-8")
        parser.add_argument("--skip-bad", action="store_true", help="leave bad rows out, and list them")
        parser.add_argument("--parse", action="store_true", help="parse and polarise the corpus afterwards")
        parser.add_argument("--convention", default="default", help="the convention to polarise under")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            slugs = ", ".join(Study.objects.values_list("slug", flat=True)[:20]) or "none yet"
            raise CommandError(f"There is no study “{options['study']}”. The studies here: {slugs}.")
        try:
            corpus = self.bring_in(study, options)
            if options["parse"] and corpus is not None:
                self.parse(corpus, options["convention"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None

    def bring_in(self, study: Study, options: dict[str, Any]) -> Corpus | None:
        """All of the import, or none: a draft that could not be committed is not left lying."""
        draft = self.draft(study, options)
        try:
            self.settle(draft, options)
            draft.refresh_from_db()
            return self.commit(draft, options)
        finally:
            CorpusDraft.objects.filter(pk=draft.pk, committed_at=None).delete()

    def draft(self, study: Study, options: dict[str, Any]) -> CorpusDraft:
        path = Path(options["file"])
        try:
            data = sys.stdin.buffer.read() if options["file"] == "-" else path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}.") from None
        name = "standard input" if options["file"] == "-" else path.name
        licence = options["licence"]
        if not licence:
            licence = "not stated"
            self.stderr.write("No --licence given: stored as “not stated”.")
        return draft_services.draft_create(
            study=study,
            actor=None,
            file_name=name,
            data=data,
            name=options["name"],
            licence=licence,
            source=options["source"] or name,
            format=Format(options["format"]) if options["format"] else Format.of_file(name),
        )

    def settle(self, draft: CorpusDraft, options: dict[str, Any]) -> None:
        """The encoding and the column, where the file needs them."""
        if draft.options.get("raw"):
            if not options["encoding"]:
                guess = draft.options["encoding"]
                lines = "\n".join(selectors.encoding_preview(draft, guess, 3))
                raise CommandError(
                    f"{draft.file_name}: not UTF-8 (line {draft.options['line']}). It looks like "
                    f"{encodings.label(guess)}, which reads:\n{lines}\n"
                    f"If that is right, add --encoding {guess}."
                )
            draft = draft_services.draft_accept_encoding(
                draft=draft, actor=None, encoding=options["encoding"]
            )
        if not Format(draft.options["format"]).is_table:
            return
        if selectors.is_readable(draft):
            return
        table = selectors.table_of(draft)
        try:
            column = column_named(table.header, options["column"] or ("1" if len(table.header) == 1 else ""))
            id_column = column_named(table.header, options["id_column"]) if options["id_column"] else None
        except LookupError as error:
            raise CommandError(f"{draft.file_name}: {error.args[0]}") from None
        layout = Layout(column, id_column, not options["no_header"])
        draft_services.draft_choose_column(draft=draft, actor=None, layout=layout)
        if layout.has_header and not table.names_columns:
            cells = ", ".join(f"“{cell}”" for cell in table.header)
            self.stderr.write(f"Row 1 is taken as names: {cells}. If it is a sentence, add --no-header.")

    def commit(self, draft: CorpusDraft, options: dict[str, Any]) -> Corpus | None:
        preview = selectors.preview_of(draft)
        if not preview.items and not preview.errors:
            self.stdout.write("0 items.")
            return None
        if preview.errors and not options["skip_bad"]:
            shown = "\n".join(f"  {error}" for error in preview.errors[:SHOWN_ERRORS])
            more = len(preview.errors) - SHOWN_ERRORS
            rest = f"\n  … and {more} more" if more > 0 else ""
            raise CommandError(
                f"{draft.file_name}: nothing was stored, {len(preview.errors)} bad rows "
                f"(--skip-bad leaves them out):\n{shown}{rest}"
            )
        result = draft_services.draft_commit(draft=draft, actor=None, skip_bad=options["skip_bad"]).result
        for line in result["skipped_rows"]:
            self.stderr.write(f"skipped: {line}")
        self.stdout.write(
            f"{preview.items} items: {result['new']} new, {result['duplicates']} duplicates in the file, "
            f"{result['stored']} already stored, {result['skipped']} bad rows skipped."
        )
        draft.refresh_from_db()
        return draft.corpus

    def parse(self, corpus: Corpus, convention: str) -> None:
        """Run the job here, or wait for the worker that took it first."""
        job = services.corpus_parse(corpus=corpus, actor=None, convention=convention)
        self.stdout.write(f"Parsing {corpus.sentences.count()} sentences …")
        run(job.pk)
        job.refresh_from_db()
        while not job.is_over:
            time.sleep(1)
            if job.state == Job.State.QUEUED or job.is_stalled:
                run(job.pk)
            job.refresh_from_db()
        for failure in job.failures.all()[:SHOWN_ERRORS]:
            self.stderr.write(f"failed: sentence {failure.item}: {failure.message}")
        if job.state != Job.State.DONE:
            raise CommandError(f"The parsing is {job.state}: {job.error or 'no reason given'}")
        counts = ", ".join(f"{value} {name}" for name, value in job.result.items())
        self.stdout.write(f"Parsed: {job.done} sentences, {job.failed} failed ({counts}).")
