"""A damaged file gives a clear message and changes nothing: 56 files of each format, made from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError

from apps.datasets.models import Dataset, Pair
from apps.imports import services
from apps.imports.formats.mapped import ColumnMapping
from apps.imports.models import PairDraft
from apps.imports.readers import Choices
from tests.imports import layouts
from tests.imports.layouts import LAYOUTS, Layout

pytestmark = pytest.mark.django_db

SEEDS = range(7)


@pytest.fixture
def refused(study, ada) -> Callable[[bytes, str, str], str]:
    """Bring a file in as far as it goes; returns the message, having seen that nothing was stored."""

    def run(data: bytes, name: str, format: str) -> str:
        mapping = ColumnMapping.of(layouts.MAPPING) if format == "mapped" else None
        choices = Choices(format="mapped" if mapping else "", mapping=mapping)
        draft = services.draft_create(
            study=study, actor=ada, file_name=name, chunks=[data], name="In", choices=choices
        )
        draft = services.draft_preview(draft=draft, actor=ada, here=True)
        with pytest.raises(ValidationError):
            services.draft_commit(draft=draft, actor=ada)
        draft.refresh_from_db()
        assert not Dataset.objects.exists() and not Pair.objects.exists() and draft.started_at is None
        if "problem" in draft.preview:
            return draft.preview["problem"]
        error = draft.preview["errors"][0]
        assert error["line"] > 0
        return error["message"]

    return run


def is_clear(message: str) -> bool:
    """A sentence for people: no traceback, no object's address, no page of text."""
    return 10 <= len(message) <= 700 and not any(
        part in message for part in ("Traceback", " object at 0x", "\n")
    )


# ---- Tables and JSON lines -----------------------------------------------------------------------


def truncated(layout: Layout, lines: list[str], chance: random.Random) -> bytes:
    """Cut in the middle of a row, before its last column."""
    row = chance.randrange(1, len(lines))
    line = lines[row]
    last = len(line) - 1 if layout.is_json else line.rindex(layout.separator)
    return "\n".join([*lines[:row], line[: chance.randrange(1, last)]]).encode()


def in_another_encoding(layout: Layout, lines: list[str], chance: random.Random) -> bytes:
    return "\n".join(lines).encode(chance.choice(["utf-16", "cp1252", "latin-1", "mac_roman", "cp1250"]))


def with_another_separator(layout: Layout, lines: list[str], chance: random.Random) -> bytes:
    row = chance.randrange(1, len(lines))
    if layout.is_json:
        lines[row] = lines[row].replace('": ', chance.choice(['"= ', '"; ', '"\t']))
    else:
        other = chance.choice([mark for mark in ";|:" if mark != layout.separator])
        lines[row:] = [line.replace(layout.separator, other) for line in lines[row:]]
    return "\n".join(lines).encode()


def with_swapped_columns(layout: Layout, lines: list[str], chance: random.Random) -> bytes:
    """The names of hypothesis and label change places."""
    names = {layout.label: layout.hypothesis, layout.hypothesis: layout.label}
    if not layout.is_json:
        lines[0] = layout.separator.join(names.get(name, name) for name in layout.columns)
        return "\n".join(lines[: chance.randrange(3, len(lines))]).encode()
    for row in range(len(lines)):
        lines[row] = (
            lines[row]
            .replace(f'"{layout.label}"', '"?"')
            .replace(f'"{layout.hypothesis}"', f'"{layout.label}"')
        )
        lines[row] = lines[row].replace('"?"', f'"{layout.hypothesis}"')
    return "\n".join(lines[: chance.randrange(3, len(lines))]).encode()


