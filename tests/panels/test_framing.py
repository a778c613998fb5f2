"""Who may show which page in a frame: Mechanical Turk its own visits' pages, nobody anything else."""

import pytest
from django.urls import reverse

from apps.panels.services import visit_finish
from apps.panels.visitors import address_of
from tests.panels.mturk import Hit

pytestmark = pytest.mark.django_db

AMAZON = "frame-ancestors https://www.mturk.com https://workersandbox.mturk.com https://worker.mturk.com"


def directives(response) -> dict[str, str]:
    policy = response.headers["Content-Security-Policy"].split(";")
    return {part.split()[0]: part.strip() for part in policy if part.strip()}


def can_be_framed_by_amazon(response) -> bool:
    framed = directives(response)["frame-ancestors"] == AMAZON
    assert framed == ("X-Frame-Options" not in response.headers)
    return framed


def test_every_page_of_a_visit_from_mechanical_turk_can_be_framed_there(mturk, come, answer, client):
    visit = come(mturk)
    judgement = answer(visit)
    work = f"work/{mturk.campaign_id}/"
    for path in ("panel/consent/", "panel/finish/", work, f"{work}{judgement.assignment_id}/", "work/99/"):
        assert can_be_framed_by_amazon(client.get(address_of(visit, path))), path
    sent = client.post(address_of(visit, f"{work}{judgement.assignment_id}/"), {"answer": "nonsense"})
    assert sent.status_code == 422 and can_be_framed_by_amazon(sent)


def test_arriving_can_be_framed_in_whatever_way_it_ends(mturk, client):
    arrival = reverse("visit:arrive", args=[mturk.public_id])
    for address in (Hit().address(arrival), Hit().preview(arrival), Hit().address(arrival, workerId="")):
        assert can_be_framed_by_amazon(client.get(address))


def test_a_visit_from_another_panel_can_not_be_framed(prolific, come, client):
    visit = come(prolific)
    for path in ("panel/consent/", "panel/finish/", f"work/{prolific.campaign_id}/"):
        response = client.get(address_of(visit, path))
        assert response.headers["X-Frame-Options"] == "DENY"
        assert directives(response)["frame-ancestors"] == "frame-ancestors 'none'"


def test_the_same_pages_can_not_be_framed_for_those_who_are_signed_in(mturk, ada, study, client_of):
    client = client_of(ada)
    for address in (
        reverse("work:campaign", args=[mturk.campaign_id]),
        reverse("work:home"),
        reverse("panels:panel", args=[study.slug, mturk.campaign_id]),
        reverse("panels:ledger", args=[study.slug, mturk.campaign_id]),
    ):
        assert client.get(address, follow=True).headers["X-Frame-Options"] == "DENY"


def test_a_forged_visit_can_not_be_framed(client, db):
    response = client.get("/visit/1~forged/panel/finish/")
    assert response.status_code == 404 and response.headers["X-Frame-Options"] == "DENY"


def test_a_form_may_go_to_the_one_host_that_the_visit_came_from(mturk, come, answer, client):
    visit = come(mturk)
    answer(visit)
    page = client.get(address_of(visit_finish(visit=visit), "panel/finish/"))
    assert directives(page)["form-action"] == "form-action 'self' https://www.mturk.com"


def test_a_visit_needs_no_cookie(mturk, come, client):
    """Posts are let in by the token in the address, without a cookie against forgery."""
    visit = come(mturk, agreed=False)
    client.get(address_of(visit, "panel/consent/"))
    client.cookies.clear()
    client.handler.enforce_csrf_checks = True
    sent = client.post(address_of(visit, "panel/consent/"), {"version": "1", "agree": "yes"})
    assert sent.headers["Location"] == address_of(visit, f"work/{mturk.campaign_id}/")
    assert "polarlab_session" not in sent.cookies


def test_without_a_token_the_check_against_forgery_stands(prolific, ada, client_of):
    client = client_of(ada)
    client.handler.enforce_csrf_checks = True
    assert client.post(reverse("study_new"), {"name": "x"}).status_code == 403
