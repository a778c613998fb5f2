"""Changes of rows are counted, whichever way rows are written."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from apps.campaigns.models import Judgement
from apps.datasets.models import Dataset, Pair, Tag
from apps.studies.models import AuditEvent, Study
from apps.tallies import changes
from apps.tallies.models import Change

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def rows_changed(study, *models) -> int:
    return changes.stamp(study, models).rows


def test_every_row_that_is_written_changed_or_deleted_counts(study, make):
    pair = make("een")
    before = rows_changed(study, Judgement)
    assert before >= 3
    Judgement.objects.filter(item__pair=pair).update(seconds=4)
    assert rows_changed(study, Judgement) == before + 3
    Judgement.objects.filter(item__pair=pair, answer="non-entailment").delete()
    assert rows_changed(study, Judgement) == before + 4


def test_rows_that_come_in_bulk_and_by_hand_count(study, make):
    pair = make("e")
    Tag.objects.bulk_create(Tag(pair=pair, name=name, source="file") for name in ("one", "two", "three"))
    assert rows_changed(study, Tag) == 3
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM datasets_tag")
    assert rows_changed(study, Tag) == 6


def test_nothing_changes_in_another_study(study, make, olaf):
    other = Study.objects.get(slug="another-study")
    before = changes.stamp(other, [Judgement, Pair, Tag])
    make("een")
    assert changes.stamp(other, [Judgement, Pair, Tag]) == before


def test_a_statement_that_writes_in_two_studies_counts_in_both(study, dataset, olaf):
    other = Study.objects.get(slug="another-study")
    Dataset.objects.create(study=other, name="Theirs")
    before = rows_changed(study, Dataset), rows_changed(other, Dataset)
    Dataset.objects.update(simulated=False)
    assert rows_changed(study, Dataset) > before[0] and rows_changed(other, Dataset) == before[1] + 1


def test_what_comes_out_of_another_study_with_its_dataset_counts(study, make, dataset, olaf):
    make("een")
    other = Study.objects.get(slug="another-study")
    before = changes.stamp(study, [Judgement, Pair])
    Dataset.objects.filter(pk=dataset.pk).update(study=other)
    assert changes.stamp(other, [Judgement, Pair]).rows == before.rows


def test_what_is_rolled_back_does_not_count(study, make):
    pair = make("e")
    before = changes.stamp(study, [Tag])
    with pytest.raises(RuntimeError), transaction.atomic():
        Tag.objects.create(pair=pair, name="one", source="file")
        raise RuntimeError
    assert changes.stamp(study, [Tag]) == before


def test_folding_leaves_the_sums(study, make):
    make("een"), make("nnn")
    Change.objects.create(study=study, topic="datasets.tag", number=4)
    Change.objects.create(study=study, topic="datasets.tag", number=5)
    models = [Judgement, Pair, Tag]
    before = changes.stamp(study, models)
    assert changes.changes_fold() > 0
    assert changes.stamp(study, models) == before
    assert Change.objects.filter(study=study, topic="datasets.tag").count() == 1
    assert changes.changes_fold() == 0


def test_what_is_left_of_a_study_that_is_gone_is_forgotten():
    Change.objects.create(study_id=987_654, topic="datasets.tag", number=4)
    changes.changes_fold()
    assert not Change.objects.filter(study_id=987_654).exists()


def test_a_table_that_nobody_watches_has_no_stamp(study):
    with pytest.raises(LookupError, match=r"studies\.auditevent"):
        changes.stamp(study, [AuditEvent])


def test_triggers_come_back_and_whatever_was_written_meanwhile_moves_the_stamp(study, make):
    pair = make("e")
    Tag.objects.create(pair=pair, name="one", source="file")
    before = changes.stamp(study, [Tag])
    changes.triggers_lift()
    Tag.objects.create(pair=pair, name="two", source="file")
    assert changes.stamp(study, [Tag]) == before  # the control: nothing counts
    changes.triggers_lay()
    assert changes.stamp(study, [Tag]) != before
    Tag.objects.create(pair=pair, name="three", source="file")
    assert rows_changed(study, Tag) == before.rows + 2


def test_rows_from_before_the_triggers_are_counted(study, make):
    changes.triggers_lift()
    pair = make("e")
    Tag.objects.bulk_create(Tag(pair=pair, name=f"tag {n}", source="file") for n in range(7))
    Change.objects.all().delete()
    changes.triggers_lay()
    assert rows_changed(study, Tag) == 7


def test_a_migrate_without_migrations_leaves_the_triggers(study, django_assert_num_queries):
    with django_assert_num_queries(1):
        changes.triggers_lay()
    call_command("migrate", verbosity=0)
    with django_assert_num_queries(1):
        changes.triggers_lay()
