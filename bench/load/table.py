"""The tables, in Markdown: each row goes to the error output as it is measured, the whole to the output
at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .at_once import PEOPLE, Outcome
from .loop import Measured

LOAD = (
    "program",
    "database",
    "annotators",
    "answers/s",
    "requests an answer",
    "next p50 ms",
    "p95",
    "p99",
    "submit p50 ms",
    "p95",
    "p99",
    "CPU ms an answer",
    "of it database",
    "web MB",
    "client CPU ms",
    "cores others used",
    "check",
)
AT_ONCE = ("program", "database", "limit", "asked", "given", "accepted", "stored", "beyond the limit", "lost")
EXPORT = ("program", "database", "pairs", "judgements", "s", "of it waiting for a worker", "MB")


class Table:
    """Rows under a title; the first two columns are text."""

    def __init__(self, title: str, columns: Sequence[str]) -> None:
        self.title, self.columns = title, columns
        self.rows: list[str] = []

    def add(self, cells: Sequence[object]) -> None:
        self.rows.append(_line(cells))
        print(self.rows[-1], file=sys.stderr, flush=True)

    def show(self) -> None:
        if self.rows:
            head = (_line(self.columns), "|---|---|" + "---:|" * (len(self.columns) - 2))
            print("\n".join(("", self.title, "", *head, *self.rows)), flush=True)


class Ratios:
    """Rows of Polarlab beside those of the others that have their database and their annotators."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.rows: list[Measured] = []

    def take(self, row: Measured) -> None:
        self.rows.append(row)

    def show(self) -> None:
        ours = [row for row in self.rows if row.program.startswith("Polarlab")]
        others = sorted({row.program for row in self.rows} - {row.program for row in ours})
        if not others:
            return
        columns = ("program", "database", "annotators", "answers/s", *(f"× {name}" for name in others))
        shown = Table(self.title, columns)
        for row in ours:
            shown.rows.append(
                _line(
                    (row.program, row.database, row.annotators, f"{row.rate:.1f}", *self._times(row, others))
                )
            )
        shown.show()

    def _times(self, row: Measured, others: Sequence[str]) -> list[str]:
        found = {
            other.program: other.rate
            for other in self.rows
            if (other.database, other.annotators) == (row.database, row.annotators)
        }
        return [f"{row.rate / found[name]:.1f}" if found.get(name) else "–" for name in others]


def _line(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def load_cells(found: Measured) -> Sequence[object]:
    each = max(1, found.answers)
    return (
        found.program,
        found.database,
        found.annotators,
        f"{found.rate:.1f}",
        f"{found.requests / each:.2f}",
        *(_ms(found.wait("next", percent)) for percent in (50, 95, 99)),
        *(_ms(found.wait("submit", percent)) for percent in (50, 95, 99)),
        f"{found.cpu_ms:.1f}",
        f"{1000 * found.database_cpu / each:.1f}",
        f"{found.memory:.0f}",
        f"{1000 * found.client_cpu / each:.1f}",
        f"{found.other_cpu / found.seconds:.2f}",
        found.check,
    )


def at_once_cells(found: Outcome) -> Sequence[object]:
    return (
        found.program,
        found.database,
        found.limit or "none",
        found.rounds * PEOPLE,
        found.given,
        found.accepted,
        found.stored,
        found.beyond if found.limit else "–",
        found.accepted - found.stored,
    )


def export_cells(program: str, database: str, found: dict[str, float]) -> Sequence[object]:
    waited = f"{found['waited']:.1f}" if "waited" in found else "–"
    numbers = (f"{found['pairs']:,}", f"{found['judgements']:,}", f"{found['seconds']:.1f}", waited)
    return (program, database, *numbers, f"{found['bytes'] / 2**20:.1f}")


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"
