"""Archives, encodings and lines are read within bounds, in constant memory."""

from __future__ import annotations

import gzip
import io
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from apps.corpora import sources
from apps.corpora.sources import LONGEST_LINE, FileProblem, NeedsEncoding, NeedsMember, lines_of, opened

MEBIBYTE = 2**20


@pytest.fixture
def lines(saved) -> Callable[..., list[tuple[int, str]]]:
    def read(content: bytes | Path, name: str = "x.tsv", **choices) -> list[tuple[int, str]]:
        path = content if isinstance(content, Path) else saved(content, name)
        with opened(path, path.name, **choices) as source:
            return list(lines_of(source))

    return read


def zipped(files: dict[str, bytes], **options) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=zipfile.ZIP_DEFLATED)
    return file.getvalue()


# Without the time of packing, which would give the cases other names in each process that runs them.
gzipped = partial(gzip.compress, mtime=0)


@pytest.mark.parametrize(
    "data",
    [
        b"one\ntwo",
        b"\xef\xbb\xbfone\r\ntwo",
        gzipped(b"one\rtwo"),
        zipped({"x.tsv": b"one\ntwo"}),
        zipped({"x.tsv": b"one\ntwo", "__MACOSX/._x.tsv": b"?", "folder/": b"", "README": b"?"}),
        zipped({"a/x.tsv": b"one\ntwo", "a/._x.tsv": b"?", "a/.DS_Store": b"?"}),
    ],
)
def test_plain_and_packed_files_have_the_same_lines(lines, data):
    assert [(number, line.strip()) for number, line in lines(data)] == [(1, "one"), (2, "two")]


@pytest.mark.parametrize("encoding", ["utf_16", "cp1252", "shift_jis", "gb18030"])
def test_another_encoding_is_asked_about_and_then_read(lines, encoding):
    text = {"cp1252": "Café à la crème, déjà vu.\n"}.get(encoding, "「犬」が 走る。\n" * 20)
    with pytest.raises(NeedsEncoding) as asked:
        lines(text.encode(encoding))
    assert asked.value.line == 1
    assert "".join(line for _n, line in lines(text.encode(encoding), encoding=encoding)) == text


def test_a_wrong_encoding_is_named(lines):
    with pytest.raises(FileProblem, match="not Shift-JIS"):
        lines(b"caf\xff\xff", encoding="shift_jis")


def test_an_archive_of_several_files_asks_for_one(lines):
    data = zipped({"dev.tsv": b"dev", "test.tsv": b"test", "LICENSE": b"-"})
    with pytest.raises(NeedsMember) as asked:
        lines(data)
    assert asked.value.members == ["dev.tsv", "test.tsv"]
    assert lines(data, member="test.tsv") == [(1, "test")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (gzipped(b"one\ntwo" * 100)[:-9], "the archive is damaged"),
        (gzipped(b"one")[:-8] + b"12345678", "the archive is damaged"),
        (zipped({"x.tsv": b"one\n" * 500})[:-30], "the archive can't be read"),
        (zipped({}), "the archive is empty"),
        (zipped({"x.gz": gzipped(b"one")}), "an archive within an archive"),
        (gzipped(gzipped(b"one")), "an archive within an archive"),
        (zipped({f"{n}.tsv": b"" for n in range(1001)}), "too many members"),
        (b"one\nt\0o\n", "line 2: the line holds a NUL"),
    ],
)
def test_what_can_t_be_unpacked_is_said(lines, data, message):
    with pytest.raises(FileProblem) as refusal:
        lines(data)
    assert message in str(refusal.value)


def bomb(path: Path, mebibytes: int) -> Path:
    """A gzip file of short lines that unpacks to so much: a thousandth of its size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b"a\tb\n" * (MEBIBYTE // 4)
    with path.open("wb") as file:
        for _ in range(mebibytes):
            file.write(packer.compress(block))
        file.write(packer.flush())
    return path


def test_an_archive_bomb_is_refused_in_constant_memory(tmp_path):
    path = bomb(tmp_path / "bomb.gz", 64)
    tracemalloc.start()
    try:
        with pytest.raises(FileProblem, match="more than 200 times its size"), opened(path, "bomb") as source:
            for _line in lines_of(source):
                pass
        assert tracemalloc.get_traced_memory()[1] < 8 * MEBIBYTE
    finally:
        tracemalloc.stop()


def test_a_zip_that_lies_about_its_size_is_refused(lines, tmp_path):
    data = bytearray(zipped({"x.tsv": b"a\tb\n" * (4 * MEBIBYTE)}))
    listing = data.index(b"PK\x01\x02")
    data[listing + 24 : listing + 28] = struct.pack("<I", 10)
    with pytest.raises(FileProblem):
        lines(bytes(data))


def test_a_file_past_the_limit_is_refused(lines, monkeypatch):
    monkeypatch.setattr(sources, "MAXIMUM_BYTES", 1000)
    with pytest.raises(FileProblem, match="holds more than"):
        lines(b"a line\n" * 2000)


def test_a_line_of_two_gigabytes_is_refused_in_constant_memory(lines, tmp_path):
    """The file is sparse: it takes no room on the disk. Its letters are NULs, but its length is met first."""
    path = tmp_path / "line.tsv"
    with path.open("wb") as file:
        file.write(b"sentence1\tsentence2\n")
        file.truncate(2 * 1024 * MEBIBYTE)
    tracemalloc.start()
    try:
        with pytest.raises(FileProblem, match=r"line 2: the line has more than 1024 kB"):
            lines(path)
        assert tracemalloc.get_traced_memory()[1] < 8 * MEBIBYTE
    finally:
        tracemalloc.stop()


def test_the_longest_line_is_taken(lines):
    assert len(lines(b"x" * LONGEST_LINE)[0][1]) == LONGEST_LINE


def test_carriage_returns_alone_end_lines_in_a_file_of_any_size(lines):
    count = 3 * LONGEST_LINE // 8
    found = lines(b"one two\r" * count)
    assert (len(found), found[-1]) == (count, (count, "one two\r"))


def test_a_line_s_end_on_the_border_of_what_is_read_at_once_is_one(lines, monkeypatch):
    for block in range(1, 9):
        monkeypatch.setattr(sources, "BLOCK", block)
        assert lines(b"a\r\nbc\rd\n\ne") == [(1, "a\r\n"), (2, "bc\r"), (3, "d\n"), (4, "\n"), (5, "e")]


def test_other_separators_of_lines_are_letters(lines):
    text = "one\u2028two\x85three\x0bfour\n"
    assert lines(text.encode()) == [(1, text)]


def test_what_comes_before_a_fault_is_read_first(saved):
    path = saved(b"one\ntwo\nthr\0ee\n", "x")
    with opened(path, "x") as source:
        numbered = lines_of(source)
        assert [next(numbered), next(numbered)] == [(1, "one\n"), (2, "two\n")]
        with pytest.raises(FileProblem, match="line 3"):
            next(numbered)


@pytest.mark.parametrize("encoding", ["utf_16", "utf_16_le", "utf_16_be"])
def test_utf_16_with_and_without_its_mark_is_asked_about_and_read(lines, encoding):
    text = "Every dog 👩‍👩‍👧‍👦 barks.\r\nNo dog barks.\r\n" * 3
    with pytest.raises(NeedsEncoding, match="it looks like UTF-16") as asked:
        lines(text.encode(encoding))
    assert asked.value.guess == encoding
    assert "".join(line for _number, line in lines(text.encode(encoding), encoding=encoding)) == text
