"""Test questions as researchers make them: one by one, from a pair, or from a CSV file; and forgiving.

The pairs of test questions stand in a dataset of their own kind, one for each study, that is on no list,
in no comparison and in no release. Their items are complete from the start and never count.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns.models import Campaign, Item
from apps.datasets.labels import UNNATURAL
from apps.datasets.models import Dataset, Pair
from apps.datasets.services import pair_get_or_create
from apps.frame.texts import pair_digest, text_checked
from apps.quality import actions
from apps.quality.models import TestQuestion
from apps.studies import audit
from apps.studies.models import Study

# A file of more rows was made for something else.
MOST_ROWS = 2000
# Never wanted for the target: as many people as there are may be at a test question at once.
_NEVER_ENOUGH = 1_000_000

COLUMNS = {
    "premise": ("premise", "sentence1", "text"),
    "hypothesis": ("hypothesis", "sentence2"),
    "expected": ("expected", "label", "gold_label"),
    "explanation": ("explanation", "reason"),
}


@dataclass(frozen=True)
class Draft:
    """One test question to be made; ``line`` is where it stood in a file."""

    premises: tuple[str, ...]
    hypothesis: str
    expected: str
    explanation: str = ""
    line: int = 0

    @property
    def premise(self) -> str:
        return " ".join(self.premises)


@dataclass
class Preview:
    """What a file holds: good rows and, by line and column, what is wrong with the others."""

    drafts: list[Draft] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def expected_answers(campaign: Campaign) -> list[str]:
    """What a test question may expect: the dataset's labels, and *unnatural*."""
    return [*campaign.dataset.labels, UNNATURAL]


@transaction.atomic
def question_create(*, campaign: Campaign, actor: User | None, draft: Draft) -> TestQuestion:
    """One test question. ValidationError by the fields premise, hypothesis, expected, explanation."""
    if campaign.task == Campaign.Task.CREATION:
        raise ValidationError(_("Test questions are for campaigns in which pairs are judged."))
    for premise in draft.premises or ("",):
        text_checked(premise, "premise")
    text_checked(draft.hypothesis, "hypothesis")
    if draft.explanation:
        text_checked(draft.explanation, "explanation")
    if draft.expected not in expected_answers(campaign):
        raise ValidationError(
            {
                "expected": _("“%(value)s” is none of the answers: %(answers)s.")
                % {"value": draft.expected, "answers": ", ".join(expected_answers(campaign))}
            }
        )
    if (why := taken(campaign, draft)) is not None:
        raise ValidationError({"hypothesis": why})
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    pair = pair_get_or_create(
        dataset=_dataset_of(campaign.study, actor),
        premises=[(premise, None) for premise in draft.premises],
        hypothesis=draft.hypothesis,
        origin=Pair.Origin.IMPORT,
    )
    last = campaign.items.aggregate(last=Max("position"))["last"]
    item = Item.objects.create(
        campaign=campaign,
        pair=pair,
        position=0 if last is None else last + 1,
        wanted=_NEVER_ENOUGH,
        is_complete=True,
        is_test=True,
    )
    question = TestQuestion.objects.create(
        campaign=campaign,
        item=item,
        expected=draft.expected,
        explanation=draft.explanation,
        created_by=actor,
    )
    audit.record("test_question.created", study=campaign.study, actor=actor, subject=question)
    return question


def taken(campaign: Campaign, draft: Draft) -> str | None:
    """Why the campaign can't take this pair as a test question, or None. Two queries.

    A pair that people judge there anyway would be shown to somebody twice.
    """
    digest = pair_digest(draft.premises, draft.hypothesis)
    found = campaign.items.filter(pair__digest=digest)
    if found.filter(is_test=True).exists():
        return _("This pair is a test question of this campaign already.")
    if found.exists():
        return _("This pair is judged in this campaign: as a test question somebody would see it twice.")
    return None


def draft_from_pair(pair: Pair, *, expected: str, explanation: str = "") -> Draft:
    """A pair of the study's datasets as a test question: its texts are copied."""
    premises = tuple(premise.text for premise in pair.premises.all())
    return Draft(premises, pair.hypothesis, expected, explanation)


def _dataset_of(study: Study, actor: User | None) -> Dataset:
    """The study's hidden dataset, made on first need."""
    found = Dataset.objects.filter(study=study, kind=Dataset.Kind.TESTS).first()
    if found:
        return found
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    name, number = "Test questions", 1
    while Dataset.objects.filter(study=study, name=name).exclude(kind=Dataset.Kind.TESTS).exists():
        number += 1
        name = f"Test questions {number}"
    dataset, _new = Dataset.objects.get_or_create(
        study=study, kind=Dataset.Kind.TESTS, defaults={"name": name, "labels": [], "created_by": actor}
    )
    return dataset


# ---- From a file -------------------------------------------------------------------------------


