"""The annotator's pages as a browser without JavaScript uses them."""

import re

import pytest
from django.urls import reverse

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import assignment_next, campaign_set_state, judgement_submit
from apps.studies.models import Participant
from tests.campaigns.conftest import set_target, three

pytestmark = pytest.mark.django_db


def work_url(campaign) -> str:
    return reverse("work:campaign", args=[campaign.pk])


def card_url(lease) -> str:
    return reverse("work:card", args=[lease.item.campaign_id, lease.pk])


def boxes(texts):
    return {f"replacements-{position}": text for position, text in enumerate(texts)}


@pytest.fixture
def at_card(client_of):
    """A client that has followed the way to its card, and the lease it holds."""

    def go(user, campaign):
        client = client_of(user)
        page = client.get(work_url(campaign), follow=True)
        lease = Assignment.objects.get(participant__user=user, item__campaign=campaign, state="leased")
        assert page.redirect_chain == [(card_url(lease), 302)]
        return client, lease, page

    return go


def test_home_lists_open_campaigns_with_what_is_left(validation, creation, ben, client_of):
    page = client_of(ben).get(reverse("work:home")).content.decode()
    assert "Judge" in page and "3 left" in page
    assert "Write" in page and "4 left" in page


def test_home_says_so_where_nothing_waits(ben, olaf, client_of):
    for user in (ben, olaf):
        assert "No work is waiting" in client_of(user).get(reverse("work:home")).content.decode()


@pytest.mark.parametrize("task", ["creation", "validation"])
def test_strangers_get_the_404_of_an_unknown_number(task, request, olaf, ben, client_of):
    campaign = request.getfixturevalue(task)
    lease = assignment_next(
        campaign=campaign,
        participant=Participant.objects.create(study=campaign.study, user=ben, pseudonym="b"),
    )
    client = client_of(olaf)
    for url in (work_url(campaign), card_url(lease), f"{card_url(lease)}keep/"):
        assert client.post(url).status_code == 404
    assert client.get(work_url(campaign)).status_code == 404
    assert not Participant.objects.filter(user=olaf).exists()


def test_another_annotators_card_is_a_404(validation, ben, cleo, at_card, client_of):
    _client, lease, _page = at_card(ben, validation)
    assert client_of(cleo).get(card_url(lease)).status_code == 404
    assert client_of(cleo).post(card_url(lease), {"answer": "entailment"}).status_code == 404


@pytest.mark.parametrize("person", ["ada", "rosa", "ben"])
def test_any_role_may_annotate(person, request, validation, client_of):
    page = client_of(request.getfixturevalue(person)).get(work_url(validation), follow=True)
    assert page.status_code == 200 and b"Yes, it must be true" in page.content


def test_the_blank_is_marked_for_the_eye_and_the_ear(creation, ben, at_card):
    page = at_card(ben, creation)[2].content.decode()
    sentence = re.search(r'<p class="sentence".*?</p>', page).group()
    spoken = " ".join(re.sub(r"<[^>]+>", " ", sentence).split())
    assert re.search(r"blank begins (dogs|farmer|guests|birds) blank ends", spoken)
    assert '<span class="blank">' in page


def test_sending_saves_and_goes_on_to_the_next(validation, ben, at_card):
    client, lease, _page = at_card(ben, validation)
    page = client.post(card_url(lease), {"answer": "entailment"}, follow=True)
    assert "Saved." in page.content.decode() and "1 of 3 done" in page.content.decode()
    assert page.redirect_chain[-1][0] != card_url(lease)
    assert page.request["PATH_INFO"].startswith(work_url(validation))


def test_double_click_retry_and_refresh_make_one_judgement(validation, ben, at_card):
    client, lease, _page = at_card(ben, validation)
    answers = [client.post(card_url(lease), {"answer": "entailment"}) for _time in range(3)]
    assert {(a.status_code, a.headers["Location"]) for a in answers} == {
        (302, answers[0].headers["Location"])
    }
    assert Judgement.objects.count() == 1


def test_the_back_button_leads_to_what_was_sent_to_read_or_change(creation, ben, at_card):
    client, lease, _page = at_card(ben, creation)
    client.post(card_url(lease), boxes(three("hens")))
    page = client.get(card_url(lease))
    assert "no-store" in page.headers["Cache-Control"]
    assert "You sent this answer" in page.content.decode() and 'value="small hens"' in page.content.decode()
    client.post(card_url(lease), boxes(["wet hens", *three("hens")[1:]]))
    judgement = Judgement.objects.get()
    assert judgement.revision == 2 and judgement.replacements.first().text == "wet hens"


def test_the_last_answer_is_one_link_away(validation, ben, at_card):
    client, lease, first = at_card(ben, validation)
    assert "Change my last answer" not in first.content.decode()
    page = client.post(card_url(lease), {"answer": "entailment"}, follow=True).content.decode()
    assert f'href="{card_url(lease)}"' in page


def test_a_refusal_keeps_the_text_and_says_why_at_the_field(creation, ben, at_card):
    client, lease, _page = at_card(ben, creation)
    page = client.post(card_url(lease), boxes(["old hens", "Old  Hens", ""]))
    text = page.content.decode()
    assert page.status_code == 422
    assert 'value="old hens"' in text and 'value="Old  Hens"' in text
    assert "This is the same as your first phrase." in text and "Please write something here." in text
    assert text.count('aria-invalid="true"') == 2
    assert not Judgement.objects.exists()


