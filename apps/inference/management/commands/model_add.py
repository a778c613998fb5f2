"""Register a model, as its page and the API do."""

from __future__ import annotations

import time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.inference.kinds import KINDS
from apps.inference.models import Model
from apps.inference.services import labels_of
from apps.jobs import runner
from apps.jobs.models import Job
from apps.studies.models import Study

SECONDS = 1.0  # between two looks at a job that a worker has taken


class Command(BaseCommand):
    help = (
        "Register a model in a study, and say what was registered. The fields are those of the kind's page; "
        "a folder's labels are printed first, and registered with --confirmed yes. What takes a job "
        "(reading weights, training) is done at once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--study", required=True, help="the study's address (slug)")
        parser.add_argument("--kind", required=True, choices=list(KINDS))
        parser.add_argument("--name", required=True)
        fields = sorted(set().union(*(kind.fields for kind in KINDS.values())))
        for field in fields:
            of = [name for name, kind in KINDS.items() if field in kind.fields]
            parser.add_argument(f"--{field.replace('_', '-')}", help=f"of {', '.join(of)}")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"], hidden=False).first()
        if study is None:
            raise CommandError(f"There is no study at “{options['study']}”.")
        kind = KINDS[options["kind"]]
        if missing := kind.missing():
            raise CommandError(f"This server lacks {', '.join(missing)} (make neural).")
        every: set[str] = set().union(*(other.fields for other in KINDS.values()))
        given = {name: options[name] for name in every if options.get(name) is not None}
        if wrong := sorted(given.keys() - kind.fields):
            raise CommandError(f"A model of this kind has no {', '.join(wrong)}.")
        form = self._form(kind.form, study, {"name": options["name"], **given})
        try:
            made = kind.register(study=study, actor=None, **form.cleaned_data)
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        self._told(self._worked(made, study) if isinstance(made, Job) else made)

    def _form(self, make: Any, study: Study, given: dict[str, str]) -> forms.Form:
        """The kind's form, filled in: what isn't given is as the page has it at first. A dataset by its name
        or number."""
        form: forms.Form = make(None, study=study)
        data: dict[str, Any] = {}
        for name, field in form.fields.items():
            value: Any = given.get(name)
            if value is None:
                value = form.get_initial_for_field(field, name)
            elif isinstance(field, forms.ModelChoiceField) and not value.isdigit():
                there = field.queryset.filter(name=value).first() if field.queryset is not None else None
                if there is None:
                    raise CommandError(f"{name}: the study has no “{value}”.")
                value = there.pk
            elif isinstance(field, forms.BooleanField):
                value = value.lower() in ("yes", "true", "1")
            if value is not None and value is not False:
                data[name] = value
        order_confirmed = str(data.pop("confirmed", "")).lower() in ("yes", "true", "1")
        form = make(data, study=study)
        if not form.is_valid() and (order := getattr(form, "order", None)):
            for number, label in enumerate(order):
                self.stdout.write(f"output {number} → {label}")
            if order_confirmed:
                form = make({**data, "confirmed": ", ".join(order)}, study=study)
            else:
                raise CommandError(
                    "Is this what the outputs mean? Then again with --confirmed yes; else give --labels."
                )
        if not form.is_valid():
            raise CommandError(
                "; ".join(
                    f"{name}: {error}" if name != "__all__" else str(error)
                    for name, errors in form.errors.items()
                    for error in errors
                )
            )
        return form

    def _worked(self, job: Job, study: Study) -> Model:
        """Do the job here, or wait for the worker that was quicker."""
        while True:
            runner.run(job.pk)
            job.refresh_from_db()
            if job.state == Job.State.DONE:
                return Model.objects.get(study=study, name=job.params["name"])
            if job.state in (Job.State.FAILED, Job.State.CANCELLED) or job.error:
                raise CommandError(job.error or f"The job was {job.state}.")
            time.sleep(SECONDS)

    def _told(self, model: Model) -> None:
        self.stdout.write(f"{model.pk}  {model.name}  ({model.kind})")
        self.stdout.write(f"labels: {', '.join(labels_of(model))}")
        if model.fingerprint:
            self.stdout.write(f"fingerprint: {model.fingerprint}")
        training = model.config.get("training")
        if training:
            self.stdout.write(
                f"held-out accuracy: {100 * training['accuracy']:.1f} % of {training['tested on']} pairs"
            )
            if "its accuracy" in training:
                better = "better than" if training["beats it"] else "no better than"
                share = f"{100 * training['its accuracy']:.1f} %"
                self.stdout.write(f"{better} always saying {training['most frequent']} ({share})")
        if tried := model.smoke_test:
            self.stdout.write(f"right on {tried['right']} of {len(tried['pairs'])} plain pairs:")
            for pair in tried["pairs"]:
                sign = "=" if pair["said"] == pair["wanted"] else "≠"
                both = f"{pair['premise']} / {pair['hypothesis']}"
                self.stdout.write(f"  {pair['said'] or '–'} {sign} {pair['wanted']}: {both}")
            if tried["meant"]:
                changed = [f"{said} → {meant}" for said, meant in tried["meant"].items() if said != meant]
                self.stdout.write(f"THE LABELS LOOK TURNED ROUND: {', '.join(changed)}")
