"""manage.py invite: the first researcher's way in."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import Invitation, User


def invite(*arguments: str) -> str:
    out = StringIO()
    call_command("invite", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def test_the_printed_link_makes_an_account_that_may_create_studies(db, client):
    link = invite("--email", "grace@example.org", "--base-url", "https://polarlab.example/")
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--email", "grace"], "no e-mail address"), (["--base-url", "polarlab.example"], "begin with http")],
)
def test_a_wrong_argument_is_named_and_invites_nobody(db, arguments, message):
    with pytest.raises(CommandError, match=message):
        invite(*arguments)
    assert not Invitation.objects.exists()
