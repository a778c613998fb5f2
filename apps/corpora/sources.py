"""Opening a file within bounds: archives are unpacked as they are read, lines are cut, bytes are decoded.

Nothing here holds more than a line (:data:`LONGEST_LINE`) and a buffer, whatever the file claims to be.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from django.utils.translation import gettext as _

from apps.corpora import encodings

# As it is uploaded, and unpacked. SNLI's training part has 487 MB in JSON lines.
MAXIMUM_UPLOAD = 256 * 1024 * 1024
MAXIMUM_BYTES = 512 * 1024 * 1024
# No pair's row is longer; a file of one endless line ends here.
LONGEST_LINE = 1024 * 1024
# Text shrinks to a fifth, tables that repeat themselves to a fortieth.
MOST_SHRUNK = 200
SHRUNK_FROM = 8 * 1024 * 1024
MOST_MEMBERS = 1000

GZIP, ZIP, ZIP_EMPTY, PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06", b"PAR1"
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BYTE_LINES = re.compile(_LINES.pattern.encode())
# Read at once, and looked at to guess an encoding.
BLOCK = 64 * 1024
SAMPLE = 16 * 1024
_DATA = (".tsv", ".csv", ".txt", ".jsonl", ".json", ".ndjson", ".xml", ".parquet")


class FileProblem(ValueError):
    """A file that can't be read on; ``line`` is where (0: the file as a whole)."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line

    def __str__(self) -> str:
        return (
            _("line %(n)d: %(message)s") % {"n": self.line, "message": self.message}
            if self.line
            else self.message
        )


class NeedsEncoding(FileProblem):
    """The bytes are not UTF-8; ``guess`` is the likeliest of the encodings that can be chosen."""

    def __init__(self, guess: str, label: str, line: int) -> None:
        super().__init__(_("not UTF-8; it looks like %(label)s") % {"label": label}, line)
        self.guess = guess


class NeedsMember(FileProblem):
    """An archive of several files, of which one is to be chosen."""

    def __init__(self, members: list[str]) -> None:
        shown = ", ".join(members[:20]) + (" …" if len(members) > 20 else "")
        super().__init__(_("the archive holds several files; choose one: %(names)s") % {"names": shown})
        self.members = members


@dataclass(frozen=True)
class Source:
    """An open file: its bytes, unpacked, and its own name within an archive."""

    stream: io.BufferedReader
    name: str

    def starts_with(self, magic: bytes) -> bool:
        return self.stream.peek(len(magic))[: len(magic)] == magic

    def first_character(self) -> str:
        """The first character that is no space, as far as a buffer shows it."""
        return self._head()[:1]

    def is_list(self) -> bool:
        """Whether it begins as a JSON list of objects does."""
        head = self._head()
        return head[:1] == "[" and head[1:].lstrip()[:1] in ("{", "]")

    def _head(self) -> str:
        head = self.stream.peek(4096)[:4096].removeprefix(codecs.BOM_UTF8)
        return head.decode("utf-8", "replace").lstrip()


