"""What must hold of test questions, their answers, and the actions of rules (docs/quality.md)."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef, Q
from django.db.models.fields.json import KT

from apps.campaigns.invariants import ASK
from apps.campaigns.models import Item, Judgement, JudgementRevision
from apps.datasets.models import Dataset
from apps.quality.models import QualityAction, TestAnswer, TestQuestion
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows


def test_questions(study: Study | None) -> Iterator[Fault]:
    """An item is a test question where it has one, and only there; its pair is in no dataset of pairs."""
    items = rows(Item, study)
    for pk in items.filter(is_test=True, test_question=None).values_list("pk", flat=True).iterator():
        yield Fault("test-question", f"item {pk} is marked as a test question and has none", ASK)
    questions = rows(TestQuestion, study)
    for pk, item in questions.filter(item__is_test=False).values_list("pk", "item_id").iterator():
        text = f"test question {pk} is on item {item}, whose answers are taken for data"
        yield Fault("test-question", text, "retire the question and requeue the answers to it")
    other = questions.exclude(item__pair__dataset__kind=Dataset.Kind.TESTS)
    for pk, item in other.filter(item__is_test=True).values_list("pk", "item_id").iterator():
        text = f"test question {pk} (item {item}) has its pair in a dataset that is published"
        yield Fault("test-question", text, ASK)


def test_answers(study: Study | None) -> Iterator[Fault]:
    """An answer to a test question never counts. Its first value is kept, and trust is computed from that."""
    given = rows(Judgement, study).filter(item__is_test=True)
    for pk, item in given.filter(counted=True).values_list("pk", "item_id").iterator():
        text = f"judgement {pk} counts, but its item {item} is a test question"
        yield Fault("test-answer", text, "set the judgement's counted to false")
    for pk in given.filter(test_answer=None).values_list("pk", flat=True).iterator():
        text = f"judgement {pk} on a test question is not kept for trust"
        yield Fault("test-answer", text, "call apps.quality.quizzes.answer_record on it")
    first = JudgementRevision.objects.filter(judgement=OuterRef("judgement"), number=1)
    kept = rows(TestAnswer, study)
    other = kept.filter(~Exists(first.annotate(said=KT("value__answer")).filter(said=OuterRef("answer"))))
    for pk, judgement in other.values_list("pk", "judgement_id").iterator():
        text = f"trust takes another answer (test answer {pk}) than judgement {judgement} first was"
        yield Fault("test-answer", text, "set it to the answer of the judgement's first revision")
    same = Q(question__item=F("judgement__item"), participant=F("judgement__participant"))
    for pk, judgement in kept.exclude(same).values_list("pk", "judgement_id").iterator():
        text = f"test answer {pk} names another question or person than its judgement {judgement}"
        yield Fault("test-answer", text, ASK)


def requeues(study: Study | None) -> Iterator[Fault]:
    """Answers that a requeue took out do not count as long as it stands."""
    standing = rows(QualityAction, study).filter(kind=QualityAction.Kind.REQUEUE, undone_at=None)
    for pk, judgements in standing.values_list("pk", "judgements").iterator():
        back = Judgement.objects.filter(pk__in=judgements, counted=True).order_by("pk")
        for judgement in back.values_list("pk", flat=True).iterator():
            text = f"judgement {judgement} counts, though requeue {pk} took it out and stands"
            yield Fault("requeue", text, "undo the requeue and take it again")


CHECKS = (test_questions, test_answers, requeues)
