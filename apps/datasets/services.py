"""Datasets' writes: datasets, their pairs, calculus labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.corpora.models import Blank, Sentence
from apps.datasets import selectors
from apps.datasets.corrections import tags_apply
from apps.datasets.labelling import LabelKey, Labelled, Profiled
from apps.datasets.labels import two_way_labels
from apps.datasets.models import CalculusLabel, Dataset, Direction, NotRead, Pair, Premise
from apps.datasets.profiles import profiles_store, words_store
from apps.frame.texts import line_checked, pair_digest, text_checked
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.studies.models import Study

# MED's spelling of a direction in its genre column, `crowd:upward_monotone` for pairs written by people.
GENRE_OF = {
    Direction.UPWARD: "upward_monotone",
    Direction.DOWNWARD: "downward_monotone",
    Direction.NON_MONOTONE: "non_monotone",
}

# So many pairs are labelled in a second or two.
FEW_PAIRS = 10


@transaction.atomic
def dataset_create(
    *,
    study: Study,
    actor: User | None,
    name: str,
    labels: Sequence[str] | None = None,
    licence: str = "",
    source: str = "",
    simulated: bool = False,
) -> Dataset:
    """A new dataset of pairs; ``labels`` are entailment and non-entailment unless told otherwise."""
    name = line_checked(name, "name")
    if Dataset.objects.filter(study=study, name=name).exists():
        raise ValidationError({"name": _("This study has a dataset of that name.")})
    dataset = Dataset.objects.create(
        study=study,
        name=name,
        labels=list(labels) if labels else two_way_labels(),
        licence=licence,
        source=source,
        simulated=simulated,
        created_by=actor,
    )
    audit.record("dataset.created", study=study, actor=actor, subject=dataset, name=name)
    return dataset


def pair_get_or_create(
    *,
    dataset: Dataset,
    premises: Sequence[tuple[str, Sentence | None]],
    hypothesis: str,
    origin: str,
    direction: str = "",
    blank: Blank | None = None,
    genre: str = "",
    source: str = "",
) -> Pair:
    """The dataset's pair of these premises (in order) and hypothesis, made if it is new.

    A pair that is there stays as it is: who wrote it first gave it its blank and direction. Without a
    direction, a blank's own is taken; without a genre, MED's for crowd pairs (``crowd:upward_monotone``).
    Two writers at once make one pair: the unique digest decides, the later one reads.
    """
    if not premises:
        raise ValidationError({"premises": _("A pair needs a premise.")})
    texts = [text_checked(text, "premise") for text, _sentence in premises]
    text_checked(hypothesis, "hypothesis")
    digest = pair_digest(texts, hypothesis)
    found = Pair.objects.filter(dataset=dataset, digest=digest).first()
    if found:
        return found
    if not direction and blank:
        direction = blank.direction
    if not genre and origin == Pair.Origin.CROWD and direction:
        genre = f"crowd:{GENRE_OF[Direction(direction)]}"
    try:
        with transaction.atomic():
            pair = Pair.objects.create(
                dataset=dataset,
                hypothesis=hypothesis,
                digest=digest,
                origin=origin,
                direction=direction,
                genre=genre,
                source=source,
                blank=blank,
            )
            Premise.objects.bulk_create(
                Premise(pair=pair, position=position, text=text, sentence=sentence)
                for position, (text, sentence) in enumerate(premises)
            )
            words_store([(pair.pk, texts, hypothesis)])
            audit.record("pair.created", study=dataset.study, subject=pair, origin=origin)
            return pair
    except IntegrityError:
        return Pair.objects.get(dataset=dataset, digest=digest)


# ---- The calculus ---------------------------------------------------------------------------


def labelling_start(*, dataset: Dataset, actor: User, convention: str) -> Job:
    """Label every pair of the dataset under a convention, in the background."""
    return job_start(
        study=dataset.study,
        kind="datasets.label",
        title=wording(gettext_noop("Calculus labels of %(name)s"), name=dataset.name),
        actor=actor,
        dataset=dataset.pk,
        convention=convention,
    )


def labels_complete(*, dataset: Dataset, actor: User | None) -> Job | None:
    """Label the pairs that have no label, in the background, as the dataset was labelled last; None where
    every pair has one. A few pairs are done before long jobs."""
    missing = selectors.unlabelled(dataset)[: FEW_PAIRS + 1].count()
    if not missing:
        return None
    return job_start(
        study=dataset.study,
        kind="datasets.label",
        title=wording(gettext_noop("Calculus labels: %(name)s"), name=dataset.name),
        actor=actor,
        urgency=Job.Urgency.CARD if missing <= FEW_PAIRS else None,
        dataset=dataset.pk,
        missing=True,
    )


@transaction.atomic
def calculus_labels_store(
    *,
    pairs: Sequence[int],
    key: LabelKey,
    labels: Mapping[int, Labelled],
    not_read: Mapping[int, str] | None = None,
    profiles: Mapping[int, Profiled] | None = None,
) -> None:
    """Make ``key``'s labels the current ones of ``pairs``. Labels of other keys stay as history.

    ``labels`` are the new ones, by pair, ``not_read`` says why pairs get none (and have none from then on),
    ``profiles`` what was found in pairs, labelled or not. Idempotent: a label that is there already is left
    as it is.
    """
    CalculusLabel.objects.bulk_create(
        [
            CalculusLabel(
                pair_id=pk,
                **key._asdict(),
                label=item.label,
                direction=item.direction,
                reason=item.reason,
                confidence=item.confidence,
                assumed=item.assumed,
                detail={**item.detail, "tags": list(item.tags)},
                is_current=False,
            )
            for pk, item in labels.items()
        ],
        ignore_conflicts=True,
    )
    of_key = CalculusLabel.objects.filter(pair__in=pairs, **key._asdict())
    known = list(of_key.values_list("pair_id", flat=True))
    unread = {pk: why for pk, why in (not_read or {}).items() if pk not in known}
    CalculusLabel.objects.filter(pair__in=[*known, *unread], is_current=True).update(is_current=False)
    _not_read_store(key, known, unread)
    if of_key.update(is_current=True):
        labelled = Dataset.objects.filter(pairs__in=pairs).exclude(labelled_under=key.convention)
        labelled.update(labelled_under=key.convention)
    tags_apply([*known, *unread])
    if profiles:
        words_store([(pk, one.premises, one.hypothesis) for pk, one in profiles.items()])
        made_by = f"{key.engine} {key.engine_version}, {key.convention}"
        profiles_store(found={pk: (one.found, one.criteria) for pk, one in profiles.items()}, made_by=made_by)


def _not_read_store(key: LabelKey, labelled: Sequence[int], unread: Mapping[int, str]) -> None:
    NotRead.objects.filter(pair__in=labelled).delete()
    NotRead.objects.bulk_create(
        [NotRead(pair_id=pk, reason=why, **key._asdict()) for pk, why in unread.items()],
        update_conflicts=True,
        unique_fields=["pair"],
        update_fields=[*LabelKey._fields, "reason", "created_at"],
    )
