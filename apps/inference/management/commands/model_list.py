"""What models there are."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.inference.selectors import models_of
from apps.studies.models import Study


class Command(BaseCommand):
    help = "List the models of a study (of all, where none is named): number, name, kind, fingerprint, runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--study", help="the study's address (slug)")

    def handle(self, *args: Any, **options: Any) -> None:
        studies = Study.objects.filter(hidden=False).order_by("slug")
        if options["study"]:
            studies = studies.filter(slug=options["study"])
            if not studies.exists():
                raise CommandError(f"There is no study at “{options['study']}”.")
        for study in studies:
            for model in models_of(study):
                turned = "  labels look turned round" if (model.smoke_test or {}).get("meant") else ""
                runs = getattr(model, "run_count", 0)
                self.stdout.write(
                    f"{study.slug}\t{model.pk}\t{model.name}\t{model.kind}\t{model.fingerprint[:12] or '–'}"
                    f"\t{runs}{turned}"
                )
