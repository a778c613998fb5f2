"""Archives and workbooks of sentences: the only file in them is brought in; what can't be says so."""

from __future__ import annotations

import gzip

import pytest
from django.core.exceptions import ValidationError

from apps.corpora import draft_services
from apps.corpora.formats.readings import Format
from apps.corpora.formats.tables import Layout
from apps.corpora.models import CorpusDraft
from tests.corpora.test_workbooks import workbook, zipped

pytestmark = pytest.mark.django_db

TEXT = b"Dogs run.\nCats sleep.\n"
TABLE = b"id,text\n1,Dogs run.\n2,Cats sleep.\n"
BOOK = workbook(Dogs=[["id", "text"], [1, "Dogs run."], [2, "Cats sleep."]], Notes=[])


def sentences(draft: CorpusDraft, ada, column: int | None = None) -> list[str]:
    if column is not None:
        draft = draft_services.draft_choose_column(draft=draft, actor=ada, layout=Layout(column))
    done = draft_services.draft_commit(draft=draft, actor=ada)
    return [sentence.text for sentence in done.corpus.sentences.order_by("position")]


@pytest.mark.parametrize(
    ("data", "name", "format"),
    [
        (gzip.compress(TEXT, mtime=0), "dogs.txt.gz", Format.LINES),
        (zipped({"dogs.txt": TEXT, "._dogs.txt": b"?"}), "dogs.zip", Format.LINES),
        (zipped({"dogs.csv": TABLE}), "dogs.zip", Format.CSV),
        (gzip.compress(TABLE, mtime=0), "dogs.csv.gz", Format.CSV),
        (
            workbook(Dogs=[["id", "text"], [1, "Dogs run."], [2, "Cats sleep."]], Notes=[]),
            "dogs.xlsx",
            Format.CSV,
        ),
    ],
)
def test_the_only_file_in_it_is_read(bring_in, ada, data, name, format):
    draft = bring_in(data, name)
    assert draft.options["format"] == format
    assert sentences(draft, ada, 1 if format == Format.CSV else None) == ["Dogs run.", "Cats sleep."]


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (gzip.compress(TEXT, mtime=0)[:-9], "dogs.txt.gz", "The archive is damaged"),
        (zipped({"dogs.txt": TEXT})[:-30], "dogs.zip", "The archive can't be read"),
        (zipped({}), "dogs.zip", "The archive is empty"),
        (zipped({"a.txt": TEXT, "b.txt": TEXT}), "dogs.zip", r"several files \(a.txt, b.txt\): unpack it"),
        (workbook(A=[["x"]], B=[["y"]]), "dogs.xlsx", r"several sheets \(A, B\): save the one you want"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 99, "dogs.xls", r"old form \(.xls\)"),
        (gzip.compress(b"x" * (21 * 2**20), mtime=0), "dogs.txt.gz", "200 times its size"),
    ],
)
def test_what_can_t_be_unpacked_says_so_and_leaves_nothing(bring_in, data, name, message):
    with pytest.raises(ValidationError, match=message):
        bring_in(data, name)
    assert not CorpusDraft.objects.exists()
