"""Mix a training set out of a study's datasets and releases, and freeze it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.inference.mixing import MixingError
from apps.inference.models import TrainingSet
from apps.inference.training_sets import Mixing, name_checked, spec_checked, training_set_store
from apps.inference.training_sources import names_of
from apps.studies.models import Study

_KINDS = {"count": int, "share": float, "upward": float}


class Command(BaseCommand):
    help = (
        "Mix the training set NAME in STUDY. A source is a dataset's or a release's name (or its reference, "
        "dataset:3), with what is wanted of it behind semicolons: --source 'HELP;count=2000;upward=0.3'."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's address (slug)")
        parser.add_argument("name", nargs="?", help="what to call the set")
        parser.add_argument(
            "--source", action="append", default=[], metavar="NAME[;count=N][;share=X][;upward=X]"
        )
        parser.add_argument(
            "--test", action="append", default=[], metavar="NAME", help="nothing is learnt of it"
        )
        parser.add_argument("--size", type=int)
        parser.add_argument("--labels", default="two-way")
        parser.add_argument(
            "--without-premises", action="store_true", help="nor of pairs that share a premise"
        )
        parser.add_argument("--validation", type=float, default=0.1, help="the share put aside")
        parser.add_argument("--validation-source", metavar="NAME")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--out", type=Path, help="write the rows to a file too, as JSON lines")
        parser.add_argument("--sources", action="store_true", help="list what there is, and do nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study at “{options['study']}”.")
        names = names_of(study)
        if options["sources"]:
            for reference, name in names.items():
                self.stdout.write(f"{reference}\t{name}")
            return
        if not options["name"]:
            raise CommandError("Give the set a NAME.")

        def found(name: str) -> str:
            if name in names:
                return name
            matching = [reference for reference, known in names.items() if known == name]
            if len(matching) != 1:
                raise CommandError(
                    f"The study has {'no' if not matching else 'more than one'} source “{name}” (--sources)."
                )
            return matching[0]

        own = ("size", "labels", "without_premises", "validation", "seed")
        spec = {
            "sources": [_portion(text, found) for text in options["source"]],
            "test": [found(name) for name in options["test"]],
            "validation_source": found(options["validation_source"])
            if options["validation_source"]
            else None,
            **{name: options[name] for name in own},
        }
        try:
            name = name_checked(options["name"], 200)
            made = Mixing(study).make(name, spec_checked(study, spec))
            stored = training_set_store(study=study, actor=None, made=made)
        except (ValidationError, MixingError) as error:
            raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
        self._tell(stored)
        if options["out"]:
            import zlib

            options["out"].write_bytes(zlib.decompress(bytes(stored.rows)))

    def _tell(self, stored: TrainingSet) -> None:
        self.stdout.write(f"{stored.name}: fingerprint {stored.fingerprint}")
        for part, counts in stored.counts.items():
            told = ", ".join(
                f"{name} {json.dumps(found, ensure_ascii=False)}" for name, found in counts.items()
            )
            self.stdout.write(f"  {part:11}{told}")
        for one in stored.overlap:
            told = ", ".join(f"{name} {count}" for name, count in one.items() if name != "source")
            self.stdout.write(f"  overlap of {one['source']}: {told}")


def _portion(text: str, found: Any) -> dict[str, Any]:
    name, *more = (part.strip() for part in text.split(";"))
    portion: dict[str, Any] = {"source": found(name)}
    for part in more:
        key, _equals, value = part.partition("=")
        try:
            portion[key] = _KINDS[key](value)
        except (KeyError, ValueError):
            raise CommandError(f"“{part}” of --source: count=N, share=X or upward=X is wanted.") from None
    return portion
