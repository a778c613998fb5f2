"""An archive whose members are packed some at once is the one of members packed one after the other."""

from __future__ import annotations

import random
import zipfile

import pytest

from apps.releases import archive, files
from apps.releases.archive import Member


@pytest.fixture
def members(tmp_path) -> list[Member]:
    drawn = random.Random(1)
    found = [Member("a/é.md", ("text\n" * 50,)), Member("a/empty.tsv", ()), Member("card.md", ("",))]
    for size in (10, 3000, 90_000, 2_500_000):
        path = tmp_path / f"{size}.part"
        path.write_bytes(bytes(drawn.choices(b"abcdefgh\n", k=size)))
        found.append(Member(f"data/{size}.csv", ("id,text\r\n", path, path)))
        found.append(Member(f"data/{size}.parquet", (path,)))
    return found


# With the smaller limit most members are as those of more than 2 GB are.
@pytest.mark.parametrize("limit", [zipfile.ZIP64_LIMIT, 5000, 100_000])
def test_the_same_bytes(members, tmp_path, monkeypatch, limit):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", limit)
    found, beats = {"folder": "f"}, []
    archive._zip(tmp_path / "some at once.zip", members, found, lambda: beats.append(1))
    told = {"folder": "f", "files": []}
    with zipfile.ZipFile(tmp_path / "one by one.zip", "w") as packed:
        for member in members:
            sha256 = archive._pack_member(packed, "f", member)
            told["files"].append({"name": member.name, "bytes": member.size, "sha256": sha256})
        archive._pack_member(packed, "f", Member(archive.MANIFEST, (files.json_text(told),)))
    assert found == told
    assert beats
    written = (tmp_path / "some at once.zip").read_bytes()
    assert written == (tmp_path / "one by one.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "some at once.zip") as packed:
        assert packed.testzip() is None
        assert [entry.filename for entry in packed.filelist][:-1] == [f"f/{one.name}" for one in members]


def test_a_member_that_cannot_be_read_is_an_error(members, tmp_path):
    members.append(Member("gone.csv", (tmp_path / "gone",)))
    with pytest.raises(FileNotFoundError):
        archive._zip(tmp_path / "archive.zip", members, {"folder": "f"}, lambda: None)
