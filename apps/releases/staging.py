"""Pairs as they are staged, part by part: all that is published of them but their split and group, which are
drawn once all are read, and stand last in every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.releases import files
from apps.releases.columns import Row, pair_columns, soft_label
from apps.releases.files import Sink
from apps.releases.formats import FORMATS

if TYPE_CHECKING:
    import numpy as np
    import pyarrow

    Numbers = np.ndarray[Any, Any]

INDEX_COLUMNS = ("id", "split", "group", "gold_label", "direction")
# Between two staged lines, which may hold line ends: no text that is stored holds it.
_BORDER = "\0"
_NODE = "node"


def stage(
    part: Path,
    rows: Sequence[Row],
    nodes: Sequence[int],
    index: int,
    possible: tuple[str, ...],
    labels: Sequence[str],
) -> None:
    """Write a part. ``nodes`` are the place of each row's pair (a twin's is its original's) among those that
    are no twins, ``index`` the place of the first row among all."""
    import pyarrow as pa

    for one in FORMATS:
        lines = [one.line(row, index=place, labels=labels) for place, row in enumerate(rows, index)]
        files.text_write(part.with_suffix(f".{one.ending}"), [_BORDER.join(lines)])
    with files.text(part.with_suffix(".soft")) as file:
        soft = files.csv_writer(file)
        for row in rows:
            if shares := soft_label(row.item.answers, possible):
                count = len(row.item.answers)
                soft.writerow([row.item.pair, count, *(f"{shares[one]:g}" for one in possible)])
    table = pair_columns(rows, possible).append_column(_NODE, pa.array(nodes, pa.int32()))
    files.columns_write(part.with_suffix(".arrow"), table)


def parts_of(folder: Path) -> list[Path]:
    """The staged parts in order."""
    return sorted(folder.glob("*.arrow"))


def format_parts(
    parts: Sequence[Path], stem: Path, names: Sequence[str], split: Numbers, group: Numbers
) -> int:
    """Write the files of each split out of some staged parts: ``<stem>.<split>.<ending>``, beside them the
    lines of the index (``<stem>.splits``) and the counts of labels (``<stem>.counts``).

    ``names`` are the splits'; ``split`` (the place in it) and ``group`` are by node. Returns how many nodes
    the parts have.
    """
    import numpy as np
    import pyarrow as pa

    def file(end: str) -> Path:
        return stem.with_name(f"{stem.name}.{end}")

    staged = pa.concat_tables([files.columns_read(part) for part in parts])
    node = staged[_NODE].to_numpy()
    of_split, of_group = split[node], group[node]
    table = _with_split(staged, [names[place] for place in of_split.tolist()], of_group)
    chosen = [(of_split == place).nonzero()[0] for place in range(len(names))]
    for name, places in zip(names, chosen, strict=True):
        files.columns_write(file(f"{name}.arrow"), table.take(pa.array(places)).combine_chunks())
    for one in FORMATS:
        lines = [line for part in parts for line in _lines_of(part.with_suffix(f".{one.ending}"))]
        for name, places in zip(names, chosen, strict=True):
            groups = of_group[places].tolist()
            ended = (lines[at] + one.end(name, of) for at, of in zip(places.tolist(), groups, strict=True))
            with Sink(file(f"{name}.{one.ending}")) as text:
                text.write("".join(ended))
    rows = list(zip(*(table[name].to_pylist() for name in INDEX_COLUMNS), strict=True))
    with Sink(file("splits")) as text:
        text.write(
            "".join(f"{pk}\t{name}\t{of}\t{gold or ''}\t{place}\n" for pk, name, of, gold, place in rows)
        )
    labels = Counter((name, place, gold or "") for _pk, name, _group, gold, place in rows)
    files.json_write(file("counts"), [[*key, n] for key, n in sorted(labels.items())])
    return len(np.unique(node))


def _with_split(staged: pyarrow.Table, names: Sequence[str], groups: Numbers) -> pyarrow.Table:
    import pyarrow as pa

    table = staged.drop_columns([_NODE])
    return table.append_column("split", pa.array(names, pa.string())).append_column(
        "group", pa.array(groups, pa.int64())
    )


def _lines_of(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    return text.split(_BORDER) if text else []
