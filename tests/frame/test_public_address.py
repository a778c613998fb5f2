"""One setting says where people reach the server: in links, for forms, and the path below which it lives."""

import logging
import re
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from apps.frame.public_address import PublicPath, origin, whole

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def below_a_path(settings):
    settings.PUBLIC_URL = "https://lab.example.org:8443/polarlab"
    settings.PUBLIC_PATH = settings.FORCE_SCRIPT_NAME = "/polarlab"


def paths_of(asked: str) -> tuple[str, str]:
    """The path within the program, and the one that people see, of a request that a proxy passed on."""
    seen: list[tuple[str, str]] = []

    def view(request):
        seen.append((request.path_info, request.path))
        return HttpResponse()

    PublicPath(view)(RequestFactory().get(asked))
    return seen[0]


@pytest.mark.parametrize(
    ("asked", "within"),
    [
        ("/polarlab/work/3/", "/work/3/"),
        ("/work/3/", "/work/3/"),
        ("/polarlab/", "/"),
        ("/polarlab", "/"),
        ("/", "/"),
        ("/polarlabs/", "/polarlabs/"),
        ("/s/polarlab/", "/s/polarlab/"),
        ("/polarlab/s/polarlab/", "/s/polarlab/"),
    ],
)
def test_a_proxy_may_leave_the_path_on_or_take_it_off(below_a_path, asked, within):
    assert paths_of(asked) == (within, f"/polarlab{within}")


def test_without_a_path_nothing_is_taken_off():
    assert paths_of("/polarlab/work/") == ("/polarlab/work/", "/polarlab/work/")


def test_links_begin_with_the_public_address_whatever_the_proxy_made_of_the_host(below_a_path):
    request = RequestFactory().get("/work/", headers={"host": "testserver"})
    assert origin(request) == "https://lab.example.org:8443"
    assert whole("/polarlab/work/", request) == "https://lab.example.org:8443/polarlab/work/"
    assert whole("/polarlab/work/") == "https://lab.example.org:8443/polarlab/work/"


def test_without_one_links_begin_as_the_request_came():
    request = RequestFactory().get("/work/", headers={"host": "localhost:8123"})
    assert origin(request) == "http://localhost:8123"


@pytest.mark.parametrize("folder", ["templates", "apps"])
def test_no_template_has_an_address_that_begins_at_the_root(folder):
    """``href="/…"`` would leave the path; addresses are made by ``{% url %}`` and ``{% static %}``."""
    rooted = re.compile(
        r"""(?:href|src|action|formaction|hx-\w+|data-\w*(?:path|url|address)\w*)=["']/(?!/)"""
    )
    files = [path for kind in ("*.html", "*.txt", "*.md") for path in (ROOT / folder).rglob(kind)]
    assert folder != "templates" or len(files) > 100
    assert [str(path) for path in files if rooted.search(path.read_text(encoding="utf-8"))] == []


def test_no_script_has_an_address_that_begins_at_the_root():
    rooted = re.compile(r"""["'`]/[a-z]+/""")
    found = [str(path) for path in (ROOT / "static").rglob("*.js") if rooted.search(path.read_text())]
    assert found == []


# ---- Forms that come from elsewhere ------------------------------------------------------------
@pytest.fixture
def strict(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://lab.example.org:8443"]
    return Client(enforce_csrf_checks=True)


def sent_from(client: Client, came: str) -> HttpResponse:
    client.get(reverse("people:sign_in"))
    token = client.cookies["polarlab_csrf"].value
    return client.post(
        reverse("people:sign_in"),
        {"csrfmiddlewaretoken": token, "username": "a", "password": "b"},
        headers={"origin": came, "host": "testserver"},
    )


def test_a_form_from_an_unknown_address_is_the_hosts_affair_and_the_log_says_what_to_set(db, strict, caplog):
    with caplog.at_level(logging.ERROR, "apps.people.views"):
        answer = sent_from(strict, "https://testserver:8443")
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "https://testserver:8443" in page
    assert "cookie" not in page
    (line,) = [record.getMessage() for record in caplog.records if record.name == "apps.people.views"]
    for said in (
        "https://testserver:8443",
        "http://testserver",
        "https://lab.example.org:8443",
        "PUBLIC_URL",
    ):
        assert said in line


def test_a_form_from_the_public_address_is_taken_although_the_proxy_dropped_the_port(db, strict):
    assert sent_from(strict, "https://lab.example.org:8443").status_code == 200


def test_a_lost_cookie_is_still_called_so(db, strict):
    answer = strict.post(
        reverse("people:sign_in"), {"username": "a"}, headers={"origin": "http://testserver"}
    )
    assert answer.status_code == 403
    assert "cookie" in answer.content.decode()
