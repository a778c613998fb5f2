"""Pages of questions: leased together, sent together, each of them once."""

import pytest
from django.urls import reverse

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.services import (
    PageErrors,
    Sent,
    TooSoon,
    assignment_next,
    judgements_submit,
    lease_keep,
    work_next,
)
from tests.campaigns.conftest import set_target

pytestmark = pytest.mark.django_db


def yes(leases):
    return {lease: Sent(answer="entailment") for lease in leases}


@pytest.mark.both
def test_a_page_is_leased_together_and_resumed(pages_of_two, participant, ben):
    leases = work_next(campaign=pages_of_two, participant=participant(ben))
    assert len(leases) == 2 and len({lease.page for lease in leases}) == 1 and leases[0].page
    assert work_next(campaign=pages_of_two, participant=participant(ben)) == leases
    assert assignment_next(campaign=pages_of_two, participant=participant(ben)) == leases[0]


@pytest.mark.both
def test_the_last_page_is_as_short_as_what_is_left(pages_of_two, participant, ben):
    sizes = []
    while isinstance(leases := work_next(campaign=pages_of_two, participant=participant(ben)), list):
        judgements_submit(campaign=pages_of_two.pk, sent=yes(leases))
        sizes.append(len(leases))
    assert sizes == [2, 1] and leases.reason == "yours-done"


@pytest.mark.both
def test_pages_of_several_people_stay_within_the_target(pages_of_two, participant, ben, cleo, dan):
    set_target(pages_of_two, 1)
    found = [work_next(campaign=pages_of_two, participant=participant(user)) for user in (ben, cleo, dan)]
    assert [len(leases) for leases in found[:2]] == [2, 1] and found[2].reason == "others"
    assert Assignment.objects.values("item").distinct().count() == 3


@pytest.mark.both
def test_a_cap_shortens_the_page(pages_of_two, participant, ben):
    Campaign.objects.update(cap=3)
    first = work_next(campaign=pages_of_two, participant=participant(ben))
    judgements_submit(campaign=pages_of_two.pk, sent=yes(first))
    assert len(work_next(campaign=pages_of_two, participant=participant(ben))) == 1


@pytest.mark.both
def test_all_or_none_of_a_page_is_taken(pages_of_two, participant, ben):
    leases = work_next(campaign=pages_of_two, participant=participant(ben))
    with pytest.raises(PageErrors) as refused:
        judgements_submit(campaign=pages_of_two.pk, sent=yes(leases[:1]) | {leases[1]: Sent()})
    assert list(refused.value.by_assignment) == [leases[1].pk]
    assert not Judgement.objects.exists()
    assert Item.objects.filter(counted__gt=0).count() == 0


@pytest.mark.both
def test_a_page_sent_again_is_the_same_and_a_changed_one_revises_what_changed(pages_of_two, participant, ben):
    leases = work_next(campaign=pages_of_two, participant=participant(ben))
    for _time in range(3):
        judgements_submit(campaign=pages_of_two.pk, sent=yes(leases))
    assert sorted(Judgement.objects.values_list("revision", flat=True)) == [1, 1]
    judgements_submit(campaign=pages_of_two.pk, sent=yes(leases) | {leases[1]: Sent(answer="unnatural")})
    assert sorted(Judgement.objects.values_list("revision", flat=True)) == [1, 2]
    assert Item.objects.filter(counted=1).count() == 2


@pytest.mark.both
def test_the_minimum_is_the_pages_and_its_time_is_shared(pages_of_two, participant, pass_time, ben):
    Campaign.objects.update(minimum_seconds=200)
    leases = work_next(campaign=pages_of_two, participant=participant(ben))
    for lease in leases:
        pass_time(lease, seconds=150)
    with pytest.raises(TooSoon) as refused:
        judgements_submit(campaign=pages_of_two.pk, sent=yes(leases))
    assert refused.value.seconds == 50
    for lease in leases:
        pass_time(lease, seconds=70)
    judgements = judgements_submit(campaign=pages_of_two.pk, sent=yes(leases))
    assert [judgement.seconds for judgement in judgements] == pytest.approx([110, 110], abs=3)


@pytest.mark.both
def test_a_page_that_ran_out_is_taken_up_again_question_by_question(
    pages_of_two, participant, pass_time, ben, cleo
):
    set_target(pages_of_two, 1)
    leases = work_next(campaign=pages_of_two, participant=participant(ben))
    for lease in leases:
        pass_time(lease, minutes=31)
    Campaign.objects.update(page_size=1)
    taken = assignment_next(campaign=pages_of_two, participant=participant(cleo))
    page = leases[0].page
    for lease in leases:
        assert lease_keep(assignment=lease) is (lease.item_id != taken.item_id)
    assert {lease.page for lease in Assignment.objects.filter(participant__user=ben)} == {page}


# ---- The pages, without JavaScript and with one request for an answer --------------------------


@pytest.fixture
def at_page(client_of):
    def go(user, campaign):
        client = client_of(user)
        page = client.get(reverse("work:campaign", args=[campaign.pk]), follow=True)
        leases = list(Assignment.objects.filter(participant__user=user, state="leased").order_by("pk"))
        address = reverse("work:page", args=[campaign.pk, leases[0].page])
        assert page.redirect_chain == [(address, 302)]
        return client, address, leases, page.content.decode()

    return go


