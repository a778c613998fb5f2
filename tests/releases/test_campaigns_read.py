"""Which campaigns a release reads: chosen on the form or through the API, kept with it, named on its card."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Campaign, Guideline, Item, Judgement
from apps.releases.gold_rules import Options
from apps.releases.models import Release
from apps.releases.services import release_create
from apps.reports.models import BalanceReport

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def scale(study, dataset, make) -> Campaign:
    """Eighteen pairs with a label by two people, and rated by the same two: halved, they always agree."""
    made = Campaign.objects.create(study=study, name="Rate", task="likert", dataset=dataset)
    Guideline.objects.create(campaign=made, version=1, body="Rate.")
    for number in range(18):
        pair = make("ee", calculus="e")
        item = Item.objects.create(campaign=made, pair=pair, position=number)
        points = ((5, 4), (4, 5), (1, 2), (2, 1), (3, 1), (5, 5))[number % 6]
        letters = "".join("e" if point > 3 else "n" for point in points)
        for judgement, point in zip(make.answer(item, letters), points, strict=True):
            Judgement.objects.filter(pk=judgement.pk).update(rating=point)
    return made


def test_labels_alone_are_read_unless_the_scale_is_chosen(scale, campaign, release):
    made, files = release(rule="majority", judgements=2, swaps=False)
    assert made.options["campaigns"] == [campaign.pk]
    assert {row["gold_label"] for row in files.pairs} == {"entailment"}
    assert {len(row["answers"]) for row in files.pairs} == {2}
    agreement = made.manifest["counts"]["agreement"]
    assert (agreement["campaigns"], agreement["on_halved_answers_of"]) == (["Judging"], [])
    card = files.text("README.md")
    assert "answers in *Judging*." in card and "though among the judgements: *Rate*." in card


def test_on_the_scale_the_card_has_alpha_over_the_points_and_says_what_was_halved(scale, release):
    made, files = release(rule="majority", judgements=2, campaigns=(scale.pk,), swaps=False)
    agreement = made.manifest["counts"]["agreement"]
    assert (agreement["value"], agreement["on_halved_answers_of"]) == (1.0, ["Rate"])
    points = agreement["points"]
    assert (points["equal_answers"], points["items"]) == (pytest.approx(3 / 18, abs=1e-4), 18)
    assert 0.6 < points["value"] < 0.95
    card = " ".join(files.text("README.md").split())
    assert "Answers of *Rate* are on a scale of five points and were halved" in card
    assert "Over the points as they were given: Krippendorff's alpha, ordinal:" in card
    assert "16.7 % of the pairs of answers" in card
    assert {row["gold_label"] for row in files.pairs} == {"entailment", "non-entailment"}


def test_a_campaign_that_comes_later_changes_nothing_of_a_release(scale, campaign, dataset, study, ada):
    made = release_create(dataset=dataset, actor=ada, options=Options(rule="majority", judgements=2))
    Campaign.objects.create(study=study, name="Later", task="validation", dataset=dataset)
    assert Release.objects.get(pk=made.pk).options["campaigns"] == [campaign.pk]


def test_a_campaign_of_another_dataset_is_refused(scale, dataset, ada):
    with pytest.raises(ValidationError) as refusal:
        release_create(dataset=dataset, actor=ada, options=Options(rule="majority", campaigns=(10**6,)))
    assert "campaigns" in refusal.value.message_dict


def test_form_and_api_take_the_choice(scale, campaign, dataset, study, client_of, rosa):
    client = client_of(rosa)
    url = reverse("releases:new", args=[study.slug, dataset.pk])
    assert f'value="{campaign.pk}"' in client.get(url).content.decode()
    form = {"rule": "majority", "judgements": 2, "train": 100, "validation": 0, "test": 0}
    client.post(url, {**form, "campaigns": [str(scale.pk)]})
    body = {"dataset": dataset.pk, **form, "campaigns": [campaign.pk, scale.pk]}
    assert client.post("/api/v1/releases/", body, content_type="application/json").status_code == 201
    kept = [made.options["campaigns"] for made in Release.objects.order_by("pk")]
    assert kept == [[scale.pk], [campaign.pk, scale.pk]]
    wrong = client.post("/api/v1/releases/", {**body, "campaigns": [10**6]}, content_type="application/json")
    assert wrong.status_code == 422 and "campaigns" in wrong.content.decode()


def test_the_dashboard_s_api_and_reports_take_it_too(scale, campaign, dataset, client_of, rosa):
    client = client_of(rosa)
    address = f"/api/v1/datasets/{dataset.pk}/comparison/"
    usual, both = client.get(address).json(), client.get(address, {"campaigns": str(scale.pk)}).json()
    assert (usual["campaigns"], usual["halved"]) == ([campaign.pk], [])
    assert (both["campaigns"], both["halved"]) == ([scale.pk], [scale.pk])
    assert usual["points"] == both["points"] and both["points"]["name"] == "ordinal α"
    assert client.get(address, {"campaigns": "x"}).status_code == 400
    body = {"dataset": dataset.pk, "labels": "human", "campaigns": [scale.pk]}
    assert client.post("/api/v1/reports/", body, content_type="application/json").status_code == 201
    assert BalanceReport.objects.get().campaigns == [scale.pk]
