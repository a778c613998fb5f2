"""The card that a paper's appendix needs: sizes, seeds, versions, commands, and what came out."""

from __future__ import annotations

from django.utils import translation

from apps.experiments.exhibits import tables
from apps.experiments.models import Experiment
from apps.experiments.protocols import protocols
from apps.experiments.results import cells_of, progress_of, rows_short, title_of
from apps.experiments.services import protocol_of
from apps.frame.exhibits.tables import markdown_row, markdown_text


@translation.override("en")
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
        "trainings": f"{progress.done} of {progress.total} over, {progress.failed} failed or cancelled, "
        f"{progress.seconds:.0f} s of training in all",
        "command": _command(experiment),
    }
    lines = [
        f"# {markdown_text(experiment.name)}",
        "",
        markdown_text(protocol.about),
        "",
        "| | |",
        "|---|---|",
    ]
    lines += [markdown_row([name, text]) for name, text in told.items() if text]
    lines += ["", "## Networks", "", "| network | options |", "|---|---|"]
    for network, options in sizes["options"].items():
        shown = ", ".join(f"{name} {value}" for name, value in options.items() if name != "network")
        lines.append(markdown_row([title_of(network), shown]))
    for table in tables(experiment, cells).values():
        lines += ["", f"## {table.title}", "", *table.markdown()]
    return "\n".join([*lines, ""])


def _short(experiment: Experiment) -> str:
    """Which trainings got fewer rows than the sizes say."""
    short = ", ".join(f"{training} {rows}" for training, rows in rows_short(experiment).items())
    return f" (fewer for: {short})" if short else ""


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _command(experiment: Experiment) -> str:
    """What runs it again: its protocol by its name, or, where it is the study's own, by its file."""
    called = experiment.protocol if experiment.protocol in protocols() else f"{experiment.protocol}.toml"
    parts = ["python manage.py experiment", called, f"--preset {experiment.preset}"]
    networks = experiment.spec["sizes"]["networks"]
    if networks != protocol_of(experiment).presets[experiment.preset].contestants:
        parts += [f'--network "{network}"' for network in networks]
    if experiment.spec["keeps"]:
        parts.append("--keep")
    if roles := experiment.spec["roles"]:
        parts.append(f"--study {experiment.study.slug}")
        parts += [f'--role {role}="{found["name"]}"' for role, found in roles.items()]
    return " ".join(parts)
