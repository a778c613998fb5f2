"""Several people invited at once, a link for each, and who has come; and leaving again."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from apps.people.models import Invitation
from apps.people.services import invitation_accept, invitations_create
from apps.studies.models import AuditEvent, Membership
from apps.studies.services import participant_for, study_leave

pytestmark = [pytest.mark.django_db, pytest.mark.both]
PASTED = "eve@example.org, Frank@Example.org;\n grace@example.org\neve@example.org"


@pytest.fixture
def members(study):
    return reverse("members:list", args=[study.slug])


def test_each_address_gets_a_link_and_the_page_says_who_has_come(study, ada, members, client_of):
    client = client_of(ada)
    page = client.post(members, {"role": "annotator", "emails": PASTED}, follow=True).content.decode()
    links = dict(re.findall(r"([\w.]+@example\.org) http://testserver(/invitation/[\w-]+/)", page))
    assert list(links) == ["eve@example.org", "frank@example.org", "grace@example.org"]
    assert "/invitation/" not in client.get(members).content.decode().partition("<main")[2]
    sent = {"name": "Eve", "email": "eve@example.org", "password": "a long pass phrase"}
    Client().post(links["eve@example.org"], sent)
    assert Membership.objects.filter(study=study, user__email="eve@example.org").exists()
    page = " ".join(client.get(members).content.decode().split())
    assert re.search(r"eve@example\.org</td><td>annotator.*?<bdi translate=.no.>Eve</bdi>, ", page)
    assert page.count("not yet; good until") == 2


def test_whoever_is_in_already_is_not_invited_again(study, ada, ben, members, client_of):
    page = client_of(ada).post(
        members, {"role": "annotator", "emails": "ben@example.org eve@example.org"}, follow=True
    )
    assert "not invited again: ben@example.org" in page.content.decode()
    assert list(Invitation.objects.values_list("email", flat=True)) == ["eve@example.org"]


def test_a_second_link_for_the_same_address_replaces_the_first(study, ada):
    first = invitations_create(actor=ada, study=study, role="annotator", emails=["eve@example.org"])
    invitations_create(actor=ada, study=study, role="annotator", emails=["Eve@example.org"])
    assert not Invitation.objects.get(pk=first.links[0][0].pk).is_open
    assert sum(one.is_open for one in Invitation.objects.all()) == 1


def test_one_address_that_is_none_invites_nobody_and_is_named(study, ada, members, client_of):
    page = client_of(ada).post(members, {"role": "annotator", "emails": "eve@example.org, frank@, g"})
    assert "Not an e-mail address: frank@, g." in page.content.decode()
    assert not Invitation.objects.exists()
    with pytest.raises(ValidationError, match="At most"):
        many = [f"p{number}@example.org" for number in range(201)]
        invitations_create(actor=ada, study=study, role="annotator", emails=many)


def test_without_an_address_there_is_one_link(ada, members, client_of):
    page = client_of(ada).post(members, {"role": "researcher", "emails": " "}, follow=True).content.decode()
    assert page.count("/invitation/") == 1 and "shown only now" in page


# ---- Leaving, and coming back ------------------------------------------------------------------


def test_somebody_leaves_by_their_own_page_and_comes_back_as_the_same_person(study, ada, ben, client_of):
    person = participant_for(study, ben)
    client = client_of(ben)
    leave = reverse("people:leave", args=[study.slug])
    assert leave in client.get(reverse("people:profile")).content.decode()
    client.post(leave)
    assert not Membership.objects.filter(study=study, user=ben).exists()
    assert AuditEvent.objects.filter(action="membership.removed", actor=ben).exists()
    invited = invitations_create(actor=ada, study=study, role="annotator", emails=[ben.email])
    invitation_accept(token=invited.links[0][1], user=ben)
    assert participant_for(study, ben) == person


def test_the_last_admin_stays_with_every_role(study, ada, client_of):
    client = client_of(ada)
    page = client.post(reverse("people:leave", args=[study.slug]), follow=True).content.decode()
    assert "keeps at least one admin" in page
    assert Membership.objects.filter(study=study, user=ada).count() == 2
    with pytest.raises(ValidationError):
        study_leave(study=study, user=ada)


def test_nobody_leaves_a_study_that_they_are_not_in(olaf, study, client_of):
    assert client_of(olaf).post(reverse("people:leave", args=[study.slug])).status_code == 404
