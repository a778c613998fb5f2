"""The researcher's pages of a panel: setting up, consent versions, ledger; who may see them."""

import pytest
from django.urls import reverse

from apps.panels.models import Panel
from apps.panels.selectors import consent_of
from apps.studies.models import AuditEvent

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(study, campaign):
    """The address of one of the panel's pages."""
    return lambda name, *args: reverse(f"panels:{name}", args=[study.slug, campaign.pk, *args])


SETTINGS = {
    "platform": "prolific",
    "code_complete": "C1",
    "code_failed_quiz": "C2",
    "code_no_work": "C3",
    "return_address": "https://app.prolific.com/submissions/complete?cc={code}",
    "person_parameter": "PROLIFIC_PID",
    "session_parameter": "SESSION_ID",
    "study_parameter": "STUDY_ID",
    "sets_wanted": "",
    "told_address": "",
    "secret": "",
}


def test_without_a_panel_there_is_the_form_that_makes_one(at, ada, client_of):
    client = client_of(ada)
    page = client.get(at("panel")).content.decode()
    assert "Where do people come from?" in page and "You may stop at any time" in page
    assert client.get(at("ledger")).status_code == 404
    client.post(at("panel"), {"kind": "prolific", "consent": "Fine?"})
    panel = Panel.objects.get()
    assert consent_of(panel).body == "Fine?"
    codes = {panel.code_complete, panel.code_failed_quiz, panel.code_no_work}
    assert len(codes) == 3 and all(len(code) == 8 for code in codes)


def test_a_campaign_has_one_panel(prolific, at, rosa, client_of):
    client_of(rosa).post(at("panel"), {"kind": "mturk", "consent": "Fine?"})
    assert Panel.objects.get() == prolific


@pytest.mark.parametrize(
    ("kind", "query"),
    [
        (
            "prolific",
            "?" + "&amp;".join(f"{n}={{{{%{n}%}}}}" for n in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")),
        ),
        ("mturk", ""),
        ("generic", "?person=…&amp;session=…"),
    ],
)
def test_the_study_link_is_there_to_paste(kind, query, panel_of, at, ada, client_of):
    panel = panel_of(kind)
    page = client_of(ada).get(at("panel")).content.decode()
    assert f'value="http://testserver/panel/{panel.public_id}/{query}"' in page
    for code in (panel.code_complete, panel.code_failed_quiz, panel.code_no_work):
        assert code in page


def test_settings_are_changed_and_the_secret_is_never_shown(prolific, at, ada, client_of):
    client = client_of(ada)
    assert (
        client.post(at("settings"), {**SETTINGS, "secret": "hush hush", "sets_wanted": "20"}).status_code
        == 302
    )
    prolific.refresh_from_db()
    assert (prolific.sets_wanted, prolific.secret, prolific.code_complete) == (20, "hush hush", "C1")
    for name in ("settings", "panel"):
        assert "hush" not in client.get(at(name)).content.decode()
    assert not [event for event in AuditEvent.objects.all() if "hush" in str(event.data)]


def test_an_empty_secret_keeps_the_one_that_is_set(prolific, at, ada, client_of):
    client_of(ada).post(at("settings"), SETTINGS)
    prolific.refresh_from_db()
    assert prolific.secret == "workspace-secret"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"return_address": "javascript:alert(1)"}, "begins with https://"),
        ({"told_address": "ftp://x.example/"}, "begins with https://"),
        ({"told_address": "https://user:pass@x.example/"}, "begins with https://"),
        ({"session_parameter": "PROLIFIC_PID"}, "Each parameter needs a name of its own."),
        ({"person_parameter": "a b"}, "A letter, then letters"),
        ({"sets_wanted": "0"}, "greater than or equal to 1"),
        ({"code_complete": ""}, "required"),
        ({"platform": "Big Panel"}, "Small letters"),
    ],
)
def test_settings_that_make_no_sense_are_refused_at_their_field(wrong, message, panel_of, at, ada, client_of):
    panel = panel_of("prolific", secret="s")
    page = client_of(ada).post(at("settings"), {**SETTINGS, **wrong})
    assert page.status_code == 200 and message in page.content.decode()
    panel.refresh_from_db()
    assert panel.code_complete != "C1"


