"""Type × label × crowd or paper (MED, Table 5): the page, its CSV, the API."""

import csv
import io
from collections import Counter

import pytest
from django.urls import reverse

from apps.comparison.judges import judges_of
from apps.dashboard.composition import composition
from apps.datasets.models import Dataset, GoldLabel, Pair
from apps.imports.readers import Choices
from apps.imports.services import draft_commit, draft_create, draft_preview

pytestmark = pytest.mark.both


@pytest.fixture
def desk(client_of, rosa):
    return client_of(rosa)


@pytest.fixture
def rows(make, dataset):
    """By file: three of the crowd, one of a paper, one of neither, and one without a label."""
    for number, (genre, direction, label, origin) in enumerate(
        [
            ("crowd:upward_monotone", "upward", "entailment", "import"),
            ("crowd:downward_monotone", "downward", "entailment", "import"),
            ("", "downward", "non-entailment", "crowd"),
            ("paper:GLUE:non_monotone", "non-monotone", "contradiction", "import"),
            ("fiction", "upward", "entailment", "import"),
            ("crowd", "upward", "", "import"),
        ]
    ):
        pair = make(premise=f"P {number}", genre=genre, direction=direction, origin=origin)
        if label:
            GoldLabel.objects.create(pair=pair, source="file", label=label)


def table(found):
    return {(line.place, line.label): line.counts for line in found.lines if line.total}


def test_types_labels_and_sources_are_counted(rows, dataset):
    found = composition(dataset, judges_of(dataset), labels="file")
    assert found.origins == ("crowd", "paper", "other")
    assert table(found) == {
        ("upward", "entailment"): (1, 0, 1),
        ("downward", "entailment"): (1, 0, 0),
        ("downward", "non-entailment"): (1, 0, 0),
        ("non-monotone", "non-entailment"): (0, 1, 0),
    }
    assert (found.total, found.totals, found.unlabelled) == (5, (3, 1, 1), 1)


def test_other_labels_can_be_counted(make, dataset):
    make("een", calculus="n", direction="upward")
    read = {
        source: composition(dataset, judges_of(dataset), labels=source) for source in ("human", "calculus")
    }
    assert table(read["human"]) == {("upward", "entailment"): (1, 0)}
    assert table(read["calculus"]) == {("upward", "non-entailment"): (1, 0)}


def test_twins_are_counted_where_they_are_wanted(make, dataset):
    original = make("eee", calculus="e", direction="downward")
    twin = make(premise=original.hypothesis, origin="swap", direction="")
    Pair.objects.filter(pk=twin.pk).update(swapped_from=original)
    GoldLabel.objects.create(pair=twin, source="swap", label="non-entailment")
    plain, whole = (
        composition(dataset, judges_of(dataset), labels="human", twins=twins) for twins in (False, True)
    )
    assert (plain.total, whole.total) == (1, 2)
    assert table(whole)["downward", "non-entailment"] == (1, 0)


def test_the_page_and_its_csv_say_the_same(rows, desk, study, dataset):
    page = desk.get(reverse("dashboard:composition", args=[study.slug, dataset.pk]))
    assert (
        page.context["found"].labels == "file"
        and "1 pair has no label of this source" in page.content.decode()
    )
    answer = desk.get(reverse("dashboard:composition_csv", args=[study.slug, dataset.pk]), {"labels": "file"})
    lines = list(csv.reader(io.StringIO(answer.content.decode())))
    assert lines[0] == ["type", "label", "crowd", "paper", "other", "total"]
    assert lines[1] == ["upward", "entailment", "1", "0", "1", "2"]
    assert lines[-1] == ["total", "", "3", "1", "1", "5"]


def test_an_empty_dataset_says_so(desk, study, dataset):
    page = desk.get(reverse("dashboard:composition", args=[study.slug, dataset.pk]))
    assert "No pair has a label of this source" in page.content.decode()


def test_the_api_counts_the_same(rows, desk, dataset):
    found = desk.get(f"/api/v1/datasets/{dataset.pk}/composition/").json()
    assert (found["total"], found["unlabelled"]) == (5, 1)
    assert found["lines"][0] == {
        "type": "upward",
        "label": "entailment",
        "counts": {"crowd": 1, "paper": 0, "other": 1},
        "total": 2,
    }
    assert desk.get(f"/api/v1/datasets/{dataset.pk}/composition/?labels=mine").status_code == 400


def test_med_s_published_half_is_counted_as_its_file_says(shared_data, study, ada, work):
    """Counted beside it from the file's genre and gold_label columns alone, each pair once."""
    path = shared_data / "MED_dev.tsv"
    draft = draft_create(
        study=study,
        actor=ada,
        file_name=path.name,
        chunks=[path.read_bytes()],
        name="MED",
        licence="CC BY-SA 4.0",
        source="Yanaka et al. 2019",
        choices=Choices(),
    )
    draft_preview(draft=draft, actor=ada)
    work()
    draft_commit(draft=draft, actor=ada, skip_bad=False)
    work()
    pairs = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        cells = line.split("\t")
        pairs.setdefault((cells[8], cells[9]), (cells[3].split(":"), cells[15]))
    spelled = {"upward_monotone": "upward", "downward_monotone": "downward", "non_monotone": "non-monotone"}
    counted = Counter(
        (
            next(spelled[part] for part in genre if part in spelled),
            "entailment" if label == "entailment" else "non-entailment",
            genre[0],
        )
        for genre, label in pairs.values()
    )
    dataset = Dataset.objects.get(name="MED")
    found = composition(dataset, judges_of(dataset), labels="file")
    assert found.origins == ("crowd", "paper") and found.total == len(pairs)
    assert {
        (line.place, line.label, origin): n
        for line in found.lines
        for origin, n in zip(found.origins, line.counts, strict=True)
        if n
    } == dict(counted)
