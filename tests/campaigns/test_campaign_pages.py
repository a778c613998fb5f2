"""The researcher's pages of campaigns."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Campaign, Guideline, Item
from apps.campaigns.services import assignment_next, campaign_set_state, judgement_submit
from apps.datasets.models import Dataset, Pair
from apps.datasets.services import pair_get_or_create
from apps.jobs.models import Job
from apps.studies.models import AuditEvent
from tests.campaigns.conftest import three

pytestmark = pytest.mark.django_db

RULES = {"target": 3, "replacements": 3, "minimum_seconds": 0, "lease_minutes": 30}


def url(study, name, *args):
    return reverse(f"campaigns:{name}", args=[study.slug, *args])


def test_an_empty_list_says_what_to_do_first(study, rosa, client_of):
    page = client_of(rosa).get(url(study, "list")).content.decode()
    assert reverse("blanks:list", args=[study.slug]) in page and "First choose a set of blanks" in page


def test_a_blank_set_becomes_a_creation_campaign_with_a_new_dataset(study, rosa, blank_set, client_of):
    client = client_of(rosa)
    page = client.get(url(study, "new"), {"blank_set": blank_set.pk}, follow=True)
    assert b"4 blanks" in page.content
    address = page.request["PATH_INFO"] + f"?blank_set={blank_set.pk}"
    answer = client.post(address, {"name": "Write", "new_dataset": "Farm pairs", **RULES}, follow=True)
    campaign = Campaign.objects.get()
    assert answer.redirect_chain[-1][0] == url(study, "campaign", campaign.pk)
    assert (campaign.task, campaign.state, campaign.dataset.name) == ("creation", "draft", "Farm pairs")
    assert campaign.items.count() == 4 and campaign.guidelines.get().version == 1
    assert AuditEvent.objects.filter(action="campaign.created", study=study).exists()
    dataset = Campaign.objects.get(name="Write").dataset
    corpus = blank_set.blanks.first().sentence.corpus
    assert (dataset.licence, dataset.source) == (corpus.licence, corpus.source)


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"name": "Write"}, "name a new one here"),
        ({"name": "", "new_dataset": "D"}, "required"),
        ({"name": "Write", "new_dataset": "Taken"}, "a dataset of that name"),
        ({"name": "Write", "new_dataset": "D", "target": 0}, "greater than or equal to 1"),
    ],
)
def test_a_refused_form_makes_nothing(fields, word, study, rosa, blank_set, client_of):
    Dataset.objects.create(study=study, name="Taken")
    address = f"{url(study, 'new_creation')}?blank_set={blank_set.pk}"
    page = client_of(rosa).post(address, RULES | fields)
    assert page.status_code == 200 and word in page.content.decode()
    assert not Campaign.objects.exists() and Dataset.objects.count() == 1


def test_a_name_twice_leaves_no_dataset_behind(study, rosa, creation, blank_set, client_of):
    address = f"{url(study, 'new_creation')}?blank_set={blank_set.pk}"
    page = client_of(rosa).post(address, {"name": "Write", "new_dataset": "Another", **RULES})
    assert "a campaign of that name" in page.content.decode()
    assert not Dataset.objects.filter(name="Another").exists()


def test_a_dataset_becomes_a_validation_campaign_and_the_calculus_labels_it(
    study, rosa, validation, dataset, client_of
):
    client = client_of(rosa)
    Job.objects.all().delete()
    address = f"{url(study, 'new_validation')}?dataset={dataset.pk}"
    assert f"{dataset.name}: validation" in client.get(address).content.decode()
    client.post(address, {"name": "Judge again", "dataset": dataset.pk, **RULES})
    assert Campaign.objects.get(name="Judge again").items.count() == 3
    job = Job.objects.get()
    assert (job.kind, job.params) == ("datasets.label", {"dataset": dataset.pk, "missing": True})


@pytest.mark.parametrize("name", ["campaign", "settings", "guidelines"])
def test_foreign_campaigns_are_404(name, study, validation, olaf, client_of):
    other = olaf.memberships.first().study
    assert client_of(olaf).get(url(other, name, validation.pk)).status_code == 404
    assert client_of(olaf).get(url(study, name, validation.pk)).status_code == 404


@pytest.mark.parametrize("query", ["blank_set=999", "blank_set=x", "dataset=999", "dataset="])
def test_unknown_items_are_404(query, study, dataset, rosa, client_of):
    assert client_of(rosa).get(f"{url(study, 'new')}?{query}", follow=True).status_code == 404


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("draft", "open", True),
        ("draft", "paused", False),
        ("open", "paused", True),
        ("open", "closed", True),
        ("open", "draft", False),
        ("paused", "open", True),
        ("paused", "closed", True),
        ("closed", "open", True),
        ("closed", "paused", False),
        ("open", "nonsense", False),
    ],
)
def test_states_follow_each_other(old, new, allowed, study, validation, rosa, ben, cleo, dan, client_of):
    Campaign.objects.update(state=old)
    page = client_of(rosa).post(url(study, "state", validation.pk), {"state": new}, follow=True)
    validation.refresh_from_db()
    assert validation.state == (new if allowed else old)
    assert ("can&#x27;t go" in page.content.decode()) is not allowed


def test_nothing_to_do_can_not_be_opened(study, ada, dataset):
    from apps.campaigns.services import campaign_create

    campaign = campaign_create(study=study, actor=ada, name="Empty", dataset=dataset)
    with pytest.raises(ValidationError):
        campaign_set_state(campaign=campaign, actor=ada, state="open")


def test_new_pairs_are_added_once(study, rosa, validation, dataset, client_of):
    client = client_of(rosa)
    pair_get_or_create(dataset=dataset, premises=[("A.", None)], hypothesis="B.", origin="import")
    swap = pair_get_or_create(dataset=dataset, premises=[("B.", None)], hypothesis="A.", origin="swap")
    assert "1 new pair" in client.get(url(study, "campaign", validation.pk)).content.decode()
    for count in (1, 0):
        page = client.post(url(study, "add_pairs", validation.pk), follow=True).content.decode()
        assert f"{count} pair" in page
    assert validation.items.count() == 4 and not Item.objects.filter(pair=swap).exists()


def test_the_page_counts_items_answers_and_people(
    study, rosa, creation, participant, pass_time, ben, client_of
):
    empty = client_of(rosa).get(url(study, "campaign", creation.pk)).content.decode()
    assert "Nobody has answered yet" in empty
    person = participant(ben)
    for seconds in (10, 20, 60):
        lease = pass_time(assignment_next(campaign=creation, participant=person), seconds=seconds)
        if seconds == 60:
            judgement_submit(assignment=lease, skip_reason="other", note="odd <b>one</b>")
        else:
            judgement_submit(assignment=lease, replacements=three("hens"))
    page = client_of(rosa).get(url(study, "campaign", creation.pk))
    row = page.context["annotators"][0]
    assert (row.judgements, row.skips, round(row.seconds)) == (3, 1, 20)
    progress = page.context["progress"]
    assert (progress.items, progress.complete, progress.partial, progress.untouched) == (4, 0, 3, 1)
    text = page.content.decode()
    assert person.pseudonym in text and ben.email not in text
    assert "small hens" in text and "odd &lt;b&gt;one" in text


def test_instructions_have_versions(study, rosa, validation, client_of):
    client = client_of(rosa)
    address = url(study, "guidelines", validation.pk)
    assert Guideline.objects.get().body.count("→") == 15
    for body in ("# Read\n\nRead [slowly].", "# Read\n\nRead [slowly]."):
        client.post(address, {"body": body})
    assert list(validation.guidelines.values_list("version", flat=True)) == [2, 1]
    page = client.get(address).content.decode()
    assert '<span class="blank">slowly</span>' in page
    assert "rye bread" in client.get(f"{address}?version=1").content.decode()
    assert client.get(f"{address}?version=9").status_code == 404


def test_settings_change_the_rules_but_not_what_answers_depend_on(
    study, rosa, creation, participant, ben, client_of
):
    client = client_of(rosa)
    address = url(study, "settings", creation.pk)
    fields = {"name": "Write more", **RULES, "target": 5, "lease_minutes": 10}
    client.post(address, fields)
    creation.refresh_from_db()
    assert (creation.name, creation.target, creation.lease_minutes) == ("Write more", 5, 10)
    lease = assignment_next(campaign=creation, participant=participant(ben))
    judgement_submit(assignment=lease, replacements=three("hens"))
    page = client.post(address, {**fields, "replacements": 2})
    assert "stays as it is" in page.content.decode()


def test_the_list_shows_each_campaign_in_a_fixed_number_of_queries(
    study, rosa, creation, validation, client_of, django_assert_max_num_queries
):
    client = client_of(rosa)
    with django_assert_max_num_queries(12):
        page = client.get(url(study, "list")).content.decode()
    assert "Write" in page and "Judge" in page and Pair.objects.count() == 3
