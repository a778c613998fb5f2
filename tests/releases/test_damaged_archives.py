"""An archive that is missing or cut on disk is said to be, is never served, and is made again."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.campaigns.models import Judgement
from apps.releases import invariants, services, storage
from apps.releases.models import ArchiveBlock, Release
from apps.studies.models import AuditEvent

pytestmark = pytest.mark.django_db


@pytest.fixture
def frozen(make, release, monkeypatch) -> Release:
    """A release of several blocks."""
    monkeypatch.setattr(services, "BLOCK", 1000)
    make("eee", calculus="e")
    made, _files = release()
    assert made.size and made.blocks.count() == -(-made.size // 1000) > 3
    return made


def remove(path: Path) -> None:
    path.unlink()


def lose_the_folder(path: Path) -> None:
    path.unlink()
    path.parent.rmdir()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def change_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)


DAMAGES = [
    (remove, "not on disk any more"),
    (lose_the_folder, "not on disk any more"),
    (cut, "not whole"),
    (change_a_byte, "not the one that was frozen"),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
def test_its_download_says_so_and_it_is_made_again_with_the_same_bytes(
    frozen, client_of, ada, caplog, damage, words
):
    client, slug = client_of(ada), frozen.dataset.study.slug
    download = reverse("releases:download", args=[slug, frozen.pk, frozen.file_name])
    before = storage.final_path(frozen).read_bytes()
    damage(storage.final_path(frozen))
    answer = client.get(download)
    assert answer.status_code == 503
    assert words in answer.content.decode()
    assert [record.levelname for record in caplog.records if record.name == storage.__name__] == ["ERROR"]
    # Whatever became of the dataset meanwhile.
    Judgement.objects.update(answer="unnatural")
    client.post(reverse("releases:restore", args=[slug, frozen.pk]))
    assert b"".join(client.get(download).streaming_content) == before
    assert AuditEvent.objects.filter(action="release.restored").count() == 1


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
def test_the_api_says_so_and_makes_it_again(frozen, client_of, ada, damage, words):
    client, address = client_of(ada), f"/api/v1/releases/{frozen.pk}/"
    damage(storage.final_path(frozen))
    answer = client.get(f"{address}download/")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert words in answer.json()["detail"]
    assert client.post(f"{address}restore/").status_code == 200
    assert client.get(f"{address}download/").status_code == 200


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
def test_the_doctor_sees_it_and_so_does_a_quick_look_where_the_size_tells(frozen, damage, words):
    assert not list(storage.archives_damaged())
    assert not list(invariants.releases(None))
    damage(storage.final_path(frozen))
    (line,) = map(str, invariants.releases(None))
    assert f"release {frozen.pk}" in line and "Make the archive again" in line
    quick = [found.damage for found in storage.archives_damaged()]
    assert quick == ([] if damage is change_a_byte else ["cut" if damage is cut else "missing"])


def test_a_monitor_is_told(frozen, client):
    address = reverse("work_health")
    before = client.get(address).json()["complaints"]
    assert not any("archive" in line for line in before)
    cut(storage.final_path(frozen))
    answer = client.get(address)
    assert answer.status_code == 503
    (line,) = set(answer.json()["complaints"]) - set(before)
    assert line.startswith("1 archive(s) of releases missing or cut on disk")


def test_the_releases_page_offers_to_make_a_lost_archive_again(frozen, client_of, ada):
    page = reverse("releases:release", args=[frozen.dataset.study.slug, frozen.pk])
    client = client_of(ada)
    assert "Make the archive again" not in client.get(page).content.decode()
    remove(storage.final_path(frozen))
    shown = client.get(page).content.decode()
    assert "Make the archive again" in shown and "Download" not in shown


def test_a_copy_that_is_not_whole_is_not_put_in_place(frozen, ada):
    ArchiveBlock.objects.filter(release=frozen, position=1).delete()
    (line,) = map(str, invariants.releases(None))
    assert f"{frozen.size - 1000} of {frozen.size} bytes of its archive in the database" in line
    remove(storage.final_path(frozen))
    with pytest.raises(ValidationError, match="no whole copy"):
        services.archive_restore(release=frozen, actor=ada)
    assert not list(storage.final_path(frozen).parent.iterdir())


def test_a_release_from_before_copies_were_kept_says_where_help_is(frozen, client_of, ada):
    Release.objects.update(size=None)
    ArchiveBlock.objects.all().delete()
    assert not list(invariants.releases(None))
    cut(storage.final_path(frozen))
    download = reverse("releases:download", args=[frozen.dataset.study.slug, frozen.pk, frozen.file_name])
    answer = client_of(ada).get(download)
    assert answer.status_code == 503
    assert "from a backup" in answer.content.decode()


def test_only_a_researcher_of_the_study_makes_it_again(frozen, client_of, olaf, ben):
    address = reverse("releases:restore", args=[frozen.dataset.study.slug, frozen.pk])
    remove(storage.final_path(frozen))
    assert client_of(olaf).post(address).status_code == 404
    assert client_of(ben).post(address).status_code in (403, 404)
    assert not storage.final_path(frozen).exists()
