"""One card in two tabs: the second answer asks before it replaces the first."""

import re

import pytest
from django.urls import reverse

from apps.campaigns.models import Campaign, Judgement
from tests.campaigns.conftest import three

pytestmark = pytest.mark.both


@pytest.fixture
def tabs(client_of, ben):
    """Ben at his card: its address, what its page would send beside the answer, and how to send it."""

    def open_card(campaign):
        client = client_of(ben)
        page = client.get(reverse("work:campaign", args=[campaign.pk]), follow=True)
        return client, page.redirect_chain[0][0], opened_in(page)

    return open_card


def opened_in(page):
    return dict(re.findall(r'name="(opened[^"]*)" value="(\d+)"', page.content.decode()))


def test_another_answer_of_a_second_tab_is_asked_about_first(tabs, validation):
    client, address, opened = tabs(validation)
    assert opened == {"opened": "0"}
    assert client.post(address, {"answer": "entailment", **opened}).status_code == 302
    asked = client.post(address, {"answer": "non-entailment", **opened})
    text = asked.content.decode()
    assert asked.status_code == 422
    assert "perhaps in another tab: “Yes, it must be true”" in text
    assert re.search(r'value="non-entailment"[^>]*aria-pressed="true"', text)
    assert Judgement.objects.get().answer == "entailment"
    assert client.post(address, {"answer": "non-entailment", **opened_in(asked)}).status_code == 302
    assert Judgement.objects.get().answer == "non-entailment"
    assert Judgement.objects.get().revision == 2


def test_the_same_answer_again_is_the_same_success(tabs, validation):
    """CASES 14: a double click, a retry of the network."""
    client, address, opened = tabs(validation)
    for _time in range(2):
        assert client.post(address, {"answer": "entailment", **opened}).status_code == 302
    assert Judgement.objects.get().revision == 1


def test_phrases_of_two_tabs_are_both_shown(tabs, creation):
    client, address, opened = tabs(creation)

    def send(texts, opened):
        return client.post(address, {f"replacements-{n}": t for n, t in enumerate(texts)} | opened)

    assert send(three("cows"), opened).status_code == 302
    asked = send(three("goats"), opened)
    text = asked.content.decode()
    assert asked.status_code == 422
    assert "small cows / cows and pigs / cows with hats" in text
    assert 'value="small goats"' in text
    skipped = client.post(address, {"skip": "yes", "skip_reason": "unclear", **opened})
    assert skipped.status_code == 422
    assert not Judgement.objects.get().skip_reason


def test_a_page_of_questions_asks_about_each(tabs, pages_of_two):
    client, address, opened = tabs(pages_of_two)
    first, second = (name.removeprefix("opened") for name in opened)
    answers = {f"answer{first}": "entailment", f"answer{second}": "entailment"}
    assert client.post(address, answers | opened).status_code == 302
    asked = client.post(address, answers | {f"answer{second}": "unnatural"} | opened)
    assert asked.status_code == 422
    assert asked.content.decode().count("perhaps in another tab") == 1
    assert set(Judgement.objects.values_list("answer", flat=True)) == {"entailment"}


def test_a_point_of_the_scale_is_asked_about_too(tabs, scale):
    client, address, opened = tabs(scale)
    assert client.post(address, {"rating": "5", **opened}).status_code == 302
    asked = client.post(address, {"nonsense": "yes", **opened})
    assert asked.status_code == 422
    assert "“Definitely true”" in asked.content.decode()
    assert Campaign.objects.get(pk=scale.pk).items.filter(judgements__rating=5).count() == 1
