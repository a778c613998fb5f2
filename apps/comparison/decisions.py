"""Decisions of researchers on pairs, and the answers that they rest on."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from apps.campaigns.models import Judgement
from apps.comparison.models import DecisionAnswer
from apps.datasets.labels import ADJUDICATION
from apps.datasets.models import GoldLabel, Pair

_IS_ANOTHER = ~Q(judgement__answer=F("answer")) | ~Q(judgement__counted=F("counted"))


def answers_changed(decision: str = "pk") -> Exists:
    """Whether a decision, by the path to its number, rests on an answer that is another by now."""
    return Exists(DecisionAnswer.objects.filter(_IS_ANOTHER, decision=OuterRef(decision)))


def changed_answers(pair: Pair) -> QuerySet[DecisionAnswer]:
    """The answers that the decision on a pair rests on and that are others by now."""
    found = DecisionAnswer.objects.filter(_IS_ANOTHER, decision__pair=pair, decision__source=ADJUDICATION)
    return found.select_related("judgement__participant").order_by("judgement_id")


def answers_of(pair: Pair) -> QuerySet[Judgement]:
    """All that was said of a pair, counted or not, in any campaign: what a decision rests on."""
    given = Judgement.objects.filter(item__pair=pair, item__is_test=False).exclude(answer="")
    return given.order_by("pk")


def answers_told(pair: Pair, given: Iterable[Judgement] | None = None) -> str:
    """Who says what of a pair, so that one who decides can be told when it changes meanwhile. One query, none
    where all that was ``given`` was read, with people and items."""
    if given is None:
        given = answers_of(pair).select_related("participant", "item")
    said = sorted((one for one in given if one.answer and not one.item.is_test), key=lambda one: one.pk)
    return ", ".join(
        f"{one.participant.pseudonym}: {one.answer}{'' if one.counted else ' *'}" for one in said
    )


def decision_keep(*, pair: Pair, label: str) -> GoldLabel:
    """Keep a researcher's label with the answers that the pair has now; in the caller's transaction."""
    decision, _new = GoldLabel.objects.update_or_create(
        pair=pair, source=ADJUDICATION, defaults={"label": label}
    )
    decision.rests_on.all().delete()
    DecisionAnswer.objects.bulk_create(
        DecisionAnswer(decision=decision, judgement_id=pk, answer=answer, counted=counted)
        for pk, answer, counted in answers_of(pair).values_list("pk", "answer", "counted")
    )
    return decision
