"""Run a paper's protocols from the command line, and print their tables."""

from __future__ import annotations

import os
import re
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.experiments import own_protocols, services
from apps.experiments.card import card
from apps.experiments.management.migrated import migrated_check
from apps.experiments.management.worker_processes import worker_pool
from apps.experiments.models import Experiment
from apps.experiments.plans import Protocol
from apps.experiments.protocols import PRESETS, ProtocolError, protocols
from apps.imports.uploads import taken_back
from apps.inference import training_sources
from apps.jobs import runner
from apps.jobs.models import Job
from apps.studies.models import Study
from apps.studies.services import study_create

IMPORT_OPTION = re.compile(r"--[a-z]")
SECONDS = 1.0  # between two looks at jobs that workers have taken


class Command(BaseCommand):
    help = (
        "Run a protocol, or all those of a paper, and print what came out. Without --study a study is made. "
        "What takes jobs is done here, beside whatever workers there are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "what",
            help="a protocol, a paper, the name of one of the study's own protocols or the path of one: "
            + ", ".join(_choices()),
        )
        parser.add_argument("--preset", choices=PRESETS, default="smoke")
        parser.add_argument("--study", help="the study's address (slug)")
        parser.add_argument("--owner", help="the e-mail address of whose study it becomes, without --study")
        parser.add_argument("--network", action="append", default=[], help="some of the preset's alone")
        parser.add_argument(
            "--role", action="append", default=[], metavar="ROLE=DATASET",
            help="a dataset or release of the study, by its name, in the place of what a protocol asks for; "
            "or the path of a file of pairs, which is imported first as a dataset with the file's name",
        )  # fmt: skip
        parser.add_argument(
            "--processes", type=int, default=os.cpu_count() or 1, help="so many trainings side by side"
        )
        parser.add_argument(
            "--go-on", action="store_true",
            help="begin none: have what is not over of the latest one of each protocol (in --study) done",
        )  # fmt: skip
        parser.add_argument(
            "--cancel", action="store_true",
            help="begin none: cancel what is not over of the latest one of each protocol (in --study)",
        )  # fmt: skip
        parser.add_argument("--keep", action="store_true", help="keep the networks as models of the study")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["processes"] < 1:
            raise CommandError("--processes: one at least is wanted.")
        if options["owner"] and options["study"]:
            raise CommandError("--owner is of a study that is made: not with --study.")
        chosen = _chosen(options["what"], options["study"])
        if options["cancel"]:
            migrated_check()
            for experiment in _latest("cancel", chosen, options):
                self._cancel(experiment)
            return
        if options["go_on"]:
            migrated_check()
            broken_off = _latest("go-on", chosen, options)
            for experiment in broken_off:
                services.experiment_go_on(experiment=experiment, actor=None)
                does = (
                    "going on with"
                    if services.going_on([experiment.pk]).exists()
                    else "nothing is left to do of"
                )
                self.stderr.write(f"{does} “{experiment.name}” of the study {experiment.study.slug}")
                texts = {each.key: each.fingerprint for each in chosen}
                if experiment.spec["sha256"] != texts[experiment.protocol]:
                    self.stderr.write("as it was begun: its protocol has another text since.")
            self._end(broken_off, options["processes"])
            return
        given = _given(options["role"])
        if unknown := sorted(set(given) - {role for each in chosen for role in each.roles}):
            raise CommandError(f"--role {unknown[0]}: nothing here asks for it.")
        left_out = [each for each in chosen if set(each.roles) - set(given)]
        if len(left_out) == len(chosen):
            raise CommandError(f"It asks for --role {', --role '.join(chosen[0].roles)}.")
        migrated_check()
        # What is refused, of a role or of a start, leaves no study and no datasets behind.
        with taken_back(), transaction.atomic():
            new = f"{Path(options['what']).stem}, {options['preset']}, {_moment()}"
            study = _study(options["study"]) if options["study"] else _study_made(new, options["owner"])
            roles, imported = _roles(study, given)
            made = [self._start(study, each, roles, options) for each in chosen if each not in left_out]
        self.stdout.write(imported, ending="")
        if not options["study"]:
            self.stderr.write(f"its study is {study.slug}, of {study.created_by.email}")
        for protocol in left_out:
            self.stderr.write(f"left out: {protocol.key} (it asks for --role {', '.join(protocol.roles)})")
        self._end(made, options["processes"])

    def _cancel(self, experiment: Experiment) -> None:
        """Cancel what of it is not over, and wait until that is so: what is in work hears of it at its next
        step, and what a killed process left counts as nobody's after a while."""
        named = f"“{experiment.name}” of the study {experiment.study.slug}"
        going = services.going_on([experiment.pk])
        if not going.exists():
            self.stderr.write(f"nothing of {named} goes on")
            return
        services.experiment_cancel(experiment=experiment, actor=None)
        told = False
        while running := list(going.all()):
            if not told:
                told = True
                self.stderr.write(
                    f"in work: {len(running)}; each ends at its next step, or, where its process was killed, "
                    f"after {settings.JOB_STALL_SECONDS} s of silence"
                )
            if any(job.is_stalled for job in running):
                services.experiment_cancel(experiment=experiment, actor=None)
            time.sleep(SECONDS)
        self.stderr.write(f"cancelled: {named}")

    def _end(self, made: list[Experiment], processes: int) -> None:
        """Have all of it done, and print it; CommandError, at the end, for what failed."""
        self._work(made, processes)
        for experiment in made:
            if experiment.splits.exists():
                self.stdout.write(card(experiment))
        ended = services.jobs_of([each.pk for each in made]).exclude(state=Job.State.DONE).order_by("pk")
        if failed := [f"{job.title}: {job.error or job.state}" for job in ended]:
            raise CommandError("\n".join(failed))

    def _start(
        self, study: Study, protocol: Protocol, roles: dict[str, str], options: dict[str, Any]
    ) -> Experiment:
        try:
            return services.experiment_start(
                study=study,
                actor=None,
                name=f"{protocol.title}, {options['preset']}, {_moment()}"[:150],
                protocol=protocol,
                preset=options["preset"],
                roles={role: roles[role] for role in protocol.roles},
                networks=options["network"],
                keeps=options["keep"],
            )
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error

    def _work(self, experiments: list[Experiment], processes: int) -> None:
        """Every job of them, here or by the workers, until all are over; one that fails holds up no other."""
        given: dict[int, Future[None]] = {}
        told = False
        with worker_pool(processes, self._broken_off) as pool:
            while True:
                waiting = list(services.going_on([each.pk for each in experiments]).order_by("pk"))
                if not waiting:
                    return
                elsewhere = [job for job in waiting if job.state == Job.State.RUNNING and job.pk not in given]
                if elsewhere and not told:
                    told = True
                    self.stderr.write(
                        f"with other workers, or left by a killed process: {len(elsewhere)}; what says "
                        f"nothing for {settings.JOB_STALL_SECONDS} s is taken up here"
                    )
                for job in waiting:
                    is_free = job.state == Job.State.QUEUED or job.is_stalled
                    # One that had to wait for something is given out again.
                    if is_free and (job.pk not in given or given[job.pk].done()):
                        given[job.pk] = pool.submit(runner.run, job.pk)
                wait(given.values(), SECONDS, FIRST_COMPLETED)
                time.sleep(SECONDS / 10)

    def _broken_off(self) -> None:
        self.stderr.write(
            "\nBroken off. The same command with --go-on in place of roles, networks and --keep has the rest "
            "done, each training from its last epoch; with --cancel no worker takes it up."
        )