def test_too_soon_keeps_the_text_and_says_how_long(creation, ben, at_card, pass_time):
    Campaign.objects.update(minimum_seconds=60)
    client, lease, _page = at_card(ben, creation)
    page = client.post(card_url(lease), boxes(three("hens")))
    assert page.status_code == 422
    assert re.search(r"Please wait (59|60) s more", page.content.decode())
    assert 'value="small hens"' in page.content.decode()
    pass_time(lease, seconds=61)
    assert client.post(card_url(lease), boxes(three("hens"))).status_code == 302


def test_a_skip_needs_its_reason(creation, ben, at_card):
    client, lease, _page = at_card(ben, creation)
    assert "choose one of the reasons" in client.post(card_url(lease), {"skip": "yes"}).content.decode()
    client.post(card_url(lease), {"skip": "yes", "skip_reason": "unclear"})
    assert Judgement.objects.get().skip_reason == "unclear"


@pytest.mark.parametrize(
    ("arrange", "word"),
    [
        (lambda c, ada: campaign_set_state(campaign=c, actor=ada, state="paused"), "paused"),
        (lambda c, ada: campaign_set_state(campaign=c, actor=ada, state="closed"), "closed"),
        (lambda c, ada: Item.objects.update(counted=3, is_complete=True), "All of it is done"),
    ],
)
def test_nothing_now_is_a_page_with_the_reason(arrange, word, validation, ada, ben, client_of):
    arrange(validation, ada)
    page = client_of(ben).get(work_url(validation))
    assert page.status_code == 200 and word in page.content.decode()


def test_a_lease_that_ran_out_is_taken_up_again_or_says_so(validation, ben, cleo, at_card, pass_time):
    set_target(validation, 1)
    Item.objects.exclude(pk=Item.objects.first().pk).update(counted=1, is_complete=True)
    client, lease, _page = at_card(ben, validation)
    pass_time(lease, hours=10)
    assert "30 min left for it" in client.get(card_url(lease)).content.decode()
    pass_time(lease, hours=10)
    at_card(cleo, validation)
    assert "ran out" in client.get(card_url(lease)).content.decode()
    client.post(card_url(lease), {"answer": "entailment"})
    assert Judgement.objects.get().counted is False


def test_keep_answers_204_while_it_is_yours_and_410_after(validation, ben, cleo, at_card, pass_time):
    set_target(validation, 1)
    Item.objects.exclude(pk=Item.objects.first().pk).update(counted=1, is_complete=True)
    client, lease, _page = at_card(ben, validation)
    assert client.post(f"{card_url(lease)}keep/").status_code == 204
    pass_time(lease, hours=1)
    at_card(cleo, validation)
    assert client.post(f"{card_url(lease)}keep/").status_code == 410


def test_an_expired_session_comes_back_to_the_card(validation, ben, at_card):
    client, lease, _page = at_card(ben, validation)
    client.logout()
    page = client.post(card_url(lease), {"answer": "entailment"})
    assert "What you wrote is kept" in page.content.decode()
    sign_in = {"username": ben.email, "password": "correct horse"}
    kept = {"next": card_url(lease), "carried": page.context["carried"].as_text()}
    page = client.post(reverse("people:sign_in"), sign_in | kept)
    again = dict(page.context["carried"].fields)
    assert again == {"answer": "entailment"} and f'action="{card_url(lease)}"' in page.content.decode()
    assert client.post(card_url(lease), again).status_code == 302
    assert Judgement.objects.get().answer == "entailment"


@pytest.mark.parametrize(("one_key", "printed"), [(True, True), (False, False)])
def test_keys_are_on_the_buttons_only_where_they_work(one_key, printed, validation, ben, at_card):
    ben.one_key_answers = one_key
    ben.save()
    page = at_card(ben, validation)[2].content.decode()
    assert ("data-one-key" in page) is printed
    assert ('<kbd aria-hidden="true">1</kbd>' in page) is printed


@pytest.mark.parametrize("what", ["campaign", "participant"])
def test_simulated_work_is_marked(what, validation, ben, at_card, participant):
    if what == "campaign":
        Campaign.objects.update(simulated=True)
    else:
        participant(ben)
        Participant.objects.update(simulated=True)
    assert '<span class="simulated">' in at_card(ben, validation)[2].content.decode()


def test_markup_in_a_sentence_is_text(validation, ben, at_card):
    from apps.datasets.models import Pair, Premise

    Premise.objects.update(text="<script>alert(1)</script> barks.")
    Pair.objects.update(hypothesis="<img src=x onerror=alert(1)>")
    page = at_card(ben, validation)[2].content.decode()
    assert "<script>alert" not in page and "<img" not in page and "&lt;script&gt;alert" in page


@pytest.mark.parametrize("task", ["creation", "validation"])
def test_the_pages_stay_below_fifteen_queries(task, request, ben, at_card, django_assert_max_num_queries):
    campaign = request.getfixturevalue(task)
    client, lease, _page = at_card(ben, campaign)
    value = {"replacements": three("hens")} if task == "creation" else {"answer": "entailment"}
    judgement_submit(assignment=lease, **value)
    client.get(work_url(campaign))
    lease = Assignment.objects.get(state="leased")
    for url in (reverse("work:home"), card_url(lease)):
        with django_assert_max_num_queries(14):
            assert client.get(url).status_code == 200
