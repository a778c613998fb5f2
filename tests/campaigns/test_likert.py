"""The Likert scale: what is stored, and what it comes to (transitivity paper, section 4.4)."""

import pytest
from django.core.exceptions import ValidationError

from apps.campaigns.likert import POINTS, discretised, is_scalable
from apps.campaigns.models import Judgement
from apps.campaigns.services import assignment_next, campaign_create, judgement_submit
from apps.comparison.majority import majority_of
from apps.datasets.services import dataset_create

pytestmark = [pytest.mark.django_db, pytest.mark.both]
TWO = ["entailment", "non-entailment"]
THREE = ["entailment", "neutral", "contradiction"]


@pytest.mark.parametrize(
    ("rating", "labels", "label"),
    [(n, TWO, "non-entailment") for n in (1, 2, 3)]
    + [(n, TWO, "entailment") for n in (4, 5)]
    + [(3, THREE, "neutral"), (1, THREE, "neutral"), (5, THREE, "entailment")]
    + [(2, ["entailment", "unknown"], "unknown")],
)
def test_four_and_five_are_yes(rating, labels, label):
    assert discretised(rating, labels) == label


@pytest.mark.parametrize(("rating", "labels"), [(0, TWO), (6, TWO), (1, ["entailment"]), (5, ["true"])])
def test_what_is_no_point_or_has_no_label_is_refused(rating, labels):
    with pytest.raises(ValueError, match=r"point|labels"):
        discretised(rating, labels)


def test_every_point_has_its_words_and_its_key():
    assert [point.key for point in POINTS] == ["1", "2", "3", "4", "5"]
    assert len({str(point.title) for point in POINTS}) == 5


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ({"rating": 5}, ("entailment", 5, False)),
        ({"rating": 3}, ("non-entailment", 3, False)),
        ({"nonsense": True}, ("unnatural", None, True)),
        ({"nonsense": True, "rating": 2}, ("unnatural", 2, True)),
    ],
)
def test_the_point_and_its_label_are_both_stored(sent, stored, scale, participant, ben):
    judgement = judgement_submit(
        assignment=assignment_next(campaign=scale, participant=participant(ben)), **sent
    )
    assert (judgement.answer, judgement.rating, judgement.nonsense) == stored
    value = judgement.revisions.get().value
    assert (value["answer"], value["rating"], value["nonsense"]) == stored


@pytest.mark.parametrize("sent", [{}, {"rating": 0}, {"rating": 6}, {"answer": "entailment"}])
def test_what_is_not_on_the_scale_is_refused(sent, scale, participant, ben):
    with pytest.raises(ValidationError) as refused:
        judgement_submit(assignment=assignment_next(campaign=scale, participant=participant(ben)), **sent)
    assert "rating" in refused.value.message_dict and not Judgement.objects.exists()


def test_another_point_with_the_same_label_is_a_revision(scale, participant, ben):
    lease = assignment_next(campaign=scale, participant=participant(ben))
    for rating in (4, 5, 5):
        judgement = judgement_submit(assignment=lease, rating=rating)
    assert (judgement.rating, judgement.revision) == (5, 2)


def test_the_majority_of_three_is_that_of_the_labels(scale, participant, ben, cleo, dan):
    """Two who lean towards yes and one who is sure of no: the majority says yes, the mean would not. Labels
    are asked for nowhere, so that points stand for them."""
    from apps.campaigns.models import Campaign

    Campaign.objects.exclude(pk=scale.pk).delete()
    Campaign.objects.update(order="fixed")
    for user, rating in [(ben, 4), (cleo, 4), (dan, 1)]:
        lease = assignment_next(campaign=scale, participant=participant(user))
        judgement_submit(assignment=lease, rating=rating)
    assert majority_of(scale.dataset) == {lease.item.pair_id: "entailment"}


def test_a_dataset_whose_labels_the_scale_can_not_reach_is_refused(study, ada):
    dataset = dataset_create(study=study, actor=ada, name="Odd")
    dataset.labels = ["true", "false"]
    dataset.save()
    assert not is_scalable(dataset.labels)
    with pytest.raises(ValidationError) as refused:
        campaign_create(study=study, actor=ada, name="Scale", dataset=dataset, task="likert")
    assert "dataset" in refused.value.message_dict
