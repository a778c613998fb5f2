"""The jobs of an experiment: its rows dealt split by split, and the calculus reading its tests.

Its trainings are jobs of their own (workers/network_training.py), a seed of a network on a split each, so
that as many workers as there are take part.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.datasets.labelling import labeller
from apps.experiments import services
from apps.experiments.dealing import Dealer, Drawn
from apps.experiments.measures import Scores
from apps.experiments.models import Experiment
from apps.experiments.people import people_count
from apps.experiments.plans import Preset
from apps.experiments.protocols import ProtocolError
from apps.experiments.registered import registered_count
from apps.inference import training_sources
from apps.inference.meanings import gold_meanings, meanings_scored
from apps.inference.mixing import MixingError, Row
from apps.inference.training_sets import rows_of
from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job
from apps.jobs.signs_of_life import heartbeat
from natlog.fragments.embedding import two_way
from natlog.fragments.sygns import FORMS
from natlog.parsing import load_parser

PAIRS_A_CHUNK = 50


class Dealing:
    """Deals the splits, one a chunk. The sets that they are dealt from are drawn once a process."""

    def __init__(self) -> None:
        self._dealer: tuple[str, Dealer] | None = None

    def total(self, job: Job) -> int:
        return len(services.splits_wanted(_experiment(job)))

    def work(self, job: Job) -> Chunk | None:
        from natlog.fragments.drawing import TooFew

        experiment = _experiment(job)
        wanted = services.splits_wanted(experiment)
        if job.cursor >= len(wanted):
            self._dealer = None
            return None
        if self._dealer is None or self._dealer[0] != job.claim:
            self._dealer = (job.claim, _dealer(experiment, job))
        training, seed = wanted[job.cursor]
        try:
            dealt = self._dealer[1].deal(training, seed)
        except (ProtocolError, TooFew, MixingError, ValueError) as error:
            self._dealer = None
            raise JobError(str(error)) from error
        return Chunk(job.cursor + 1, 1, (training, seed, dealt))

    def store(self, job: Job, chunk: Chunk) -> None:
        training, seed, dealt = chunk.payload
        try:
            split = services.split_store(
                experiment=_experiment(job), training=training, seed=seed, dealt=dealt
            )
            registered_count(split)
            people_count(split)
        except ValidationError as error:
            raise JobError("; ".join(error.messages)) from error

    def finish(self, job: Job) -> dict[str, Any]:
        experiment = _experiment(job)
        services.trainings_start(experiment)
        services.calculus_start(experiment)
        return {"splits": experiment.splits.count()}


class CalculusReading:
    """Labels the pairs of the tests, each once, however many splits are tested on it. What the calculus does
    not read counts as wrong."""

    def __init__(self) -> None:
        self._pairs: tuple[str, list[tuple[tuple[str, str], list[tuple[int, str, Row]]]]] | None = None

    def total(self, job: Job) -> int:
        return len(self._tested(job))

    def work(self, job: Job) -> Chunk | None:
        few = self._tested(job)[job.cursor : job.cursor + PAIRS_A_CHUNK]
        if not few:
            self._pairs = None
            return None
        if few[0][1][0][2].label in FORMS:
            return Chunk(job.cursor + len(few), len(few), _read_by_grammar(few))
        by = labeller(settings.PARSER, "default")
        found: dict[tuple[int, str], list[tuple[str, Row, str]]] = {}
        verdicts = by.label_many([pair for pair, _places in few])
        for (_pair, places), verdict in zip(few, verdicts, strict=True):
            label = two_way(verdict.label) if verdict.read else ""
            for split, test, row in places:
                found.setdefault((split, services.CALCULUS), []).append((test, row, label))
        scores = {place: services.scores_of(said) for place, said in found.items()}
        return Chunk(job.cursor + len(few), len(few), scores)

    def store(self, job: Job, chunk: Chunk) -> None:
        services.calculus_add(found=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        return {}

    def _tested(self, job: Job) -> list[tuple[tuple[str, str], list[tuple[int, str, Row]]]]:
        """Each pair with its places: split, test, row."""
        if self._pairs is None or self._pairs[0] != job.claim:
            places: dict[tuple[str, str], list[tuple[int, str, Row]]] = {}
            for split in _experiment(job).splits.select_related("training_set").order_by("pk"):
                for row in rows_of(split.training_set)["test"]:
                    places.setdefault((row.premise, row.hypothesis), []).append((split.pk, row.source, row))
            self._pairs = (job.claim, list(places.items()))
        return self._pairs[1]


def _read_by_grammar(
    few: list[tuple[tuple[str, str], list[tuple[int, str, Row]]]],
) -> dict[tuple[int, str], Scores]:
    """What the fragment's grammar makes of sentences; what it does not read is no meaning."""
    found: dict[tuple[int, str], list[tuple[Row, str]]] = {}
    for (sentence, _gold), places in few:
        meanings = gold_meanings(sentence)
        for split, _test, row in places:
            said = (row, meanings.get(row.label, ""))
            found.setdefault((split, f"{services.GRAMMAR}{row.label}"), []).append(said)
    scores: dict[tuple[int, str], Scores] = {}
    for place, said_of in found.items():
        for scored in meanings_scored(said_of, ("proofs",)):
            if scored:
                scores[place] = scored.scores
    return scores


def _dealer(experiment: Experiment, job: Job) -> Dealer:
    sizes, protocol = experiment.spec["sizes"], services.protocol_of(experiment)

    def role_rows(role: str) -> list[Drawn]:
        reference = experiment.spec["roles"][role]["source"]
        rows = training_sources.rows_of(experiment.study, reference)
        columns = training_sources.columns_of(experiment.study, reference, protocol.columns)
        found = []
        for row in rows:
            own = {"direction": row.direction, **columns.get((row.premise, row.hypothesis), {})}
            found.append(Drawn(row.premise, row.hypothesis, two_way(row.label), row.direction, own))
        return found

    parser = partial(load_parser, settings.PARSER)
    return Dealer(protocol, Preset(**sizes), role_rows, heartbeat(job), parser)


def _experiment(job: Job) -> Experiment:
    found = Experiment.objects.filter(pk=job.params["experiment"], study=job.study)
    experiment = found.select_related("study", "created_by").first()
    if experiment is None:
        raise JobError(_("The experiment is not there any more."))
    return experiment


register(services.DEAL_KIND, Dealing(), Job.Urgency.PERSON)
register(services.CALCULUS_KIND, CalculusReading())
