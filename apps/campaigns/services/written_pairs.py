"""What annotators wrote: their phrases, and the pairs that these make, join or let go."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.campaigns import selectors
from apps.campaigns.models import Item, Judgement, Replacement
from apps.campaigns.replacements import hypothesis_of
from apps.campaigns.services.locks import lock
from apps.campaigns.services.values import PageErrors, Value
from apps.corpora.models import Blank
from apps.datasets.models import Dataset, Pair
from apps.datasets.services import pair_get_or_create
from apps.studies import audit


def replacements_store(judgement: Judgement, item: Item, value: Value) -> None:
    """The texts, each with its hypothesis and the pair that it makes or joins.

    In the order of the hypotheses, so that two writers of the same ones never wait for each other.
    """
    blank = item.blank
    if blank is None:
        return
    premise = blank.sentence.text
    positions: dict[int, int] = {}
    made = [
        (hypothesis_of(premise, blank.start, blank.end, text), position, text)
        for position, text in enumerate(value.texts)
    ]
    for hypothesis, position, text in sorted(made):
        pair = _pair_of(item.campaign.dataset, blank, hypothesis)
        positions[pair.pk] = position
        Replacement.objects.create(
            judgement=judgement, position=position, text=text, hypothesis=hypothesis, pair=pair
        )
    if judged := selectors.judged_among(positions, judgement.participant):
        message = _("You have judged this sentence already, so please write another one.")
        wrong = {f"replacements-{positions[pair]}": message for pair in judged}
        raise PageErrors({judgement.assignment_id: ValidationError(wrong)})


def _pair_of(dataset: Dataset, blank: Blank, hypothesis: str) -> Pair:
    """The pair of the blank's sentence and a hypothesis, locked: nobody else may let it go meanwhile."""
    while True:
        pair = pair_get_or_create(
            dataset=dataset,
            premises=[(blank.sentence.text, blank.sentence)],
            hypothesis=hypothesis,
            origin=Pair.Origin.CROWD,
            direction=blank.direction,
            blank=blank,
        )
        if held := lock(Pair.objects.filter(pk=pair.pk)).first():
            return held


def pair_let_go(pair: Pair) -> None:
    """Take a pair out of its dataset that no replacement makes any more.

    One that others judge already must stay, and with it the answer that made it.
    """
    pair = lock(Pair.objects.filter(pk=pair.pk)).get()
    if pair.origin != Pair.Origin.CROWD or pair.replacements.exists():
        return
    if pair.items.exists() or Pair.objects.filter(swapped_from=pair).exists():
        raise ValidationError(
            _("Others are judging “%(text)s” already, so this answer can't be changed any more.")
            % {"text": pair.hypothesis}
        )
    audit.record("pair.withdrawn", study=pair.dataset.study, subject=pair)
    pair.delete()
