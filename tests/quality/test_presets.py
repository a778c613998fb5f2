"""What the papers asked of their people, from their presets; test questions on the Likert scale."""

import pytest

from apps.campaigns.services import assignment_next, campaign_create, campaign_set_state, judgement_submit
from apps.quality import questions
from apps.quality.models import TestAnswer
from apps.quality.settings import quality_of, quality_update
from apps.quality.trust import Trust, trust_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("key", "task", "asked"),
    [
        ("med-2019-creation", "creation", {"languages": ["en"], "quiz_size": 0}),
        ("med-2019-validation", "validation", {"quiz_size": 10, "quiz_wrong": 3, "languages": []}),
        (
            "transitivity-2021",
            "likert",
            {"approved_tasks": 5000, "approval_rate": 99, "numbers_from": "panel"},
        ),
        ("", "validation", {"quiz_size": 0, "languages": [], "approved_tasks": None}),
    ],
)
def test_a_preset_asks_what_its_paper_asked(key, task, asked, study, ada, dataset, blank_set):
    campaign = campaign_create(
        study=study,
        actor=ada,
        name="As published",
        dataset=dataset,
        task=task,
        preset=key,
        blank_set=blank_set if task == "creation" else None,
    )
    quality = quality_of(campaign)
    assert {name: getattr(quality, name) for name in asked} == asked
    assert (quality.pk is None) is (key == "")


@pytest.mark.parametrize(
    ("sent", "right"),
    [({"rating": 5}, True), ({"rating": 4}, True), ({"rating": 3}, False), ({"nonsense": True}, False)],
)
def test_on_the_scale_four_and_five_are_yes(sent, right, study, ada, ben, validation, participant):
    campaign = campaign_create(
        study=study, actor=ada, name="Scale", dataset=validation.dataset, task="likert", seed=1
    )
    campaign_set_state(campaign=campaign, actor=ada, state="open")
    draft = questions.Draft(("All cats sleep.",), "All old cats sleep.", "entailment")
    questions.question_create(campaign=campaign, actor=ada, draft=draft)
    quality_update(campaign=campaign, actor=ada, quiz_size=1, quiz_wrong=0)
    person = participant(ben)
    judgement_submit(assignment=assignment_next(campaign=campaign, participant=person), **sent)
    assert TestAnswer.objects.get().in_quiz
    assert trust_of(campaign, person) == Trust(int(right), 1)
