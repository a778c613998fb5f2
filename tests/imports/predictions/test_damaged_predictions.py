"""A damaged file of predictions is refused with its row and the reason, and changes nothing."""

from __future__ import annotations

import gzip

import pytest
from django.core.exceptions import ValidationError

from apps.imports.predictions import services
from apps.inference.models import Model, Prediction, Run
from tests.imports.predictions.conftest import as_csv, as_parquet

pytestmark = pytest.mark.both

GOOD = "pair_id,label,p_entailment,p_non-entailment\n"


def rows_with(last, head=GOOD):
    """A good row, and this one."""
    return f"{head}{{0}},entailment,0.9,0.1\n{last}\n"


# What the file holds ({0}, {1}: the numbers of two pairs), the line of the problem, and what is said of it.
DAMAGED = {
    "empty": (b"", 0, "the file is empty"),
    "header alone": (GOOD, None, "predicts no pair"),
    "bad encoding": (rows_with("{1},entailment,0.9,0.1").encode() + b"\xe9t\xe9,,1,0\n", 4, "not UTF-8"),
    "a NUL": (rows_with("{1},ent\0ailment,0.9,0.1"), 3, "NUL character"),
    "wrong columns": ("number,answer\n1,entailment\n", 0, "no column says which pair"),
    "no prediction": ("pair_id,gold_label\n{0},entailment\n", 0, "no column holds a prediction"),
    "logits": ("pair_id,label,logits\n{0},entailment,3.1\n", 0, "logits, which are no probabilities"),
    "one probability": ("pair_id,label,p_entailment\n{0},entailment,0.9\n", 0, "a column for each label"),
    "two columns for one": (
        "pair_id,entailment,p_entailment,neutral\n{0},0.5,0.5,0.5\n", 0, "both hold the probability"
    ),
    "not a number": (rows_with("{1},entailment,much,0.1"), 3, "“much” is no number"),
    "NaN": (rows_with("{1},entailment,nan,0.1"), 3, "no probability"),
    "infinity": (rows_with("{1},entailment,inf,0.1"), 3, "no probability"),
    "negative": (rows_with("{1},entailment,-0.1,1.1"), 3, "-0.1 is no probability"),
    "logits as probabilities": (rows_with("{1},entailment,4.2,-3.3"), 3, "logits go through the softmax"),
    "a probability missing": (rows_with("{1},entailment,,1"), 3, "is no number"),
    "a sum of another": (rows_with("{1},entailment,0.9,0.2"), 3, "come to 1.1000, not to 1"),
    "a sum just outside": (rows_with("{1},entailment,0.9,0.1021"), 3, "come to 1.0021"),
    "doubled": (rows_with("{0},entailment,0.9,0.1"), 3, "stands in row 1 already"),
    "another study's pair": (rows_with("{2},entailment,0.9,0.1"), 3, "this dataset has no pair"),
    "no number": (rows_with("x12,entailment,0.9,0.1"), 3, "“x12” is no pair's number"),
    "a number beyond all": (rows_with("9" * 30 + ",entailment,0.9,0.1"), 3, "is no pair's number"),
    "no pair at all": (rows_with(",entailment,0.9,0.1"), 3, "names no pair"),
    "header twice": (rows_with(GOOD.strip()), 3, "“pair_id” is no pair's number"),
    "a cell too many": (rows_with("{1},entailment,0.9,0.1,5"), 3, "Cells in this row: 5"),
    "a label of no language": (rows_with("{1},vielleicht,0.9,0.1"), 3, "vielleicht"),
    "a label that can be two": (rows_with("{1},no,0.9,0.1"), 3, "say which"),
    "no label": ("pair_id,label\n{0},entailment\n{1},\n", 3, "says nothing of its pair"),
    "no likeliest": ("pair_id,entailment,neutral\n{0},0.9,0.1\n{1},0.5,0.5\n", 3, "no label is likelier"),
    "other texts": (
        "pair_id,premise,hypothesis,label\n{0},A cat sleeps.,A cat.,entailment\n", 2, "has other texts"
    ),
    "a huge row": (rows_with("{1},entailment,0.9," + "1" * 1_200_000), 3, "more than 1024 kB"),
    "no JSON": ('{{"pair_id": {0}, "label": "entailment"}}\n{{"pair_id": {1}, "label"\n', 2, "No JSON"),
    "half a character": (
        '{{"premise": "A dog \\ud800", "hypothesis": "A dog.", "label": "entailment"}}\n', 1, "lone surrogate"
    ),
    "half a character as a label": ('{{"pair_id": {0}, "label": "\\ud800\\u0000"}}\n', 1, "is none of"),
    "no object": ('{{"pair_id": {0}, "probabilities": [0.9, 0.1]}}\n', 1, "an object such as"),
    "a nameless probability": ('{{"pair_id": {0}, "probs": {{"LABEL_0": 0.9, "b": 0.1}}}}\n', 1, "LABEL_0"),
    "NaN in JSON": (
        '{{"pair_id": {0}, "probs": {{"entailment": NaN, "neutral": 0.4, "contradiction": 0.1}}}}\n', 1,
        "come to 0.5000",
    ),
    "a label twice": (
        '{{"pair_id": {0}, "probs": {{"entailment": 0.5, "e": 0.4, "neutral": 0.1}}}}\n', 1, "there twice"
    ),
}  # fmt: skip


