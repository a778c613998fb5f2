"""What a panel says about a visit: signed, taken once, refused when forged or old."""

import json
import time

import pytest
from django.urls import reverse

from apps.campaigns.models import Assignment, Judgement
from apps.campaigns.services import assignment_next
from apps.panels.models import Panel, PanelEvent, Visit
from apps.panels.platforms import is_signed, signature_of
from apps.panels.services import panel_update
from apps.panels.visitors import address_of
from tests.panels.generic import GenericPanel
from tests.panels.prolific import EXAMPLE, Prolific, Submission

pytestmark = [pytest.mark.both, pytest.mark.django_db]


@pytest.fixture
def platform() -> Prolific:
    return Prolific(secret="workspace-secret")


@pytest.fixture
def submission() -> Submission:
    return Submission()


@pytest.fixture
def visit(prolific, come, answer, submission) -> Visit:
    """Somebody who has sent one answer and holds the next item."""
    visit = come(prolific, submission.person, submission.session)
    answer(visit)
    assignment_next(campaign=prolific.campaign, participant=visit.participant)
    return visit


@pytest.fixture
def send(client):
    """The answer to an event of the platform's."""

    def post(body: bytes, headers: dict[str, str]):
        address = reverse("visit:events", args=[Panel.objects.get().public_id])
        return client.post(address, body, content_type="application/json", headers=headers)

    return post


def held() -> int:
    return Assignment.objects.filter(state="leased").count()


def test_the_worked_example_has_its_signature():
    """Computed by another program; see tests/panels/prolific.py for the source of the rule."""
    assert signature_of(EXAMPLE["secret"], EXAMPLE["timestamp"], EXAMPLE["body"]) == EXAMPLE["signature"]
    assert is_signed(EXAMPLE["secret"], EXAMPLE["timestamp"], EXAMPLE["body"], EXAMPLE["signature"])
    assert not is_signed(EXAMPLE["secret"], "1700000001", EXAMPLE["body"], EXAMPLE["signature"])


def test_a_return_frees_what_is_held_and_keeps_what_was_sent(visit, platform, submission, send, guest):
    answer = send(*platform.event(submission, "RETURNED"))
    assert (answer.status_code, answer.json()) == (200, {"status": "taken"})
    visit.refresh_from_db()
    assert visit.status == "RETURNED" and visit.returned_at
    assert held() == 0 and Judgement.objects.count() == 1
    assert "You gave this back" in guest(address_of(visit, f"work/{visit.panel.campaign_id}/")).page
    assert held() == 0


def test_a_return_twice_is_taken_once(visit, platform, submission, send):
    """CASES 34."""
    event = platform.event(submission, "RETURNED")
    assert [send(*event).json()["status"] for _time in range(3)] == ["taken", "known", "known"]
    assert PanelEvent.objects.count() == 1


def test_a_redelivery_with_a_new_signature_is_the_same_event(visit, platform, submission, send):
    now = time.time()
    for at, status in ((now - 60, "taken"), (now, "known")):
        event = platform.event(submission, "RETURNED", at=at, event_id="e1")
        assert send(*event).json()["status"] == status
    assert PanelEvent.objects.count() == 1


def test_a_captured_event_under_another_identifier_is_not_taken_again(visit, platform, submission, send):
    """The identifier stands in a header that is not signed."""
    body, headers = platform.event(submission, "ACTIVE")
    assert send(body, headers).json()["status"] == "taken"
    assert send(body, {**headers, "X-Event-ID": "made up"}).json()["status"] == "known"
    assert PanelEvent.objects.count() == 1


@pytest.mark.parametrize(
    "forge",
    [
        lambda body, headers: (body.replace(b"ACTIVE", b"RETURNED"), headers),
        lambda body, headers: (body, {**headers, "X-Prolific-Request-Signature": "bm9uc2Vuc2U="}),
        lambda body, headers: (body, {**headers, "X-Prolific-Request-Signature": "not base64 é"}),
        lambda body, headers: (body, {**headers, "X-Prolific-Request-Signature": ""}),
        lambda body, headers: (body, {**headers, "X-Prolific-Request-Timestamp": str(int(time.time()) + 1)}),
        lambda body, headers: (body, {}),
        lambda body, headers: (body, Prolific(secret="another").headers(body)),
        lambda body, headers: (body, Prolific(secret="").headers(body)),
    ],
    ids=["body", "signature", "no base64", "empty", "time", "no headers", "secret", "no secret"],
)
def test_a_forged_event_is_a_401_and_changes_nothing(forge, visit, platform, submission, send):
    """CASES 34."""
    assert send(*forge(*platform.event(submission, "ACTIVE"))).status_code == 401
    assert not PanelEvent.objects.exists() and held() == 1


