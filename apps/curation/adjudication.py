"""The queue of pairs on which people did not come to one word, for a researcher to decide.

A pair is *sent* where a researcher asks for a decision (the flag ``to-adjudicate``), *tied* where no answer
has more than half of its judgements, *disputed* where more than half give one label and the calculus another,
*changed* where it was decided and answers that the decision rests on are others by now
(apps/comparison/decisions.py). What is decided is a gold label. The answers are those in the campaign and in
the dataset's others of its task (apps/comparison/judges.py).
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Case, CharField, Exists, F, OuterRef, Q, Value, When
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns.models import Campaign, Item
from apps.comparison.decisions import answers_changed, decision_keep
from apps.comparison.judges import judges_beside
from apps.comparison.pairs import ComparedPairs, compared
from apps.datasets.labels import ENTAILMENT, NO_LABEL, NO_MAJORITY, NON_ENTAILMENT, TIE, UNNATURAL
from apps.datasets.models import GoldLabel, Pair, Tag
from apps.datasets.tags import BY_HAND, TO_ADJUDICATE
from apps.studies import audit

SENT, TIED, DISPUTED, CHANGED = "sent", "tied", "disputed", "changed"
KINDS = (SENT, TIED, DISPUTED, CHANGED)


def queue(campaign: Campaign, kinds: tuple[str, ...] = KINDS) -> ComparedPairs:
    """The campaign's pairs that wait for a decision, with ``why`` (one of ``KINDS``), ties first.

    Only pairs whose item is complete, for nobody decides while answers are still coming; and those that were
    sent. Two queries.
    """
    labels = [ENTAILMENT, NON_ENTAILMENT]
    items = Item.objects.filter(campaign=campaign, is_test=False, pair=OuterRef("pk"))
    sent = Exists(Tag.objects.filter(pair=OuterRef("pk"), name=TO_ADJUDICATE, source=BY_HAND))
    complete = Exists(items.filter(is_complete=True))
    pairs = compared(Pair.objects.filter(complete | (Exists(items) & sent)), judges_beside(campaign))
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


def counts(campaign: Campaign) -> dict[str, int]:
    """How many pairs wait, by kind and in ``all``. Two queries."""
    kinds = list(queue(campaign).values_list("why", flat=True))
    return {"all": len(kinds), **{kind: kinds.count(kind) for kind in KINDS}}


def next_after(campaign: Campaign, kinds: tuple[str, ...], after: int | None) -> Any:
    """The pair of the queue behind number ``after`` in its order, going round; None where it is empty."""
    numbers = list(queue(campaign, kinds).values_list("pk", flat=True))
    if not numbers:
        return None
    if after not in numbers:
        later = [pk for pk in numbers if after is not None and pk > after]
        return (later or numbers)[0]
    return numbers[(numbers.index(after) + 1) % len(numbers)]


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
