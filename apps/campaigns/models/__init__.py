"""Campaigns' tables: the work itself (``work``), its quality (``quality``), and what decisions on pairs rest
on (``decisions``)."""

from apps.campaigns.models.decisions import DecisionAnswer
from apps.campaigns.models.quality import (
    AllowedPerson,
    AnswerCheck,
    Declaration,
    Flag,
    Quality,
    QualityAction,
    Refusal,
    Reliability,
    Rule,
    TestAnswer,
    TestQuestion,
)
from apps.campaigns.models.work import (
    Assignment,
    Campaign,
    Guideline,
    Item,
    Judgement,
    JudgementRevision,
    ModelReply,
    Replacement,
    Tally,
)

__all__ = [
    "AllowedPerson",
    "AnswerCheck",
    "Assignment",
    "Campaign",
    "DecisionAnswer",
    "Declaration",
    "Flag",
    "Guideline",
    "Item",
    "Judgement",
    "JudgementRevision",
    "ModelReply",
    "Quality",
    "QualityAction",
    "Refusal",
    "Reliability",
    "Replacement",
    "Rule",
    "Tally",
    "TestAnswer",
    "TestQuestion",
]
