"""A condition is enforced, declared by the panel, or merely recorded: the same word wherever it is said."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.campaigns.models import Campaign, Guideline
from apps.panels.models import Panel
from apps.quality.models import Quality
from apps.quality.standing import of_numbers, of_tests

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def campaign(study, ada) -> Campaign:
    from apps.datasets.services import dataset_create

    dataset = dataset_create(study=study, actor=ada, name="Pairs")
    made = Campaign.objects.create(study=study, name="Judging", task="validation", dataset=dataset)
    Guideline.objects.create(campaign=made, version=1, body="Judge.")
    return made


def quality(campaign: Campaign, **fields) -> Quality:
    made = Quality.objects.create(campaign=campaign, approved_tasks=5000, **fields)
    return Quality.objects.get(pk=made.pk)


@pytest.mark.parametrize(
    ("numbers_from", "has_panel", "word"),
    [
        ("declared", False, "enforced"),
        ("declared", True, "enforced"),
        ("panel", True, "declared by the panel"),
        ("panel", False, "merely recorded"),
    ],
)
def test_numbers_of_a_panel(campaign, study, client_of, ada, numbers_from, has_panel, word):
    if has_panel:
        Panel.objects.create(campaign=campaign, kind="prolific", platform="prolific")
    assert of_numbers(quality(campaign, numbers_from=numbers_from)) == word
    client = client_of(ada)
    for page in ("quality:overview", "campaigns:campaign"):
        shown = client.get(reverse(page, args=[study.slug, campaign.pk])).content.decode()
        assert word in shown, page
        others = {"declared by the panel", "merely recorded"} - {word}
        assert all(other not in shown for other in others), page


def test_a_quiz_without_its_questions_is_merely_recorded(campaign):
    set_up = quality(campaign, quiz_size=10)
    assert of_tests(set_up, 10) == "merely recorded"
    assert of_tests(Quality(quiz_size=10), 10) == "enforced"  # of a campaign that is still to be made
