"""What can be wrong with the files of releases is seen."""

import pytest

from apps.datasets.models import Pair
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.releases import invariants
from apps.releases.gold_rules import Options
from apps.releases.models import Release
from apps.releases.services import release_create
from apps.releases.storage import final_path
from apps.studies.soundness import faults

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def lines(check) -> list[str]:
    return [str(fault) for fault in check(None)]


@pytest.fixture
def pair(study, ada) -> Pair:
    dataset = dataset_create(study=study, actor=ada, name="Farm pairs")
    premises = [("No dogs bark.", None), ("Rex is a dog.", None)]
    return pair_get_or_create(dataset=dataset, premises=premises, hypothesis="Rex is quiet.", origin="import")


@pytest.fixture
def frozen(pair, ada, work) -> Release:
    release = release_create(dataset=pair.dataset, actor=ada, options=Options(keep_unlabelled=True))
    work()
    release.refresh_from_db()
    assert release.frozen_at
    return release


def test_a_dataset_and_its_release_have_no_faults(frozen):
    assert [str(fault) for fault in faults()] == []


def test_a_releases_file_that_was_changed_or_is_gone(frozen):
    path = final_path(frozen)
    path.write_bytes(path.read_bytes() + b"!")
    assert f"release {frozen.pk} ({frozen.file_name}) has another file" in lines(invariants.releases)[0]
    path.unlink()
    assert "has no file at" in lines(invariants.releases)[0]
