"""How sure the calculus is of its labels, what they rest on, and what it did not read."""

from __future__ import annotations

import pytest
from django.db import connection

from apps.datasets.models import CalculusLabel, NotRead
from apps.datasets.selectors import convention_of, label_sets, not_read
from apps.datasets.services import labelling_start
from apps.datasets.sureness import of_sureness, sureness
from tests.campaigns.test_rows_read import rows_visited

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def label(dataset, ada, work):
    def run(convention: str) -> None:
        labelling_start(dataset=dataset, actor=ada, convention=convention)
        work()

    return run


def test_med_alone_takes_an_unknown_word_to_be_more_specific_and_its_labels_say_so(make, label):
    unknown = make(premise="No dog ran.", hypothesis="No blorp ran.", origin="import", direction="")
    known = make(premise="No dog ran.", hypothesis="No poodle ran.", origin="import", direction="")
    label("default")
    assert NotRead.objects.get().reason == "how *blorp* stands to *dog* is unknown"
    assert known.calculus_labels.get().assumed is False
    label("med")
    assert not NotRead.objects.exists()
    assert (unknown.calculus_labels.get().label, unknown.calculus_labels.get().assumed) == (
        "entailment",
        True,
    )
    assert known.calculus_labels.get(is_current=True).assumed is False
    assert [(one.key.convention, one.assumed) for one in label_sets(unknown.dataset)] == [
        ("med", 1),
        ("default", 0),
    ]


def test_a_written_blank_keeps_the_task_s_assumption_under_every_convention(make, blank, label):
    pair = make(premise="No dog ran.", hypothesis="No blorp ran.", blank=blank)
    label("default")
    label("med")
    of_task, of_med = pair.calculus_labels.order_by("pk")
    assert of_task.assumed is of_med.assumed is True
    assert (of_task.label, of_task.confidence) == (of_med.label, of_med.confidence)


def test_pairs_from_files_are_labelled_under_the_default_convention_unless_another_is_chosen(
    make, dataset, blank
):
    assert convention_of(dataset) == "default"
    make(hypothesis="No small dog ran.", blank=blank)
    assert convention_of(dataset) == blank.convention == "med"
    make(origin="import")
    assert convention_of(dataset) == "default"


def test_what_was_not_read_is_kept_with_its_reason_and_the_earlier_label_is_history(make, dataset, label):
    pair = make(premise="Tom sneezed that Ann left.", hypothesis="Ann left.", origin="import", direction="")
    make.label(pair, "e")
    label("default")
    assert not pair.calculus_labels.get().is_current
    assert NotRead.objects.get(pair=pair).reason == "what *sneezed that* says of its clause"
    assert not_read(dataset) == [("what *sneezed that* says of its clause", 1)]
    label("default")
    assert NotRead.objects.count() == 1
    pair.hypothesis = "Tom sneezed that Ann left."
    pair.save()
    label("default")
    assert pair.calculus_labels.get(is_current=True).label == "entailment"
    assert not NotRead.objects.exists()


def test_pairs_are_found_and_counted_by_the_confidence_of_their_current_label(make, dataset):
    sure, unsure, old, _bare = (make() for _n in range(4))
    make.label(sure, "e", confidence=0.9, assumed=False)
    make.label(unsure, "e", confidence=0.4, assumed=True)
    make.label(old, "e", confidence=0.85)
    make.label(unsure, "e", confidence=1.0, convention="default", is_current=False)
    pairs = dataset.pairs.all()
    assert set(of_sureness(pairs, least=0.85)) == {sure, old}
    assert set(of_sureness(pairs, least=0.5, below=0.9)) == {old}
    assert set(of_sureness(pairs, assumed="yes")) == {unsure}
    assert set(of_sureness(pairs, least=0.5, assumed="no")) == {sure}
    assert set(of_sureness(pairs, assumed="not-known")) == {old}
    assert of_sureness(pairs).count() == 4
    found = sureness(pairs)
    assert (found.labelled, found.assumed, found.assumed_not_known) == (3, 1, 1)
    assert found.reaching == [(0.5, 2), (0.8, 2), (0.9, 1), (0.95, 0)]
    assert CalculusLabel.objects.filter(pair=unsure).count() == 2


def test_nothing_is_sure_of_no_pairs(dataset):
    assert sureness(dataset.pairs.all()).reaching == [(0.5, 0), (0.8, 0), (0.9, 0), (0.95, 0)]


@pytest.mark.parametrize("least", [0.9, 0.99])
def test_a_page_of_sure_pairs_is_found_by_the_index_and_reads_few_rows(least, dataset, on_postgresql):
    """Of 20,000 pairs with two labels each, every tenth or hundredth is sure enough."""
    if not on_postgresql:
        pytest.skip("PostgreSQL's planner")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "INSERT INTO datasets_pair (dataset_id, hypothesis, digest, origin, direction, genre, source,"
            " facts, created_at) SELECT %s, 'No dog ' || k || ' ran.', 'digest ' || k, 'import', 'downward',"
            " '', '', '{}', now() FROM generate_series(1, 20000) k",
            [dataset.pk],
        )
        for convention in ("med", "default"):
            cursor.execute(
                "INSERT INTO datasets_calculuslabel (pair_id, engine, engine_version, convention, parser,"
                " label, direction, reason, confidence, assumed, detail, is_current, created_at) SELECT id,"
                " 'natlog', '1', %s, 'p', 'entailment', 'downward', '', (id %% 100) / 100.0, FALSE, '{}',"
                " %s, now() FROM datasets_pair WHERE dataset_id = %s",
                [convention, convention == "med", dataset.pk],
            )
        cursor.execute("ANALYZE")
    with rows_visited() as found:
        page = list(of_sureness(dataset.pairs.all(), least=least).order_by("pk")[:50])
    assert len(page) == 50
    (rows, sql) = found[0]
    assert rows <= 50 / (1 - least) * 2.5, (rows, sql)
