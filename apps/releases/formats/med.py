"""The columns of MED's published file, which are MNLI's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from apps.datasets.labels import CONTRADICTION, ENTAILMENT, NEUTRAL, UNNATURAL
from apps.releases.columns import Row
from apps.releases.formats.format import Format, Loading, texts
from apps.releases.rows import one_line

COLUMNS = (
    "index", "promptID", "pairID", "genre",
    "sentence1_binary_parse", "sentence2_binary_parse", "sentence1_parse", "sentence2_parse",
    "sentence1", "sentence2", "label1", "label2", "label3", "label4", "label5", "gold_label",
)  # fmt: skip
LABEL_COLUMNS = 5
# How MNLI and SNLI write that annotators agreed on no label.
NO_GOLD_WORD = "-"


def line(row: Row, *, index: int, labels: Sequence[str]) -> str:
    """The parses stay empty, as in MED's own file."""
    item = row.item
    return (
        f"{index}\t{item.prompt}\t{item.pair}\t{one_line(item.genre)}\t\t\t\t\t{one_line(row.premise)}\t"
        f"{one_line(item.hypothesis)}\t{_label_cells(item.answers, item.gold, tuple(labels))}"
    )


@lru_cache(4096)
def _label_cells(answers: tuple[str, ...], gold: str, labels: tuple[str, ...]) -> str:
    """The last cells: single judgements, and the gold label."""
    cells = [_word(answer, labels) for answer in answers[:LABEL_COLUMNS]]
    cells += [""] * (LABEL_COLUMNS - len(cells))
    return "\t".join(one_line(cell) for cell in (*cells, _word(gold, labels) or NO_GOLD_WORD))


def end(split: str, group: int) -> str:
    """The file's name says the split."""
    return "\n"


def _word(label: str, labels: Sequence[str]) -> str:
    """MED's and MNLI's word for a label; *unnatural* has none and stays. Contradiction is *neutral* where it
    is no label of the dataset, as MED reads it (section 3.2)."""
    if label == CONTRADICTION and label in labels:
        return label
    return label if label in (ENTAILMENT, UNNATURAL, "") else NEUTRAL


FORMAT = Format(
    ending="tsv",
    holds="the pairs in the columns of MED and MNLI: `gold_label` is `entailment` or `neutral` "
    "(non-entailment), or `contradiction` where that is a label of the dataset, `-` where the rule gives "
    "none; `label1` to `label5` are single judgements, where *unnatural* is an answer and no label; tabs and "
    "line ends inside a text are spaces",
    line=line,
    end=end,
    loading=Loading(
        "tsv",
        datasets=(
            '"csv", data_files={files}, keep_default_na=False, sep="\\t", quoting=3,',
            f"features={texts(COLUMNS)},",
        ),
        pandas='read_csv("{file}", sep="\\t", quoting=csv.QUOTE_NONE, keep_default_na=False)',
        polars='read_csv("{file}", separator="\\t", quote_char=None, infer_schema=False)',
    ),
    header="\t".join(COLUMNS) + "\n",
)
