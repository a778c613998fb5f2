"""A sample of a testbed in front of people: so many pairs of each cell, as a dataset with its campaign."""

from __future__ import annotations

import random
from collections import defaultdict

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.fields.json import KeyTextTransform
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns.models import Campaign
from apps.campaigns.services import campaign_create
from apps.datasets.labels import FILE
from apps.datasets.models import Dataset, Pair
from apps.datasets.services import dataset_create, labels_complete
from apps.imports.judgements import Filed
from apps.imports.rows import PairRow
from apps.imports.storage import Numbered, batch_store
from apps.studies import audit
from apps.testbeds import selectors
from apps.testbeds.models import Testbed

LARGEST_SAMPLE = 20_000
_STORED_AT_ONCE = 500


@transaction.atomic
def sample_begin(
    *, testbed: Testbed, actor: User, name: str, factor: str, each: int, task: str, seed: int = 1
) -> Campaign:
    """A campaign in draft over ``each`` pairs (or all that there are) of every value of ``factor``, drawn by
    ``seed``. The pairs are copied into a dataset of the same name, with their labels and facts, so that
    people, calculus and models are compared on what people see. ValidationError by field.
    """
    source = testbed.dataset
    if source.kind != Dataset.Kind.PAIRS:
        raise ValidationError(_("People are asked about pairs; this testbed has none."))
    if not testbed.finished_at:
        raise ValidationError(_("The testbed is still being generated."))
    if factor not in selectors.factors(source):
        raise ValidationError({"factor": _("Choose a column of this list.")})
    numbers = _drawn(source, factor, each, seed)
    if not 0 < len(numbers) <= LARGEST_SAMPLE:
        raise ValidationError({"each": _("A sample has at most %(n)d pairs.") % {"n": LARGEST_SAMPLE}})
    dataset = dataset_create(
        study=source.study,
        actor=actor,
        name=name,
        labels=source.labels,
        source=_("%(each)d pairs of each %(factor)s of %(name)s, seed %(seed)d")
        % {"each": each, "factor": factor, "name": source.name, "seed": seed},
    )
    dataset.labelled_under = source.labelled_under
    dataset.save(update_fields=["labelled_under"])
    filed = Filed(dataset.name, dataset.source, dataset.pk)
    for at in range(0, len(numbers), _STORED_AT_ONCE):
        rows = _rows(numbers[at : at + _STORED_AT_ONCE], at + 1)
        batch_store(dataset=dataset, filed=filed, batch=rows, there={})
    campaign = campaign_create(study=source.study, actor=actor, name=name, dataset=dataset, task=task)
    labels_complete(dataset=dataset, actor=actor)
    audit.record(
        "testbed.sampled",
        study=source.study,
        actor=actor,
        subject=testbed,
        dataset=dataset.pk,
        campaign=campaign.pk,
        factor=factor,
        each=each,
        seed=seed,
    )
    return campaign


def _drawn(dataset: Dataset, factor: str, each: int, seed: int) -> list[int]:
    """The numbers of the chosen pairs, in order."""
    by_value: dict[str, list[int]] = defaultdict(list)
    pairs = dataset.pairs.order_by("pk").annotate(value=KeyTextTransform(factor, "facts"))
    for pk, value in pairs.values_list("pk", "value").iterator():
        by_value[value or ""].append(pk)
    draw = random.Random(f"{seed}:{factor}")
    return sorted(
        pk
        for _value, numbers in sorted(by_value.items())
        for pk in draw.sample(numbers, min(each, len(numbers)))
    )


def _rows(numbers: list[int], first: int) -> list[Numbered]:
    pairs = Pair.objects.filter(pk__in=numbers).order_by("pk").prefetch_related("premises", "gold_labels")
    return [
        Numbered(
            PairRow(
                number=number,
                line=number,
                premises=tuple(premise.text for premise in pair.premises.all()),
                hypothesis=pair.hypothesis,
                label=next((gold.label for gold in pair.gold_labels.all() if gold.source == FILE), ""),
                direction=pair.direction,
                genre=pair.genre,
                facts={**pair.facts, "sampled_from": pair.pk},
                origin=pair.origin,
            ),
            pair.digest,
            0,
        )
        for number, pair in enumerate(pairs, first)
    ]
