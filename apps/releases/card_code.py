"""The card's chapter on reading a release: code that runs as it stands, beside the unpacked folder.

Only what works for this very release is said; ``tests/releases/test_card_code.py`` runs every line.
"""

from __future__ import annotations

from typing import Any

from apps.releases.formats import med, table


def configurations(manifest: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    """The configurations of Hugging Face's ``datasets``, the usual one first: its name, and the Parquet file
    of each split.

    ``datasets`` remembers what it has read under the folder's and the configuration's name, so both hold the
    digest: a folder that somebody renamed is still not taken for another release. Judgements are one only
    where there are any, since ``datasets`` refuses a file without rows.
    """
    folder = manifest["folder"]
    found = [(folder, {split: f"data/{split}.parquet" for split in manifest["splits"]["pairs"]})]
    if manifest["counts"]["judgements"]:
        found.append((f"{folder}-judgements", {"train": "judgements/judgements.parquet"}))
    return found


def loading(manifest: dict[str, Any]) -> list[str]:
    """The chapter, a paragraph or block of code each."""
    (_pairs, files), *others = configurations(manifest)
    folder = f"./{manifest['folder']}"
    first = next(iter(files))
    loaded = ["import datasets", "", f'pairs = datasets.load_dataset("{folder}")']
    loaded += [f'judgements = datasets.load_dataset("{folder}", "{name}")' for name, _files in others]
    return [
        "The archive unpacks into a folder of its own. These lines are for the folder in which it stands.",
        code(loaded),
        "`datasets` reads the Parquet files. The others hold the same pairs; since a column may be empty in "
        "one split and not in another, `datasets` has to be told what the columns are:",
        code([*loaded[:3], "", *_datasets_by_format(folder, list(files), first)]),
        "pandas and polars read Parquet without any option. With their defaults they take a text such as "
        "`None`, `NA` or `null` in a table for nothing at all, or a quotation mark in the TSV, which quotes "
        "nothing, for the beginning of a quoted cell. These options keep each text and each row as it is:",
        code([
            "import csv",
            "",
            "import pandas",
            "",
            f'pairs = pandas.read_parquet("{folder}/data/{first}.parquet")',
            f'table = pandas.read_csv("{folder}/data/{first}.csv", keep_default_na=False)',
            f'tsv = pandas.read_csv("{folder}/data/{first}.tsv", sep="\\t", quoting=csv.QUOTE_NONE, '
            "keep_default_na=False)",
        ]),
        code([
            "import polars",
            "",
            f'pairs = polars.read_parquet("{folder}/data/{first}.parquet")',
            f'table = polars.read_csv("{folder}/data/{first}.csv", infer_schema=False)',
            f'tsv = polars.read_csv("{folder}/data/{first}.tsv", separator="\\t", quote_char=None, '
            "infer_schema=False)",
        ]),
    ]  # fmt: skip


def _datasets_by_format(folder: str, splits: list[str], first: str) -> list[str]:
    def files(ending: str) -> str:
        named = ", ".join(f'"{split}": "{folder}/data/{split}.{ending}"' for split in splits)
        return f"{{{named}}}"

    def texts(columns: tuple[str, ...]) -> str:
        return f'datasets.Features({{name: text for name in "{" ".join(columns)}".split()}})'

    return [
        'text = datasets.Value("string")',
        "lines = datasets.load_dataset(",
        f'    "json", data_files={files("jsonl")}, features=pairs["{first}"].features',
        ")",
        "table = datasets.load_dataset(",
        f'    "csv", data_files={files("csv")}, keep_default_na=False,',
        f"    features={texts(table.COLUMNS)},",
        ")",
        "tsv = datasets.load_dataset(",
        f'    "csv", data_files={files("tsv")}, keep_default_na=False, sep="\\t", quoting=3,',
        f"    features={texts(med.COLUMNS)},",
        ")",
    ]


def code(lines: list[str]) -> str:
    return "\n".join(["```python", *lines, "```"])
