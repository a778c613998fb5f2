"""The tables that are printed, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from .at_once import PEOPLE, Outcome
from .loop import Measured

HEAD = (
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
    "others' CPU",
    "check",
)


def heading(titles: Sequence[str], texts: int) -> None:
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * texts + "---:|" * (len(titles) - texts), flush=True)


def row(cells: Sequence[object]) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def load_heading() -> None:
    heading(HEAD, 2)


def load_row(found: Measured) -> None:
    each = max(1, found.answers)
    cores = found.other_cpu / found.seconds
    row(
        (
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
            f"{cores:.2f} cores",
            found.check,
        )
    )


def at_once_heading() -> None:
    titles = (
        "program",
        "database",
        "limit",
        "asked",
        "given",
        "accepted",
        "stored",
        "beyond the limit",
        "lost",
    )
    heading(titles, 2)


def at_once_row(found: Outcome) -> None:
    row(
        (
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
    )


def export_heading() -> None:
    heading(("program", "database", "pairs", "judgements", "s", "of it waiting for a worker", "MB"), 2)


def export_row(program: str, database: str, found: dict[str, float]) -> None:
    waited = f"{found['waited']:.1f}" if "waited" in found else "–"
    numbers = (f"{found['pairs']:,}", f"{found['judgements']:,}", f"{found['seconds']:.1f}", waited)
    row((program, database, *numbers, f"{found['bytes'] / 2**20:.1f}"))


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"
