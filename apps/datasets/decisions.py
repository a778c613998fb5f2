"""Decisions of researchers on pairs, and the answers that they rest on."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from apps.campaigns.models import DecisionAnswer, Judgement
from apps.datasets.comparison import ADJUDICATION
from apps.datasets.models import GoldLabel, Pair

_IS_ANOTHER = ~Q(judgement__answer=F("answer")) | ~Q(judgement__counted=F("counted"))


def answers_changed(decision: str = "pk") -> Exists:
    """Whether a decision, by the path to its number, rests on an answer that is another by now."""
    return Exists(DecisionAnswer.objects.filter(_IS_ANOTHER, decision=OuterRef(decision)))


def changed_answers(pair: Pair) -> QuerySet[DecisionAnswer]:
    """The answers that the decision on a pair rests on and that are others by now."""
    found = DecisionAnswer.objects.filter(_IS_ANOTHER, decision__pair=pair, decision__source=ADJUDICATION)
    return found.select_related("judgement__participant").order_by("judgement_id")


def decision_keep(*, pair: Pair, label: str) -> GoldLabel:
    """Keep a researcher's label with the answers that the pair has now; in the caller's transaction."""
    decision, _new = GoldLabel.objects.update_or_create(
        pair=pair, source=ADJUDICATION, defaults={"label": label}
    )
    given = Judgement.objects.filter(item__pair=pair, item__is_test=False).exclude(answer="")
    decision.rests_on.all().delete()
    DecisionAnswer.objects.bulk_create(
        DecisionAnswer(decision=decision, judgement_id=pk, answer=answer, counted=counted)
        for pk, answer, counted in given.order_by("pk").values_list("pk", "answer", "counted")
    )
    return decision