def fields(leases, answer="entailment", name="answer"):
    return {f"{name}-{lease.pk}": answer for lease in leases}


def test_the_page_asks_every_question_with_its_keys(pages_of_two, ben, at_page):
    _client, _address, leases, page = at_page(ben, pages_of_two)
    assert page.count("data-question") == 2 and "Question 2 of 2" in page
    assert all(f'name="answer-{lease.pk}"' in page for lease in leases)
    assert page.count('data-key="1"') == 2 and page.count("<button") >= 1


def test_what_was_chosen_stays_where_one_is_missing(pages_of_two, ben, at_page):
    client, address, leases, _page = at_page(ben, pages_of_two)
    page = client.post(address, fields(leases[:1], "unnatural"))
    text = page.content.decode()
    assert page.status_code == 422 and text.count("Please choose one of the answers.") == 1
    assert text.count(" checked") == 1 and not Judgement.objects.exists()


def test_sending_a_page_saves_it_and_hands_out_the_next(pages_of_two, ben, at_page):
    client, address, leases, _page = at_page(ben, pages_of_two)
    page = client.post(address, fields(leases), follow=True).content.decode()
    assert "Saved." in page and "2 of 3 done" in page and page.count("data-question") == 1
    assert f'href="{address}"' in page
    again = client.get(address).content.decode()
    assert "You sent this answer" in again and again.count(" checked") == 2


def test_a_question_of_a_page_leads_to_its_page(pages_of_two, ben, at_page):
    client, address, leases, _page = at_page(ben, pages_of_two)
    card = client.get(reverse("work:card", args=[pages_of_two.pk, leases[1].pk]))
    assert card.headers["Location"] == address


def test_another_annotators_page_is_a_404(pages_of_two, ben, cleo, at_page, client_of):
    _client, address, leases, _page = at_page(ben, pages_of_two)
    for sent in (None, fields(leases)):
        client = client_of(cleo)
        answer = client.get(address) if sent is None else client.post(address, sent)
        assert answer.status_code == 404
    assert client_of(cleo).post(f"{address}keep/").status_code == 404


def test_keep_keeps_the_whole_page(pages_of_two, ben, at_page, pass_time):
    client, address, leases, _page = at_page(ben, pages_of_two)
    ends = [pass_time(lease, minutes=20).expires_at for lease in leases]
    assert client.post(f"{address}keep/").status_code == 204
    for lease, end in zip(leases, ends, strict=True):
        lease.refresh_from_db()
        assert lease.expires_at > end


@pytest.mark.parametrize("task", ["validation", "scale"])
def test_the_scale_and_the_labels_share_the_page(task, request, ben, at_page):
    campaign = request.getfixturevalue(task)
    Campaign.objects.filter(pk=campaign.pk).update(page_size=3)
    client, address, leases, _page = at_page(ben, campaign)
    sent = fields(leases) if task == "validation" else fields(leases, "4", "rating")
    assert client.post(address, sent).status_code == 302
    assert set(Judgement.objects.values_list("answer", flat=True)) == {"entailment"}


@pytest.mark.parametrize("size", [1, 2])
def test_one_request_takes_the_answer_in_and_brings_the_next(size, validation, ben, client_of):
    Campaign.objects.update(page_size=size)
    client = client_of(ben)
    address = client.get(reverse("work:campaign", args=[validation.pk])).headers["Location"]
    leases = list(Assignment.objects.order_by("pk"))
    sent = fields(leases) if size > 1 else {"answer": "entailment"}
    page = client.post(address, sent, headers={"Polarlab-Inline": "yes"})
    assert page.status_code == 200 and f"{size} of 3 done" in page.content.decode()
    assert page.headers["Polarlab-Address"] not in ("", address)
    assert client.get(page.headers["Polarlab-Address"]).status_code == 200
    again = client.post(address, sent, headers={"Polarlab-Inline": "yes"})
    assert again.headers["Polarlab-Address"] == page.headers["Polarlab-Address"]
    assert Judgement.objects.count() == size


def test_a_page_of_ten_stays_below_fifteen_queries(
    validation, dataset, ada, ben, client_of, django_assert_max_num_queries
):
    from apps.campaigns.services import items_add_new_pairs
    from apps.datasets.services import pair_get_or_create

    for number in range(20):
        pair_get_or_create(
            dataset=dataset, premises=[("A.", None)], hypothesis=f"B {number}.", origin="import"
        )
    items_add_new_pairs(campaign=validation, actor=ada)
    Campaign.objects.update(page_size=10)
    client = client_of(ben)
    address = client.get(reverse("work:campaign", args=[validation.pk])).headers["Location"]
    with django_assert_max_num_queries(15):
        assert client.get(address).content.decode().count("data-question") == 10


def test_a_page_that_ran_out_is_taken_up_in_a_fixed_number_of_queries(
    validation, ben, client_of, pass_time, django_assert_max_num_queries
):
    Campaign.objects.update(page_size=3)
    client = client_of(ben)
    address = client.get(reverse("work:campaign", args=[validation.pk])).headers["Location"]
    for lease in Assignment.objects.all():
        pass_time(lease, hours=2)
    with django_assert_max_num_queries(30):
        page = client.get(address).content.decode()
    assert "30 min left for it" in page and page.count("data-question") == 3
