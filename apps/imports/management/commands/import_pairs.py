"""``manage.py import_pairs STUDY FILE --dataset NAME``: the same import as in the browser, in one go."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.corpora import encodings
from apps.corpora.sources import FileProblem
from apps.imports import drafts, formats, services
from apps.imports.formats import mapped
from apps.imports.formats.mapped import ColumnMapping
from apps.imports.models import PairDraft
from apps.imports.readers import Choices
from apps.studies.models import Study

SHOWN_ERRORS = 20


class Command(BaseCommand):
    help = (
        "Import premise-hypothesis pairs into a dataset, all or nothing: MED, MultiNLI, SNLI, SICK, HELP, "
        "FraCaS, GLUE diagnostics, the transitivity paper's judgements, Polarlab's releases, or any CSV, "
        "TSV, JSON lines or Parquet with --column, also in .gz or .zip."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's address (slug)")
        parser.add_argument("file", help="the file, or - for standard input")
        parser.add_argument("--dataset", required=True, help="name; made if there is none of that name")
        parser.add_argument("--licence", default="")
        parser.add_argument("--source", default="", help="citation or address of the whole file")
        parser.add_argument(
            "--format", default="", choices=["", *formats.TITLES], help="default: by its columns"
        )
        parser.add_argument("--encoding", default="", choices=["", "utf-8", *encodings.ENCODINGS])
        parser.add_argument("--member", default="", help="which file of an archive")
        parser.add_argument("--no-header", action="store_true", help="the first row is a pair already")
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="WHAT=NAME",
            help=f"a column by its header, or its number from 1; WHAT is one of "
            f"{', '.join((*mapped.SEVERAL, *mapped.SINGLE))}; repeat it for several",
        )
        parser.add_argument(
            "--value",
            action="append",
            default=[],
            metavar="FOUND=LABEL",
            help="what a label of the file stands for, such as 0=entailment or -1=none",
        )
        parser.add_argument("--skip-bad", action="store_true", help="leave bad rows out, and list them")

    def handle(self, *args: Any, study: str, file: str, **options: Any) -> None:
        found = Study.objects.filter(slug=study).first()
        if found is None:
            raise CommandError(f"There is no study {study!r}.")
        try:
            draft = self.draft(found, file, options)
            try:
                self.settle(draft, options)
                self.commit(draft, options)
            finally:
                if left := PairDraft.objects.filter(pk=draft.pk, started_at=None).first():
                    services.draft_discard(draft=left, actor=None)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror or error}") from error
        except FileProblem as problem:
            raise CommandError(f"{file}: {problem}. Nothing was stored.") from None
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error

    def draft(self, study: Study, file: str, options: dict[str, Any]) -> PairDraft:
        choices = Choices(
            encoding=options["encoding"],
            member=options["member"],
            format=options["format"],
            has_header=not options["no_header"],
        )
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as opened:
            return services.draft_create(
                study=study,
                actor=None,
                file_name="standard input" if file == "-" else Path(file).name,
                chunks=_chunks(opened),
                name=options["dataset"],
                licence=options["licence"],
                source=options["source"],
                choices=choices,
            )

    def settle(self, draft: PairDraft, options: dict[str, Any]) -> None:
        """The columns and what labels stand for, where they are said."""
        if not options["column"] and not options["value"]:
            return
        settled = replace(drafts.choices_of(draft), values=mapped.values_of(options["value"]))
        if options["column"]:
            mapping = mapping_of(options["column"], drafts.table_of(draft).columns)
            settled = replace(settled, format=mapped.KEY, mapping=mapping)
        draft.options = services.draft_choose(draft=draft, actor=None, choices=settled).options

    def commit(self, draft: PairDraft, options: dict[str, Any]) -> None:
        preview = services.draft_preview(draft=draft, actor=None, here=True).preview
        if "problem" in preview:
            more = self.advice(preview)
            raise CommandError(f"{draft.file_name}, {preview['problem']}{more}. Nothing was stored.")
        bad = [f"  row {e['row']} (line {e['line']}){_column(e)}: {e['message']}" for e in preview["errors"]]
        shown = "\n".join(bad[:SHOWN_ERRORS]) + ("\n  …" if preview["bad"] > SHOWN_ERRORS else "")
        if preview["bad"] and not options["skip_bad"]:
            raise CommandError(
                f"{draft.file_name}: nothing was stored, {preview['bad']} bad rows "
                f"(--skip-bad leaves them out):\n{shown}{_labels(preview)}"
            )
        services.draft_commit(draft=draft, actor=None, skip_bad=options["skip_bad"], here=True)
        draft.refresh_from_db()
        self.report(draft, preview, shown)

    def report(self, draft: PairDraft, preview: dict[str, Any], bad: str) -> None:
        done = draft.result
        judgements = f", {done['judgements']} judgements added" if preview["judgements"] else ""
        self.stdout.write(
            f"{done['rows']} rows: {done['new']} new pairs, {done['known']} there already, "
            f"{done['gold']} gold labels added{judgements}."
        )
        if bad:
            self.stderr.write(f"{done['skipped']} bad rows were left out:\n{bad}")
        for item in preview["left_out"]:
            self.stdout.write(f"Left out: row {item['row']} (line {item['line']}): {item['message']}")
        for column, damage in preview["damaged"].items():
            found = ", ".join(damage["found"])
            self.stdout.write(
                f"Column {column} is damaged in {damage['cells']} rows ({damage['why']}, such as {found}): "
                "the pairs came in without it."
            )
        if done["conflict_count"]:
            lines = ", ".join(map(str, done["conflicts"][:SHOWN_ERRORS]))
            more = " …" if done["conflict_count"] > SHOWN_ERRORS else ""
            self.stdout.write(
                f"{done['conflict_count']} rows have another gold label than their pair already has, "
                f"which was kept: lines {lines}{more}"
            )

    @staticmethod
    def advice(preview: dict[str, Any]) -> str:
        return {
            "encoding": f". If that is right, add --encoding {preview.get('guess')}",
            "member": ". Choose with --member",
            "columns": ". Use --column premises=NAME --column hypothesis=NAME",
        }.get(preview["step"], "")


def mapping_of(columns: list[str], found: tuple[str, ...]) -> ColumnMapping:
    """A mapping from ``WHAT=NAME``; ValidationError says which is wrong."""
    said: dict[str, list[str]] = {}
    for item in columns:
        what, separator, name = item.partition("=")
        if what not in (*mapped.SINGLE, *mapped.SEVERAL) or not separator:
            raise ValidationError(f"--column {item}: WHAT=NAME is wanted, such as hypothesis=sentence2")
        index = int(name) - 1 if name.isdigit() and name not in found else -1
        said.setdefault(what, []).append((found[index] if 0 <= index < len(found) else name).lower())
    if not said.get("premises") or len(said.get("hypothesis", [])) != 1:
        raise ValidationError("--column premises=NAME and --column hypothesis=NAME are needed")
    stored: dict[str, Any] = {name: said.get(name, []) for name in mapped.SEVERAL}
    stored |= {name: said.get(name, [""])[-1] for name in mapped.SINGLE}
    return ColumnMapping.of(stored)


def _labels(preview: dict[str, Any]) -> str:
    """How to say what unknown labels stand for."""
    said = [
        f"--value {shlex.quote(one['found'])}={one['suggested'] or 'LABEL'}" for one in preview["unknown"]
    ]
    return f"\nSay what the labels stand for: {' '.join(said)}" if said else ""


def _column(error: dict[str, Any]) -> str:
    return f", {error['column']}" if error["column"] else ""


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(1024 * 1024):
        yield chunk
