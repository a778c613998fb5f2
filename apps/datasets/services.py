"""Datasets' writes: datasets and their pairs."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.corpora.models import Blank, Sentence
from apps.datasets.digests import pair_digest, text_checked
from apps.datasets.models import Dataset, Direction, Pair, Premise, two_way_labels
from apps.studies import audit
from apps.studies.models import Study

# MED's spelling of a direction in its genre column, `crowd:upward_monotone` for pairs written by people.
GENRE_OF = {
    Direction.UPWARD: "upward_monotone",
    Direction.DOWNWARD: "downward_monotone",
    Direction.NON_MONOTONE: "non_monotone",
}


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
    name = text_checked(name.strip(), "name")
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
                blank=blank,
            )
            Premise.objects.bulk_create(
                Premise(pair=pair, position=position, text=text, sentence=sentence)
                for position, (text, sentence) in enumerate(premises)
            )
            audit.record("pair.created", study=dataset.study, subject=pair, origin=origin)
            return pair
    except IntegrityError:
        return Pair.objects.get(dataset=dataset, digest=digest)
