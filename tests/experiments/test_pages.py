"""Pages of experiments, in the order in which a researcher meets them."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from apps.datasets.models import Dataset, GoldLabel, Pair
from apps.experiments.models import Cell, Experiment, OwnProtocol
from apps.experiments.protocols import protocols
from apps.jobs import runner
from apps.jobs.models import Job
from apps.jobs.services import job_cancel
from tests.experiments.conftest import neural
from tests.experiments.test_experiments import rows_tested


def url(name, study, *more):
    return reverse(f"experiments:{name}", args=[study.slug, *more])


@pytest.fixture
def client(ada, client_of):
    return client_of(ada)


def test_every_protocol_has_its_page(client, study):
    listed = client.get(url("list", study)).content.decode()
    for key, protocol in protocols().items():
        assert url("new", study, key) in listed
        page = client.get(url("new", study, key))
        assert page.status_code == 200 and protocol.about[:40] in page.content.decode()
    assert client.get(url("new", study, "no-such-protocol")).status_code == 404


def test_a_form_starts_an_experiment_and_says_what_is_wrong(client, study):
    address = url("new", study, "systematicity_localism")
    refused = client.post(address, {"name": "", "preset": "smoke"})
    assert refused.status_code == 200 and not Experiment.objects.exists()
    made = client.post(address, {"name": "Localism", "preset": "smoke"})
    experiment = Experiment.objects.get()
    assert made["Location"] == url("experiment", study, experiment.pk)
    again = client.post(address, {"name": "Localism", "preset": "smoke"})
    assert "another experiment of that name" in again.content.decode()
    title = protocols()["systematicity_localism"].title
    Experiment.objects.update(name=title)
    assert f'value="{title} (2)"' in client.get(address).content.decode()


def test_some_of_a_size_s_networks_are_chosen(client, study):
    address = url("new", study, "systematicity_localism")
    sent = {"name": "Two of them", "preset": "desk", "networks": ["tree-lstm", "lstm"]}
    client.post(address, sent)
    assert Experiment.objects.get().spec["sizes"]["networks"] == ["lstm", "tree-lstm"]
    refused = client.post(address, {**sent, "name": "BERT", "networks": ["bert"]}).content.decode()
    assert "“bert” is none of the networks of the size desk" in refused and Experiment.objects.count() == 1
    client.post(address, {"name": "All", "preset": "smoke"})
    assert Experiment.objects.get(name="All").spec["sizes"]["networks"] == ["lstm"]
    assert "LSTM (smoke, desk, paper)" in client.get(address).content.decode()


def test_of_meanings_a_network_is_chosen_with_a_form(client, study):
    address = url("new", study, "sygns_productivity")
    client.post(address, {"name": "Formulas", "preset": "smoke", "networks": ["gru vf"]})
    sizes = Experiment.objects.get().spec["sizes"]
    assert sizes["networks"] == ["gru vf"] and sizes["forms"] == ["vf"]


def test_a_role_is_chosen_among_the_studys_datasets(client, study, ada):
    dataset = Dataset.objects.create(study=study, name="five pairs", created_by=ada)
    address = url("new", study, "transitivity_conditions")
    page = client.get(address).content.decode()
    assert "five pairs" in page and '<option value="" selected>' in page, "nothing is chosen for anybody"
    sent = {"name": "Conditions", "preset": "smoke", "role_nli": f"dataset:{dataset.pk}"}
    refused = client.post(address, sent).content.decode()
    assert "“five pairs” has no pairs: it can&#x27;t be “nli”." in refused
    pair = Pair.objects.create(dataset=dataset, hypothesis="It ran", digest="1", origin="import")
    assert "“five pairs” has no pairs with a label" in client.post(address, sent).content.decode()
    assert not Experiment.objects.exists()
    GoldLabel.objects.create(pair=pair, label="entailment", source="file")
    client.post(address, sent)
    assert Experiment.objects.get().spec["roles"] == {
        "nli": {"source": f"dataset:{dataset.pk}", "name": "five pairs"}
    }


@neural
def test_its_page_shows_what_is_there_while_it_goes_on_and_afterwards(client, study, start, work):
    experiment = start()
    address = url("experiment", study, experiment.pk)
    assert "Its rows are being dealt." in client.get(address).content.decode()
    runner.run(experiment.job_id)
    page = client.get(address).content.decode()
    assert "0 of 6 trainings are over" in page and "every 15s" in page and "Cancel what still goes on" in page
    work()
    page = client.get(address).content.decode()
    assert "6 of 6 trainings are over" in page and "every 15s" not in page
    assert "Cancel what still goes on" not in page
    files = ("results.csv", "results.tex", "figures.csv", "seeds.csv")
    for name in (*files, "accuracy.svg", "accuracy.png", "accuracy.pdf"):
        assert client.get(address, {"as": name}).status_code == 200, name
    assert client.get(url("card", study, experiment.pk)).content.decode().startswith("# An experiment")
    split = experiment.splits.first()
    assert client.get(url("split", study, experiment.pk, split.pk))["Content-Type"] == "application/zip"
    # What was trained for it leads back to it.
    training = split.cells.exclude(training=None).first().training
    for room, pk in (("models:training", training.pk), ("models:set", split.training_set_id)):
        page = client.get(reverse(room, args=[study.slug, pk])).content.decode()
        assert f'href="{address}"' in page


def test_answers_are_brought_in_on_its_page(client, study, start):
    experiment = start()
    runner.run(experiment.job_id)
    split = experiment.splits.order_by("pk").first()
    lines = ["id,label", *(f"{row['id']},{row['label']}" for row in rows_tested(split))]

    def send(lines):
        file = SimpleUploadedFile("said.csv", "\n".join(lines).encode())
        body = {"split": split.pk, "contestant": "RoBERTa", "seed": 1, "file": file}
        return client.post(url("answers", study, experiment.pk), body)

    refused = send(lines[:-1]).content.decode()
    form = refused[refused.index('<details id="answers" open>') :]
    assert f'action="{url("answers", study, experiment.pk)}#answers"' in form
    assert "1 row has no answer: “test-120-" in form
    assert not Cell.objects.filter(contestant="RoBERTa").exists()
    assert send(lines)["Location"] == f"{url('experiment', study, experiment.pk)}#main"
    assert "RoBERTa" in client.get(url("experiment", study, experiment.pk)).content.decode()


def test_a_page_costs_as_many_statements_for_many_cells_as_for_few(
    client, study, start, django_assert_max_num_queries
):
    experiment = start()
    runner.run(experiment.job_id)
    with django_assert_max_num_queries(15):
        client.get(url("experiment", study, experiment.pk))


def test_annotators_and_outsiders_have_no_experiments(client_of, ben, olaf, study, start):
    experiment = start()
    for person in (ben, olaf):
        for name, more in (("list", ()), ("experiment", (experiment.pk,)), ("card", (experiment.pk,))):
            assert client_of(person).get(url(name, study, *more)).status_code in (403, 404)


@neural
def test_what_is_fetched_while_it_goes_on_is_one_part_of_the_page(client, study, start):
    """The part that takes the place of itself is named once, with the button, and its picture has an address
    that changes with what is there."""
    experiment = start()
    runner.run(experiment.job_id)
    page = client.get(url("experiment", study, experiment.pk)).content.decode()
    assert page.count('id="came-out"') == 1 and 'hx-select="#came-out"' in page
    part = page[page.index('id="came-out"') : page.index("<details><summary>How it was run")]
    assert "Cancel what still goes on" in part and "as=accuracy.svg&amp;version=" in part
    # The trainings' states stand further below, in what is opened: they come along.
    assert page.count('id="trainings"') == 1 and 'hx-select-oob="#trainings"' in part


@neural
def test_a_page_open_on_an_experiment_that_somebody_deletes_is_told(client, study, start):
    experiment = start()
    address = url("experiment", study, experiment.pk)
    Experiment.objects.all().delete()
    told = client.get(address, headers={"HX-Request": "true"})
    assert told["HX-Redirect"] == url("list", study)
    assert "This experiment was deleted." in client.get(told["HX-Redirect"]).content.decode()
    assert client.get(address).status_code == 404


@neural
def test_a_silent_worker_is_told_of_and_no_time_is_promised(client, study, start):
    experiment = start()
    runner.run(experiment.job_id)
    silent = Job.objects.filter(trainings__isnull=False).order_by("pk").first()
    Job.objects.filter(pk=silent.pk).update(state=Job.State.RUNNING, heartbeat_at=None)
    page = client.get(url("experiment", study, experiment.pk)).content.decode()
    assert "The worker of 1 of them is silent; another takes it up." in page and " left." not in page


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("train = 2000", "train = 10", "mine, presets.smoke: train: 10 rows; 20 are wanted at least"),
        (
            'networks = ["lstm"',
            'networks = ["lsmt"',
            "mine, presets.smoke, networks: there is no network “lsmt”",
        ),
        ('"some", ', '"sum", ', "no row of the set “D1” can have “sum” in its column “quantifiers”"),
    ],
)
def test_an_own_protocol_that_an_earlier_version_took_says_why_it_is_not_read_and_can_go(
    client, study, ada, was, now, said
):
    shipped = protocols()["systematicity_localism"].text
    text = shipped.replace(was, now, 1)
    assert text != shipped
    own = OwnProtocol.objects.create(study=study, name="mine", text=text, fingerprint="0", created_by=ada)
    listed = client.get(url("list", study)).content.decode()
    assert said in listed and url("new", study, "mine") not in listed.replace(url("file", study, "mine"), "")
    assert client.get(url("file", study, "mine")).content.decode() == text
    removal = url("own_remove", study, own.pk)
    assert removal in listed and client.post(removal)["Location"] == url("list", study)
    assert not OwnProtocol.objects.exists()


@neural
def test_cancelled_it_can_go_on_and_says_so(client, study, start):
    experiment = start()
    address = url("experiment", study, experiment.pk)
    client.post(url("cancel", study, experiment.pk))
    page = client.get(address).content.decode()
    assert "Cancelled while its rows were being dealt." in page and "Go on where it stopped" in page
    assert client.post(url("go_on", study, experiment.pk))["Location"] == address
    page = client.get(address).content.decode()
    assert "Cancel what still goes on" in page and "Go on where it stopped" not in page


@neural
def test_while_trainings_run_that_are_being_cancelled_its_page_says_so(
    client, study, start, django_assert_max_num_queries
):
    experiment = start()
    runner.run(experiment.job_id)
    address = url("experiment", study, experiment.pk)
    running = Job.objects.filter(trainings__isnull=False).order_by("pk")[0]
    Job.objects.filter(pk=running.pk).update(state=Job.State.RUNNING, heartbeat_at=timezone.now())
    job_cancel(job=running, actor=None)
    assert "It is being cancelled." not in client.get(address).content.decode()
    client.post(url("cancel", study, experiment.pk))
    with django_assert_max_num_queries(15):
        page = client.get(address).content.decode()
    assert "It is being cancelled." in page and "every 15s" in page
    Job.objects.filter(pk=running.pk).update(state=Job.State.CANCELLED)
    assert "It is being cancelled." not in client.get(address).content.decode()


@neural
def test_a_page_with_a_refused_file_leads_to_the_experiment_s_picture_and_files(client, study, start, work):
    experiment = start()
    work()
    address = url("answers", study, experiment.pk)
    refused = client.post(address, {"contestant": "ours"})
    assert refused.status_code == 200 and "?as=results.tex" in refused.content.decode()
    # The picture has its room before it is there: the form below it stays where the browser was led to.
    assert re.search(r'loading="lazy" width="\d+" height="\d+"', refused.content.decode())
    found = client.get(address, {"as": "results.tex"}, follow=True)
    assert (
        found.status_code == 200
        and found.content
        == client.get(url("experiment", study, experiment.pk), {"as": "results.tex"}).content
    )
    assert client.get(address)["Location"] == url("experiment", study, experiment.pk)


@neural
def test_a_page_that_was_open_while_rows_were_dealt_is_fetched_whole_once_they_are(client, study, start):
    experiment = start()
    address = url("experiment", study, experiment.pk)
    page = client.get(address).content.decode()
    assert "Its rows are being dealt." in page and f'hx-get="{address}?dealing=1"' in page
    assert "HX-Refresh" not in client.get(address, {"dealing": "1"})
    runner.run(experiment.job_id)
    assert client.get(address, {"dealing": "1"})["HX-Refresh"] == "true"
    assert f'hx-get="{address}"' in client.get(address).content.decode()


@neural
def test_an_experiment_whose_job_s_row_is_gone_does_not_seem_to_be_dealt_still(client, study, start):
    experiment = start()
    runner.run(experiment.job_id)
    Experiment.objects.filter(pk=experiment.pk).update(job=None)
    page = client.get(url("experiment", study, experiment.pk)).content.decode()
    assert "trainings are over." in page and "being dealt" not in page and "dealing=1" not in page