def test_a_panel_that_is_told_needs_a_secret(panel_of, at, ada, client_of):
    panel_of("generic")
    data = {**SETTINGS, "platform": "panel", "told_address": "https://x.example/"}
    assert "it needs a secret" in client_of(ada).post(at("settings"), data).content.decode()


def test_the_name_of_the_panel_stays_once_people_have_come(prolific, come, at, ada, client_of):
    come(prolific)
    page = client_of(ada).post(at("settings"), {**SETTINGS, "platform": "other"}).content.decode()
    assert "People have come under this name already" in page


def test_consent_versions_are_kept(prolific, at, ada, client_of):
    client = client_of(ada)
    client.post(at("consent"), {"body": "Another text."})
    assert "Another text." in client.get(at("consent")).content.decode()
    assert "You may stop at any time." in client.get(at("consent"), {"version": "1"}).content.decode()
    assert client.get(at("consent"), {"version": "9"}).status_code == 404
    assert client.post(at("consent"), {"body": " "}).status_code == 200
    assert prolific.consents.count() == 2


def test_an_empty_ledger_says_what_to_do_first(prolific, at, ada, client_of):
    page = client_of(ada).get(at("ledger")).content.decode()
    assert "Nobody has come from the panel yet" in page and at("panel") in page


def test_the_ledger_shows_people_payouts_and_amounts(prolific, come, answer, at, ada, client_of):
    visit = come(prolific, "60bf9310e8dec401be6e9615")
    answer(visit)
    client = client_of(ada)
    page = client.get(at("ledger")).content.decode()
    assert visit.participant.pseudonym in page and "0.05" in page and "60bf9310" not in page
    client.post(at("payout_new"))
    assert at("payout_csv", 1) in client.get(at("ledger")).content.decode()
    client.post(at("payout_paid", 1))
    assert "Mark as paid" not in client.get(at("ledger")).content.decode()
    client.post(at("payout_cancel", 1))
    assert prolific.payouts.count() == 1


def test_the_ledger_asks_as_many_queries_for_thirty_people_as_for_two(
    prolific, come, at, ada, client_of, django_assert_max_num_queries
):
    client = client_of(ada)
    for number in range(30):
        come(prolific, f"p{number}", f"s{number}")
    with django_assert_max_num_queries(20):
        assert client.get(at("ledger")).status_code == 200
    with django_assert_max_num_queries(20):
        assert client.get(at("panel")).status_code == 200


PAGES = ["panel", "settings", "consent", "ledger", "payout_new", "payout_csv", "payout_paid", "bonus"]


@pytest.mark.parametrize("name", PAGES)
def test_strangers_get_a_404_and_annotators_a_403(
    name, prolific, come, answer, at, ada, ben, olaf, client_of
):
    """CASES 40."""
    from apps.panels.services import payout_create

    visit = come(prolific)
    answer(visit)
    payout_create(panel=prolific, actor=ada)
    args = {"bonus": [visit.participant_id], "payout_csv": [1], "payout_paid": [1]}.get(name, [])
    method = "post" if name in ("payout_new", "payout_paid") else "get"
    for user, status in ((olaf, 404), (ben, 403)):
        assert getattr(client_of(user), method)(at(name, *args)).status_code == status


def test_another_studys_people_get_no_bonus_here(prolific, at, ada, olaf, client_of):
    from apps.studies.models import Participant, Study

    other = Participant.objects.create(study=Study.objects.get(name="Another study"), pseudonym="x")
    assert client_of(ada).get(at("bonus", other.pk)).status_code == 404
