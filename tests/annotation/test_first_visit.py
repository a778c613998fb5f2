"""The instructions: a page of their own before the first card, and what is new in them once."""

import pytest
from django.urls import reverse
from django.utils.translation import override

from apps.campaigns.guidelines import Part, changes_of, read_in, starting_body
from apps.campaigns.models import Assignment, Item, Judgement, Tally
from apps.campaigns.services import campaign_set_state, guideline_create, judgement_submit, work_next

pytestmark = [pytest.mark.both, pytest.mark.first_visit]


def start(campaign):
    return reverse("work:campaign", args=[campaign.pk])


def begin(client, campaign):
    return client.post(reverse("work:begin", args=[campaign.pk]), follow=True)


def test_at_the_first_visit_they_are_read_before_anything_is_leased(validation, ben, client_of):
    page = client_of(ben).get(start(validation))
    text = page.content.decode()
    assert page.status_code == 200
    assert "In every situation that the first sentence describes" in text
    assert ">Begin</button>" in text
    assert Assignment.objects.count() == 0


def test_they_end_in_a_button_that_leads_to_the_first_card(validation, ben, client_of):
    client = client_of(ben)
    card = begin(client, validation)
    assert "data-card=" in card.content.decode()
    assert '<details class="instructions" id="instructions"' in card.content.decode()
    assert Tally.objects.get().read_version == 1
    assert client.get(start(validation)).status_code == 302


def test_who_has_answered_before_is_not_asked_to_begin(validation, ben, client_of, participant):
    lease = work_next(campaign=validation, participant=participant(ben))[0]
    judgement_submit(assignment=lease, answer="entailment")
    assert client_of(ben).get(start(validation)).status_code == 302


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_where_there_is_no_work_the_reason_is_said_instead(state, validation, ada, ben, client_of):
    campaign_set_state(campaign=validation, actor=ada, state=state)
    page = client_of(ben).get(start(validation)).content.decode()
    assert "Begin" not in page and f'data-nothing="{state}"' in page


def test_what_is_new_in_them_is_told_once(validation, ada, ben, client_of):
    client = client_of(ben)
    first = begin(client, validation).redirect_chain[-1][0]
    body = validation.guideline.body.replace("Use what the sentences say", "Use only what the sentences say")
    guideline_create(campaign=validation, actor=ada, body=body)
    told = client.get(first).content.decode()
    assert "The instructions have changed" in told
    assert "ask yourself whether the second one must then be true as well. Use <ins>only</ins> what" in told
    assert told.count("<ins>") == 1 and "<del>" not in told
    assert "The instructions have changed" not in client.get(first).content.decode()


def test_the_next_card_tells_it_too_in_the_answer_that_brings_it(validation, ada, ben, client_of):
    client = client_of(ben)
    first = begin(client, validation).redirect_chain[-1][0]
    guideline_create(campaign=validation, actor=ada, body=f"{validation.guideline.body}\n\nTake your time.")
    sent = client.post(first, {"answer": "entailment"}, headers={"Polarlab-Inline": "yes"})
    assert "<ins>Take your time.</ins>" in sent.content.decode()
    second = client.get(sent.headers["Polarlab-Address"]).content.decode()
    assert "Take your time." in second and "<ins>" not in second


def test_changes_are_lines_that_came_and_went():
    assert changes_of("# One\n\n- a", "# One\n\n- a\n- c d") == [[Part("- c d", "new")]]
    assert changes_of("Be quick.\nEnd.", "End.") == [[Part("Be quick.", "gone")]]
    assert changes_of("Cats swim.", "Nobody knows.") == [
        [Part("Cats swim.", "gone")],
        [Part("Nobody knows.", "new")],
    ]
    assert changes_of("same", "same\n\n") == []


# ---- The language that they are read in -------------------------------------------------------------


def test_an_answer_keeps_the_language_of_the_instructions_beside_it(validation, ada, ben, client_of):
    client = client_of(ben)
    card = begin(client, validation).redirect_chain[-1][0]
    client.cookies.load({"polarlab_language": "de"})
    onward = client.post(card, {"answer": "entailment"}, headers={"Accept-Language": "de"}, follow=True)
    assert Judgement.objects.get().read_in == "de"
    guideline_create(campaign=validation, actor=ada, body="Lesen und urteilen.")
    card = onward.redirect_chain[-1][0]
    client.post(card, {"answer": "entailment"}, headers={"Accept-Language": "de"})
    assert Judgement.objects.latest("pk").read_in == ""


def test_in_english_or_without_a_translation_they_are_read_in_english():
    with override("en"):
        assert read_in(starting_body("likert")) == "en"
    with override("de"):
        assert read_in(starting_body("likert")) == "de"
        assert read_in("My own.") == ""


# ---- What stands above the card ----------------------------------------------------------------------


def test_a_researcher_is_told_before_that_it_does_not_count(validation, rosa, client_of):
    client = client_of(rosa)
    before = client.get(start(validation)).content.decode()
    assert "You are trying this as a researcher" in before
    card = begin(client, validation)
    assert "You are trying this as a researcher" in card.content.decode()
    sent = client.post(
        card.redirect_chain[-1][0], {"answer": "entailment"}, headers={"Polarlab-Inline": "yes"}
    )
    assert "You are trying this as a researcher" in sent.content.decode()


def test_an_annotator_is_told_no_such_thing(validation, ben, client_of):
    client = client_of(ben)
    assert "researcher" not in client.get(start(validation)).content.decode()
    assert "researcher" not in begin(client, validation).content.decode()


def test_whoever_wrote_all_that_is_left_is_told_so(
    creation, dataset, study, ada, ben, client_of, participant
):
    from apps.campaigns.services import campaign_create
    from tests.campaigns.conftest import three

    Item.objects.filter(campaign=creation).exclude(blank__text="dogs").update(is_complete=True)
    lease = work_next(campaign=creation, participant=participant(ben))[0]
    judgement_submit(assignment=lease, replacements=three("dogs"))
    judging = campaign_create(study=study, actor=ada, name="Judge", dataset=dataset, seed=1)
    campaign_set_state(campaign=judging, actor=ada, state="open")
    page = client_of(ben).get(start(judging)).content.decode()
    assert "sentences that you wrote yourself" in page
    assert "You have done everything" not in page
