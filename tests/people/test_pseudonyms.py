"""Pseudonyms matched with members and panel identifiers: by admins, with a line in the trail."""

import pytest
from django.urls import reverse

from apps.people.erasure import participant_erase
from apps.people.pseudonyms import pseudonyms_match
from apps.studies.models import AuditEvent, Participant
from apps.studies.services import participant_for

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def guest(study):
    return Participant.objects.create(study=study, panel="prolific", external_id="PID-77", pseudonym="aguest")


def test_each_name_is_matched_whatever_it_is(study, ada, ben, guest):
    person = participant_for(study, ben)
    wanted = [person.pseudonym, "BEN@example.org", "pid-77", "AGUEST", "nobody", " "]
    found = pseudonyms_match(study=study, actor=ada, names=wanted)
    assert [(match.name, match.participant) for match in found] == [
        (person.pseudonym, person),
        ("BEN@example.org", person),
        ("pid-77", guest),
        ("AGUEST", guest),
        ("nobody", None),
    ]


def test_the_trail_says_who_looked_and_at_whom_and_not_what_was_found(study, ada, ben, guest):
    person = participant_for(study, ben)
    pseudonyms_match(study=study, actor=ada, names=["ben@example.org", "PID-77"])
    event = AuditEvent.objects.get(action="pseudonyms.matched")
    assert (event.actor, event.data) == (
        ada,
        {"count": 2, "pseudonyms": sorted([person.pseudonym, "aguest"])},
    )


def test_another_studys_people_are_nobodys(study, ada, olaf):
    theirs = participant_for(olaf.memberships.first().study, olaf)
    found = pseudonyms_match(study=study, actor=ada, names=[theirs.pseudonym, olaf.email])
    assert [match.participant for match in found] == [None, None]
    assert not AuditEvent.objects.filter(action="pseudonyms.matched").exists()


def test_who_was_erased_is_found_by_the_pseudonym_and_is_nobody(study, ada, guest):
    participant_erase(participant=guest, actor=ada)
    by_name, by_panel = pseudonyms_match(study=study, actor=ada, names=["aguest", "PID-77"])
    assert (by_name.participant.external_id, by_panel.participant) == ("", None)


def test_the_page_shows_it_once_and_to_admins_alone(study, ada, rosa, ben, guest, client_of):
    person = participant_for(study, ben)
    address = reverse("members:match", args=[study.slug])
    client = client_of(ada)
    asked = client.get(f"{address}?name={person.pseudonym}").content.decode()
    assert person.pseudonym in asked and "ben@example.org" not in asked
    shown = client.post(address, {"names": f"{person.pseudonym}\nPID-77"}).content.decode()
    assert "ben@example.org" in shown and 'prolific: <bdi translate="no">PID-77</bdi>' in shown
    assert "ben@example.org" not in client.get(address).content.decode()
    assert client_of(rosa).post(address, {"names": person.pseudonym}).status_code == 403


def test_the_api_matches_for_admins(study, ada, rosa, guest, client_of):
    body = {"study": study.slug, "names": ["aguest", "nobody"]}

    def ask(user):
        return client_of(user).post("/api/v1/annotators/match/", body, content_type="application/json")

    assert ask(rosa).status_code == 403
    known, unknown = ask(ada).json()["people"]
    assert (known["annotator"], known["panel"], known["external_id"]) == (guest.pk, "prolific", "PID-77")
    assert unknown == {"name": "nobody", "annotator": None, "pseudonym": None, "email": None, "panel": None,
                       "external_id": None}  # fmt: skip
    assert known["email"] is None
