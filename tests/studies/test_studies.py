"""Making studies, inviting into them, and the trail of what was done."""

import pytest
from django.urls import reverse

from apps.inference.models import Model
from apps.people import services as accounts
from apps.studies import audit
from apps.studies.models import Study


def test_a_second_click_makes_no_second_study(ada, client_of):
    client = client_of(ada)
    addresses = {client.post(reverse("study_new"), {"name": "Birds"}).headers["Location"] for _ in range(2)}
    assert addresses == {reverse("studies:overview", args=["birds"])}
    assert Study.objects.filter(name="Birds").count() == 1


@pytest.mark.parametrize(("models", "said"), [(1, "1 <small>model</small>"), (2, "2 <small>models</small>")])
def test_every_count_of_the_overview_has_its_word(models, said, study, ada, client_of):
    for number in range(models):
        Model.objects.create(study=study, name=str(number), kind="majority")
    page = client_of(ada).get(reverse("studies:overview", args=[study.slug])).content.decode()
    assert f'<span class="count">{said}</span>' in page
    assert page.count('<span class="count">–</span>') == 6


@pytest.mark.parametrize("name", ["items", "keys", "values", "0", "data"])
def test_the_trail_shows_whatever_an_event_calls_its_details(name, study, ada, client_of):
    audit.record("blanks.chosen", study=study, actor=ada, **{name: 12})
    page = client_of(ada).get(reverse("studies:trail", args=[study.slug])).content.decode()
    assert f'{name}: <bdi translate="no">12</bdi>' in page


def test_an_invitation_is_shown_once_and_a_reload_makes_none(study, ada, client_of):
    client = client_of(ada)
    url = reverse("members:list", args=[study.slug])
    page = client.post(url, {"role": "researcher"}, follow=True)
    assert page.redirect_chain == [(url, 302)]
    assert "/invitation/" in page.content.decode()
    assert "/invitation/" not in client.get(url).content.decode()
    assert study.invitations.count() == 1


def test_an_open_invitation_can_be_withdrawn(study, ada, rosa, olaf, client, client_of):
    invitation, token = accounts.invitation_create(actor=ada, study=study, role="admin")
    url = reverse("members:withdraw", args=[study.slug, invitation.pk])
    assert client_of(rosa).post(url).status_code == 403
    assert client_of(olaf).post(url).status_code == 404
    assert client_of(ada).post(url).status_code == 302
    assert client.get(reverse("people:invitation", args=[token])).status_code == 410


def test_doors_that_people_try(ben, client, client_of):
    assert client.get("/admin/").headers["Location"].startswith("/admin/login/")
    assert client.get("/admin/login/").headers["Location"].startswith(reverse("people:sign_in"))
    assert client_of(ben).get("/admin/login/").status_code == 403
    assert client_of(ben).get("/api/v1/").headers["Location"] == "/api/v1/docs/"
    assert client.get("/favicon.ico").headers["Location"].endswith("icon.svg")
