"""``manage.py predictions_import STUDY FILE --dataset NAME --model NAME``: as in the browser, in one go."""

from __future__ import annotations

import shlex
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.corpora import encodings
from apps.datasets.models import Dataset
from apps.imports.formats.mapped import values_of
from apps.imports.models import PredictionDraft
from apps.imports.predictions import drafts, services

SHOWN_ERRORS = 20


class Command(BaseCommand):
    help = (
        "Import what a model that was run elsewhere says of a dataset's pairs, all or nothing: CSV, TSV, "
        "JSON lines or Parquet of pair_id (or premise and hypothesis), label, probabilities, also in .gz "
        "or .zip."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's address (slug)")
        parser.add_argument("file", help="the file, or - for standard input")
        parser.add_argument("--dataset", required=True, help="the dataset's name")
        parser.add_argument("--model", required=True, help="what the model is called")
        parser.add_argument(
            "--of-version", default="", metavar="VERSION", help="another file is another version; default 1"
        )
        parser.add_argument("--encoding", default="", choices=["", "utf-8", *encodings.ENCODINGS])
        parser.add_argument("--member", default="", help="which file of an archive")
        parser.add_argument(
            "--value",
            action="append",
            default=[],
            metavar="FOUND=LABEL",
            help="what a label of the file stands for, such as 0=entailment",
        )
        parser.add_argument("--skip-bad", action="store_true", help="leave bad rows out, and list them")

    def handle(self, *args: Any, study: str, file: str, **options: Any) -> None:
        found = Dataset.objects.filter(study__slug=study, name=options["dataset"], kind=Dataset.Kind.PAIRS)
        dataset = found.select_related("study").first()
        if dataset is None:
            raise CommandError(f"The study {study!r} has no dataset of pairs {options['dataset']!r}.")
        try:
            draft = self.draft(dataset, file, options)
            try:
                self.commit(draft, options)
            finally:
                if left := PredictionDraft.objects.filter(pk=draft.pk, started_at=None).first():
                    services.predictions_draft_discard(draft=left, actor=None)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror or error}") from error
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error

    def draft(self, dataset: Dataset, file: str, options: dict[str, Any]) -> PredictionDraft:
        said = {"encoding": options["encoding"], "member": options["member"]}
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as opened:
            return services.predictions_draft_create(
                dataset=dataset,
                actor=None,
                model_name=options["model"],
                version=options["of_version"],
                file_name="standard input" if file == "-" else Path(file).name,
                chunks=iter(lambda: opened.read(1024 * 1024), b""),
                options={**said, "values": values_of(options["value"])},
            )

    def commit(self, draft: PredictionDraft, options: dict[str, Any]) -> None:
        preview = services.predictions_preview(draft=draft, actor=None, here=True).preview
        if "problem" in preview:
            raise CommandError(f"{draft.file_name}, {preview['problem']}. Nothing was stored.")
        bad = [
            f"  row {e['row']} (line {e['line']}){', ' + e['column'] if e['column'] else ''}: {e['message']}"
            for e in preview["errors"]
        ]
        shown = "\n".join(bad[:SHOWN_ERRORS]) + ("\n  …" if preview["bad"] > SHOWN_ERRORS else "")
        if preview["bad"] and not options["skip_bad"]:
            raise CommandError(
                f"{draft.file_name}: nothing was stored, {preview['bad']} bad rows "
                f"(--skip-bad leaves them out):\n{shown}{_labels(preview)}"
            )
        services.predictions_commit(draft=draft, actor=None, skip_bad=options["skip_bad"], here=True)
        self.stdout.write(
            f"{drafts.full_name(draft)}: {preview['predictions']} of {preview['pairs']} pairs predicted "
            f"({preview['by_id']} by number, {preview['by_text'] + preview['by_words']} by texts), "
            f"{preview['pending']} pending (not in the file), {preview['scored']} with probabilities. "
            f"Fingerprint {preview['fingerprint']}."
        )
        if preview["contradicting"]:
            self.stdout.write(
                f"{preview['contradicting']} rows give another label the highest probability; theirs counts."
            )
        if bad:
            self.stderr.write(f"{preview['bad']} bad rows were left out:\n{shown}")


def _labels(preview: dict[str, Any]) -> str:
    """How to say what unknown labels stand for."""
    said = [
        f"--value {shlex.quote(one['found'])}={one['suggested'] or 'LABEL'}" for one in preview["unknown"]
    ]
    return f"\nSay what the labels stand for: {' '.join(said)}" if said else ""
