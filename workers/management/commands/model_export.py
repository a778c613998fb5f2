"""Make an ONNX folder out of a Hugging Face one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.inference.folders import FolderError, folder_open
from workers.exporting import ExportError, model_export


class Command(BaseCommand):
    help = (
        "Write FOLDER (Hugging Face, below the models' directory) as an ONNX folder OUT beside it, which "
        "then runs without torch. Both are run over fifty pairs: where labels differ, or probabilities by "
        "more than 1e-4, OUT is not made."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", help="a folder below the models' directory")
        parser.add_argument("out", help="the new folder, below the models' directory")
        parser.add_argument("--labels", default="", help="in the order of the outputs, with commas")

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.MODELS_DIR).resolve()
        out = (root / options["out"]).resolve()
        if out == root or not out.is_relative_to(root):
            raise CommandError(f"“{options['out']}” does not lie below the models' directory ({root}).")
        labels = [word.strip() for word in options["labels"].split(",") if word.strip()]
        try:
            made = model_export(folder_open(options["folder"], labels), out)
        except (FolderError, ExportError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{out}: {made.bytes / 1e6:.1f} MB")
        self.stdout.write(f"{made.pairs} pairs: same labels, probabilities at most {made.apart:.1g} apart")
