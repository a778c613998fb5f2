"""A study, a campaign, a corpus: renamed, archived, and deleted where nobody's work is in it."""

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from apps.campaigns.models import Campaign, Judgement
from apps.campaigns.services import assignment_next, campaign_set_state, judgement_submit
from apps.corpora import draft_services
from apps.corpora.formats.readings import Format
from apps.corpora.models import Corpus
from apps.datasets.models import Pair
from apps.jobs.models import Job
from apps.releases.models import Release
from apps.studies import retention
from apps.studies.access import within
from apps.studies.models import AuditEvent, Study
from apps.studies.services import participant_for
from apps.tallies.changes import changes_fold
from apps.tallies.models import Change
from tests.campaigns.conftest import blank_set, creation, dataset, three  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def quiet(study):
    """No job of the study waits."""
    return lambda: Job.objects.filter(study=study).update(state="done")


def write(campaign, user):
    lease = assignment_next(campaign=campaign, participant=participant_for(campaign.study, user))
    return judgement_submit(assignment=lease, replacements=three("dogs"))


def rows_of(study) -> dict[str, int]:
    """How many rows of each table are in the study."""
    scoped = [model for model in apps.get_models() if hasattr(model, "STUDY_PATH")]
    # What counts changes is one row a table or several, as it happens: whether there is any is asked.
    counts = {model._meta.label: within(model, study).count() for model in scoped}
    counts[Change._meta.label] = min(1, counts[Change._meta.label])
    return {label: count for label, count in counts.items() if count}


# ---- The archive ---------------------------------------------------------------------------------
def test_an_open_campaign_is_closed_before_it_is_archived_and_stays_shut_there(creation, ada):  # noqa: F811
    with pytest.raises(ValidationError, match="Close it first"):
        retention.archive(thing=creation, actor=ada)
    campaign_set_state(campaign=creation, actor=ada, state="closed")
    retention.archive(thing=creation, actor=ada)
    with pytest.raises(ValidationError, match="It is in the archive"):
        campaign_set_state(campaign=creation, actor=ada, state="open")
    retention.archive(thing=creation, actor=ada, archived=False)
    assert campaign_set_state(campaign=creation, actor=ada, state="open").state == "open"


def test_lists_leave_the_archive_out_and_lead_to_it(study, creation, ada, client_of):  # noqa: F811
    client = client_of(ada)
    campaign_set_state(campaign=creation, actor=ada, state="closed")
    corpus = creation.blank_set.blanks.first().sentence.corpus
    for thing in (creation, corpus, study):
        retention.archive(thing=thing, actor=ada)
    for address, name in (
        (reverse("campaigns:list", args=[study.slug]), creation.name),
        (reverse("corpora:list", args=[study.slug]), corpus.name),
        (reverse("study_list"), study.name),
    ):
        found = f">{name}</bdi>"
        page, shelf = (client.get(address + query).content.decode() for query in ("", "?archived=yes"))
        main, shelved = (text.split('id="main"')[1] for text in (page, shelf))
        assert found not in main and "1 in the archive" in main
        assert found in shelved


def test_a_page_says_that_its_thing_is_in_the_archive(study, creation, ada, client_of):  # noqa: F811
    client = client_of(ada)
    campaign_set_state(campaign=creation, actor=ada, state="closed")
    pages = {
        creation: reverse("campaigns:campaign", args=[study.slug, creation.pk]),
        creation.dataset: reverse("curation:dataset", args=[study.slug, creation.dataset.pk]),
        study: reverse("studies:overview", args=[study.slug]),
    }
    for thing, address in pages.items():
        assert "In the archive." not in client.get(address, follow=True).content.decode()
        retention.archive(thing=thing, actor=ada)
        assert "In the archive." in client.get(address, follow=True).content.decode()


def test_a_study_is_not_archived_over_the_heads_of_its_annotators(creation, study, ada):  # noqa: F811
    with pytest.raises(ValidationError, match="“Write” is open"):
        retention.archive(thing=study, actor=ada)


def test_a_campaign_that_a_release_tells_of_is_kept(creation, study, ada, quiet):  # noqa: F811
    write(creation, ada)
    quiet()
    Release.objects.create(dataset=creation.dataset, number=1, frozen_at=timezone.now())
    with pytest.raises(ValidationError, match="1 release of its dataset tells where pairs"):
        retention.delete(thing=creation, actor=ada, name=creation.name)


# ---- Deleting --------------------------------------------------------------------------------------
def test_a_campaign_that_an_annotator_answered_is_kept(creation, ben, ada, quiet):  # noqa: F811
    write(creation, ben)
    quiet()
    with pytest.raises(ValidationError, match="1 answer of annotators is in it"):
        retention.delete(thing=creation, actor=ada, name=creation.name)
    assert Judgement.objects.count() == 1


def test_a_campaign_that_was_only_tried_goes_with_what_was_written(creation, ada, quiet):  # noqa: F811
    write(creation, ada)
    quiet()
    assert Pair.objects.count() == 3
    retention.delete(thing=creation, actor=ada, name=creation.name)
    assert not Campaign.objects.exists() and not Judgement.objects.exists() and not Pair.objects.exists()
    event = AuditEvent.objects.get(action="campaign.deleted")
    assert event.data == {"name": creation.name}


