"""Erasing somebody: said first, by page, command and API; the answers stay, nothing leads to the person."""

from io import StringIO

import pytest
from axes.models import AccessLog
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse

from apps.accounts.models import User
from apps.campaigns.models import Judgement
from apps.campaigns.services import assignment_next, judgement_submit
from apps.people.erasure import outcome_of, participant_erase
from apps.people.models import Invitation
from apps.people.services import invitation_accept, invitation_create
from apps.quality import actions
from apps.quality.eligibility import declaration_record
from apps.quality.models import AllowedPerson, Declaration, QualityAction
from apps.quality.settings import allow_list_set, quality_update
from apps.studies.models import AuditEvent, Membership, Participant
from apps.studies.services import participant_for, study_create
from tests.campaigns.conftest import dataset, validation  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def eve(study, ada):
    """Somebody who has an account for this study alone, came by an invitation, and signed in."""
    user = User.objects.create_user("eve@example.org", "correct horse", name="Eve Evergreen")
    _invitation, token = invitation_create(actor=ada, study=study, role="annotator", email=user.email)
    invitation_accept(token=token, user=user)
    AccessLog.objects.create(username=user.email, ip_address="192.0.2.7")
    return user


@pytest.fixture
def at_work(study, ada, eve, validation):  # noqa: F811
    """Eve's participant, with an answer, a lease, what she said of herself, and notes about her."""
    person = participant_for(study, eve)
    quality_update(campaign=validation, actor=ada, languages=["en"])
    declaration_record(participant=person, language="en")
    judgement_submit(assignment=assignment_next(campaign=validation, participant=person), answer="entailment")
    assignment_next(campaign=validation, participant=person)
    allow_list_set(campaign=validation, actor=ada, names=["Eve@example.org", "P-1"])
    note = "Eve wrote to me."
    actions.action_take(campaign=validation, participant=person, kind="warn", actor=ada, note=note)
    return person


def all_text():
    """Every text of every table, as a backup would hold it."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            found += [f"{table}: {row}" for row in cursor.fetchall()]
    return found


def test_nothing_is_left_that_leads_to_the_person(study, ada, at_work):
    assert any("eve@example.org" in row for row in all_text())
    participant_erase(participant=at_work, actor=ada)
    named = [row for row in all_text() if "eve" in row.casefold() and "evergreen" in row.casefold()]
    addressed = [row for row in all_text() if "eve@example.org" in row.casefold()]
    assert (named, addressed) == ([], [])
    assert not User.objects.filter(email="eve@example.org").exists()
    assert [one.name for one in AllowedPerson.objects.all()] == ["P-1"]
    assert not Declaration.objects.exists()
    assert QualityAction.objects.get().note == ""


def test_the_answers_stay_under_the_pseudonym_and_leases_go_back(ada, at_work):
    participant_erase(participant=at_work, actor=ada)
    judgement = Judgement.objects.get()
    assert (judgement.participant.pseudonym, judgement.counted) == (at_work.pseudonym, True)
    assert not at_work.assignments.filter(state="leased").exists()
    assert assignment_next(campaign=judgement.item.campaign, participant=at_work).reason == "blocked"


def test_an_account_that_is_good_for_more_stays(study, ada, olaf, at_work, eve):
    other = study_create(actor=olaf, name="A third study")
    Membership.objects.create(study=other, user=eve, role="annotator")
    assert any("good for more" in line for line in outcome_of(at_work).stays)
    participant_erase(participant=at_work, actor=ada)
    assert list(eve.memberships.values_list("study", flat=True)) == [other.pk]
    linked = AuditEvent.objects.filter(actor=eve, participant=at_work)
    assert not linked.exists()


def test_the_trail_never_says_whose_pseudonym_it_is(study, ben):
    person = participant_for(study, ben)
    made = AuditEvent.objects.get(action="participant.created")
    assert (made.actor, made.participant) == (None, person)


def test_erasing_twice_changes_nothing(ada, at_work):
    participant_erase(participant=at_work, actor=ada)
    first = Participant.objects.get(pk=at_work.pk).erased_at
    participant_erase(participant=at_work, actor=ada)
    assert Participant.objects.get(pk=at_work.pk).erased_at == first
    assert AuditEvent.objects.filter(action="participant.erased").count() == 1


# ---- The page ----------------------------------------------------------------------------------


def test_the_page_says_first_what_goes_and_what_stays(study, ada, at_work, client_of):
    client = client_of(ada)
    address = reverse("members:erase", args=[study.slug, at_work.pk])
    listed = client.get(reverse("members:annotators", args=[study.slug])).content.decode()
    assert at_work.pseudonym in listed and address in listed and "Eve" not in listed
    page = client.get(address).content.decode()
    for words in ("The account itself", "What they said of themselves", "lists of who may work", "1 answer"):
        assert words in page
    page = client.post(address, {"pseudonym": "a00000000"}, follow=True).content.decode()
    assert "nothing was erased" in page and User.objects.filter(email="eve@example.org").exists()
    page = client.post(address, {"pseudonym": f" {at_work.pseudonym} "}, follow=True).content.decode()
    assert "Nothing here leads from" in page and "erased" in page
    assert not User.objects.filter(email="eve@example.org").exists()


@pytest.mark.parametrize(("who", "status"), [("rosa", 403), ("ben", 403), ("olaf", 404)])
def test_only_admins_of_the_study_erase(who, status, study, at_work, client_of, request):
    client = client_of(request.getfixturevalue(who))
    address = reverse("members:erase", args=[study.slug, at_work.pk])
    assert client.post(address, {"pseudonym": at_work.pseudonym}).status_code == status
    assert Participant.objects.get(pk=at_work.pk).erased_at is None


# ---- Command and API ---------------------------------------------------------------------------


def test_the_command_says_it_and_erases_only_when_told_to(study, at_work):
    def run(*arguments):
        out = StringIO()
        call_command("erase_participant", study.slug, at_work.pseudonym, *arguments, stdout=out)
        return out.getvalue()

    said = run()
    assert "Goes: The account itself" in said and "Nothing is erased yet" in said
    assert Participant.objects.get(pk=at_work.pk).erased_at is None
    assert f"Erased: {at_work.pseudonym}." in run("--yes")
    assert "was erased on" in run("--yes")
    with pytest.raises(CommandError, match="no participant"):
        call_command("erase_participant", study.slug, "nobody")


def test_the_api_says_it_and_erases(study, ada, rosa, at_work, client_of):
    client = client_of(ada)
    said = client.get(f"/api/v1/annotators/{at_work.pk}/erasure/").json()
    assert sorted(said) == ["before", "goes", "stays"] and "The account itself" in " ".join(said["goes"])
    assert client_of(rosa).post(f"/api/v1/annotators/{at_work.pk}/erase/").status_code == 403
    answer = client.post(f"/api/v1/annotators/{at_work.pk}/erase/")
    assert answer.status_code == 200 and answer.json()["erased_at"]
    assert not Invitation.objects.filter(email="eve@example.org").exists()
