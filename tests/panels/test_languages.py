"""The language of a visit, whose pages keep no cookie."""

import pytest

from apps.panels.models import Visit
from tests.panels.conftest import study_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(guest, prolific):
    address = study_link(prolific).partition("?")[0]
    return guest(f"{address}?PROLIFIC_PID=p1&SESSION_ID=s1&STUDY_ID=x")


def test_a_visit_keeps_the_language_that_was_chosen_on_its_pages(visitor):
    assert '<html lang="en">' in visitor.page
    consent = visitor.place
    assert f'action="{visitor.root}panel/language/"' in visitor.page
    chosen = visitor.post(visitor.root + "panel/language/", language="de", next=consent)
    assert chosen.place == consent
    assert '<html lang="de">' in chosen.page and "Ich willige ein: beginnen" in chosen.page
    assert chosen.response["Content-Language"] == "de"
    assert Visit.objects.get().language == "de"
    # The card too, in a browser that has no cookie and asks for English.
    assert "Muss dann auch dies wahr sein?" in chosen.agree().page


def test_an_unknown_language_or_another_site_changes_nothing(visitor):
    consent = visitor.place
    chosen = visitor.post(
        visitor.root + "panel/language/", language="tlh", next="https://evil.example/visit/"
    )
    assert chosen.place == consent
    assert Visit.objects.get().language == ""
