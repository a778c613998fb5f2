"""To whom a campaign is given; and lists of languages and countries that are searched, without script too."""

import pytest
from django.urls import reverse

from apps.campaigns.models import Assignment
from apps.frame.long_lists import code_of
from apps.quality.models import AllowedPerson, Declaration, Quality
from apps.quality.settings import quality_update

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(judging):
    return reverse("quality:eligibility", args=[judging.study.slug, judging.pk])


SETTINGS = {"given_to": "all", "numbers_from": "panel", "names": ""}


def test_a_campaign_is_given_to_some_of_the_annotators(
    judging, address, rosa, ben, cleo, annotator, client_of
):
    client = client_of(rosa)
    page = client.get(address).content.decode()
    assert "Ben" in page and "Cleo" in page and "Rosa" not in page.partition("<main")[2]
    client.post(address, SETTINGS | {"given_to": "list", "members": ["ben@example.org"], "names": "P-77"})
    assert set(AllowedPerson.objects.values_list("name", flat=True)) == {"ben@example.org", "P-77"}
    assert isinstance(annotator(ben).ask(), Assignment)
    assert annotator(cleo).ask().reason == "not-eligible"
    page = client.get(address).content.decode()
    assert 'value="ben@example.org" id="id_members_0" checked' in " ".join(page.split())
    assert ">\nP-77</textarea>" in page


def test_without_a_panel_there_is_no_choice_of_its_people(address, rosa, client_of):
    page = client_of(rosa).get(address).content.decode()
    assert "the panel&#x27;s people" not in page and "all annotators of the study" in page


def test_a_list_and_its_settings_are_stored_together_or_not_at_all(judging, address, rosa, client_of):
    client_of(rosa).post(address, SETTINGS | {"given_to": "list", "names": "x" * 300})
    assert not AllowedPerson.objects.exists()
    assert not Quality.objects.filter(uses_allow_list=True).exists()


def test_a_name_is_added_to_those_that_are_there(judging, address, ada, rosa, client_of):
    """Without script: the button shows the form again with it, and saves nothing."""
    quality_update(campaign=judging, actor=ada, countries=["JP"])
    client = client_of(rosa)
    typed = SETTINGS | {"countries": ["JP"], "countries-typed": "germany; United States", "add-typed": "yes"}
    page = client.post(address, typed).content.decode()
    for code in ("JP", "DE", "US"):
        assert f'name="countries" value="{code}" checked' in page
    assert Quality.objects.get().countries == ["JP"]
    client.post(address, SETTINGS | {"countries": ["JP", "DE"], "countries-typed": "US"})
    assert Quality.objects.get().countries == ["JP", "DE", "US"]


def test_a_name_that_is_not_on_the_list_is_said_and_kept(judging, address, rosa, client_of):
    page = client_of(rosa).post(address, SETTINGS | {"languages-typed": "Klingon, deutsch"}).content.decode()
    assert "“Klingon” is not on the list" in page and 'value="Klingon"' in page
    assert 'name="languages" value="de" checked' in page
    assert not Quality.objects.exists()


@pytest.mark.parametrize("typed", ["fr", "Français", "francais", "FRENCH ", "Französisch"])
def test_an_annotator_types_a_language_by_any_of_its_names(judging, ada, ben, client_of, typed):
    quality_update(campaign=judging, actor=ada, languages=["fr"])
    about = reverse("work:about_you", args=[judging.pk])
    language = "de" if typed == "Französisch" else "en"
    client_of(ben).post(about, {"language": typed}, headers={"accept-language": language})
    assert Declaration.objects.get().language == "fr"


def test_what_is_no_language_is_asked_again_with_what_was_typed(judging, ada, ben, client_of):
    quality_update(campaign=judging, actor=ada, languages=["fr"])
    page = client_of(ben).post(reverse("work:about_you", args=[judging.pk]), {"language": "Frensh"})
    assert page.status_code == 422
    assert "is not on the list" in page.content.decode() and 'value="Frensh"' in page.content.decode()


def test_names_are_found_without_capitals_accents_and_spaces():
    entries = [("ci", "Côte d’Ivoire", "Ivory Coast"), ("de", "Deutschland", "")]
    assert code_of(entries, " cote  d’ivoire") == "ci"
    assert code_of(entries, "ivory COAST") == "ci"
    assert code_of(entries, "") is None and code_of(entries, "Deutsch") is None
