"""The model in the loop: what a model makes of an answer, and trying again."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Campaign, Judgement, ModelReply
from apps.campaigns.services import assignment_next, campaign_update, judgement_submit
from apps.inference.models import Model
from apps.jobs.models import Job
from tests.campaigns.conftest import three

pytestmark = pytest.mark.django_db


@pytest.fixture
def always_yes(study):
    return Model.objects.create(study=study, name="Yes", kind="majority", config={"label": "entailment"})


@pytest.fixture
def looped(creation, always_yes, ada) -> Campaign:
    return campaign_update(
        campaign=creation, actor=ada, show_predictions=True, model=always_yes, tries=1, order="fixed"
    )


def lease_at(campaign, person, polarity):
    """A lease on a blank of this polarity: the others are answered on the way."""
    while True:
        lease = assignment_next(campaign=campaign, participant=person)
        if lease.item.blank.polarity == polarity:
            return lease
        judgement_submit(assignment=lease, skip_reason="unclear")


@pytest.mark.parametrize(("polarity", "fooled"), [("up", True), ("down", False)])
def test_the_model_is_fooled_where_its_label_is_not_the_calculus(
    polarity, fooled, looped, participant, ben, work
):
    lease = lease_at(looped, participant(ben), polarity)
    judgement_submit(assignment=lease, replacements=three("hens"))
    work()
    reply = ModelReply.objects.get()
    assert reply.replied_at and [said["fooled"] for said in reply.predictions] == [fooled] * 3
    assert {said["label"] for said in reply.predictions} == {"entailment"}


def test_every_answer_keeps_whether_predictions_were_shown(looped, participant, ada, ben):
    person = participant(ben)
    for shown in (True, False):
        campaign_update(campaign=looped, actor=ada, show_predictions=shown)
        judgement_submit(
            assignment=assignment_next(campaign=looped, participant=person), skip_reason="unclear"
        )
    found = Judgement.objects.order_by("pk").values_list("predictions_shown", flat=True)
    assert list(found) == [True, False]
    assert not ModelReply.objects.exists()  # a skip has nothing to be predicted


def test_it_is_off_by_default(creation, participant, ben):
    lease = assignment_next(campaign=creation, participant=participant(ben))
    judgement = judgement_submit(assignment=lease, replacements=three("hens"))
    assert not judgement.predictions_shown and not ModelReply.objects.exists()


def test_tries_after_the_reply_are_counted_and_limited(looped, participant, ben, work):
    lease = assignment_next(campaign=looped, participant=participant(ben))
    judgement_submit(assignment=lease, replacements=three("hens"))
    work()
    judgement = judgement_submit(assignment=lease, replacements=three("cats"))
    assert (judgement.tries, judgement.revision) == (1, 2)
    work()
    with pytest.raises(ValidationError, match="1 try"):
        judgement_submit(assignment=lease, replacements=three("pigs"))
    assert judgement_submit(assignment=lease, replacements=three("cats")).revision == 2
    assert list(ModelReply.objects.order_by("revision").values_list("revision", flat=True)) == [1, 2]


def test_a_change_before_the_reply_is_no_try(looped, participant, ben):
    lease = assignment_next(campaign=looped, participant=participant(ben))
    for noun in ("hens", "cats"):
        judgement = judgement_submit(assignment=lease, replacements=three(noun))
    assert (judgement.tries, judgement.revision) == (0, 2)


def test_a_reply_to_what_was_changed_meanwhile_says_nothing_of_the_new(looped, participant, ben, work):
    lease = assignment_next(campaign=looped, participant=participant(ben))
    for noun in ("hens", "cats"):
        judgement_submit(assignment=lease, replacements=three(noun))
    work()
    old, new = ModelReply.objects.order_by("revision")
    assert old.predictions == [] and "cats" in new.predictions[0]["hypothesis"]


def test_the_page_waits_and_then_shows_what_the_model_says(looped, ben, client_of, work):
    client = client_of(ben)
    address = client.get(reverse("work:campaign", args=[looped.pk])).headers["Location"]
    fields = {f"replacements-{n}": text for n, text in enumerate(three("hens"))}
    answer = client.post(address, fields)
    reply_address = answer.headers["Location"]
    assert reply_address.endswith("/reply/")
    page = client.get(reply_address).content.decode()
    assert "still reading" in page and 'hx-trigger="every 1s"' in page and "Look again" in page
    work()
    part = client.get(reply_address, headers={"HX-Request": "true"}).content.decode()
    assert "hx-get" not in part and "<html" not in part and "It was not fooled." in part
    assert "Try again" in part and "hens with hats" in part


def test_a_model_that_is_down_stops_nobody(looped, ben, client_of):
    client = client_of(ben)
    address = client.get(reverse("work:campaign", args=[looped.pk])).headers["Location"]
    fields = {f"replacements-{n}": text for n, text in enumerate(three("hens"))}
    reply_address = client.post(address, fields).headers["Location"]
    Job.objects.filter(kind="campaigns.model_reply").update(state="failed")
    page = client.get(reply_address).content.decode()
    assert "nothing to say" in page and "hx-get" not in page
    assert client.get(reverse("work:campaign", args=[looped.pk])).status_code == 302
    assert Judgement.objects.get().counted


@pytest.mark.parametrize(("rules", "field"), [({"model": None}, "model"), ({"model": "foreign"}, "model")])
def test_it_needs_a_model_of_the_study(rules, field, creation, ada, olaf):
    if rules["model"] == "foreign":
        study = olaf.memberships.first().study
        rules = {"model": Model.objects.create(study=study, name="M", kind="overlap")}
    with pytest.raises(ValidationError) as refused:
        campaign_update(campaign=creation, actor=ada, show_predictions=True, **rules)
    assert field in refused.value.message_dict