def _chosen(what: str, slug: str | None) -> list[Protocol]:
    if what.endswith(".toml"):
        path = Path(what)
        try:
            return [own_protocols.protocol_checked(path.read_bytes(), path.stem)]
        except OSError as error:
            raise CommandError(f"{what}: {error.strerror}") from error
        except ProtocolError as error:
            raise CommandError(str(error)) from error
    found = [each for each in protocols().values() if what in (each.key, each.paper)]
    if not found and slug and (own := own_protocols.protocol_named(_study(slug), what)):
        return [own]
    if not found:
        hint = "" if slug else " A study's own protocol is found with --study, or by its path."
        raise CommandError(f"There is no “{what}”; there are: {', '.join(_choices())}.{hint}")
    return found


def _latest(option: str, chosen: list[Protocol], options: dict[str, Any]) -> list[Experiment]:
    """The latest experiment of each protocol at the preset, for one of the options that begin none."""
    others = ("role", "network", "keep", "owner", "cancel" if option == "go-on" else "go_on")
    if other := [name for name in others if options[name]]:
        raise CommandError(
            f"--{option} takes an experiment as it was begun: no --{other[0].replace('_', '-')}."
        )
    there = Experiment.objects.filter(archived_at=None, study__hidden=False, preset=options["preset"])
    if options["study"]:
        there = there.filter(study=_study(options["study"]))
    latest = {each.protocol: each for each in there.order_by("pk")}
    found = [latest[each.key] for each in chosen if each.key in latest]
    if not found:
        raise CommandError(f"No experiment of it at {options['preset']} was begun.")
    return found


