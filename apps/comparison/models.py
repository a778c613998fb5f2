"""What a researcher's decision on a pair rests on."""

from __future__ import annotations

from django.db import models

from apps.campaigns.models import Judgement


class DecisionAnswer(models.Model):
    """An answer to a pair, as it was when a researcher decided on the pair.

    The decision (a gold label by adjudication) rests on answers that changed where one of them is another
    now, or counts where it did not, or the other way. That follows from the rows: whatever changes an answer
    need not know of decisions, and an answer that is changed back is what it was.
    """

    decision = models.ForeignKey("datasets.GoldLabel", models.CASCADE, related_name="rests_on")
    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="decisions")
    answer = models.CharField(max_length=40)
    counted = models.BooleanField()

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["decision", "judgement"], name="decision_answer_once")]

    def __str__(self) -> str:
        return self.answer
