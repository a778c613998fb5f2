"""The card's chapter on reading a release: code that runs as it stands, beside the unpacked folder.

Only what works for this very release is said; ``tests/releases/test_card_code.py`` runs every line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.comparison.judges import possible_answers
from apps.releases.columns import class_names, pair_schema
from apps.releases.formats import FORMATS
from apps.releases.models import Release

if TYPE_CHECKING:
    import pyarrow


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


def features(release: Release, manifest: dict[str, Any]) -> dict[str, Any]:
    """The pairs' columns as `datasets` is told them by a card: those of the Parquet files, ``label`` being
    numbers with names."""
    possible = possible_answers(release.dataset)
    (name, _files), *_others = configurations(manifest)
    columns = [{"name": field.name, **_feature(field.type)} for field in pair_schema(possible)]
    numbered = {str(number): label for number, label in enumerate(class_names(possible))}
    for column in columns:
        if column["name"] == "label":
            column["dtype"] = {"class_label": {"names": numbered}}
    return {"config_name": name, "features": columns}


def _feature(kind: pyarrow.DataType) -> dict[str, Any]:
    import pyarrow as pa

    if pa.types.is_list(kind):
        return {"sequence": str(kind.value_type)}
    if pa.types.is_struct(kind):
        return {"struct": [{"name": field.name, **_feature(field.type)} for field in kind]}
    return {"dtype": {"double": "float64"}.get(str(kind), str(kind))}


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
        "nothing, for the beginning of a quoted cell. These options keep each text and each row as it is (an "
        "empty cell is an empty text in pandas, null in polars):",
        code(["import csv", "", "import pandas", "", *_tables("pandas", folder, first)]),
        code(["import polars", "", *_tables("polars", folder, first)]),
    ]


def _tables(library: str, folder: str, first: str) -> list[str]:
    """One split by pandas or polars: its Parquet file, and those of the other formats that it reads."""
    lines = [f'pairs = {library}.read_parquet("{folder}/data/{first}.parquet")']
    for one in FORMATS:
        call = getattr(one.loading, library)
        if call:
            file = f"{folder}/data/{first}.{one.ending}"
            lines.append(f"{one.loading.name} = {library}.{call.replace('{file}', file)}")
    return lines


def _datasets_by_format(folder: str, splits: list[str], first: str) -> list[str]:
    lines = ['text = datasets.Value("string")']
    for one in FORMATS:
        named = ", ".join(f'"{split}": "{folder}/data/{split}.{one.ending}"' for split in splits)
        arguments = (
            line.replace("{files}", f"{{{named}}}").replace("{first}", first) for line in one.loading.datasets
        )
        lines += [f"{one.loading.name} = datasets.load_dataset(", *(f"    {line}" for line in arguments), ")"]
    return lines


def code(lines: list[str]) -> str:
    return "\n".join(["```python", *lines, "```"])
