"""The queue of pairs on which people did not come to one word, for a researcher to decide.

A pair is *sent* where a researcher asks for a decision (the flag ``to-adjudicate``), *tied* where no answer
has more than half of its judgements, *disputed* where more than half give one label and the calculus another,
*changed* where it was decided and answers that the decision rests on are others by now
(apps/comparison/decisions.py). What is decided is a gold label. The answers are those in the campaign and in
the dataset's others of its task (apps/comparison/judges.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Case, CharField, Exists, F, OuterRef, Q, Value, When
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns.models import Campaign, Item
from apps.comparison.decisions import answers_changed, decision_keep
from apps.comparison.judges import Judges, judges_beside
from apps.comparison.pairs import ComparedPairs, compared
from apps.datasets.labels import ENTAILMENT, NO_LABEL, NO_MAJORITY, NON_ENTAILMENT, TIE, UNNATURAL
from apps.datasets.models import GoldLabel, Pair, Tag
from apps.datasets.tags import BY_HAND, TO_ADJUDICATE
from apps.studies import audit
from apps.studies.models import Study
from apps.tallies.counting import row_asked
from apps.tallies.selectors import Found, read

SENT, TIED, DISPUTED, CHANGED = "sent", "tied", "disputed", "changed"
KINDS = (SENT, TIED, DISPUTED, CHANGED)
COUNTING = "curation.queue"
# So many pairs of the queue are looked at again before one is shown; ten times as many where none waits.
AT_ONCE = 20


def queue(
    campaign: Campaign,
    kinds: tuple[str, ...] = KINDS,
    *,
    among: Collection[int] | None = None,
    judges: Judges | None = None,
) -> ComparedPairs:
    """The campaign's pairs that wait for a decision, all or those ``among`` some, with ``why`` (one of
    ``KINDS``), ties first.

    Only pairs whose item is complete, for nobody decides while answers are still coming; and those that were
    sent. Two queries, three for all of them; one less where the ``judges`` beside the campaign are known.
    """
    labels = [ENTAILMENT, NON_ENTAILMENT]
    judges = judges or judges_beside(campaign)
    items = Item.objects.filter(campaign=campaign, is_test=False, pair=OuterRef("pk"))
    sent = Exists(Tag.objects.filter(pair=OuterRef("pk"), name=TO_ADJUDICATE, source=BY_HAND))
    complete = Exists(items.filter(is_complete=True))
    every = Pair.objects.filter(complete | (Exists(items) & sent))
    if among is None:
        pairs = compared(every, judges.looked_up())
    else:
        pairs = compared(every.filter(pk__in=among), judges)
    why = Case(
        When(sent, then=Value(SENT)),
        When(~Q(adjudicated=NO_LABEL) & Q(is_outdated=True), then=Value(CHANGED)),
        When(~Q(adjudicated=NO_LABEL), then=Value("")),
        When(human__in=[TIE, NO_MAJORITY], then=Value(TIED)),
        When(
            Q(human__in=[*labels, UNNATURAL]) & ~Q(calculus=F("human")) & ~Q(calculus=NO_LABEL),
            then=Value(DISPUTED),
        ),
        default=Value(""),
        output_field=CharField(),
    )
    pairs = pairs.annotate(is_outdated=answers_changed("by_hand__pk")).annotate(why=why)
    found: ComparedPairs = pairs.filter(why__in=kinds)
    return found.order_by("-why", "pk")


def waiting_counted(study: Study, arguments: Mapping[str, Any]) -> dict[str, list[int]]:
    """The numbers of the pairs that wait in the campaign of the ``arguments``, by kind, in their order."""
    campaign = row_asked(Campaign, study, arguments["campaign"], "dataset")
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for pk, why in queue(campaign).values_list("pk", "why"):
        found[why].append(pk)
    return found


def waiting(campaign: Campaign) -> Found:
    """What was found of :func:`waiting_counted`."""
    return read(campaign.study, COUNTING, at_hand={"campaign": campaign}, campaign=campaign.pk)


def counts(found: Mapping[str, list[int]]) -> dict[str, int]:
    """How many pairs wait, by kind and in ``all``."""
    kinds = {kind: len(numbers) for kind, numbers in found.items()}
    return {"all": sum(kinds.values()), **kinds}


def next_after(
    campaign: Campaign, kinds: tuple[str, ...], after: int | None, found: Mapping[str, list[int]]
) -> int | None:
    """The pair behind number ``after`` in the queue's order, going round; None where none waits. Of those
    that were ``found`` to wait, however long ago, the first that waits still."""
    numbers = [pk for kind in sorted(found, reverse=True) if kind in kinds for pk in found[kind]]
    if after in numbers:
        place = numbers.index(after) + 1
    else:
        later = (place for place, pk in enumerate(numbers) if after is not None and pk > after)
        place = next(later, 0)
    numbers = numbers[place:] + numbers[:place]
    begin, step = 0, AT_ONCE
    while begin < len(numbers):
        some = numbers[begin : begin + step]
        still = set(queue(campaign, kinds, among=some).values_list("pk", flat=True))
        if left := [pk for pk in some if pk in still]:
            return left[0]
        begin, step = begin + step, step * 10
    return None


@transaction.atomic
def pair_adjudicate(*, pair: Pair, actor: User, label: str) -> GoldLabel:
    """A researcher's label for a pair on which annotators are tied, or that it is unnatural, so that no rule
    gives it a label by this word; a later word replaces it. It is kept with the answers that there are."""
    if label not in [*pair.dataset.labels, UNNATURAL]:
        raise ValidationError({"label": _("This is not one of the dataset's labels.")})
    Pair.objects.select_for_update(no_key=True).get(pk=pair.pk)
    gold = decision_keep(pair=pair, label=label)
    Tag.objects.filter(pair=pair, name=TO_ADJUDICATE, source=BY_HAND).delete()
    audit.record("pair.adjudicated", study=pair.dataset.study, actor=actor, subject=pair, label=label)
    return gold
