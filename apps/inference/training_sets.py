"""Training sets' writes: what is asked for, checked; sets mixed and frozen by a job."""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.datasets.labels import LABEL_SETS
from apps.frame.texts import line_checked
from apps.inference import mixing, training_sources
from apps.inference.mixing import Mixture, Portion, Row
from apps.inference.training_models import LearningCurve, TrainingSet
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import Wording, wording
from apps.studies import audit
from apps.studies.models import Study

SET_KIND = "inference.training_sets"
MOST_ROWS = 1_000_000
MOST_SOURCES = 12
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Made:
    """A set that is mixed and not stored yet."""

    name: str
    spec: dict[str, Any]
    counts: dict[str, Any]
    overlap: list[dict[str, Any]]
    rows: bytes
    fingerprint: str


def spec_checked(study: Study, spec: Mapping[str, Any]) -> dict[str, Any]:
    """What a set is asked for with, in full: ``sources`` (each with ``source``, a reference, and ``count``,
    ``share``, ``upward``), ``size``, ``labels``, ``test`` (references that nothing is learnt of),
    ``without_premises``, ``validation`` (a share) or ``validation_source`` (a reference), ``seed``. Raises
    ValidationError under the name that is wrong."""
    usual: dict[str, Any] = {
        "sources": [], "size": None, "labels": "two-way", "test": [], "without_premises": False,
        "validation": 0.1, "validation_source": None, "seed": 1,
    }  # fmt: skip
    if unknown := sorted(set(spec) - set(usual)):
        raise ValidationError({unknown[0]: _("A training set has no such field.")})
    found = {**usual, **spec}
    names = training_sources.names_of(study)
    if not found["sources"] or len(found["sources"]) > MOST_SOURCES:
        raise ValidationError({"sources": _("Name from 1 to %(most)d sources.") % {"most": MOST_SOURCES}})
    found["sources"] = [_portion_checked(item, names) for item in found["sources"]]
    if found["labels"] not in LABEL_SETS:
        raise ValidationError({"labels": _("There is no such set of labels.")})
    for field in ("test", "validation_source"):
        for reference in found[field] if field == "test" else filter(None, [found[field]]):
            if reference not in names:
                raise ValidationError({field: _("This is not among the study's sources.")})
    if found["size"] is not None:
        _whole("size", found["size"], 1, MOST_ROWS)
    _whole("seed", found["seed"], 0, LARGEST_SEED)
    _share("validation", found["validation"], 0.9)
    try:
        mixing.sizes_of(_mixture(found))
    except mixing.MixingError as error:
        raise ValidationError({"sources": str(error)}) from error
    return found


