"""Where test questions stand unmarked among the items, no count tells how many there were."""

import re

import pytest
from django.urls import reverse

from apps.campaigns.models import Item, Judgement
from apps.quality.models import Quality
from apps.quality.questions import Draft, question_create

pytestmark = pytest.mark.both

EXACT = re.compile(r"\b\d+ (?:of \d+ )?done\b")


@pytest.fixture
def mixed(validation, ada):
    """Three items and three test questions, every second question one of these."""
    for number in range(3):
        draft = Draft((f"No cow {number} sings.",), f"No red cow {number} sings.", "entailment", "")
        question_create(campaign=validation, actor=ada, draft=draft)
    Quality.objects.update_or_create(campaign=validation, defaults={"test_share": 50})
    return validation


def test_the_line_the_end_and_the_list_say_tens_of_percent(mixed, ben, client_of):
    client = client_of(ben)
    shown = []
    address = client.get(reverse("work:campaign", args=[mixed.pk])).headers["Location"]
    while True:
        shown.append(client.get(address).content.decode())
        shown.append(client.get(reverse("work:home")).content.decode())
        sent = client.post(address, {"answer": "entailment"}, follow=True)
        if "data-nothing" in sent.content.decode():
            break
        address = sent.redirect_chain[-1][0]
    shown.append(sent.content.decode())
    assert Judgement.objects.filter(item__is_test=True).exists()
    assert Item.objects.filter(campaign=mixed, is_test=False).count() == 3
    assert [EXACT.findall(page) for page in shown if EXACT.search(page)] == []
    assert "about 0 % done" in shown[0]
    assert any("about 70 % done" in page for page in shown)


def test_without_them_the_count_is_exact(validation, ben, client_of):
    page = client_of(ben).get(reverse("work:campaign", args=[validation.pk]), follow=True)
    assert "0 of 3 done" in page.content.decode()
