"""Contrast sets: a dataset's pairs under another operator, as a dataset of its own (MED, section 4.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.datasets.models import Dataset, Pair, Premise, Tag
from apps.datasets.profiles import words_store
from apps.datasets.services import dataset_create
from apps.frame.texts import pair_digest
from apps.generation.services import MACHINE
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from natlog import ENGINE, VERSION
from natlog.generation.contrasts import ContrastPair, contrast_pairs, contrasts

CONTRAST_KIND = "datasets.contrasts"
# How many pairs are looked at before the choice.
LOOKED_AT = 500


def originals(dataset: Dataset) -> QuerySet[Pair]:
    """The pairs that contrasts are made of: those of one premise, without swapped twins (a contrast of the
    twin is the twin of the contrast)."""
    several = Exists(Premise.objects.filter(position=1, pair=OuterRef("pk")))
    return dataset.pairs.exclude(origin=Pair.Origin.SWAP).filter(~several).order_by("pk")


def contrasts_of(pair: Pair, wanted: Sequence[str] = ()) -> list[ContrastPair]:
    """What a pair (with its premises at hand) is under other operators."""
    return list(contrast_pairs(pair.premises.all()[0].text, pair.hypothesis, wanted))


def first_look(dataset: Dataset) -> tuple[int, list[tuple[str, int, ContrastPair | None]]]:
    """How many pairs were looked at, and for each contrast how many it makes of them, with one of these.
    One query, which reads no more pairs than these."""
    pairs = originals(dataset).filter(premises__position=0).values_list("premises__text", "hypothesis")
    looked_at = list(pairs[:LOOKED_AT])
    made = [item for premise, hypothesis in looked_at for item in contrast_pairs(premise, hypothesis)]
    counts = Counter(item.contrast for item in made)
    examples = {item.contrast: item for item in reversed(made)}
    return len(looked_at), [(name, counts[name], examples.get(name)) for name in contrasts()]


@transaction.atomic
def contrast_set_create(
    *, dataset: Dataset, actor: User, name: str, wanted: Sequence[str]
) -> tuple[Dataset, Job]:
    """A dataset for the contrasts of another's pairs, and the job that makes them and has the calculus label
    them as it labelled the originals. ValidationError (``name``, ``contrasts``)."""
    wanted = list(dict.fromkeys(wanted))
    if not wanted or set(wanted) - set(contrasts()):
        raise ValidationError({"contrasts": _("Choose contrasts of this list.")})
    if dataset.kind != Dataset.Kind.PAIRS:
        raise ValidationError(_("Contrasts are made of pairs."))
    made = dataset_create(
        study=dataset.study,
        actor=actor,
        name=name,
        labels=dataset.labels,
        licence=dataset.licence,
        source=f"{dataset.name}: {', '.join(wanted)}"[:500],
        simulated=dataset.simulated,
    )
    made.labelled_under = dataset.labelled_under
    made.save(update_fields=["labelled_under"])
    job = job_start(
        study=dataset.study,
        kind=CONTRAST_KIND,
        title=wording(gettext_noop("Contrast set of %(name)s"), name=dataset.name),
        actor=actor,
        dataset=made.pk,
        originals=dataset.pk,
        contrasts=wanted,
    )
    audit.record(
        "machine.contrasts", study=dataset.study, actor=actor, subject=made, of=dataset.pk, contrasts=wanted
    )
    return made, job


def contrasts_store(*, dataset: Dataset, made: Sequence[tuple[int, ContrastPair]]) -> None:
    """Add a chunk's pairs, each with the number of its original; those that are there stay as they are."""
    by_digest: dict[str, tuple[int, ContrastPair]] = {}
    for original, item in made:
        by_digest.setdefault(pair_digest([item.premise], item.hypothesis), (original, item))
    known = set(dataset.pairs.filter(digest__in=by_digest).values_list("digest", flat=True))
    fresh = {digest: one for digest, one in by_digest.items() if digest not in known}
    Pair.objects.bulk_create(
        Pair(
            dataset=dataset,
            hypothesis=item.hypothesis,
            digest=digest,
            origin=Pair.Origin.MACHINE,
            genre=f"contrast:{item.contrast}",
            facts=_facts(original, item),
        )
        for digest, (original, item) in fresh.items()
    )
    numbers = dict(dataset.pairs.filter(digest__in=fresh).values_list("digest", "pk"))
    rows = [(numbers[digest], item) for digest, (_original, item) in fresh.items()]
    Premise.objects.bulk_create(Premise(pair_id=pk, position=0, text=item.premise) for pk, item in rows)
    Tag.objects.bulk_create(Tag(pair_id=pk, name=item.contrast, source=MACHINE) for pk, item in rows)
    words_store((pk, [item.premise], item.hypothesis) for pk, item in rows)


def _facts(original: int, item: ContrastPair) -> dict[str, Any]:
    return {
        "made_by": f"{ENGINE} {VERSION}",
        "contrast": item.contrast,
        "contrast_of": original,
        "before": item.before,
        "after": item.after,
    }
