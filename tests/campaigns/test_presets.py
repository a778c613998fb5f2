"""Presets: the papers' settings as data, and campaigns that are filled with them in one click."""

import pytest
from django.urls import reverse

from apps.campaigns.conditions import is_changed
from apps.campaigns.forms import CreationForm, PairsForm
from apps.campaigns.models import Campaign
from apps.campaigns.presets import presets, presets_for
from apps.campaigns.services import campaign_create, campaign_update
from apps.campaigns.settings import Rules
from apps.quality.settings import quality_update


@pytest.mark.parametrize("key", list(presets()))
def test_every_preset_names_its_source_and_only_rules_there_are(key):
    preset = presets()[key]
    assert preset.task in Campaign.Task.values and "section" in preset.source and preset.title
    assert set(preset.rules) <= set(Rules.__annotations__)
    assert preset in presets_for(preset.task)


@pytest.mark.parametrize(
    ("key", "rules"),
    [
        ("med-2019-creation", {"target": 3, "replacements": 3, "minimum_seconds": 200, "price": 5}),
        ("med-2019-validation", {"target": 3, "page_size": 10, "minimum_seconds": 200, "price": 4}),
        ("transitivity-2021", {"target": 3, "price": 6}),
    ],
)
def test_the_papers_figures(key, rules):
    assert rules.items() <= dict(presets()[key].rules).items()


def test_what_belongs_to_quality_is_in_the_data():
    validation = presets()["med-2019-validation"]["quality"]
    assert (validation["quiz_size"], validation["quiz_wrong_at_most"]) == (10, 3)
    assert presets()["transitivity-2021"]["quality"] == {"approved_tasks": 5000, "approval_rate": 99}


@pytest.mark.django_db
@pytest.mark.parametrize("key", list(presets()))
def test_one_click_fills_the_form_and_one_more_makes_the_campaign(
    key, study, rosa, blank_set, dataset, validation, client_of
):
    preset = presets()[key]
    name, query = {
        "creation": ("new_creation", f"blank_set={blank_set.pk}"),
        "validation": ("new_validation", f"dataset={dataset.pk}"),
        "likert": ("new_likert", f"dataset={dataset.pk}"),
    }[preset.task]
    address = f"{reverse(f'campaigns:{name}', args=[study.slug])}?{query}"
    client = client_of(rosa)
    page = client.get(address).content.decode()
    assert f'name="fill" value="{key}"' in page
    page = client.post(address, {"fill": key, "name": "Typed before", "cap": "17"})
    assert not Campaign.objects.filter(preset=key).exists()
    assert f'name="preset" value="{key}"' in page.content.decode()
    form: CreationForm | PairsForm = page.context["form"]
    data = {
        n: form[n].value()
        for n in form.fields
        if form[n].value() is not None and form[n].value() is not False
    }
    assert (data["name"], data["cap"]) == ("Typed before", "17")
    client.post(address, data | {"name": "New", "preset": key})
    campaign = Campaign.objects.get(name="New")
    assert {rule: getattr(campaign, rule) for rule in preset.rules} == dict(preset.rules)
    assert (campaign.preset, campaign.task) == (key, preset.task)
    shown = client.get(reverse("campaigns:campaign", args=[study.slug, campaign.pk])).content.decode()
    assert preset.source.split(",")[0] in shown and campaign.price_text in shown


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["med-2019-creation", "nothing"])
def test_a_preset_of_another_task_is_unknown(key, study, rosa, validation, client_of):
    address = reverse("campaigns:new_validation", args=[study.slug])
    assert client_of(rosa).post(address, {"fill": key}).status_code == 404


@pytest.mark.django_db
def test_form_and_rules_show_what_a_preset_asks_beside_the_fields(
    study, rosa, dataset, validation, client_of
):
    client, address = client_of(rosa), reverse("campaigns:new_likert", args=[study.slug])
    filled = client.post(address, {"fill": "transitivity-2021"}).content.decode()
    campaign = campaign_create(
        study=study, actor=rosa, name="Rate", dataset=dataset, task="likert", preset="transitivity-2021",
        target=3, price=6,
    )  # fmt: skip
    rules = client.get(reverse("campaigns:campaign", args=[study.slug, campaign.pk])).content.decode()
    for page in (filled, rules):
        assert "5000" in page and "99 %" in page and "section 4.4 and appendix D" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        lambda campaign, ada: campaign_update(campaign=campaign, actor=ada, price=7),
        lambda campaign, ada: quality_update(campaign=campaign, actor=ada, approval_rate=90),
    ],
    ids=["a rule", "a quality setting"],
)
def test_a_preset_that_was_changed_is_called_after_the_paper(
    change, study, ada, dataset, validation, client_of
):
    preset = presets()["transitivity-2021"]
    campaign = campaign_create(
        study=study, actor=ada, name="Rate", dataset=dataset, task="likert", preset=preset.key, **preset.rules
    )
    address, client = reverse("campaigns:campaign", args=[study.slug, campaign.pk]), client_of(ada)
    assert not is_changed(campaign, preset)
    assert "after transitivity 2021" not in client.get(address).content.decode()
    change(campaign, ada)
    campaign.refresh_from_db()
    assert is_changed(campaign, preset)
    assert "after transitivity 2021, with changes" in client.get(address).content.decode()