def _portion_checked(item: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    found = {"source": None, "count": None, "share": None, "upward": None, **item}
    if found["source"] not in names:
        raise ValidationError(
            {"sources": _("“%(name)s” is not among the study's sources.") % {"name": found["source"]}}
        )
    if found["count"] is not None and found["share"] is not None:
        raise ValidationError({"sources": _("Give a source either a count or a share.")})
    if found["count"] is not None:
        _whole("sources", found["count"], 1, MOST_ROWS)
    if found["share"] is not None:
        _share("sources", found["share"], 1e6)
        if not found["share"]:
            raise ValidationError({"sources": _("A share is above 0.")})
    if found["upward"] is not None:
        _share("sources", found["upward"], 1.0)
    # The name is kept for readers; what counts is the reference.
    return {**found, "name": names[found["source"]]}


def _whole(field: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        text = _("A whole number from %(least)d to %(most)d is wanted.")
        raise ValidationError({field: text % {"least": least, "most": most}})


def _share(field: str, value: Any, most: float) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or not 0 <= value <= most:
        raise ValidationError({field: _("A number from 0 to %(most)g is wanted.") % {"most": most}})


def _mixture(spec: Mapping[str, Any]) -> Mixture:
    return Mixture(
        portions=tuple(
            Portion(item["name"], item["count"], item["share"], item["upward"]) for item in spec["sources"]
        ),
        size=spec["size"],
        labels=spec["labels"],
        without_premises=spec["without_premises"],
        validation=spec["validation"],
        seed=spec["seed"],
    )


# ---- Mixing ---------------------------------------------------------------------------------


class Mixing:
    """Mixes sets out of a study's sources, each of which is read once. ``beat`` is called as it goes on."""

    def __init__(self, study: Study, beat: Callable[[], None] = lambda: None) -> None:
        self._study, self._beat = study, beat
        self._read: dict[str, list[Row]] = {}

    def make(self, name: str, spec: Mapping[str, Any]) -> Made:
        """Raises :class:`apps.inference.mixing.MixingError`, with the set's name."""
        self._beat()
        try:
            mixed = mixing.mix(
                _mixture(spec),
                [self._rows(item["source"]) for item in spec["sources"]],
                test=[row for reference in spec["test"] for row in self._rows(reference)],
                validation=self._rows(spec["validation_source"]) if spec["validation_source"] else (),
            )
        except mixing.MixingError as error:
            raise mixing.MixingError(f"{name}: {error}") from error
        lines = mixed.lines()
        return Made(
            name=name,
            spec=dict(spec),
            counts=mixed.counts(),
            overlap=[asdict(overlap) for overlap in mixed.overlap],
            rows=zlib.compress(lines),
            fingerprint=hashlib.sha256(lines).hexdigest(),
        )

    def _rows(self, reference: str) -> list[Row]:
        if reference not in self._read:
            self._read[reference] = training_sources.rows_of(self._study, reference)
            self._beat()
        return self._read[reference]


def rows_of(training_set: TrainingSet) -> dict[str, list[Row]]:
    """The frozen rows of each part; ValueError where they are not those of the fingerprint."""
    lines = zlib.decompress(bytes(training_set.rows))
    if hashlib.sha256(lines).hexdigest() != training_set.fingerprint:
        raise ValueError(_("The rows of “%(name)s” were changed.") % {"name": training_set.name})
    return mixing.rows_of(lines)


# ---- Writes ---------------------------------------------------------------------------------


@transaction.atomic
def training_set_start(*, study: Study, actor: User | None, name: str, spec: Mapping[str, Any]) -> Job:
    """Mix a set in the background; the job stores it as ``name``."""
    name = name_checked(name, 200)
    if TrainingSet.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has another training set of that name.")})
    checked = spec_checked(study, spec)
    title = wording(gettext_noop("Training set %(name)s"), name=name[:150])
    return sets_start(study=study, actor=actor, title=title, sets=[(name, checked)])


def sets_start(
    *,
    study: Study,
    actor: User | None,
    title: Wording,
    sets: Sequence[tuple[str, Mapping[str, Any]]],
    **more: Any,
) -> Job:
    """The job that mixes sets of these names; ``more`` are parameters of what it does with them then."""
    asked = [{"name": name, "spec": spec} for name, spec in sets]
    return job_start(
        study=study, kind=SET_KIND, title=title, actor=actor, urgency=Job.Urgency.PERSON, sets=asked, **more
    )


def training_set_store(
    *,
    study: Study,
    actor: User | None,
    made: Made,
    curve: LearningCurve | None = None,
    is_listed: bool = True,
) -> TrainingSet:
    """Freeze a mixed set. The same name with the same rows again is the set that is there."""
    try:
        with transaction.atomic():
            stored = TrainingSet.objects.create(
                study=study,
                curve=curve,
                is_listed=is_listed,
                created_by=actor,
                **{name: getattr(made, name) for name in Made.__dataclass_fields__},
            )
            audit.record(
                "trainingset.made", study=study, actor=actor, subject=stored, fingerprint=made.fingerprint
            )
            return stored
    except IntegrityError:
        there = TrainingSet.objects.get(study=study, name=made.name)
        if (there.fingerprint, there.spec) != (made.fingerprint, made.spec):
            raise ValidationError({"name": _("This study has another training set of that name.")}) from None
        return there


def name_checked(name: str, most: int, field: str = "name") -> str:
    name = name.strip()
    if not name or len(name) > most:
        raise ValidationError({field: _("Give it a name of at most %(most)d characters.") % {"most": most}})
    return line_checked(name, field)
