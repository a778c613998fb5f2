"""Datasets and sets of blanks are renamed, archived, and deleted where nobody worked on them."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Campaign
from apps.corpora.models import BlankSet
from apps.datasets.models import Dataset
from apps.studies import retention
from apps.studies.models import AuditEvent

pytestmark = pytest.mark.both


@pytest.fixture
def desk(client_of, rosa):
    return client_of(rosa)


@pytest.fixture(params=["dataset", "blank_set"])
def thing(request, study, dataset, blank):
    """A dataset, or a set of blanks; with the page that lists it."""
    if request.param == "dataset":
        return dataset, reverse("datasets:list", args=[study.slug])
    return blank.blank_set, reverse("blanks:list", args=[study.slug])


def kept(study, one, what=""):
    return reverse(f"studies:keep{what}", args=[study.slug, retention.kind_of(one).kind, one.pk])


def test_the_archive_leaves_it_out_of_the_list_and_gives_it_back(desk, study, thing):
    one, listed = thing
    desk.post(kept(study, one, "_archive"), {"archived": "yes"})
    assert f">{one.name}</bdi></a>" not in desk.get(listed).content.decode()
    assert f">{one.name}</bdi></a>" in desk.get(listed, {"archived": "yes"}).content.decode()
    assert "1 in the archive" in desk.get(listed).content.decode()
    desk.post(kept(study, one, "_archive"))
    assert f">{one.name}</bdi></a>" in desk.get(listed).content.decode()


def test_it_gets_another_name_that_is_free(desk, study, thing):
    one, _listed = thing
    type(one).objects.create(study=study, name="Taken")
    assert "name" in desk.post(kept(study, one), {"name": "Taken"}).context["form"].errors
    desk.post(kept(study, one), {"name": "Renamed"})
    one.refresh_from_db()
    assert one.name == "Renamed"
    assert AuditEvent.objects.get(action__endswith=".renamed").object_id == one.pk


def test_what_a_campaign_is_made_of_stays(thing, study, ada, dataset):
    one, _listed = thing
    uses = {"task": "creation", "blank_set": one} if isinstance(one, BlankSet) else {"task": "validation"}
    campaign = Campaign.objects.create(study=study, name="C", dataset=dataset, state="open", **uses)
    with pytest.raises(ValidationError, match="is open"):
        retention.archive(thing=one, actor=ada)
    with pytest.raises(ValidationError, match="1 campaign is made of it"):
        retention.delete(thing=one, actor=ada, name=one.name)
    campaign.state = "closed"
    campaign.save()
    retention.archive(thing=one, actor=ada)
    one.refresh_from_db()
    assert one.archived_at


def test_a_set_whose_blanks_were_rewritten_stays(blank, make, ada):
    make(blank=blank)
    with pytest.raises(ValidationError, match="1 pair rewrites one of its blanks"):
        retention.delete(thing=blank.blank_set, actor=ada, name="Blanks")


def test_what_nobody_worked_on_is_deleted_with_what_is_in_it(study, ada, blank):
    from apps.datasets.services import dataset_create, pair_get_or_create

    dataset = dataset_create(study=study, actor=ada, name="Tried")
    pair_get_or_create(dataset=dataset, premises=[("P.", None)], hypothesis="H.", origin="import")
    assert retention.said_before_deleting(dataset) == ([], ["1 pair, with its labels and predictions"])
    retention.delete(thing=dataset, actor=ada, name="Tried")
    retention.delete(thing=blank.blank_set, actor=ada, name="Blanks")
    assert not Dataset.objects.filter(name="Tried").exists() and not BlankSet.objects.exists()


@pytest.mark.parametrize("address", ["datasets", "blank-sets"])
def test_the_api_archives_and_deletes(desk, study, address, ada):
    model = {"datasets": Dataset, "blank-sets": BlankSet}[address]
    one = model.objects.create(study=study, name="One")
    url = f"/api/v1/{address}/{one.pk}/"
    shown = desk.post(f"{url}archive/", {"archived": True}, content_type="application/json")
    assert shown.status_code == 200 and shown.json()["archived_at"]
    assert desk.delete(url).status_code == 204
    assert not model.objects.filter(pk=one.pk).exists()
