"""The trail in words: quality rules."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from apps.quality.models import Declaration, Quality, QualityAction, Refusal, Rule, TestQuestion
from apps.studies.vocabulary import Group, Words

WORDS = Words(
    actions={
        "quality.changed": _("quality settings changed"),
        "quality.pause": _("annotator paused"),
        "quality.pause.undone": _("annotator let back in"),
        "quality.requeue": _("answers to be asked again"),
        "quality.requeue.undone": _("asking again undone"),
        "quality.requeued": _("answers asked again"),
        "quality.retry-quiz": _("quiz begun again"),
        "quality.retry-quiz.undone": _("further try of the quiz taken back"),
        "quality.review": _("work sent to review"),
        "quality.review.undone": _("work looked at"),
        "quality.waive-quiz": _("annotator let in without the quiz"),
        "quality.waive-quiz.undone": _("quiz asked for again"),
        "quality.warn": _("annotator warned"),
        "quality.warn.undone": _("warning taken back"),
        "rule.active": _("rule put in or out of force"),
        "rule.created": _("rule made"),
        "test_question.corrected": _("test question corrected"),
        "test_question.created": _("test question made"),
        "test_question.state": _("test question put out of use or forgiven"),
        "allow_list.set": _("list of who may work changed"),
        "declaration.corrected": _("what they said of themselves corrected"),
        "declaration.forgotten": _("to be asked about themselves again"),
        "declaration.recorded": _("what they said of themselves"),
        "work.refused": _("came for work and was not let in"),
        "participant.blocked": _("annotator blocked"),
        "participant.unblocked": _("annotator let work again"),
    },
    groups=(Group("quality", _("quality"), 40),),
    within={
        "people": ("declaration", "work"),
        "campaigns": ("allow_list",),
        "quality": ("quality", "rule", "test_question"),
    },
    details={
        "by": _("by what"),
        "signal": _("signal"),
        "value": _("value"),
        "why": _("why"),
        "past": _("earlier answers"),
        "from_panel": _("told by the panel"),
        "expected": _("expected answer"),
        "active": _("in force"),
        "then": _("then"),
        "threshold": _("threshold"),
    },
    kinds={
        "rule": _("rule"),
        "testquestion": _("test question"),
        "qualityaction": _("action"),
        "declaration": _("what they said of themselves"),
    },
    choices={
        ("work", "by"): Refusal._meta.get_field("by"),
        ("test_question", "state"): TestQuestion._meta.get_field("state"),
        ("rule", "signal"): Rule._meta.get_field("signal"),
        ("rule", "then"): Rule._meta.get_field("action"),
        ("quality", "signal"): Rule._meta.get_field("signal"),
        ("quality", "why"): QualityAction._meta.get_field("undone_why"),
    },
    fields={"quality": Quality, "declaration": Declaration},
)
