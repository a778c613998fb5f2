"""The end of a visit: the outcome, its code, the way back; what is sent late; the panel that is told."""

from datetime import timedelta

import pytest
from django.urls import reverse

from apps.campaigns.models import Assignment, Campaign, Judgement
from apps.campaigns.services import assignment_next, campaign_set_state
from apps.jobs.models import Job
from apps.jobs.runner import run
from apps.panels.models import Visit
from apps.panels.services import panel_update, visit_finish
from apps.panels.visitors import address_of
from tests.panels.conftest import study_link
from tests.panels.generic import GenericPanel
from tests.panels.mturk import MARKET, Hit, submission_of
from tests.panels.prolific import Prolific, Submission

pytestmark = pytest.mark.django_db

FINISH = "panel/finish/"


def work_through(here, count: int) -> None:
    """Answer cards as a browser without JavaScript does."""
    for _card in range(count):
        assert "Yes, it must be true" in here.page, here.page
        here.post(answer="entailment")


def test_the_whole_way_from_prolific_and_back(prolific, guest):
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    work_through(here, 3)
    assert here.place.endswith(FINISH)
    assert "There is no more work right now" in here.page and "3 done." in here.page
    here.post()
    assert "3 answers are stored." in here.page
    visit = Visit.objects.get()
    assert (visit.outcome, visit.code) == ("complete", prolific.code_complete)
    back = here.response.context["return_link"]
    assert f'href="{back}"' in here.page
    assert Prolific.code_in(back) == prolific.code_complete


def test_a_reload_shows_the_same_code_whatever_the_settings_become(prolific, ada, guest):
    """CASES 32."""
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    work_through(here, 3)
    code = prolific.code_complete
    assert code in here.post().page
    panel_update(panel=prolific, actor=ada, code_complete="ANOTHER1")
    assert code in here.get().page
    assert code in here.post(here.place).page
    again = guest(Prolific().link(study_link(prolific), Submission()))
    assert code in again.page and "ANOTHER1" not in again.page


def test_the_end_of_a_visit_at_mechanical_turk(mturk, guest):
    arrival = reverse("visit:arrive", args=[mturk.public_id])
    here = guest(Hit(submit_to=MARKET).address(arrival)).agree()
    work_through(here, 3)
    address, fields = submission_of(here.post().page)
    assert address == "https://www.mturk.com/mturk/externalSubmit"
    assert fields == {"assignmentId": Hit().assignment, "code": mturk.code_complete, "outcome": "complete"}


def test_who_found_no_work_gets_the_code_for_that(prolific, ada, guest):
    campaign_set_state(campaign=prolific.campaign, actor=ada, state="closed")
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    assert "There is no work for you here right now" in here.page
    assert prolific.code_no_work in here.post().page
    assert Visit.objects.get().outcome == "no-work"


def test_who_did_not_pass_the_quiz_gets_the_code_for_that(prolific, guest, monkeypatch):
    from apps.campaigns import gates
    from apps.campaigns.reasons import NothingNow

    class Refused(NothingNow):
        text = "Thank you for trying."

    monkeypatch.setattr(gates, "_gates", [lambda campaign, participant: Refused("quiz-failed")])
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    assert prolific.code_failed_quiz in here.post(f"{here.root}{FINISH}").page
    assert Visit.objects.get().outcome == "failed-quiz"


def test_work_that_was_done_is_complete_whatever_the_campaign_says_afterwards(prolific, ada, come, answer):
    visit = come(prolific)
    answer(visit)
    campaign_set_state(campaign=prolific.campaign, actor=ada, state="closed")
    assert visit_finish(visit=visit).outcome == "complete"


def test_nobody_gets_a_code_before_any_work(prolific, guest):
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    assert "The code for the panel comes after it" in here.get(f"{here.root}{FINISH}").page
    here.post(f"{here.root}{FINISH}")
    assert "Yes, it must be true" in here.page
    assert Visit.objects.get().code == ""


def test_a_visit_ends_after_the_sets_that_are_wanted(panel_of, guest):
    panel = panel_of("prolific", sets_wanted=2)
    here = guest(Prolific().link(study_link(panel), Submission())).agree()
    assert "0 of 2 done" in here.page
    work_through(here, 1)
    assert "1 of 2 done." in here.get(f"{here.root}{FINISH}").page
    assert panel.code_complete not in here.post().page
    work_through(here.get(f"{here.root}work/{panel.campaign_id}/"), 1)
    assert here.place.endswith(FINISH) and "You have done your part" in here.page
    assert not Assignment.objects.filter(state="leased").exists()
    assert panel.code_complete in here.post().page


def test_the_next_task_of_a_worker_begins_at_none(panel_of, come, answer):
    panel = panel_of("mturk", sets_wanted=1)
    first = come(panel, session="A1")
    answer(first)
    assert visit_finish(visit=first).outcome == "complete"
    second = come(panel, session="A2")
    from apps.panels.selectors import standing_of

    assert standing_of(second).sets == 0
    answer(second)
    assert visit_finish(visit=second).outcome == "complete"


def test_who_lost_a_session_keeps_what_they_did_under_the_next(panel_of, come, answer):
    panel = panel_of("prolific", sets_wanted=2)
    answer(come(panel, session="lost"))
    visit = come(panel, session="found")
    answer(visit)
    assert visit_finish(visit=visit).outcome == "complete"


def test_finishing_gives_back_what_is_held(prolific, come, answer):
    visit = come(prolific)
    answer(visit)
    lease = assignment_next(campaign=prolific.campaign, participant=visit.participant)
    visit_finish(visit=visit)
    lease.refresh_from_db()
    assert lease.state == "released"


