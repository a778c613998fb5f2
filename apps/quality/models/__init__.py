"""Quality: who may work, test questions, rules and what they did, checks of written answers."""

from apps.quality.models.checks import AnswerCheck, Flag
from apps.quality.models.eligibility import AllowedPerson, Declaration, Refusal
from apps.quality.models.questions import TestAnswer, TestQuestion
from apps.quality.models.reliability import Reliability
from apps.quality.models.settings import MOST_TRIES, Quality
from apps.quality.models.signal_rules import QualityAction, Rule

__all__ = [
    "MOST_TRIES", "AllowedPerson", "AnswerCheck", "Declaration", "Flag", "Quality", "QualityAction",
    "Refusal", "Reliability", "Rule", "TestAnswer", "TestQuestion",
]  # fmt: skip
