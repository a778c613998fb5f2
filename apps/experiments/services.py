"""Experiments' writes: starting one, its splits as they are dealt, its contestants as they come in."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.experiments import protocols
from apps.experiments.contestants import forms_of, options_of
from apps.experiments.dealing import Dealt, Drawn
from apps.experiments.measures import Scores, added
from apps.experiments.models import Cell, Experiment, Split
from apps.experiments.plans import Protocol
from apps.inference import training_sets, training_sources, trainings
from apps.inference.meanings import MEANINGS
from apps.inference.mixing import Mixed, MixingError, Row
from apps.inference.models import Model
from apps.inference.training_models import Training, TrainingSet
from apps.inference.training_sets import Made, name_checked
from apps.jobs.models import Job
from apps.jobs.services import job_cancel, job_retry, job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.studies.models import Study
from natlog import VERSION

DEAL_KIND = "experiments.deal"
CALCULUS_KIND = "experiments.calculus"
#: Contestants that are no network's name. ``untrained:NETWORK`` is the network as its training begins.
CALCULUS, MAJORITY, UNTRAINED = "calculus", "majority", "untrained:"

LONGEST_NAME = 200  # of a training
#: Where meanings are learnt, the calculus' part is the fragment's grammar's: ``grammar FORM``.
GRAMMAR = "grammar "


@transaction.atomic
def experiment_start(
    *,
    study: Study,
    actor: User | None,
    name: str,
    protocol: Protocol,
    preset: str,
    roles: Mapping[str, str] | None = None,
    networks: Sequence[str] = (),
    keeps: bool = False,
) -> Experiment:
    """Run a protocol at a preset's sizes, in the background. ``roles`` are references to the study's datasets
    or releases (apps/inference/training_sources.py) by the role that they play; ``networks`` some of the
    preset's (none given: all). With ``keeps`` the networks of every seed become models of the study, run on
    the datasets that they are tested on (kept_networks.py). Everything is checked before a row is drawn."""
    name, roles = name_checked(name, 150), dict(roles or {})
    if Experiment.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has another experiment of that name.")})
    if preset not in protocol.presets:
        raise ValidationError({"preset": _("The protocol has no size “%(name)s”.") % {"name": preset}})
    sizes = protocol.presets[preset]
    if unknown := [each for each in networks if each not in (*sizes.networks, *sizes.contestants)]:
        said = {"name": unknown[0], "size": preset, "known": ", ".join(sizes.contestants)}
        text = _("“%(name)s” is none of the networks of the size %(size)s: %(known)s.")
        raise ValidationError({"networks": text % said})
    options = options_of(sizes, networks, small=preset != "paper")
    chosen = list(options)
    known = training_sources.names_of(study)
    for role in protocol.roles:
        if roles.get(role) in known:
            continue
        text = _("Choose what is to be “%(role)s” in it.")
        if roles.get(role):
            text = _(
                "“%(given)s” can't be “%(role)s”: the study has none such. One is written as “dataset:1”."
            )
        raise ValidationError({"roles": text % {"role": role, "given": roles.get(role)}})
    if unknown := sorted(set(roles) - set(protocol.roles)):
        text = _("The protocol asks for no “%(role)s”.") % {"role": unknown[0]}
        raise ValidationError({"roles": text})
    players: dict[str, str] = {}
    for role in protocol.roles:
        if (other := players.setdefault(roles[role], role)) != role:
            text = _(
                "“%(name)s” can't be both “%(one)s” and “%(other)s”: each asks for a dataset of its own."
            )
            said = {"name": known[roles[role]], "one": other, "other": role}
            raise ValidationError({"roles": text % said})
    for role in protocol.roles:
        role_check(study=study, role=role, reference=roles[role], name=known[roles[role]])
    experiment = Experiment.objects.create(
        study=study,
        name=name,
        protocol=protocol.key,
        preset=preset,
        spec={
            "name": name,
            "protocol": dict(protocol.data),
            "text": protocol.text,
            "sha256": protocol.fingerprint,
            "sizes": {**asdict(sizes), "networks": chosen, "options": options, "forms": forms_of(options)},
            "roles": {role: {"source": roles[role], "name": known[roles[role]]} for role in protocol.roles},
            "keeps": keeps,
            "versions": {"natlog": VERSION, "parser": settings.PARSER},
        },
        created_by=actor,
    )
    _names_check(experiment)
    experiment.job = job_start(
        study=study,
        kind=DEAL_KIND,
        title=wording(gettext_noop("Rows of the experiment %(name)s"), name=name),
        actor=actor,
        urgency=Job.Urgency.PERSON,
        experiment=experiment.pk,
    )
    experiment.save(update_fields=["job"])
    audit.record("experiment.started", study=study, actor=actor, subject=experiment, protocol=protocol.key)
    return experiment


def role_check(*, study: Study, role: str, reference: str, name: str) -> None:
    """What is to play a role has something to play it with. Whether that is enough for a preset's sizes is
    seen when rows are dealt."""
    said = {"name": name, "role": role}
    try:
        if training_sources.has_rows(study, reference):
            return
    except MixingError as error:
        raise ValidationError({"roles": str(error)}) from error
    dataset = training_sources.dataset_of(study, reference)
    if dataset and dataset.pairs.exists():
        text = _("“%(name)s” has no pairs with a label: it can't be “%(role)s”.")
    else:
        text = _("“%(name)s” has no pairs: it can't be “%(role)s”.")
    raise ValidationError({"roles": text % said})


def _names_check(experiment: Experiment) -> None:
    """Its trainings' names are free (an experiment that was renamed or deleted may have left some) and have
    room."""
    begins, sizes = f"{experiment.spec['name']}, ", experiment.spec["sizes"]
    longest = max(map(len, protocol_of(experiment).trainings)) + max(map(len, sizes["networks"]))
    most = LONGEST_NAME - longest - len(f", , {UNTRAINED}, {sizes['seeds']}")
    if len(experiment.spec["name"]) > most:
        raise ValidationError({"name": _("At most %(n)d characters with this protocol.") % {"n": most}})
    for kind in (TrainingSet, Training, Model):
        there = kind.objects.filter(study=experiment.study, name__startswith=begins)
        if name := there.order_by("pk").values_list("name", flat=True).first():
            text = _("Choose another name: there is “%(name)s” already.") % {"name": name}
            raise ValidationError({"name": text})


def protocol_of(experiment: Experiment) -> Protocol:
    """The protocol as it was when the experiment began."""
    return protocols.of_data(experiment.spec["protocol"], experiment.protocol)


def splits_wanted(experiment: Experiment) -> list[tuple[str, int]]:
    """Training and seed (0: every seed's) of each split, in the order in which they are dealt."""
    protocol = protocol_of(experiment)
    seeds = range(1, experiment.spec["sizes"]["seeds"] + 1) if protocol.shuffled else [0]
    return [(training, seed) for seed in seeds for training in protocol.trainings]


@transaction.atomic
def split_store(*, experiment: Experiment, training: str, seed: int, dealt: Dealt) -> Split:
    """Freeze a split, and say what always giving its most frequent label comes to. Stored again, it is the
    one that is there."""
    there = Split.objects.filter(experiment=experiment, training=training, seed=seed).first()
    if there is not None:
        return there
    actor = experiment.created_by
    set_name = f"{experiment.spec['name']}, {training}" + (f", seed {seed}" if seed else "")
    protocol = protocol_of(experiment)
    made = _made(set_name, experiment, training, seed, dealt, protocol)
    split = Split.objects.create(
        experiment=experiment,
        training=training,
        seed=seed,
        training_set=training_sets.training_set_store(
            study=experiment.study, actor=actor, made=made, is_listed=False
        ),
    )
    if not protocol.forms:
        most = Counter(row.label for row in dealt.train).most_common(1)[0][0]
        tested = ((name, row, most) for name, rows in dealt.test.items() for row in rows)
        cell_store(split=split, contestant=MAJORITY, seed=seed, scores=scores_of(tested))
    for name in readers_of(experiment.spec["sizes"]):
        Cell.objects.get_or_create(split=split, contestant=name, seed=seed, defaults={"scores": {}})
    return split


def readers_of(sizes: Mapping[str, Any]) -> list[str]:
    """What reads the tests without having learnt: the calculus, or the grammar, once for each form."""
    return [f"{GRAMMAR}{form}" for form in sizes.get("forms", ())] or [CALCULUS]


def trainings_start(experiment: Experiment) -> None:
    """Have the networks trained, each seed on each split as a job of its own, once all splits are there: a
    protocol with a selection that has too few rows is told of before anything is trained."""
    sizes = experiment.spec["sizes"]
    for split in experiment.splits.select_related("experiment__study", "training_set").order_by("pk"):
        for network in sizes["networks"]:
            for own in [split.seed] if split.seed else range(1, sizes["seeds"] + 1):
                _training_start(split, network, own, sizes["options"][network])
            untrained = {**sizes["options"][network], "epochs": 0}
            if "dropouts" in untrained:
                untrained["dropouts"] = []
            _training_start(split, network, split.seed or 1, untrained, UNTRAINED)


def _made(
    name: str, experiment: Experiment, training: str, seed: int, dealt: Dealt, protocol: Protocol
) -> Made:
    forms = experiment.spec["sizes"].get("forms", ())
    parts = {
        "train": _rows(dealt.train, training, forms),
        "validation": _rows(dealt.validation, training, forms),
        "test": [each for test, rows in dealt.test.items() for each in _rows(rows, test, forms)],
    }
    mixed = Mixed(parts)
    lines = mixed.lines()
    return Made(
        name=name,
        spec={"experiment": experiment.pk, "training": training, "seed": seed}
        | {"sources": [experiment.spec["roles"][role] for role in protocol.roles_learnt(training)]}
        | ({"labels": MEANINGS, "measures": list(protocol.measures)} if forms else {"labels": "two-way"}),
        counts=mixed.counts(),
        overlap=[],
        rows=zlib.compress(lines),
        fingerprint=hashlib.sha256(lines).hexdigest(),
    )


def _rows(rows: Sequence[Drawn], source: str, forms: Sequence[str]) -> list[Row]:
    """As they are stored: of sentences one for each form of their meanings (apps/inference/meanings.py)."""
    if not forms:
        return [Row(row.premise, row.hypothesis, row.label, row.direction, source) for row in rows]
    return [Row(row.premise, row.columns[form], form, "", source) for row in rows for form in forms]


def _training_start(
    split: Split, network: str, seed: int, options: Mapping[str, Any], kind: str = ""
) -> None:
    experiment = split.experiment
    contestant = f"{kind}{network}"
    given = {key: value for key, value in options.items() if key != "network"}
    training = trainings.training_start(
        training_set=split.training_set,
        actor=experiment.created_by,
        name=f"{experiment.spec['name']}, {split.training}, {contestant.replace(':', ' ')}, {seed}",
        network=options["network"],
        options=given,
        first_seed=seed,
        keeps=experiment.spec["keeps"] and not kind,
    )
    Cell.objects.create(split=split, contestant=contestant, seed=seed, training=training)


def scores_of(said: Iterable[tuple[str, Drawn | Row, str]]) -> Scores:
    """Counts of what was said: (test, row, label)."""
    scores: Scores = {}
    for test, row, label in said:
        counts = scores.setdefault(test, {})
        for key in ("all", row.direction) if row.direction else ("all",):
            right, pairs = counts.get(key, [0, 0])
            counts[key] = [right + (label == row.label), pairs + 1]
    return scores


def cell_store(*, split: Split, contestant: str, seed: int, scores: Scores) -> Cell:
    """What a contestant without a training came to; told again, it stays as it was told first."""
    cell, _made_now = Cell.objects.get_or_create(
        split=split, contestant=contestant, seed=seed, defaults={"scores": scores}
    )
    return cell


def calculus_add(*, found: Mapping[tuple[int, str], Scores]) -> None:
    """Add counts of the calculus, or of the grammar, by the split's id and the contestant."""
    splits = {split for split, _name in found}
    for cell in Cell.objects.select_for_update().filter(split__in=splits, training=None):
        scores: Scores = cell.scores or {}
        for test, counts in found.get((cell.split_id, cell.contestant), {}).items():
            own = scores.setdefault(test, {})
            for key, more in counts.items():
                own[key] = added([own[key], more]) if key in own else more
        cell.scores = scores
        cell.save(update_fields=["scores"])


def calculus_start(experiment: Experiment) -> None:
    """Have the calculus read the tests, once all splits are there."""
    experiment.calculus_job = job_start(
        study=experiment.study,
        kind=CALCULUS_KIND,
        title=wording(gettext_noop("The calculus in %(name)s"), name=experiment.name),
        actor=experiment.created_by,
        experiment=experiment.pk,
    )
    experiment.save(update_fields=["calculus_job"])


def jobs_of(experiments: Sequence[int]) -> QuerySet[Job]:
    """The jobs of experiments, by their ids: of their rows, of the calculus, of every training."""
    found = Experiment.objects.filter(pk__in=experiments)
    trainings_of = Training.objects.filter(cells__split__experiment__in=experiments)
    return Job.objects.filter(
        Q(pk__in=found.values("job"))
        | Q(pk__in=found.values("calculus_job"))
        | Q(pk__in=trainings_of.values("job"))
    )


def going_on(experiments: Sequence[int]) -> QuerySet[Job]:
    """Those of their jobs that are not over."""
    return jobs_of(experiments).filter(state__in=(Job.State.QUEUED, Job.State.RUNNING))


def experiment_cancel(*, experiment: Experiment, actor: User | None) -> None:
    """Cancel what of it still goes on; what is there stays."""
    going = going_on([experiment.pk])
    asked: set[int] = set()
    # Whatever was started while its rows' last ones were being dealt is there at the next look.
    while jobs := list(going.exclude(pk__in=asked).order_by("pk")):
        for job in jobs:
            job_cancel(job=job, actor=actor)
        asked.update(job.pk for job in jobs)


def experiment_go_on(*, experiment: Experiment, actor: User | None) -> None:
    """Queue what of it was cancelled or failed again, each from where it stopped."""
    stopped = Q(state__in=(Job.State.CANCELLED, Job.State.FAILED)) | Q(cancel_requested=True)
    for job in jobs_of([experiment.pk]).filter(stopped).order_by("pk"):
        job_retry(job=job, actor=actor)