def with_a_huge_cell(layout: Layout, lines: list[str], chance: random.Random) -> bytes:
    row, length = chance.randrange(1, len(lines)), chance.choice([25_000, 200_000, 2_000_000])
    lines[row] = lines[row].replace("small café", "small " + "very " * (length // 5) + "café", 1)
    return "\n".join(lines).encode()


def with_broken_quotes(layout: Layout, lines: list[str], chance: random.Random) -> bytes:
    """A quotation mark that is never closed: before a sentence that goes on in the next line."""
    row = chance.randrange(1, len(lines))
    if layout.is_json:
        mark = chance.choice([place for place, letter in enumerate(lines[row]) if letter == '"'])
        lines[row] = lines[row][:mark] + lines[row][mark + 1 :]
    else:
        lines[row] = lines[row].replace("No small café", '"No small\ncafé', 1)
    return "\n".join(lines).encode()


def with_bad_utf8(layout: Layout, lines: list[str], chance: random.Random) -> bytes:
    data = "\n".join(lines).encode()
    place = chance.randrange(data.index(b"\n") if not layout.is_json else 1, len(data))
    bad = chance.choice([b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"])
    return data[:place] + bad + data[place:]


def with_newlines_in_cells(layout: Layout, lines: list[str], chance: random.Random) -> bytes:
    """Rows end in all three ways, and one of the ends stands in the middle of a sentence."""
    row = chance.randrange(1, len(lines))
    lines[row] = lines[row].replace("small café", "small" + chance.choice(["\r", "\n", "\r\n"]) + "café", 1)
    return "".join(line + chance.choice(["\n", "\r\n", "\r"]) for line in lines).encode()


DAMAGES = (
    truncated,
    in_another_encoding,
    with_another_separator,
    with_swapped_columns,
    with_a_huge_cell,
    with_broken_quotes,
    with_bad_utf8,
    with_newlines_in_cells,
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("format", LAYOUTS)
def test_a_damaged_table_is_refused_whole(refused, format, damage):
    layout = LAYOUTS[format]
    for seed in SEEDS:
        data = damage(layout, layout.lines(), random.Random(f"{format}{seed}"))
        message = refused(data, layout.file_name, format)
        assert is_clear(message), f"seed {seed}: {message[:300]!r}"


@pytest.mark.parametrize("format", LAYOUTS)
def test_the_file_before_its_damage_comes_in(study, ada, format):
    """Or else the damages above would prove nothing."""
    layout = LAYOUTS[format]
    mapping = ColumnMapping.of(layouts.MAPPING) if format == "mapped" else None
    draft = services.draft_create(
        study=study,
        actor=ada,
        file_name=layout.file_name,
        chunks=["\r\n".join(layout.lines()).encode()],
        choices=Choices(mapping=mapping),
    )
    assert services.draft_preview(draft=draft, actor=ada).preview["new"] == layouts.ROWS


# ---- FraCaS ---------------------------------------------------------------------------------------

XML_DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "truncated": lambda data, chance: data[: chance.randrange(60, len(data) - 1)],
    "in another encoding": lambda data, chance: data.decode().encode(chance.choice(["cp1252", "mac_roman"])),
    "without brackets": lambda data, chance: data.replace(b"<p ", chance.choice([b"[p ", b"{p ", b"&lt;p "])),
    "with swapped attributes": lambda data, chance: (
        data.replace(b"fracas_answer=", b"@=", chance.randrange(1, 30))
        .replace(b" id=", b" fracas_answer=")
        .replace(b"@=", b"id=")
    ),
    "with a huge element": lambda data, chance: data.replace(
        b"It is early.", b"It is early. " * chance.choice([3_000, 20_000, 200_000]), 1
    ),
    "with broken quotes": lambda data, chance: data.replace(
        b'idx="1"', chance.choice([b'idx="1', b"idx=1", b'idx=1"'])
    ),
    "with bad UTF-8": lambda data, chance: data.replace(
        b"It is early.", b"It is " + chance.choice([b"\xff", b"\xc3("])
    ),
    "with control characters": lambda data, chance: data.replace(
        b"early", b"ear" + chance.choice([b"\0", b"\x0b", b"\x1b"])
    ),
}


@pytest.mark.parametrize("damage", XML_DAMAGES)
def test_damaged_xml_is_refused_whole(refused, damage):
    for seed in SEEDS:
        data = "\n".join(layouts.fracas()).encode()
        message = refused(XML_DAMAGES[damage](data, random.Random(seed)), "fracas.xml", "fracas")
        assert is_clear(message), f"seed {seed}: {message[:300]!r}"


# ---- Parquet --------------------------------------------------------------------------------------


def _rows() -> list[dict]:
    return [LAYOUTS["polarlab"].cells(n) for n in range(1, layouts.ROWS + 1)]


def _changed(column: str, value: object) -> bytes:
    return layouts.parquet([{**row, column: value} for row in _rows()])


PARQUET_DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "truncated": lambda data, chance: data[: chance.randrange(4, len(data))],
    "with a broken footer": lambda data, chance: data[:-60] + chance.randbytes(52) + data[-8:],
    "with a wrong footer length": lambda data, chance: data[:-8] + chance.randbytes(4) + b"PAR1",
    "with numbers for text": lambda data, chance: _changed("premises", chance.random()),
    "with bytes for text": lambda data, chance: _changed("hypothesis", b"\xff\xfe" + chance.randbytes(3)),
    "with swapped columns": lambda data, chance: _changed("gold_label", f"No café {chance.random()}."),
    "with a huge cell": lambda data, chance: _changed("hypothesis", "very " * chance.choice([5_000, 50_000])),
    "with an empty cell": lambda data, chance: _changed("hypothesis", chance.choice([None, "", "  "])),
}


@pytest.mark.parametrize("damage", PARQUET_DAMAGES)
def test_damaged_parquet_is_refused_whole(refused, damage):
    whole = layouts.parquet(_rows())
    for seed in SEEDS:
        message = refused(PARQUET_DAMAGES[damage](whole, random.Random(seed)), "pairs.parquet", "polarlab")
        assert is_clear(message), f"seed {seed}: {message[:300]!r}"


def test_nothing_is_left_of_a_file_that_was_refused(refused, study):
    refused(b"\xff\xff\xff", "pairs.tsv", "med")
    services.draft_discard(draft=PairDraft.objects.get(), actor=None)
    assert not PairDraft.objects.exists()
