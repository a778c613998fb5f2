"""A blank whose text is not at its place is seen."""

import pytest

from apps.corpora import invariants
from apps.corpora.models import Blank
from tests.campaigns.conftest import blank_set  # noqa: F401 (a fixture)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_a_blank_beside_its_text(blank_set):  # noqa: F811
    assert list(invariants.blanks(None)) == []
    blank = Blank.objects.first()
    Blank.objects.filter(pk=blank.pk).update(start=blank.start + 1, end=blank.end + 1)
    (fault,) = invariants.blanks(None)
    assert f"blank {blank.pk} has another text than sentence {blank.sentence_id}" in str(fault)


def test_offsets_are_code_points(blank_set):  # noqa: F811
    blank = Blank.objects.select_related("sentence").first()
    text = "\U0001f415 " + blank.sentence.text
    type(blank.sentence).objects.filter(pk=blank.sentence_id).update(text=text)
    assert len(list(invariants.blanks(None))) == 1
    Blank.objects.filter(pk=blank.pk).update(start=blank.start + 2, end=blank.end + 2)
    assert list(invariants.blanks(None)) == []
