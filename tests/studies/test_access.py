"""Who sees what: a stranger's study is a 404, a member without the role gets a 403."""

import re

import pytest
from django.urls import reverse

ROOMS = ["studies:overview", "members:list", "studies:trail", "jobs:list", "corpora:list", "blanks:list",
         "campaigns:list", "datasets:list", "models:list", "dashboard:home", "releases:list"]  # fmt: skip


@pytest.mark.parametrize("room", ROOMS)
def test_a_study_is_open_to_its_researchers_alone(room, study, ada, rosa, ben, olaf, client_of, client):
    url = reverse(room, args=[study.slug])
    assert client_of(ada).get(url).status_code == 200
    assert client_of(rosa).get(url).status_code == 200
    assert client_of(ben).get(url).status_code == 403
    assert client_of(olaf).get(url).status_code == 404
    assert client.get(url).headers["Location"].startswith(reverse("people:sign_in"))


def test_an_unknown_study_looks_like_a_foreign_one(study, olaf, client_of):
    client = client_of(olaf)
    foreign = client.get(reverse("studies:overview", args=[study.slug]))
    unknown = client.get(reverse("studies:overview", args=["no-such-study"]))
    assert foreign.status_code == unknown.status_code == 404
    # The switch of languages knows the address that was asked for.
    named = foreign.content.replace(study.slug.encode(), b"no-such-study")
    assert without_csrf(named) == without_csrf(unknown.content)


def without_csrf(page: bytes) -> bytes:
    return re.sub(rb'csrfmiddlewaretoken" value="\w+"', b"", page)