@pytest.fixture
def refused(drafted, ada):
    """What is said of a file that nothing was stored of: the line, and the words."""

    def run(content, name):
        draft = services.predictions_preview(draft=drafted(content, name), actor=ada, here=True)
        preview = draft.preview
        with pytest.raises(ValidationError) as error:
            services.predictions_commit(draft=draft, actor=ada)
        assert not Run.objects.exists() and not Prediction.objects.exists() and not Model.objects.exists()
        if first := next(iter(preview.get("errors", [])), None):
            return first["line"], first["message"]
        said = preview.get("problem") or error.value.messages[0]
        return int(said.split(":")[0].removeprefix("line ")) if said.startswith("line") else 0, said

    return run


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_refused(refused, pairs, olaf_pair, damage):
    content, line, words = DAMAGED[damage]
    if isinstance(content, str):
        content = content.format(pairs[0].pk, pairs[1].pk, olaf_pair.pk).encode()
    else:
        content = content.replace(b"{0}", str(pairs[0].pk).encode()).replace(
            b"{1}", str(pairs[1].pk).encode()
        )
    found = refused(content, "said.jsonl" if content[:1] == b"{" else "said.csv")
    assert words in found[1] and 5 <= len(found[1]) < 500 and "Traceback" not in found[1]
    assert line is None or found[0] == line


@pytest.fixture
def olaf_pair(olaf, add_pair):
    from apps.datasets.services import dataset_create
    from apps.studies.models import Study

    study = Study.objects.get(name="Another study")
    return add_pair(dataset_create(study=study, actor=olaf, name="Theirs"), ["A cat."], "An animal.")


def test_parquet_and_archives_that_were_cut(refused, pairs):
    rows = [{"pair_id": pair.pk, "label": "entailment"} for pair in pairs]
    whole = as_parquet(rows)
    for cut in (len(whole) // 2, len(whole) - 3, 9):
        assert "Parquet" in refused(whole[:cut], "said.parquet")[1]
    packed = gzip.compress(as_csv(rows * 50).encode())
    assert "archive is damaged" in refused(packed[: len(packed) // 2], "said.csv.gz")[1]
    floats = [{"pair_id": pair.pk, "entailment": float("nan"), "neutral": 1.0} for pair in pairs]
    assert "a probability is missing" in refused(as_parquet(floats), "said.parquet")[1]


def test_a_mark_and_the_ends_of_lines_are_no_damage(drafted, pairs):
    text = rows_with("{1},non-entailment,0.1,0.9").format(pairs[0].pk, pairs[1].pk)
    for content in (
        b"\xef\xbb\xbf" + text.encode(),
        text.replace("\n", "\r\n").encode(),
        text.strip().encode(),
    ):
        assert drafted(content).preview["predictions"] == 2
    utf16 = text.encode("utf-16")
    assert drafted(utf16).preview["step"] == "encoding"
    assert drafted(utf16, encoding="utf_16").preview["predictions"] == 2
