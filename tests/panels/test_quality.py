"""People from a panel under a campaign's quality settings: the quiz, its code, and its pay."""

import pytest
from django.core.exceptions import ValidationError
from django.db.models import F
from django.urls import reverse

from apps.campaigns.models import Assignment, Campaign, Judgement
from apps.campaigns.services import assignment_next, judgement_submit
from apps.panels.models import Visit
from apps.panels.selectors import accounts_of, sets_of, standing_of
from apps.panels.services import panel_update, visit_finish
from apps.quality import questions
from apps.quality import settings as configuring
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


def test_the_quiz_may_be_tried_again_before_the_visit_ends(prolific, guest, with_tests):
    with_tests(4, quiz_size=2, quiz_wrong=0, quiz_tries=2)
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    here.post(answer="non-entailment")
    assert "Try the quiz again" in here.page and here.root + "panel/finish/" in here.page
    campaign = prolific.campaign
    here.post(f"{here.root}work/{campaign.pk}/quiz/again/")
    for _question in range(3):
        here.post(answer="entailment")
    assert Judgement.objects.filter(item__is_test=False).count() == 1
    assert "Finish and get the code" not in here.page


def test_who_does_not_want_to_try_again_is_screened_out(prolific, guest, with_tests):
    with_tests(4, quiz_size=2, quiz_wrong=0, quiz_tries=2)
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    here.post(answer="non-entailment")
    assert prolific.code_failed_quiz in here.post(f"{here.root}panel/finish/").page


def test_a_slip_is_corrected_before_the_visit_ends(prolific, guest, with_tests):
    with_tests(0, languages=["en"])
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    here.post(language="Français")
    assert "If that was a slip" in here.page
    here.post(f"{here.root}work/{prolific.campaign_id}/about-you/correct/", language="english")
    assert Assignment.objects.filter(state="leased").count() == 1


@pytest.mark.parametrize("wanted", [None, 3])
def test_card_end_and_ledger_count_the_same(panel_of, guest, with_tests, wanted):
    """The quiz stands beside the count, never in it; everything is paid."""
    panel = panel_of("prolific", sets_wanted=wanted)
    with_tests(5, quiz_size=2, quiz_wrong=0)
    here = guest(Prolific().link(study_link(panel), Submission())).agree()
    for _question in range(3):
        here.post(answer="entailment")
    assert "1 of 3 done" in here.page
    for _question in range(2):
        here.post(answer="entailment")
    end = here.get(f"{here.root}panel/finish/").page
    assert ("3 of 3 done." if wanted else "3 done.") in end
    assert "2 answers to the quiz come on top" in end
    over = here.post().page
    assert "3 answers are stored." in over and "2 answers to the quiz are stored as well" in over
    account = accounts_of(panel)[0]
    assert (account.sets, account.quiz, account.owed) == (3, 2, 25)


def test_each_set_is_one_visits_alone(prolific, come, answer):
    """Also a set that is sent after its visit ended, and one of a session that got lost."""
    first = come(prolific, session="s1")
    answer(first)
    held = assignment_next(campaign=prolific.campaign, participant=first.participant)
    Campaign.objects.filter(pk=prolific.campaign_id).update(state="paused")
    visit_finish(visit=first)
    judgement_submit(assignment=held, answer="entailment")
    first.refresh_from_db()
    assert sets_of(first).sent == 2
    Campaign.objects.filter(pk=prolific.campaign_id).update(state="open")
    second = come(prolific, session="s2")
    assert (sets_of(first).sent, sets_of(second).sent) == (2, 0)
    answer(second)
    third = come(prolific, session="s3")
    assert sets_of(third).sent == 1
    visit_finish(visit=third)
    third.refresh_from_db()
    assert sets_of(first).sent + sets_of(third).sent == accounts_of(prolific)[0].sets == 3


def test_the_panels_campaign_is_not_every_annotators(prolific, campaign, ada, ben, cleo, rosa, client_of):
    home = reverse("work:home")
    assert campaign.name not in client_of(ben).get(home).content.decode()
    refused = client_of(ben).get(reverse("work:campaign", args=[campaign.pk])).content.decode()
    assert "people who come from a panel" in refused
    assert campaign.name in client_of(rosa).get(home).content.decode()
    configuring.allow_list_set(campaign=campaign, actor=ada, names=["ben@example.org"])
    assert campaign.name in client_of(ben).get(home).content.decode()
    configuring.quality_update(campaign=campaign, actor=ada, members_work=True)
    assert campaign.name in client_of(cleo).get(home).content.decode()


def test_two_ends_of_a_visit_never_share_a_code(prolific, ada):
    with pytest.raises(ValidationError) as refused:
        panel_update(panel=prolific, actor=ada, code_no_work=prolific.code_failed_quiz)
    assert list(refused.value.message_dict) == ["code_no_work"]
