"""Coming from a panel: the study link, the same person again, addresses that make no sense."""

import re

import pytest
from django.urls import reverse

from apps.campaigns.models import Assignment, Judgement
from apps.panels.models import ConsentText, Visit
from apps.panels.services import consent_create, panel_create, visits_forget
from apps.people.erasure import participant_erase
from apps.studies.models import AuditEvent, Participant
from tests.panels.conftest import study_link
from tests.panels.mturk import MARKET, SANDBOX, Hit
from tests.panels.prolific import Prolific, Submission

pytestmark = pytest.mark.django_db


def arrive(panel) -> str:
    return reverse("visit:arrive", args=[panel.public_id])


def test_the_study_link_brings_a_person_to_the_consent_page(prolific, guest):
    submission = Submission()
    here = guest(Prolific().link(study_link(prolific), submission))
    assert here.status == 200
    assert "You may stop at any time." in here.page
    visit = Visit.objects.get()
    assert (visit.session_id, visit.study_ref) == (submission.session, submission.study)
    assert (visit.participant.panel, visit.participant.external_id) == ("prolific", submission.person)
    assert visit.participant.user is None
    assert submission.person not in here.page


def test_there_is_no_work_before_consent(prolific, guest):
    here = guest(Prolific().link(study_link(prolific), Submission()))
    work = f"{here.root}work/{prolific.campaign_id}/"
    for look in (here.get, here.post):
        assert "You may stop at any time." in look(work).page
    assert not Assignment.objects.exists()


def test_who_agrees_gets_a_card_and_the_version_is_stored(prolific, guest):
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    assert "Yes, it must be true" in here.page
    visit = Visit.objects.get()
    assert visit.consent.version == 1 and visit.consented_at >= visit.arrived_at
    assert Assignment.objects.get().participant == visit.participant


@pytest.mark.first_visit
def test_after_the_consent_come_the_instructions_and_nothing_is_taken_before_they_are_read(prolific, guest):
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    assert "In every situation that the first sentence describes" in here.page
    assert not Assignment.objects.exists()
    card = here.get(f"{here.root}work/{prolific.campaign_id}/")
    assert f'action="{here.root}work/{prolific.campaign_id}/begin/"' in card.page
    begun = here.post(f"{here.root}work/{prolific.campaign_id}/begin/")
    assert "data-card=" in begun.page
    assert Assignment.objects.count() == 1


def test_who_does_not_agree_gets_no_work_and_may_think_again(prolific, guest):
    here = guest(Prolific().link(study_link(prolific), Submission()))
    assert "You did not agree" in here.post(disagree="yes").page
    assert Visit.objects.get().consent is None
    assert "You may stop at any time." in here.get(here.place).page


def test_a_text_that_was_replaced_meanwhile_is_shown_before_it_is_agreed_to(prolific, ada, guest):
    here = guest(Prolific().link(study_link(prolific), Submission()))
    consent_create(panel=prolific, actor=ada, body="Something else.")
    assert "Something else." in here.agree().page
    assert Visit.objects.get().consent is None
    here.post(version="2", agree="yes")
    assert Visit.objects.get().consent.version == 2


def test_the_same_text_is_no_new_version(prolific, ada):
    consent_create(panel=prolific, actor=ada, body=prolific.consents.get().body)
    assert ConsentText.objects.count() == 1


def test_the_same_person_with_a_new_session_is_one_participant(prolific, guest):
    """CASES 33."""
    for session in ("first", "second", "second"):
        guest(Prolific().link(study_link(prolific), Submission(session=session))).agree()
    assert Participant.objects.count() == 1
    assert sorted(Visit.objects.values_list("session_id", flat=True)) == ["first", "second"]
    assert Assignment.objects.count() == 1


def test_who_has_agreed_to_the_text_in_force_is_not_asked_again(prolific, ada, guest):
    link = study_link(prolific)
    guest(Prolific().link(link, Submission(session="first"))).agree()
    assert "Yes, it must be true" in guest(Prolific().link(link, Submission(session="second"))).page
    consent_create(panel=prolific, actor=ada, body="Something else.")
    assert "Something else." in guest(Prolific().link(link, Submission(session="third"))).page


def test_a_person_of_two_campaigns_in_a_study_is_one_participant(prolific, ada, study, campaign, guest):
    from apps.campaigns.services import campaign_create

    other = campaign_create(study=study, actor=ada, name="Again", dataset=campaign.dataset)
    second = panel_create(campaign=other, actor=ada, kind="prolific", consent="Fine?")
    for panel in (prolific, second):
        guest(Prolific().link(study_link(panel), Submission()))
    assert Participant.objects.count() == 1