@pytest.mark.parametrize("seconds", [-301, -86400, 310])
def test_an_event_from_outside_the_window_is_a_401(seconds, visit, platform, submission, send):
    """CASES 34."""
    event = platform.event(submission, "RETURNED", at=time.time() + seconds)
    assert send(*event).status_code == 401
    assert not PanelEvent.objects.exists() and held() == 1


@pytest.mark.parametrize("at", [-1.0, 99999999999999.0])
def test_a_time_that_is_none_is_a_401(at, visit, platform, submission, send):
    assert send(*platform.event(submission, "RETURNED", at=at)).status_code == 401


def test_without_a_secret_every_event_is_refused(panel_of, come, send):
    panel_of("prolific")
    body, _headers = Prolific().event(Submission(), "RETURNED")
    assert send(body, Prolific(secret="").headers(body)).status_code == 401


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'{"status": 3}', b'{"status": "a\\u0000"}'])
def test_a_signed_body_that_is_no_event_is_a_400(body, visit, platform, send):
    answer = send(body, platform.headers(body))
    assert answer.status_code == 400 and answer.json()["detail"]
    assert not PanelEvent.objects.exists()


def test_a_body_beyond_the_limit_is_not_read(visit, platform, send):
    body = json.dumps({"x": "x" * 70_000}).encode()
    assert send(body, platform.headers(body)).status_code == 413


def test_events_of_unknown_submissions_are_taken_and_change_nothing(visit, platform, send):
    event = platform.event(Submission(session="unknown"), "RETURNED")
    assert send(*event).status_code == 200
    assert held() == 1


def test_a_submission_of_somebody_else_is_not_this_visit(visit, platform, submission, send):
    send(*platform.event(Submission(person="somebody else", session=submission.session), "RETURNED"))
    visit.refresh_from_db()
    assert visit.returned_at is None and held() == 1


def test_events_come_in_any_order_and_a_return_stays_a_return(visit, platform, submission, send):
    for status in ("ACTIVE", "RETURNED", "AWAITING REVIEW"):
        send(*platform.event(submission, status))
    visit.refresh_from_db()
    assert visit.status == "RETURNED"
    assert PanelEvent.objects.count() == 3


@pytest.mark.parametrize("status", ["TIMED-OUT", "TIMED_OUT", "timed out"])
def test_who_ran_out_of_time_gives_back_what_they_hold_and_may_come_again(
    status, visit, platform, submission, send, guest
):
    send(*platform.event(submission, status))
    assert held() == 0
    assert "Yes, it must be true" in guest(address_of(visit, f"work/{visit.panel.campaign_id}/")).page


def test_who_returned_and_takes_the_study_again_goes_on(visit, platform, submission, send, come, answer):
    send(*platform.event(submission, "RETURNED"))
    again = come(visit.panel, submission.person, "a new session")
    assert again.participant == visit.participant
    assert answer(again) is not None


def test_another_panel_signs_as_the_manual_says(panel_of, come, send):
    stand_in = GenericPanel()
    panel = panel_of("generic", secret=stand_in.secret)
    visit = come(panel, "p1", "s1")
    assignment_next(campaign=panel.campaign, participant=visit.participant)
    body, headers = stand_in.event("s1", "p1", "RETURNED")
    assert send(body, headers).json() == {"status": "taken"}
    assert held() == 0


def test_a_new_secret_holds_at_once(visit, platform, submission, prolific, ada, send):
    panel_update(panel=prolific, actor=ada, secret="another")
    assert send(*platform.event(submission, "RETURNED")).status_code == 401


def test_events_are_sent_not_looked_at(prolific, client):
    assert client.get(reverse("visit:events", args=[prolific.public_id])).status_code == 405