def test_nothing_is_handed_out_after_the_end_and_what_is_sent_late_is_kept(prolific, come, answer, guest):
    visit = come(prolific)
    answer(visit)
    lease = assignment_next(campaign=prolific.campaign, participant=visit.participant)
    visit_finish(visit=visit)
    work = address_of(visit, f"work/{prolific.campaign_id}/")
    assert prolific.code_complete in guest(work).page
    here = guest(f"{work}{lease.pk}/").post(f"{work}{lease.pk}/", answer="entailment")
    assert Judgement.objects.count() == 2
    assert here.place.endswith(FINISH)
    assert not Assignment.objects.filter(state="leased").exclude(pk=lease.pk).exists()


def test_a_sent_answer_can_still_be_read_after_the_end(prolific, come, answer, guest):
    visit = come(prolific)
    judgement = answer(visit)
    visit_finish(visit=visit)
    card = guest(address_of(visit, f"work/{prolific.campaign_id}/{judgement.assignment_id}/"))
    assert card.status == 200 and "your answer" in card.page


# ---- A panel that is told -----------------------------------------------------------------------


@pytest.fixture
def listener(panel_of, settings):
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    with GenericPanel().listening() as stand_in:
        stand_in.panel = panel_of("generic", told_address=stand_in.address, secret=stand_in.secret)
        yield stand_in


def finished(stand_in, come, answer) -> Visit:
    visit = come(stand_in.panel)
    answer(visit)
    return visit_finish(visit=visit)


def the_job() -> Job:
    return Job.objects.get(kind="panels.tell")


def test_the_panel_is_told_in_the_background_once(listener, come, answer, work, guest):
    visit = finished(listener, come, answer)
    assert "the panel has not been told yet" in guest(address_of(visit, FINISH)).page
    visit_finish(visit=visit)
    assert Job.objects.filter(kind="panels.tell").count() == 1
    work()
    assert listener.told == [
        {
            "event_type": "submission.finished",
            "resource_id": "s1",
            "participant_id": "p1",
            "outcome": "complete",
            "code": listener.panel.code_complete,
        }
    ]
    assert "The panel has been told." in guest(address_of(visit, FINISH)).page


@pytest.mark.parametrize("status", [500, 404, 302, 401])
def test_a_panel_that_can_not_be_told_is_tried_again_and_the_code_stays(
    status, listener, come, answer, guest, ada, study, client_of
):
    """CASES 32."""
    listener.answers = [status, 204]
    visit = finished(listener, come, answer)
    run(the_job().pk)
    page = guest(address_of(visit, FINISH)).page
    assert "Finished here; the panel has not been told yet" in page
    assert listener.panel.code_complete in page
    assert the_job().state == "queued"
    assert f"The panel answered with status {status}." in the_job().error
    shown = client_of(ada).get(reverse("panels:panel", args=[study.slug, listener.panel.campaign_id]))
    assert f"The panel answered with status {status}." in shown.content.decode()
    Visit.objects.update(tell_after=None)
    run(the_job().pk)
    assert the_job().state == "done" and len(listener.told) == 1
    assert len(set(listener.event_ids)) == 1, "the same event, however often it is sent"
    assert "The panel has been told." in guest(address_of(visit, FINISH)).page


def test_a_panel_is_left_in_peace_between_tries_for_ever_longer(listener, come, answer):
    listener.answers = [500]
    visit = finished(listener, come, answer)
    waits = []
    for _try in range(9):
        run(the_job().pk)
        run(the_job().pk)
        visit.refresh_from_db()
        waits.append(visit.tell_after)
        Visit.objects.update(tell_after=None)
    assert len(listener.event_ids) == 9, "one request for two runs"
    visit.refresh_from_db()
    assert visit.told_tries == 9
    seconds = [round((wait - visit.finished_at) / timedelta(seconds=30)) for wait in waits]
    assert seconds[:4] == [1, 2, 4, 8] and seconds[-1] == 120


def test_a_panel_that_is_not_there_is_tried_again(panel_of, come, answer, settings):
    settings.OUTBOUND_HOSTS = ["127.0.0.1"]
    panel = panel_of("generic", told_address="http://127.0.0.1:9/", secret="s")
    visit = come(panel)
    answer(visit)
    visit_finish(visit=visit)
    run(the_job().pk)
    assert the_job().state == "queued" and "can't be reached" in the_job().error


@pytest.mark.parametrize("allowed", [[], ["example.org"], ["127.0.0.1:80"]])
def test_the_server_speaks_to_no_host_that_is_not_allowed(allowed, listener, come, answer, settings):
    settings.OUTBOUND_HOSTS = allowed
    finished(listener, come, answer)
    run(the_job().pk)
    assert listener.event_ids == []
    assert "may not speak to 127.0.0.1" in the_job().error


def test_a_redirect_is_not_followed(listener, come, answer):
    listener.answers = [307]
    finished(listener, come, answer)
    run(the_job().pk)
    assert len(listener.event_ids) == 1 and listener.told == []


def test_a_panel_without_such_an_address_is_told_by_the_code_alone(prolific, come, answer, guest):
    visit = come(prolific)
    answer(visit)
    visit = visit_finish(visit=visit)
    assert not Job.objects.filter(kind="panels.tell").exists()
    assert "told" not in guest(address_of(visit, FINISH)).page.lower()


def test_a_paused_campaign_can_be_waited_for(prolific, ada, come, guest):
    visit = come(prolific)
    campaign_set_state(campaign=prolific.campaign, actor=ada, state="paused")
    page = guest(address_of(visit, f"work/{prolific.campaign_id}/")).page
    assert "This is paused for the moment" in page and "Try again" in page
    Campaign.objects.update(state="open")
    assert "Yes, it must be true" in guest(address_of(visit, f"work/{prolific.campaign_id}/")).page
