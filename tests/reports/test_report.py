"""A report as a job, a page and a file; on a dataset and on a release's splits."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.datasets.models import Dataset, GoldLabel
from apps.datasets.services import dataset_create
from apps.imports.readers import Choices
from apps.imports.services import draft_commit, draft_create, draft_preview
from apps.releases.gold_rules import Options
from apps.releases.services import release_create
from apps.reports.models import BalanceReport
from apps.reports.services import report_start

pytestmark = pytest.mark.django_db


@pytest.fixture
def filled(make, dataset) -> Dataset:
    """Thirty entailments and thirty others, each with its own premise."""
    for number in range(60):
        pair = make("eee" if number % 2 else "nnn", calculus="e" if number % 2 else "n")
        label = "entailment" if number % 2 else "contradiction"
        GoldLabel.objects.create(pair=pair, source="file", label=label)
    return dataset


@pytest.fixture
def report(filled, ada, work):
    def make(**options) -> BalanceReport:
        made = report_start(dataset=filled, actor=ada, **options)
        work()
        made.refresh_from_db()
        assert made.finished_at, made.job.error
        return made

    return make


@pytest.mark.both
@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("file", {"entailment": 30, "contradiction": 30}),
        ("human", {"entailment": 30, "non-entailment": 30}),
        ("calculus", {"entailment": 30, "non-entailment": 30}),
    ],
)
def test_a_dataset_s_report_takes_the_labels_it_is_asked_for(report, labels, found):
    facts = report(labels=labels).facts
    assert facts["balance"]["labels"] == found
    assert facts["balance"]["directions"] == {"downward": 60}
    assert (facts["downward"]["downward"], facts["downward"]["entailed"]) == (60, 30)
    assert facts["probe"]["pairs"] == 60
    assert facts["vocabulary"]["words"] == 4 + 60  # no small dog ran, and a number each


@pytest.mark.both
def test_a_release_s_report_is_about_its_splits_and_twins(filled, report, ada, work):
    release = release_create(dataset=filled, actor=ada, options=Options(train=50, validation=0, test=50))
    work()
    release.refresh_from_db()
    made = report(release=release)
    facts = made.facts
    assert made.labels == "release"
    assert facts["balance"]["pairs"] == release.manifest["counts"]["pairs"]["total"] > 60
    assert {split for split, _label, _n in facts["balance"]["splits"]} == {"train", "test"}
    (between,) = facts["duplicates"]["between"]
    assert (between["one"], between["two"]) == ("test", "train")
    assert facts["vocabulary"]["splits"][0]["one"] == "test"


def test_another_dataset_is_compared_with(filled, report, make, ada, study):
    other = dataset_create(study=study, actor=ada, name="Training data")
    make(dataset=other, premise="No dog 1 ran.", hypothesis="No small dog 1 ran.")
    facts = report(other=other).facts
    assert facts["vocabulary"]["other"]["back"] == 1.0
    assert facts["duplicates"]["between"][-1]["exact"] == 1


@pytest.mark.parametrize("odd", ["itself", "foreign", "unfrozen", "labels"])
def test_what_makes_no_sense_is_refused(filled, ada, olaf, odd):
    home = olaf.memberships.first().study
    options = {
        "itself": {"other": filled},
        "foreign": {"other": dataset_create(study=home, actor=olaf, name="Own")},
        "unfrozen": {"release": release_create(dataset=filled, actor=ada, options=Options())},
        "labels": {"labels": "release"},
    }
    with pytest.raises(ValidationError):
        report_start(dataset=filled, actor=ada, **options[odd])
    assert not BalanceReport.objects.exists()


def test_a_report_is_started_read_and_downloaded(filled, work, study, rosa, ben, olaf, client_of):
    client = client_of(rosa)
    address = reverse("reports:list", args=[study.slug, filled.pk])
    assert b"Balance and leakage" in client.get(address).content
    page = client.post(address, {"about": "file", "seed": "1"}, follow=True)
    assert b"queued" in page.content
    work()
    report = BalanceReport.objects.get()
    page = client.get(reverse("reports:report", args=[study.slug, report.pk])).content.decode()
    for text in ("Labels and directions", "30", "Downward inferences", "The hypothesis alone", "50.0\u00a0%"):
        assert text in page
    file = client.get(reverse("reports:csv", args=[study.slug, report.pk]))
    rows = list(csv.reader(io.StringIO(file.content.decode())))
    assert ["Direction", "contradiction", "entailment", "all", "share"] in rows
    assert ["downward", "30", "30", "60", "100.0 %"] in rows
    for name, pk in (("list", filled.pk), ("report", report.pk), ("csv", report.pk)):
        there = reverse(f"reports:{name}", args=[study.slug, pk])
        assert client_of(ben).get(there).status_code == 403
        assert client_of(olaf).get(there).status_code == 404


def test_the_report_is_about_what_stands_on_the_form(filled, work, study, ada, rosa, client_of):
    """Opened from a release, and then another choice is made: that is what is made."""
    release = release_create(dataset=filled, actor=ada, options=Options(train=50, validation=0, test=50))
    work()
    client, address = client_of(rosa), reverse("reports:list", args=[study.slug, filled.pk])
    shown = client.get(f"{address}?release={release.pk}").content.decode()
    (chosen,) = re.findall(r'<input type="radio" name="about" value="(\w+)"[^>]* checked', shown)
    assert chosen == str(release.pk)
    client.post(f"{address}?release={release.pk}", {"about": "calculus", "seed": "3"})
    client.post(address, {"about": str(release.pk), "seed": "1"})
    last, first = BalanceReport.objects.order_by("-pk")
    assert (first.labels, first.release, first.seed) == ("calculus", None, 3)
    assert (last.labels, last.release) == ("release", release)
    assert (
        "select a valid choice" in client.post(address, {"about": "0", "seed": "1"}).content.decode().lower()
    )


def test_med_s_published_half_has_the_shares_it_is_known_to_have(shared_data, study, ada, work):
    """2,731 of MED's 5,382 pairs; counted from the file by its genre and gold_label columns alone."""
    with (shared_data / "MED_dev.tsv").open("rb") as file:
        draft = draft_create(
            study=study,
            actor=ada,
            file_name="MED_dev.tsv",
            chunks=[file.read()],
            name="MED",
            licence="CC BY-SA 4.0",
            source="Yanaka et al. 2019",
            choices=Choices(),
        )
    draft_preview(draft=draft, actor=ada)
    work()
    draft_commit(draft=draft, actor=ada, skip_bad=False)
    work()
    text = (shared_data / "MED_dev.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows: dict[tuple[str, str], tuple[str, str]] = {}
    for cells in (line.split("\t") for line in text):
        rows.setdefault(
            (cells[8], cells[9]), (cells[3], cells[15])
        )  # a pair that comes again stays as it was
    report = report_start(dataset=Dataset.objects.get(name="MED"), actor=ada, labels="file")
    work()
    report.refresh_from_db()
    facts = report.facts
    assert facts["balance"]["pairs"] == len(rows)
    for direction, name in (
        ("upward", "upward_mono"),
        ("downward", "downward_mono"),
        ("non-monotone", "non_mono"),
    ):
        for label, word in (("entailment", "entailment"), ("non-entailment", "neutral")):
            wanted = sum(name in genre and gold == word for genre, gold in rows.values())
            found = {(where, what): n for where, what, n in facts["balance"]["cells"]}
            assert found.get((direction, label), 0) == wanted
    assert facts["downward"]["labelled"] == 0
    assert facts["probe"]["undefined"] == ""
