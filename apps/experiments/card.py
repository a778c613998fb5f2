"""The card that a paper's appendix needs: sizes, seeds, versions, commands, and what came out."""

from __future__ import annotations

from collections.abc import Sequence

from apps.experiments.figures import spread
from apps.experiments.measures import GROUPS
from apps.experiments.models import Cell, Experiment
from apps.experiments.protocols import protocols
from apps.experiments.results import (
    Line,
    cells_of,
    contestants_of,
    lines_of,
    progress_of,
    published_networks,
    rows_short,
    title_of,
)
from apps.experiments.services import protocol_of
from apps.frame.exhibits.tables import PLUS_MINUS


def card(experiment: Experiment) -> str:
    """As Markdown, in English as the papers are."""
    protocol, sizes = protocol_of(experiment), experiment.spec["sizes"]
    cells = cells_of(experiment)
    progress = progress_of(cells)
    versions = dict(experiment.spec["versions"])
    machines: dict[str, None] = {}
    for cell in cells:
        for run in cell.training.runs.all() if cell.training else []:
            versions |= run.made_by.get("versions", {})
            machines[str(run.made_by.get("machine", ""))] = None
    told = {
        "protocol": f"{protocol.title} ({protocol.source})",
        "size": f"{experiment.preset}: {_count(sizes['train'], 'row')} a training{_short(experiment)}, "
        f"{sizes['test']} a test, {_count(sizes['seeds'], 'seed')}, "
        f"{_count(sizes['pool'], 'row')} drawn of each set",
        "played by": "; ".join(
            f"{role}: {found['name']}" for role, found in experiment.spec["roles"].items()
        ),
        "protocol's file": f"{experiment.protocol}.toml, SHA-256 {experiment.spec['sha256']}",
        "versions": ", ".join(f"{name} {version}" for name, version in sorted(versions.items())),
        "machines": ", ".join(filter(None, machines)),
        "trainings": f"{progress.done} of {progress.total} over, {progress.failed} failed, "
        f"{progress.seconds:.0f} s of training in all",
        "command": _command(experiment),
    }
    lines = [f"# {experiment.name}", "", protocol.about, "", "| | |", "|---|---|"]
    lines += [_row(name, text) for name, text in told.items() if text]
    lines += ["", "## Networks", "", "| network | options |", "|---|---|"]
    for network, options in sizes["options"].items():
        shown = ", ".join(f"{name} {value}" for name, value in options.items() if name != "network")
        lines.append(_row(title_of(network), shown))
    for group, table in tables(experiment, cells).items():
        lines += ["", f"## {GROUPS[group]}", "", *table]
    return "\n".join([*lines, ""])


def _short(experiment: Experiment) -> str:
    """Which trainings got fewer rows than the sizes say."""
    short = ", ".join(f"{training} {rows}" for training, rows in rows_short(experiment).items())
    return f" (fewer for: {short})" if short else ""


def tables(experiment: Experiment, cells: Sequence[Cell]) -> dict[str, list[str]]:
    """The lines of a table of each of the protocol's measures, as Markdown: mean ± deviation in %, and what
    the paper has. Contestants that have none of a measure are left out, and so is a paper that has none."""
    names = contestants_of(experiment, cells)
    found = {}
    for group in protocol_of(experiment).measures:
        if lines := lines_of(experiment, cells, group):
            found[group] = _table(lines, [name for name in names if any(name in x.reached for x in lines)])
    return found


def _table(found: list[Line], names: list[str]) -> list[str]:
    several = len({line.measure for line in found}) > 1
    published = [name for name in published_networks(found) if name in names]
    head = ["trained on", "tested on", *(["measured"] if several else []), "rows", *map(title_of, names)]
    head += [f"paper: {title_of(name)}" for name in published]
    lines = [_row(*head), "|---" * len(head) + "|"]
    for line in found:
        shown = [line.training, line.test, *([str(line.measure.title)] if several else []), str(line.pairs)]
        shown += [spread(line.reached.get(name)) or "–" for name in names]
        paper = (line.published.get(name, ()) for name in published)
        shown += [f" {PLUS_MINUS} ".join(f"{each:.1f}" for each in figures) or "–" for figures in paper]
        lines.append(_row(*shown))
    return lines


def _row(*cells: str) -> str:
    """A line of a table; a bar in a name would end its cell."""
    return "| " + " | ".join(cell.replace("\\", r"\\").replace("|", r"\|") for cell in cells) + " |"


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _command(experiment: Experiment) -> str:
    """What runs it again: its protocol by its name, or, where it is the study's own, by its file."""
    called = experiment.protocol if experiment.protocol in protocols() else f"{experiment.protocol}.toml"
    parts = ["python manage.py experiment", called, f"--preset {experiment.preset}"]
    if roles := experiment.spec["roles"]:
        parts.append(f"--study {experiment.study.slug}")
        parts += [f'--role {role}="{found["name"]}"' for role, found in roles.items()]
    return " ".join(parts)