def read_csv(campaign: Campaign, text: str) -> Preview:
    """The test questions of a CSV text: columns premise, hypothesis, expected and (optional) explanation.

    Nothing is stored. Every fault is said with its line and column.
    """
    preview = Preview()
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next((row for row in rows if any(cell.strip() for cell in row)), None)
        if header is None:
            preview.errors.append(_("The file is empty."))
            return preview
        columns = _columns(header)
        if missing := [name for name in ("premise", "hypothesis", "expected") if name not in columns]:
            preview.errors.append(
                _("There is no column %(names)s. The columns found are: %(found)s.")
                % {"names": ", ".join(missing), "found": ", ".join(header)}
            )
            return preview
        seen: dict[str, int] = {}
        for row in rows:
            if any(cell.strip() for cell in row):
                _read_row(campaign, row, rows.line_num, columns, seen, preview)
            if len(preview.drafts) + len(preview.errors) > MOST_ROWS:
                preview.errors.append(_("The file has more than %(n)d rows.") % {"n": MOST_ROWS})
                return preview
    except csv.Error as error:
        preview.errors.append(_("Line %(n)d: %(why)s.") % {"n": rows.line_num, "why": error})
    return preview


def _columns(header: list[str]) -> dict[str, int]:
    names = [name.strip().removeprefix("\ufeff").casefold() for name in header]
    return {
        column: names.index(known)
        for column, aliases in COLUMNS.items()
        for known in aliases[::-1]
        if known in names
    }


def _read_row(
    campaign: Campaign,
    row: list[str],
    line: int,
    columns: dict[str, int],
    seen: dict[str, int],
    preview: Preview,
) -> None:
    cells = {name: row[index].strip() if index < len(row) else "" for name, index in columns.items()}
    draft = Draft(
        (cells["premise"],), cells["hypothesis"], cells["expected"], cells.get("explanation", ""), line
    )
    for name in ("premise", "hypothesis", "expected"):
        try:
            text_checked(cells[name], name)
        except ValidationError as error:
            preview.errors.append(
                _("Line %(n)d, %(column)s: %(why)s") % {"n": line, "column": name, "why": error.messages[0]}
            )
            return
    digest = pair_digest(draft.premises, draft.hypothesis)
    why = ""
    if draft.expected not in expected_answers(campaign):
        why = _("expected: “%(value)s” is none of the answers: %(answers)s.") % {
            "value": draft.expected,
            "answers": ", ".join(expected_answers(campaign)),
        }
    elif digest in seen:
        why = _("the same pair as in line %(first)d.") % {"first": seen[digest]}
    elif (refusal := taken(campaign, draft)) is not None:
        why = refusal
    if why:
        preview.errors.append(_("Line %(n)d, %(why)s") % {"n": line, "why": why})
        return
    seen[digest] = line
    preview.drafts.append(draft)


@transaction.atomic
def questions_import(*, campaign: Campaign, actor: User, text: str) -> int:
    """All questions of a CSV text, or none; ValidationError with the faults. Returns how many."""
    preview = read_csv(campaign, text)
    if preview.errors:
        raise ValidationError(preview.errors)
    for draft in preview.drafts:
        question_create(campaign=campaign, actor=actor, draft=draft)
    return len(preview.drafts)


# ---- Afterwards --------------------------------------------------------------------------------


@transaction.atomic
def question_set_state(*, question: TestQuestion, actor: User, state: str) -> list[int]:
    """Use, retire or forgive a question.

    Forgiving a bad one takes it out of everybody's quiz and trust, and lets those back whom it alone had
    paused. Their answers that had been asked again count once more only where there is still room, so
    that nothing is over-collected. Returns the numbers of the actions undone.
    """
    if state not in TestQuestion.State.values:
        raise ValidationError(_("A test question is in use, retired or forgiven."))
    question = TestQuestion.objects.select_for_update(no_key=True).get(pk=question.pk)
    if question.state == state:
        return []
    question.state = state
    question.save(update_fields=["state"])
    audit.record(
        "test_question.state", study=question.campaign.study, actor=actor, subject=question, state=state
    )
    return actions.trust_reconsider(campaign=question.campaign, actor=actor)


@transaction.atomic
def question_change(
    *,
    question: TestQuestion,
    actor: User,
    expected: str | None = None,
    explanation: str | None = None,
    state: str | None = None,
) -> list[int]:
    """Correct the question, set its state, or both at once. Returns the numbers of the actions undone."""
    undone: list[int] = []
    if expected is not None or explanation is not None:
        undone += question_correct(
            question=question,
            actor=actor,
            expected=question.expected if expected is None else expected,
            explanation=question.explanation if explanation is None else explanation,
        )
    if state is not None:
        undone += question_set_state(question=question, actor=actor, state=state)
    return undone


@transaction.atomic
def question_correct(*, question: TestQuestion, actor: User, expected: str, explanation: str) -> list[int]:
    """Put the expected answer or the explanation right; trust follows, as with forgiving."""
    if expected not in expected_answers(question.campaign):
        raise ValidationError({"expected": _("This is none of the answers.")})
    question = TestQuestion.objects.select_for_update(no_key=True).get(pk=question.pk)
    question.expected, question.explanation = expected, explanation.strip()
    question.save(update_fields=["expected", "explanation"])
    audit.record(
        "test_question.corrected",
        study=question.campaign.study,
        actor=actor,
        subject=question,
        expected=expected,
    )
    return actions.trust_reconsider(campaign=question.campaign, actor=actor)
