"""A testbed's rows, drawn by what its researcher chose."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.db.models import Prefetch
from django.utils.translation import gettext as _

from apps.datasets.labels import FILE
from apps.datasets.models import Dataset, GoldLabel
from apps.datasets.models import Pair as StoredPair
from apps.testbeds.models import Testbed
from natlog.fragments import embedding, systematicity, transitivity
from natlog.fragments.testbeds import TESTBEDS, Item
from natlog.pairs import Pair

FORTY = "forty"
"""The forty main clauses of our own, in the manner of the transitivity paper's Table 7."""


def drawn(testbed: Testbed) -> Iterator[Item]:
    """The testbed's items, from the first on; the same each time. Raises
    :class:`natlog.fragments.drawing.TooFew`, or LookupError where its source has too few pairs."""
    size, depth, seed = testbed.size, testbed.depth, testbed.seed
    if testbed.kind == systematicity.NAME:
        return systematicity.draw(size, depth, seed, testbed.variant)
    if testbed.kind != transitivity.NAME:
        return TESTBEDS[testbed.kind].draw(size, depth, seed)
    frames = embedding.templates() if testbed.frames == FORTY else (embedding.someone(),)
    if not testbed.is_natural:
        return transitivity.draw(size, depth, seed, frames)
    return _natural(testbed, frames)


def _natural(testbed: Testbed, frames: tuple[embedding.Template, ...]) -> Iterator[Item]:
    from natlog.fragments import naturalistic
    from natlog.parsing import load_parser

    if testbed.source is None:
        raise LookupError(_("The dataset that its pairs come from is not there any more."))
    pairs = labelled_pairs(testbed.source)
    return naturalistic.draw(pairs, load_parser(settings.PARSER), testbed.size, testbed.seed, frames)


def labelled_pairs(dataset: Dataset) -> list[Pair]:
    """The dataset's pairs of one premise with the label of their file, without twins. Three queries."""
    gold = Prefetch("gold_labels", queryset=GoldLabel.objects.filter(source=FILE), to_attr="of_file")
    pairs = dataset.pairs.filter(gold_labels__source=FILE).exclude(origin=StoredPair.Origin.SWAP)
    return [
        Pair(pair.premise, pair.hypothesis, pair.of_file[0].label, line=pair.pk)
        for pair in pairs.order_by("pk").prefetch_related("premises", gold)
        if len(pair.premises.all()) == 1
    ]