def _choices() -> list[str]:
    papers = dict.fromkeys(each.paper for each in protocols().values())
    return [*papers, *protocols()]


def _moment() -> str:
    return timezone.now().strftime("%Y-%m-%d %H:%M:%S")


def _study(slug: str) -> Study:
    study = Study.objects.filter(slug=slug, hidden=False).first()
    if study is None:
        raise CommandError(f"There is no study at “{slug}”.")
    return study


def _study_made(name: str, email: str | None) -> Study:
    """A study of its own. Of an empty database there is nobody yet: it is somebody's without a password, who
    can be given one."""
    if email:
        owner = User.objects.filter(email__iexact=email).first()
        if owner is None:
            raise CommandError(f"--owner: nobody here has the address {email}.")
    else:
        owner = User.objects.filter(is_superuser=True).order_by("pk").first()
        owner = owner or User.objects.create_superuser("experiments@localhost.invalid", None)
    return study_create(actor=owner, name=name)


def _given(written: list[str]) -> dict[str, str]:
    """What was written for each role: a dataset's name or a file's path."""
    found = {}
    for each in written:
        role, sign, name = each.partition("=")
        if not sign:
            raise CommandError(f"--role {each}: ROLE=DATASET is wanted.")
        found[role] = name
    return found


def _roles(study: Study, given: dict[str, str]) -> tuple[dict[str, str], str]:
    """The reference of each role's dataset, and what is to be said of the files that were imported for it."""
    roles, imported = {}, StringIO()
    files: dict[str, Path] = {}
    for role, name in given.items():
        names = _names(study)
        if name not in names and Path(name).is_file():
            if files.setdefault(Path(name).name, Path(name).resolve()) != Path(name).resolve():
                raise CommandError(
                    f"--role {role}: another file is called “{Path(name).name}” too; rename one."
                )
            _import(study, role, name, imported)
            name, names = Path(name).name, _names(study)
        if name not in names:
            known = ", ".join(names) or "none"
            raise CommandError(f"--role {role}: “{name}” is no file, and no dataset of the study: {known}")
        try:
            services.role_check(study=study, role=role, reference=names[name], name=name)
        except ValidationError as error:
            raise CommandError(f"--role {role}: {'; '.join(error.messages)}") from error
        roles[role] = names[name]
    return roles, imported.getvalue()


def _import(study: Study, role: str, name: str, said: StringIO) -> None:
    """A file as a dataset with its name. Options that its importer names are not this command's."""
    try:
        call_command("import_pairs", study.slug, name, dataset=Path(name).name, stdout=said)
    except CommandError as error:
        text = f"--role {role}: {error}"
        if IMPORT_OPTION.search(str(error)):
            text += (
                "\nThese are options of “manage.py import_pairs STUDY FILE --dataset NAME”, which brings the "
                f"file into a study as a dataset; say here “--study STUDY --role {role}=NAME” then."
            )
        raise CommandError(text) from error


def _names(study: Study) -> dict[str, str]:
    return {name: reference for reference, name in training_sources.names_of(study).items()}
