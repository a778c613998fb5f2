"""What can be wrong with pairs is seen."""

import pytest

from apps.datasets import invariants
from apps.datasets.models import Pair, Premise
from apps.datasets.services import dataset_create, pair_get_or_create

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def lines(check) -> list[str]:
    return [str(fault) for fault in check(None)]


@pytest.fixture
def pair(study, ada) -> Pair:
    dataset = dataset_create(study=study, actor=ada, name="Farm pairs")
    premises = [("No dogs bark.", None), ("Rex is a dog.", None)]
    return pair_get_or_create(dataset=dataset, premises=premises, hypothesis="Rex is quiet.", origin="import")


def test_premises_that_are_missing_or_out_of_order(pair):
    Premise.objects.filter(pair=pair, position=1).update(position=2)
    (line,) = lines(invariants.premises)
    assert f"pair {pair.pk} (dataset {pair.dataset_id}) has 2 premises, not numbered 0 to 1" in line
    Premise.objects.all().delete()
    assert len(lines(invariants.premises)) == 1


def test_a_twin_without_an_original_or_elsewhere(pair, study, ada):
    other = dataset_create(study=study, actor=ada, name="Elsewhere")
    twin = Pair.objects.create(dataset=other, hypothesis="Twin", digest="1", origin="swap", swapped_from=pair)
    assert f"pair {twin.pk} is the twin of {pair.pk} in another dataset" in lines(invariants.twins)[0]
    Pair.objects.filter(pk=twin.pk).update(swapped_from=None)
    assert f"pair {twin.pk} is a twin without an original" in lines(invariants.twins)[0]
