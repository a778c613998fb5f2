"""People from a panel under a campaign's quality settings: the quiz, its code, and its pay."""

import pytest
from django.db.models import F
from django.urls import reverse

from apps.campaigns.models import Assignment, Judgement
from apps.campaigns.quality import configuring, questions
from apps.panels.models import Visit
from apps.panels.selectors import accounts_of, standing_of
from tests.panels.conftest import PAIRS, study_link
from tests.panels.mturk import Hit
from tests.panels.prolific import Prolific, Submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def with_tests(campaign, ada):
    """Give the campaign test questions that expect entailment, and these settings."""

    def make(count: int, **settings) -> None:
        for number in range(count):
            draft = questions.Draft(
                (f"Every cat of {number} sleeps.",),
                f"Every old cat of {number} sleeps.",
                "entailment",
                "Old cats are cats.",
            )
            questions.question_create(campaign=campaign, actor=ada, draft=draft)
        configuring.quality_update(campaign=campaign, actor=ada, **settings)

    return make


def test_a_failed_quiz_ends_with_its_code_and_its_answers_are_paid(prolific, guest, with_tests):
    with_tests(4, quiz_size=3, quiz_wrong=1)
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    for _question in range(2):
        here.post(answer="non-entailment")
    assert "Finish and get the code" in here.page
    assert prolific.code_failed_quiz in here.post().page
    assert Visit.objects.get().outcome == "failed-quiz"
    assert accounts_of(prolific)[0].owed == 5 * Judgement.objects.count() == 10


def test_the_quiz_does_not_count_towards_the_sets_that_are_wanted(panel_of, guest, with_tests):
    panel = panel_of("prolific", sets_wanted=1)
    with_tests(4, quiz_size=2, quiz_wrong=0)
    here = guest(Prolific().link(study_link(panel), Submission())).agree()
    for _question in range(2):
        here.post(answer="entailment")
    assert standing_of(Visit.objects.get()).sets == 0
    assert not Assignment.objects.get(state="leased").item.is_test
    here.post(answer="entailment")
    assert panel.code_complete in here.post().page


def test_who_is_asked_to_say_something_about_themselves_is_not_at_the_end(prolific, guest, with_tests):
    with_tests(0, languages=["en"])
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    assert here.place.endswith("/about-you/")
    assert here.status == 200 and "Finish and get the code" not in here.page


def test_who_is_not_eligible_is_told_so_and_gets_the_code_for_no_work(prolific, guest, with_tests):
    with_tests(0, uses_allow_list=True)
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    assert "list of people" in here.page
    assert prolific.code_no_work in here.post().page


def test_a_preview_shows_no_test_question(mturk, client, campaign, with_tests):
    with_tests(2)
    campaign.items.filter(is_test=False).update(position=F("position") + 10)
    page = client.get(Hit().preview(reverse("visit:arrive", args=[mturk.public_id]))).content.decode()
    assert "An example of this task" in page and "old cat" not in page
    assert any(hypothesis in page for _premise, hypothesis in PAIRS)
