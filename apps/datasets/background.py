"""Background work on datasets: the calculus' labels."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.datasets import labelling
from apps.datasets.labelling import CannotLabel, Labelled, Profiled
from apps.datasets.models import CalculusLabel, Dataset, Pair, Profile
from apps.datasets.selectors import unlabelled
from apps.datasets.services import calculus_labels_store
from apps.jobs import signs_of_life
from apps.jobs.kinds import Chunk, Failure, JobError, register
from apps.jobs.models import Job

if TYPE_CHECKING:
    from natlog.calculus import Labeller

logger = logging.getLogger(__name__)

LABELS_A_CHUNK = 40


class Labelling:
    """Labels a dataset's pairs in the order of their numbers; pairs added meanwhile come last. Parameters:
    ``dataset``; ``convention``, which is looked up once where it isn't given; ``missing``: only pairs that
    have no label."""

    items_a_chunk = LABELS_A_CHUNK

    def total(self, job: Job) -> int:
        return self._pairs(job).count()

    def work(self, job: Job) -> Chunk | None:
        pairs = self._next(job, job.at_most(LABELS_A_CHUNK))
        if not pairs:
            return None
        by = labelling.labeller(settings.PARSER, _convention(job))
        key = labelling.key_of(by)
        labelled = CalculusLabel.objects.filter(pair__in=pairs, **key._asdict())
        there = set(labelled.values_list("pair_id", flat=True))
        known = Profile.objects.filter(pair__in=pairs, depth__isnull=False, argument_of__isnull=False)
        looked_up = there & set(known.values_list("pair_id", flat=True))
        # A pair that was labelled before profiles were kept gets one now.
        without = [pair for pair in pairs if pair.pk not in looked_up]
        self._parse(by, without)
        labels, unread, failures = self._labels(by, [pair for pair in without if pair.pk not in there])
        payload = ([pair.pk for pair in pairs], key, labels, unread, self._profiles(by, without))
        return Chunk(pairs[-1].pk, len(pairs), payload, failures)

    def skipped(self, job: Job, why: str) -> Chunk | None:
        key = labelling.key_of(labelling.labeller(settings.PARSER, _convention(job)))
        for pair in self._next(job, 1):
            return Chunk(
                pair.pk, 1, ([pair.pk], key, {}, {}, {}), [Failure(str(pair.pk), pair.hypothesis, why)]
            )
        return None

    def _next(self, job: Job, count: int) -> list[Pair]:
        following = self._pairs(job).filter(pk__gt=job.cursor).order_by("pk")
        return list(following.select_related("blank__sentence").prefetch_related("premises")[:count])

    def _pairs(self, job: Job) -> QuerySet[Pair]:
        dataset = self._dataset(job)
        return unlabelled(dataset) if job.params.get("missing") else dataset.pairs.all()

    @staticmethod
    def _labels(by: Labeller, pairs: list[Pair]) -> tuple[dict[int, Labelled], dict[int, str], list[Failure]]:
        """The labels, why pairs were not read, and both these and other failures in words."""
        labels: dict[int, Labelled] = {}
        unread: dict[int, str] = {}
        failures = []
        for pair in pairs:
            signs_of_life.item_begins()
            try:
                labels[pair.pk] = labelling.labelled(pair, by)
            except CannotLabel as reason:
                unread[pair.pk] = reason.why
                failures.append(Failure(str(pair.pk), pair.hypothesis, str(reason)))
            except Exception as error:  # one odd sentence must not hold up thousands
                logger.warning("pair %s could not be labelled: %r", pair.pk, error)
                failures.append(Failure(str(pair.pk), pair.hypothesis, f"{type(error).__name__}: {error}"))
        return labels, unread, failures

    @staticmethod
    def _profiles(by: Labeller, pairs: list[Pair]) -> dict[int, Profiled]:
        """Of pairs with several premises too, which have no label."""
        profiles: dict[int, Profiled] = {}
        for pair in pairs:
            signs_of_life.item_begins()
            try:
                profiles[pair.pk] = labelling.profiled(pair, by)
            except Exception as error:  # its label failed for the same reason, and says so
                logger.warning("pair %s has no profile: %r", pair.pk, error)
        return profiles

    @staticmethod
    def _parse(by: Labeller, pairs: list[Pair]) -> None:
        """One batch through the parser; what each pair needs is then in the labeller's memory."""
        signs_of_life.item_begins(len(pairs))
        texts = [premise.text for pair in pairs for premise in pair.premises.all()]
        try:
            by.markings([*texts, *(pair.hypothesis for pair in pairs)])
        except Exception:  # said of the one pair below, which is then parsed by itself
            logger.exception("a batch of pairs could not be parsed at once")

    def store(self, job: Job, chunk: Chunk) -> None:
        pks, key, labels, unread, profiles = chunk.payload
        job.params = {**job.params, "convention": key.convention}  # looked up once a job
        calculus_labels_store(pairs=pks, key=key, labels=labels, not_read=unread, profiles=profiles)

    def finish(self, job: Job) -> dict[str, Any]:
        key = labelling.key_of(labelling.labeller(settings.PARSER, _convention(job)))
        return {"labelled": job.done - job.failed, **key._asdict()}

    @staticmethod
    def _dataset(job: Job) -> Dataset:
        found = Dataset.objects.filter(pk=job.params["dataset"], study=job.study).first()
        if found is None:
            raise JobError(_("The dataset is not there any more."))
        return found


def _convention(job: Job) -> str:
    """The convention asked for; else the one that the dataset was last labelled under, so that a campaign
    changes no label; else the one that corpora are marked by unless told otherwise."""
    if job.params.get("convention"):
        return str(job.params["convention"])
    datasets = Dataset.objects.filter(pk=job.params["dataset"])
    return datasets.values_list("labelled_under", flat=True).first() or "default"


register("datasets.label", Labelling())