@pytest.mark.parametrize("missing", ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"])
@pytest.mark.parametrize("value", ["", " ", "{{%PROLIFIC_PID%}}"], ids=["empty", "space", "placeholder"])
def test_a_missing_parameter_is_named_on_a_clear_page(missing, value, prolific, client):
    """CASES 33. A placeholder that the panel did not fill in is missing too."""
    query = {"PROLIFIC_PID": "p", "STUDY_ID": "s", "SESSION_ID": "t", missing: value}
    page = client.get(arrive(prolific), query)
    assert page.status_code == 400
    assert f"The address lacks the parameter “{missing}”." in page.content.decode()
    assert not Visit.objects.exists() and not Participant.objects.exists()


@pytest.mark.parametrize("value", ["x" * 201, "a\0b", "a\nb"], ids=["long", "NUL", "line"])
def test_an_identifier_that_makes_no_sense_is_refused(value, prolific, client):
    page = client.get(arrive(prolific), {"PROLIFIC_PID": value, "STUDY_ID": "s", "SESSION_ID": "t"})
    assert page.status_code == 400
    assert "“PROLIFIC_PID” of the address makes no sense" in page.content.decode()
    assert not Participant.objects.exists()


def test_a_script_in_an_identifier_is_text(prolific, ada, study, client_of, guest):
    guest(Prolific().link(study_link(prolific), Submission(session="<script>alert(1)</script>"))).agree()
    page = client_of(ada).get(reverse("panels:panel", args=[study.slug, prolific.campaign_id]))
    assert b"<script>alert" not in page.content


def test_a_generic_panel_names_its_own_parameters(panel_of, client):
    panel = panel_of("generic", platform="sona", person_parameter="survey_code", session_parameter="visit-id")
    assert "“visit-id”" in client.get(arrive(panel), {"survey_code": "77"}).content.decode()
    assert client.get(arrive(panel), {"survey_code": "77", "visit-id": "1"}).status_code == 302
    assert Participant.objects.get().panel == "sona"


def test_an_unknown_panel_is_a_404(client, db):
    assert client.get("/panel/0123456789abcdef/").status_code == 404


# ---- Mechanical Turk ---------------------------------------------------------------------------


def test_a_worker_who_accepted_is_let_in(mturk, guest):
    here = guest(Hit().address(arrive(mturk))).agree()
    assert "Yes, it must be true" in here.page
    visit = Visit.objects.get()
    assert visit.participant.external_id == Hit().worker
    assert (visit.session_id, visit.study_ref, visit.submit_to) == (Hit().assignment, Hit().hit, SANDBOX)


def test_a_preview_shows_an_example_only(mturk, client):
    """CASES 31: no lease, no participant, nothing to send."""
    page = client.get(Hit().preview(arrive(mturk)))
    assert page.status_code == 200
    text = page.content.decode()
    assert "An example of this task" in text and "dogs bark" in text
    assert "<form" not in text and "<input" not in text and "<button" not in text
    for model in (Assignment, Participant, Visit):
        assert not model.objects.exists()


@pytest.mark.parametrize("host", [MARKET, SANDBOX, f"{MARKET}/", f"{SANDBOX}/"])
def test_amazons_two_hosts_are_accepted(host, mturk, client):
    assert client.get(Hit(submit_to=host).address(arrive(mturk))).status_code == 302
    assert Visit.objects.get().submit_to == host.rstrip("/")


@pytest.mark.parametrize(
    "host",
    ["http://www.mturk.com", "https://www.mturk.com.evil.example", "https://evil.example/www.mturk.com",
     "https://www.mturk.com@evil.example", "https://www.mturk.com:444", "https://www.mturk.com/x",
     "https://mturk.com", "javascript:alert(1)", "//www.mturk.com", "https://www.mturk.com//"],
)  # fmt: skip
def test_any_other_place_to_submit_to_is_refused(host, mturk, client):
    page = client.get(Hit(submit_to=host).address(arrive(mturk)))
    assert page.status_code == 400
    assert "“turkSubmitTo” must name Mechanical Turk" in page.content.decode()
    assert not Visit.objects.exists()


@pytest.mark.parametrize("name", ["hitId", "assignmentId", "workerId", "turkSubmitTo"])
def test_a_parameter_that_amazon_always_adds_is_wanted(name, mturk, client):
    page = client.get(Hit().address(arrive(mturk), **{name: ""}))
    assert page.status_code == 400
    assert f"“{name}”" in page.content.decode()


def test_two_tasks_of_a_worker_are_two_visits_of_one_participant(mturk, guest):
    for assignment in ("A1", "A2"):
        guest(Hit(assignment=assignment).address(arrive(mturk))).agree()
    assert Participant.objects.count() == 1 and Visit.objects.count() == 2


# ---- A visit's address ------------------------------------------------------------------------


def test_a_forged_token_is_the_404_of_an_unknown_address(prolific, come, client):
    from apps.panels.visitors import token_of

    visit = come(prolific)
    token = token_of(visit)
    assert client.get(f"/visit/{token}/panel/finish/").status_code == 200
    other = f"{visit.pk + 1}~{token.split('~')[1]}"
    for forged in (other, str(visit.pk), f"{visit.pk}~", token[:-1] + ("A" if token[-1] != "A" else "B")):
        assert client.get(f"/visit/{forged}/panel/finish/").status_code == 404


def test_the_visits_own_pages_are_there_under_its_token_alone(prolific, ada, client_of):
    for path in ("/panel/consent/", "/panel/finish/"):
        assert client_of(ada).get(path).status_code == 404


@pytest.mark.parametrize("path", ["studies/", "", "s/dogs-and-cats/campaigns/", "api/v1/pairs/", "account/"])
def test_a_token_opens_no_other_room_even_to_an_admin(path, prolific, come, ada, client_of):
    """The token switches the check against forged requests off, so nobody signed in may be behind it."""
    from apps.panels.visitors import address_of

    visit = come(prolific)
    for method in ("get", "post"):
        assert getattr(client_of(ada), method)(address_of(visit, path)).status_code == 404


def test_a_signed_in_reader_is_the_visitor_under_the_token(prolific, come, ada, client_of):
    from apps.panels.visitors import address_of

    visit = come(prolific)
    client_of(ada).get(address_of(visit, f"work/{prolific.campaign_id}/"), follow=True)
    assert Assignment.objects.get().participant == visit.participant


def test_a_visit_opens_its_own_campaign_alone(prolific, come, ada, study, campaign, guest):
    from apps.campaigns.services import campaign_create, campaign_set_state
    from apps.panels.visitors import address_of

    other = campaign_create(study=study, actor=ada, name="Again", dataset=campaign.dataset)
    campaign_set_state(campaign=other, actor=ada, state="open")
    assert guest(address_of(come(prolific), f"work/{other.pk}/")).status == 404


def test_another_persons_card_is_a_404(prolific, come, guest):
    from apps.panels.visitors import address_of

    first, second = come(prolific), come(prolific, "p2", "s2")
    here = guest(address_of(first, f"work/{prolific.campaign_id}/"))
    lease = Assignment.objects.get()
    card = f"work/{prolific.campaign_id}/{lease.pk}/"
    assert here.get(address_of(first, card)).status == 200
    assert here.get(address_of(second, card)).status == 404
    assert here.post(address_of(second, card), answer="entailment").status == 404
    assert not Judgement.objects.exists()


def test_links_on_a_visits_pages_stay_under_its_token(prolific, guest):
    here = guest(Prolific().link(study_link(prolific), Submission())).agree()
    own = re.findall(r'(?:href|action|data-keep)="(/[^"]*)"', here.page)
    assert own and all(address.startswith((here.root, "/static/")) for address in own)


def test_other_requests_are_not_touched_by_a_visit_before(prolific, come, ada, client, client_of):
    from apps.panels.visitors import address_of

    client.get(address_of(come(prolific), f"work/{prolific.campaign_id}/"))
    assert reverse("home") == "/"
    assert 'href="/static/' in client_of(ada).get("/studies/").content.decode()


def test_an_erased_persons_visits_are_forgotten_and_their_work_stays(prolific, come, answer, ada):
    visit = come(prolific)
    answer(visit)
    come(prolific, session="s2")
    participant_erase(participant=visit.participant, actor=ada)
    assert set(Visit.objects.values_list("session_id", "study_ref")) == {("", "")}
    assert Judgement.objects.count() == 1
    visits_forget(participant=visit.participant)


def test_who_came_stands_in_the_trail_without_the_panels_identifier(prolific, come):
    come(prolific, "60bf9310e8dec401be6e9615", "60d9aadeb86739de712faee0")
    actions = list(AuditEvent.objects.filter(action__startswith="visit").values_list("action", flat=True))
    assert actions == ["visit.consented", "visit.opened"]
    assert not [event for event in AuditEvent.objects.all() if "60bf9310" in str(event.data)]