def test_a_corpus_whose_blanks_are_in_use_is_kept_and_one_that_is_not_goes(creation, study, ada, quiet):  # noqa: F811
    used = creation.blank_set.blanks.first().sentence.corpus
    with pytest.raises(ValidationError, match="blanks are made of its sentences"):
        retention.delete(thing=used, actor=ada, name=used.name)
    draft = draft_services.draft_create(
        study=study, actor=ada, file_name="a.txt", data=b"No cats.\n", name="Spare", licence="CC0",
        source="us", format=Format.of_file("a.txt"),
    )  # fmt: skip
    spare = draft_services.draft_commit(draft=draft, actor=ada).corpus
    quiet()
    retention.delete(thing=spare, actor=ada, name="Spare")
    assert list(Corpus.objects.all()) == [used]


def test_what_somebody_else_just_deleted_is_not_there_any_more(creation, ada, quiet):  # noqa: F811
    quiet()
    seen_before = Campaign.objects.get()
    retention.delete(thing=creation, actor=ada, name=creation.name)
    with pytest.raises(Http404):
        retention.delete(thing=seen_before, actor=ada, name=seen_before.name)
    with pytest.raises(Http404):
        retention.archive(thing=seen_before, actor=ada)


def test_a_test_study_goes_whole_and_no_other_is_touched(creation, study, ada, olaf, quiet):  # noqa: F811
    write(creation, ada)
    quiet()
    other = Study.objects.exclude(pk=study.pk).get()
    before = rows_of(other)
    assert before and len(rows_of(study)) > 12
    retention.delete(thing=study, actor=ada, name=study.name)
    changes_fold()  # that rows went is counted as well: the sweeper drops it with the next
    assert rows_of(study) == {} and rows_of(other) == before
    assert list(Study.objects.all()) == [other]


def test_nothing_is_deleted_by_a_wrong_name_or_while_a_job_runs(creation, study, ada):  # noqa: F811
    with pytest.raises(ValidationError, match="Type the name"):
        retention.delete(thing=creation, actor=ada, name="Another")
    Job.objects.create(study=study, kind="datasets.label", title="Label", params={})
    with pytest.raises(ValidationError, match="A job of this study runs"):
        retention.delete(thing=creation, actor=ada, name=creation.name)
    assert Campaign.objects.count() == 1


# ---- The page ------------------------------------------------------------------------
def page_of(thing, name="keep", study=None):
    return reverse(
        f"studies:{name}", args=[(study or retention.study_of(thing)).slug, _kind(thing), thing.pk]
    )


def _kind(thing):
    return retention.kind_of(thing).kind


def test_the_page_says_what_goes_renames_and_deletes(creation, study, ada, client_of, quiet):  # noqa: F811
    write(creation, ada)
    quiet()
    client = client_of(ada)
    page = client.get(page_of(creation)).content.decode()
    assert "1 answer, simulated or given by researchers to try it" in page
    client.post(page_of(creation), {"name": "Renamed"})
    creation.refresh_from_db()
    assert creation.name == "Renamed"
    refused = client.post(page_of(creation, "keep_delete"), {"typed": "Write"}).content.decode()
    assert "Type the name" in refused and Campaign.objects.exists()
    deleted = client.post(page_of(creation, "keep_delete"), {"typed": "Renamed"})
    assert deleted.url == reverse("campaigns:list", args=[study.slug])  # where it stood
    assert not Campaign.objects.exists()


def test_a_corpus_is_renamed_but_not_to_a_name_that_is_taken(creation, study, rosa, client_of):  # noqa: F811
    corpus = creation.blank_set.blanks.first().sentence.corpus
    Corpus.objects.create(study=study, name="Taken", licence="CC0", source="us")
    page = client_of(rosa).post(page_of(corpus), {"name": "Taken"}).content.decode()
    assert "This study has a corpus of that name." in page
    client_of(rosa).post(page_of(corpus), {"name": "Mine"})
    corpus.refresh_from_db()
    assert corpus.name == "Mine"


def test_a_study_is_its_admins_and_anothers_things_are_404(creation, study, rosa, olaf, client_of):  # noqa: F811
    assert client_of(rosa).get(page_of(study)).status_code == 403
    assert client_of(rosa).get(page_of(creation)).status_code == 200
    other = olaf.memberships.first().study
    for name in ("keep", "keep_archive", "keep_delete"):
        for thing in (creation, study):
            assert client_of(olaf).post(page_of(thing, name, study=other)).status_code == 404
    assert client_of(rosa).get(page_of(creation).replace("/campaign/", "/nothing/")).status_code == 404


# ---- The API -----------------------------------------------------------------------------------------
def test_the_api_archives_and_deletes_what_the_pages_do(creation, study, ada, ben, client_of, quiet):  # noqa: F811
    client = client_of(ada)
    write(creation, ben)
    quiet()
    campaign, whole = f"/api/v1/campaigns/{creation.pk}/", f"/api/v1/studies/{study.slug}/"
    refused = client.delete(campaign)
    assert refused.status_code == 422 and "1 answer of annotators" in refused.json()["detail"]
    assert client.delete(whole).status_code == 422
    campaign_set_state(campaign=creation, actor=ada, state="closed")
    assert client.post(f"{campaign}archive/", {}, content_type="application/json").json()["archived_at"]
    assert client.post(f"{whole}archive/", {"archived": True}, content_type="application/json").json()[
        "archived_at"
    ]
    Judgement.objects.update(could_see_labels=True, counted=False)
    assert client.delete(campaign).status_code == 204
    assert client.delete(whole).status_code == 204
    assert not Study.objects.exists()