class _Measured(io.RawIOBase):
    """Bytes as they come out of an archive, counted, with the archive's errors in words."""

    def __init__(self, inner: IO[bytes], packed: int | None) -> None:
        super().__init__()
        self._inner, self._packed, self._read = inner, packed, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._inner.read(len(buffer))
        except (EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile) as error:
            raise FileProblem(_("the archive is damaged: %(error)s") % {"error": error}) from None
        except (RuntimeError, NotImplementedError) as error:
            raise FileProblem(_("the archive can't be read: %(error)s") % {"error": error}) from None
        self._read += len(data)
        if self._read > MAXIMUM_BYTES:
            raise FileProblem(
                _("the file holds more than %(limit)d MB. Split it.") % {"limit": MAXIMUM_BYTES // 2**20}
            )
        if self._packed is not None and self._read > max(SHRUNK_FROM, MOST_SHRUNK * self._packed):
            raise FileProblem(
                _("the archive unpacks to more than %(n)d times its size and is refused") % {"n": MOST_SHRUNK}
            )
        buffer[: len(data)] = data
        return len(data)


class _Recoded(io.RawIOBase):
    """Bytes of another encoding as UTF-8."""

    def __init__(self, inner: IO[bytes], encoding: str) -> None:
        super().__init__()
        self._inner, self._encoding, self._waiting, self._ended = inner, encoding, b"", False
        self._decoder = codecs.getincrementaldecoder(encoding)("strict")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._waiting and not self._ended:
            data = self._inner.read(io.DEFAULT_BUFFER_SIZE)
            self._ended = not data
            try:
                self._waiting = self._decoder.decode(data, final=self._ended).encode()
            except UnicodeError as error:
                name = encodings.label(self._encoding)
                raise FileProblem(
                    _("the file is not %(name)s: %(error)s") % {"name": name, "error": error}
                ) from None
        taken = self._waiting[: len(buffer)]
        self._waiting = self._waiting[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)


@contextmanager
def opened(path: Path, name: str, *, encoding: str = "", member: str = "") -> Iterator[Source]:
    """The file at ``path``, unpacked and as UTF-8. Raises :class:`FileProblem` and its kinds."""
    with ExitStack() as stack:
        raw: IO[bytes] = stack.enter_context(path.open("rb"))
        head = raw.read(4)
        raw.seek(0)
        packed: int | None = None
        if head.startswith(GZIP):
            packed = path.stat().st_size
            raw = cast(IO[bytes], stack.enter_context(gzip.GzipFile(fileobj=raw)))
            name = name.removesuffix(".gz")
        elif head in (ZIP, ZIP_EMPTY):
            archive = stack.enter_context(_archive(raw))
            info = _member(archive, member)
            packed, name = info.compress_size, info.filename
            raw = stack.enter_context(_open_member(archive, info))
        source = Source(io.BufferedReader(_Measured(raw, packed)), name)
        if packed is not None and (source.starts_with(GZIP) or source.starts_with(ZIP)):
            raise FileProblem(_("an archive within an archive is not unpacked"))
        if encoding and encoding not in ("utf-8", *encodings.ENCODINGS):
            raise FileProblem(_("unknown encoding “%(name)s”") % {"name": encoding})
        if encoding and encoding != "utf-8":
            source = Source(io.BufferedReader(_Recoded(source.stream, encoding)), name)
        yield source


def _archive(raw: IO[bytes]) -> zipfile.ZipFile:
    """The list of a zip's members is read only where the zip says that it is short."""
    size = raw.seek(0, io.SEEK_END)
    raw.seek(max(0, size - 65_557))
    tail = raw.read()
    end = tail.rfind(ZIP_EMPTY)
    count = int.from_bytes(tail[end + 10 : end + 12], "little")
    listing = int.from_bytes(tail[end + 12 : end + 16], "little")
    if end < 0 or count > MOST_MEMBERS or listing > LONGEST_LINE:
        reason = _("its list of members is missing") if end < 0 else _("it lists too many members")
        raise FileProblem(_("the archive can't be read: %(error)s") % {"error": reason})
    raw.seek(0)
    try:
        return zipfile.ZipFile(raw)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise FileProblem(_("the archive is damaged: %(error)s") % {"error": error}) from None


def _member(archive: zipfile.ZipFile, wanted: str) -> zipfile.ZipInfo:
    files = [
        info for info in archive.infolist() if not info.is_dir() and not _is_of_the_system(info.filename)
    ]
    if wanted:
        files = [info for info in files if info.filename == wanted]
    elif len(files) > 1:
        files = [info for info in files if info.filename.lower().endswith(_DATA)] or files
    if not files:
        raise FileProblem(_("the archive holds no such file") if wanted else _("the archive is empty"))
    if len(files) > 1:
        raise NeedsMember([info.filename for info in files])
    return files[0]


def _is_of_the_system(name: str) -> bool:
    """Whether a member is what macOS and others leave beside files: ``._pairs.tsv``, ``.DS_Store``."""
    path = PurePosixPath(name)
    return path.name.startswith(".") or "__MACOSX" in path.parts


def _open_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    if info.flag_bits & 1:
        raise FileProblem(_("the archive is encrypted"))
    try:
        return archive.open(info)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise FileProblem(_("the archive can't be read: %(error)s") % {"error": error}) from None


def lines_of(source: Source) -> Iterator[tuple[int, str]]:
    """Numbered lines with their ends; LF, CRLF and CR end a line, and nothing else does.

    Raises :class:`NeedsEncoding` where the bytes are not UTF-8, :class:`FileProblem` at a line that is
    too long or holds NUL characters; the lines before it come first.
    """
    number = 0
    for block in _blocks(source.stream):
        text, problem = _text_of(block, number, source)
        for line in _LINES.findall(text):
            number += 1
            yield number, line
        if problem:
            raise problem


def text_of(source: Source) -> Iterator[str]:
    """The text in pieces, wherever they end. Raises :class:`NeedsEncoding` as :func:`lines_of` does."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    line, is_last = 1, False
    while not is_last:
        data = source.stream.read(BLOCK)
        is_last = not data
        try:
            piece = decoder.decode(data, final=is_last)
        except UnicodeDecodeError as error:
            line += data.count(b"\n", 0, error.start)
            guess = encodings.guess(data[:SAMPLE])
            raise NeedsEncoding(guess, encodings.label(guess), line) from None
        line += piece.count("\n")
        if piece:
            yield piece


def _blocks(stream: io.BufferedReader) -> Iterator[bytes]:
    """The bytes in pieces that end with a line, without a byte-order mark; a line longer than the limit is
    cut behind it."""
    rest = stream.read(BLOCK).removeprefix(codecs.BOM_UTF8)
    while data := stream.read(BLOCK):
        # A CR at the very end may be half of a CRLF.
        end = max(rest.rfind(b"\n"), rest.rfind(b"\r", 0, -1)) + 1
        if end:
            yield rest[:end]
            rest = rest[end:] + data
        elif len(rest) > LONGEST_LINE:
            break
        else:
            rest += data
    yield rest


def _text_of(block: bytes, before: int, source: Source) -> tuple[str, FileProblem | None]:
    """The text of a block that ``before`` lines precede, up to the line that can't be read, and why."""
    if len(block) > LONGEST_LINE:
        longest = next(
            (n for n, line in enumerate(_BYTE_LINES.findall(block)) if len(line) > LONGEST_LINE), -1
        )
        if longest >= 0:
            message = _("the line has more than %(limit)d kB") % {"limit": LONGEST_LINE // 1024}
            readable = b"".join(_BYTE_LINES.findall(block)[:longest])
            return readable.decode("utf-8", "replace"), FileProblem(message, before + longest + 1)
    try:
        text = block.decode()
    except UnicodeDecodeError as error:
        text = _whole_lines(block[: error.start].decode())
        odd = block[len(text.encode()) :]
        guess = encodings.guess((odd if len(odd) >= SAMPLE else odd + source.stream.peek(SAMPLE))[:SAMPLE])
        number = before + len(_LINES.findall(text)) + 1
        return text, NeedsEncoding(guess, encodings.label(guess), number)
    if "\0" not in text:
        return text, None
    if not before and encodings.is_of_two_bytes(block):
        guess = encodings.guess(block)
        return "", NeedsEncoding(guess, encodings.label(guess), 1)
    text = _whole_lines(text[: text.index("\0")])
    number = before + len(_LINES.findall(text)) + 1
    return text, FileProblem(_("the line holds a NUL character (U+0000)"), number)


def _whole_lines(text: str) -> str:
    return text[: max(text.rfind("\n"), text.rfind("\r")) + 1]


@contextmanager
def as_seekable(source: Source, path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes where a reader has to jump about, as Parquet's does: the file itself, or what is
    packed in it as a temporary copy on disk."""
    with ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(path.open("rb"))
        if file.read(len(PARQUET)) != PARQUET:
            file = stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(source.stream, file)
        file.seek(0)
        yield file
