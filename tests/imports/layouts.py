"""Small files in the layout of each format, made up here: 30 pairs each, with letters beyond ASCII."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import Any

ROWS = 30


@dataclass(frozen=True)
class Layout:
    """A format's file: its columns, and which of them hold the hypothesis and the label."""

    file_name: str
    columns: tuple[str, ...]
    hypothesis: str
    label: str

    def cells(self, n: int) -> dict[str, Any]:
        premise, hypothesis = f"No café {n} has opened.", f"No small café {n} has opened."
        label = ("entailment", "neutral", "contradiction")[n % 3]
        known: dict[str, Any] = {
            "sentence1": premise,
            "sentence_A": premise,
            "ori_sentence": premise,
            "Premise": premise,
            "text": premise,
            "premises": [premise, "It is early."],
            self.hypothesis: hypothesis,
            self.label: label.upper() if self.label == "entailment_label" else label,
            "genre": "crowd:downward_monotone:npi",
            "direction": "downward",
            "monotonicity": "downward_monotone",
            "relatedness_score": "3.5",
            "SemEval_set": "TRAIN",
            "Logic": "Negation;Downward monotone",
            "crowd_score": "[5, 4, 2]",
            "crowd_label": "['entailment', 'entailment', 'neutral']",
            "annotator_labels": [label, "neutral", ""],
            "tags": ["npi"],
        }
        return {name: known.get(name, f"{name}{n}") for name in self.columns}

    @property
    def is_json(self) -> bool:
        return self.file_name.endswith(".jsonl")

    @property
    def separator(self) -> str:
        return "," if self.file_name.endswith(".csv") else "\t"

    def lines(self) -> list[str]:
        """The file's lines without their ends, the header among them."""
        rows = [self.cells(n) for n in range(1, ROWS + 1)]
        if self.is_json:
            return [json.dumps(row, ensure_ascii=False) for row in rows]
        return [
            self.separator.join(cells) for cells in (self.columns, *(map(str, row.values()) for row in rows))
        ]


MED = ("index", "promptID", "pairID", "genre", "sentence1", "sentence2", "gold_label")
LAYOUTS = {
    "med": Layout(
        "med.tsv",
        MED,
        "sentence2",
        "gold_label",
    ),
    "snli": Layout(
        "snli.jsonl",
        ("annotator_labels", "gold_label", "pairID", "sentence1", "sentence2"),
        "sentence2",
        "gold_label",
    ),
    "sick": Layout(
        "sick.csv",
        ("pair_ID", "sentence_A", "sentence_B", "entailment_label", "relatedness_score", "SemEval_set"),
        "sentence_B",
        "entailment_label",
    ),
    "help": Layout(
        "help.tsv",
        ("filename", "determiner", "monotonicity", "gold_label", "ori_sentence", "new_sentence"),
        "new_sentence",
        "gold_label",
    ),
    "generated": Layout(
        "generated.tsv",
        ("sentence1", "sentence2", "gold_label", "direction", "operation", "kind", "reversed", "seed"),
        "sentence2",
        "gold_label",
    ),
    "glue": Layout(
        "glue.tsv",
        (
            "Lexical Semantics",
            "Predicate-Argument Structure",
            "Logic",
            "Knowledge",
            "Domain",
            "Premise",
            "Hypothesis",
            "Label",
        ),
        "Hypothesis",
        "Label",
    ),
    "transitivity": Layout(
        "transitivity.tsv",
        ("pair_ID", "genre", "verb", "sentence1", "sentence2", "gold_label", "crowd_score", "crowd_label"),
        "sentence2",
        "gold_label",
    ),
    "polarlab": Layout(
        "release.jsonl",
        ("premises", "hypothesis", "gold_label", "direction", "tags"),
        "hypothesis",
        "gold_label",
    ),
    "mapped": Layout("any.csv", ("text", "judged", "verdict"), "judged", "verdict"),
}
MAPPING = {"premises": ["text"], "hypothesis": "judged", "label": "verdict"}


def fracas(rows: int = ROWS) -> list[str]:
    problems = [
        f'<problem id="{n:03}" fracas_answer="{("yes", "no", "unknown")[n % 3]}">'
        f'<p idx="1">No café {n} has opened.</p>'
        f'<p idx="2">It is early.</p><q>Is it?</q><h>No small café {n} has opened.</h></problem>'
        for n in range(1, rows + 1)
    ]
    head = ['<?xml version="1.0" encoding="UTF-8"?>', "<fracas-problems>"]
    return [*head, '<comment class="section"> 1 QUANTIFIERS </comment>', *problems, "</fracas-problems>"]


def parquet(rows: list[dict[str, Any]], **options: Any) -> bytes:
    import pyarrow
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), file, **options)
    return file.getvalue()
