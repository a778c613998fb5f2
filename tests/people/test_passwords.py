"""A password changed on one's own page, and set anew by a link: of an admin, of the host, or by mail."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import SignInLink, User
from apps.people import passwords, services
from apps.studies.models import AuditEvent, Membership
from apps.studies.services import study_create

pytestmark = [pytest.mark.django_db, pytest.mark.both]
NEW = "quite another phrase"


@pytest.fixture
def mailing(settings):
    settings.EMAIL_URL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def signs_in(user, password):
    return Client().login(request=None, username=user.email, password=password)


def link_in(text):
    return re.search(r"/password/[\w-]+/", text)[0]


# ---- One's own page ----------------------------------------------------------------------------


def test_the_password_is_changed_on_ones_own_page_and_other_browsers_are_signed_out(ben, client_of):
    here, there = client_of(ben), client_of(ben)
    assert reverse("people:password") in here.get(reverse("people:profile")).content.decode()
    page = here.post(reverse("people:password"), {"old": "correct horse", "password": NEW}, follow=True)
    assert "The new password holds" in page.content.decode()
    ben.refresh_from_db()
    assert ben.check_password(NEW)
    assert there.get(reverse("people:profile")).status_code == 302
    assert AuditEvent.objects.filter(action="password.changed", actor=ben).count() == 1


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"old": "wrong", "password": NEW}, "not your present password"),
        ({"old": "correct horse", "password": "password"}, "too common"),
        ({"old": "correct horse", "password": ""}, "This field is required"),
    ],
)
def test_a_change_that_is_refused_says_why_and_changes_nothing(sent, words, ben, client_of):
    page = client_of(ben).post(reverse("people:password"), sent).content.decode()
    assert words in page
    ben.refresh_from_db()
    assert ben.check_password("correct horse")


def test_who_has_no_password_yet_is_not_asked_for_one(ben, client_of):
    ben.set_unusable_password()
    ben.save()
    client = client_of(ben)
    assert "Present password" not in client.get(reverse("people:password")).content.decode()
    client.post(reverse("people:password"), {"password": NEW})
    ben.refresh_from_db()
    assert ben.check_password(NEW)


# ---- A link that an admin makes ----------------------------------------------------------------


def test_an_admin_makes_a_link_with_which_a_member_sets_a_new_password(study, ada, ben, client_of):
    members = reverse("members:list", args=[study.slug])
    admin = client_of(ada)
    membership = Membership.objects.get(user=ben)
    page = admin.post(reverse("members:password", args=[study.slug, membership.pk]), follow=True)
    link = link_in(page.content.decode())
    assert link not in admin.get(members).content.decode()
    person, before = Client(), client_of(ben)
    assert ben.email in person.get(link).content.decode()
    assert ben.check_password("correct horse")
    home = person.post(link, {"password": NEW}, follow=True)
    assert home.redirect_chain[-1][0] == reverse("work:home")
    ben.refresh_from_db()
    assert ben.check_password(NEW)
    assert before.get(reverse("people:profile")).status_code == 302
    assert Client().post(link, {"password": "a third phrase"}).status_code == 410
    assert list(
        AuditEvent.objects.filter(action__startswith="password_link").values_list("action", "actor")
    ) == [
        ("password_link.used", ben.pk),
        ("password_link.created", ada.pk),
    ]


def test_a_newer_link_replaces_the_older_and_both_run_out(ada, ben, study):
    first = passwords.password_link_create(user=ben, actor=ada)
    second = passwords.password_link_create(user=ben, actor=ada)
    assert Client().get(reverse("people:password_reset", args=[first])).status_code == 410
    assert Client().get(reverse("people:password_reset", args=[second])).status_code == 200
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(reverse("people:password_reset", args=[second])).status_code == 410


def test_a_link_for_one_thing_does_not_do_the_other(ben):
    sign_in = services.sign_in_link_create(user=ben)
    password = passwords.password_link_create(user=ben, actor=None)
    assert Client().get(reverse("people:password_reset", args=[sign_in])).status_code == 410
    assert Client().post(reverse("people:link", args=[password])).status_code == 410


def test_an_easy_password_leaves_the_link_as_it_is(ben):
    link = reverse("people:password_reset", args=[passwords.password_link_create(user=ben, actor=None)])
    assert "too common" in Client().post(link, {"password": "password"}).content.decode()
    assert Client().post(link, {"password": NEW}).status_code == 302


@pytest.mark.parametrize("who", ["elsewhere", "host", "founder", "oneself"])
def test_no_admin_takes_over_an_account_that_opens_more_than_their_studies(
    who, study, ada, rosa, olaf, client_of
):
    """The link gives whoever has it all that the account may do."""
    target = {"oneself": ada}.get(who, rosa)
    if who == "elsewhere":
        other = study_create(actor=olaf, name="A third study")
        Membership.objects.create(study=other, user=rosa, role="annotator")
    if who == "host":
        User.objects.filter(pk=rosa.pk).update(is_staff=True)
    if who == "founder":
        User.objects.filter(pk=rosa.pk).update(may_create_studies=True)
        User.objects.filter(pk=ada.pk).update(may_create_studies=False)
    membership = Membership.objects.filter(user=target, study=study).first()
    client = client_of(ada)
    address = reverse("members:password", args=[study.slug, membership.pk])
    assert address not in client.get(reverse("members:list", args=[study.slug])).content.decode()
    assert client.post(address).status_code == 403
    assert not SignInLink.objects.exists()


def test_a_researcher_makes_no_links(study, rosa, ben, client_of):
    membership = Membership.objects.get(user=ben)
    address = reverse("members:password", args=[study.slug, membership.pk])
    assert client_of(rosa).post(address).status_code == 403


def test_the_host_makes_one_for_anybody(ben):
    out = StringIO()
    call_command("password_link", "BEN@example.org", stdout=out, stderr=StringIO())
    assert Client().get(link_in(out.getvalue())).status_code == 200
    with pytest.raises(CommandError, match="nobody signs in"):
        call_command("password_link", "nobody@example.org")


# ---- By mail -----------------------------------------------------------------------------------


def test_a_link_comes_by_mail_where_the_host_set_mail_up(mailing, ben, client):
    forgotten = reverse("people:password_forgotten")
    assert forgotten in client.get(reverse("people:sign_in")).content.decode()
    page = client.post(forgotten, {"email": "Ben@Example.org"}).content.decode()
    assert "If this address has an account here" in page
    assert [message.to for message in mail.outbox] == [["ben@example.org"]]
    Client().post(link_in(mail.outbox[0].body), {"password": NEW})
    ben.refresh_from_db()
    assert ben.check_password(NEW)


def test_the_page_does_not_tell_whether_an_address_has_an_account(mailing, ben, client):
    forgotten = reverse("people:password_forgotten")
    pages = {client.post(forgotten, {"email": email}).content for email in (ben.email, "who@example.org")}
    assert len(mail.outbox) == 1
    assert len({re.sub(rb"csrf\S+ value=\S+", b"", page) for page in pages}) == 1


def test_nobodys_mailbox_is_filled_by_others(mailing, ben, client):
    for _time in range(3):
        client.post(reverse("people:password_forgotten"), {"email": ben.email})
    assert len(mail.outbox) == 1


def test_without_mail_the_page_says_whom_to_ask(ben, client):
    page = client.post(reverse("people:password_forgotten"), {"email": ben.email}).content.decode()
    assert "Ask an admin of your study" in page
    assert not SignInLink.objects.exists()


def test_a_mail_that_cannot_be_sent_is_the_hosts_affair(mailing, ben, client, monkeypatch, caplog):
    def refuse(*_args, **_options):
        raise OSError("no route to host")

    monkeypatch.setattr("apps.people.passwords.send_mail", refuse)
    page = client.post(reverse("people:password_forgotten"), {"email": ben.email})
    assert page.status_code == 200 and "EMAIL_URL" in caplog.text


# ---- The administration ------------------------------------------------------------------------


def test_the_administration_is_reached_right_after_signing_in(client, django_user_model):
    django_user_model.objects.create_superuser("host@example.org", "a long pass phrase")
    page = client.get("/admin/", follow=True)
    place = page.redirect_chain[-1][0]
    assert place == f"{reverse('people:sign_in')}?next=/admin/"
    sent = {"username": "host@example.org", "password": "a long pass phrase", "next": "/admin/"}
    page = client.post(reverse("people:sign_in"), sent, follow=True)
    assert (page.status_code, page.request["PATH_INFO"]) == (200, "/admin/")
    assert (
        client.get("/admin/login/?next=/admin/accounts/user/").headers["Location"] == "/admin/accounts/user/"
    )
    assert client.get("/admin/login/?next=https://evil.example/").headers["Location"] == "/admin/"


def test_whoever_does_not_host_is_told_so(ben, client_of):
    page = client_of(ben).get("/admin/", follow=True)
    assert page.status_code == 403 and "for those who host it" in page.content.decode()
