"""manage.py invite: the first researcher's way in."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import User
from apps.people.models import Invitation


def invite(*arguments: str) -> str:
    out = StringIO()
    call_command("invite", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


@pytest.fixture(autouse=True)
def listening(settings, tmp_path):
    settings.LISTENING_FILE = tmp_path / "listening"
    return settings.LISTENING_FILE


def test_the_printed_link_makes_an_account_that_may_create_studies(db, client, settings):
    settings.PUBLIC_URL = "https://polarlab.example"
    link = invite("--email", "grace@example.org")
    assert link.startswith("https://polarlab.example/invitation/")
    path = link.removeprefix("https://polarlab.example")
    client.post(path, {"email": "grace@example.org", "name": "Grace", "password": "a long pass phrase"})
    grace = User.objects.get(email="grace@example.org")
    assert grace.may_create_studies
    assert not grace.is_superuser
    assert client.session["_auth_user_id"] == str(grace.pk)


def test_the_link_is_good_once(db, client):
    path = invite().removeprefix("http://localhost:8000")
    client.post(path, {"email": "grace@example.org", "name": "Grace", "password": "a long pass phrase"})
    client.logout()
    assert client.get(path).status_code == 410


def test_without_a_public_address_the_link_leads_to_where_this_machine_listens(db, listening):
    assert invite().startswith("http://localhost:8000/invitation/")
    listening.write_text("http://localhost:8123")
    assert invite().startswith("http://localhost:8123/invitation/")


def test_a_wrong_address_is_named_and_invites_nobody(db):
    with pytest.raises(CommandError, match="no e-mail address"):
        invite("--email", "grace")
    assert not Invitation.objects.exists()
