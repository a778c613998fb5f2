"""Eligibility: who may work, what is asked once, and what the refused are told before any work."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Assignment
from apps.quality import eligibility
from apps.quality.eligibility import declaration_forget, declaration_record
from apps.quality.models import Declaration
from apps.quality.settings import allow_list_set, quality_update

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("asks", "said", "reason", "words"),
    [
        ({"languages": ["en"]}, {}, "declare", "questions about yourself"),
        ({"languages": ["en"]}, {"language": "en"}, None, ""),
        (
            {"languages": ["en", "de"]},
            {"language": "fr"},
            "not-eligible",
            "native speakers of: English, Deutsch",
        ),
        ({"languages": ["en"]}, {"language": "other"}, "not-eligible", "native speakers"),
        ({"countries": ["JP"]}, {"country": "JP"}, None, ""),
        ({"countries": ["JP"]}, {"country": "US"}, "not-eligible", "people in: Japan"),
        ({"languages": ["en"], "countries": ["JP"]}, {"language": "en"}, "declare", "questions"),
        ({"approved_tasks": 500}, {}, None, ""),
        ({"approved_tasks": 500, "numbers_from": "declared"}, {}, "declare", "questions"),
        (
            {"approved_tasks": 500, "numbers_from": "declared"},
            {"approved_tasks": 499},
            "not-eligible",
            "500 tasks",
        ),
        ({"approval_rate": 97, "numbers_from": "declared"}, {"approval_rate": 97}, None, ""),
        ({"approval_rate": 97, "numbers_from": "declared"}, {"approval_rate": 96}, "not-eligible", "97 %"),
    ],
)
def test_who_may_work_and_what_the_others_are_told(asks, said, reason, words, judging, annotator, ada, ben):
    quality_update(campaign=judging, actor=ada, **asks)
    at_work = annotator(ben)
    if said:
        declaration_record(participant=at_work.participant, **said)
    found = at_work.ask()
    if reason is None:
        assert isinstance(found, Assignment)
    else:
        assert (found.reason, words in found.text) == (reason, True), found.text
        assert not Assignment.objects.exists()


def test_a_thing_is_asked_once_in_a_study(judging, annotator, ben):
    person = annotator(ben).participant
    declaration_record(participant=person, language="fr")
    declaration_record(participant=person, language="en", country="JP")
    said = Declaration.objects.get()
    assert (said.language, said.country) == ("fr", "JP")


def test_the_panels_numbers_replace_declared_ones_and_not_the_other_way_round(judging, annotator, ben):
    person = annotator(ben).participant
    declaration_record(participant=person, approved_tasks=9000)
    declaration_record(participant=person, approved_tasks=12, from_panel=True)
    declaration_record(participant=person, approved_tasks=9000)
    assert Declaration.objects.get().approved_tasks == 12


def test_who_slipped_in_the_list_can_be_asked_again(judging, annotator, ada, ben):
    quality_update(campaign=judging, actor=ada, countries=["JP"])
    person = annotator(ben).participant
    declaration_record(participant=person, country="JO")
    assert annotator(ben).ask().reason == eligibility.NOT_ELIGIBLE
    declaration_forget(participant=person, actor=ada)
    assert annotator(ben).ask().reason == eligibility.DECLARE


@pytest.mark.parametrize("name", ["ben@example.org", "BEN@Example.org", "pseudonym", "P-77"])
def test_the_list_knows_people_by_address_pseudonym_or_panel_id(name, judging, annotator, ada, ben, cleo):
    person = annotator(ben).participant
    person.external_id = "P-77"
    person.save()
    quality_update(campaign=judging, actor=ada, uses_allow_list=True)
    listed = person.pseudonym if name == "pseudonym" else name
    assert allow_list_set(campaign=judging, actor=ada, names=[listed, "", f" {listed} "]) == 1
    assert isinstance(annotator(ben).ask(), Assignment)
    assert annotator(cleo).ask().reason == eligibility.NOT_ELIGIBLE


@pytest.mark.parametrize(
    "said",
    [{"language": "xx"}, {"country": "Japan"}, {"approval_rate": 101}, {"approved_tasks": -1}],
)
def test_what_is_no_answer_is_refused_at_its_field(said, judging, annotator, ben):
    with pytest.raises(ValidationError) as refused:
        declaration_record(participant=annotator(ben).participant, **said)
    assert list(refused.value.message_dict) == list(said)
    assert not Declaration.objects.exists()


def test_the_way_to_the_work_leads_over_the_questions(judging, ada, ben, client_of):
    quality_update(campaign=judging, actor=ada, languages=["en"], countries=["JP", "GB"])
    client = client_of(ben)
    url = reverse("work:campaign", args=[judging.pk])
    page = client.get(url, follow=True)
    about = reverse("work:about_you", args=[judging.pk])
    assert page.redirect_chain == [(about, 302)]
    text = page.content.decode()
    assert "Your native language" in text and "The country that you live in" in text
    assert "approval rate" not in text
    assert client.post(about, {"language": "en"}).status_code == 422
    page = client.post(about, {"language": "en", "country": "GB"}, follow=True)
    assert "Must this be true, then?" in page.content.decode()
    assert client.get(about).status_code == 302


def test_who_is_not_eligible_reads_why_and_holds_nothing(judging, ada, ben, client_of):
    quality_update(campaign=judging, actor=ada, languages=["en"])
    client = client_of(ben)
    about = reverse("work:about_you", args=[judging.pk])
    page = client.post(about, {"language": "fr"}, follow=True).content.decode()
    assert "This work is for others" in page and "native speakers of: English" in page
    assert not Assignment.objects.exists()


@pytest.mark.both
def test_a_campaign_that_asks_for_nothing_costs_one_query(judging, annotator, ben, django_assert_num_queries):
    person = annotator(ben).participant
    with django_assert_num_queries(1):
        assert eligibility.refusal(judging, person) is None
