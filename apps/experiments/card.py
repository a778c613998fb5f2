"""The card that a paper's appendix needs: sizes, seeds, versions, commands, and what came out."""

from __future__ import annotations

from apps.experiments.exhibits import PLUS_MINUS
from apps.experiments.measures import GROUPS
from apps.experiments.models import Experiment
from apps.experiments.protocols import protocols
from apps.experiments.results import Line, cells_of, contestants_of, lines_of, progress_of, title_of
from apps.experiments.services import protocol_of


def card(experiment: Experiment) -> str:
    """As Markdown, in English as the papers are."""
    protocol, sizes = protocol_of(experiment), experiment.spec["sizes"]
    cells = cells_of(experiment)
    names, progress = contestants_of(experiment, cells), progress_of(cells)
    versions = dict(experiment.spec["versions"])
    machines: dict[str, None] = {}
    for cell in cells:
        for run in cell.training.runs.all() if cell.training else []:
            versions |= run.made_by.get("versions", {})
            machines[str(run.made_by.get("machine", ""))] = None
    told = {
        "protocol": f"{protocol.title} ({protocol.source})",
        "size": f"{experiment.preset}: {sizes['train']} rows a training, {sizes['test']} a test, "
        f"{sizes['seeds']} seeds, {sizes['pool']} rows drawn of each set",
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
    lines += [f"| {name} | {text} |" for name, text in told.items() if text]
    lines += ["", "## Networks", "", "| network | options |", "|---|---|"]
    for network, options in sizes["options"].items():
        shown = ", ".join(f"{name} {value}" for name, value in options.items() if name != "network")
        lines.append(f"| {title_of(network)} | {shown} |")
    for group in protocol.measures:
        if found := lines_of(experiment, cells, group):
            lines += _table(GROUPS[group], found, names)
    return "\n".join([*lines, ""])


def _table(title: object, found: list[Line], names: list[str]) -> list[str]:
    """A table of one measure, its contestants those that have any of it."""
    names = [name for name in names if any(name in line.reached for line in found)]
    several = len({line.measure for line in found}) > 1
    head = ["trained on", "tested on", *(["measured"] if several else []), "rows", *map(title_of, names)]
    lines = ["", f"## {title}", "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for line in found:
        shown = [line.training, line.test, *([str(line.measure.title)] if several else []), str(line.pairs)]
        for name in names:
            reached = line.reached.get(name)
            spread = f" {PLUS_MINUS} {100 * reached.sd:.1f}" if reached and reached.sd is not None else ""
            shown.append(f"{100 * reached.mean:.1f}{spread}" if reached else "–")
        lines.append(f"| {' | '.join(shown)} |")
    return lines


def _command(experiment: Experiment) -> str:
    """What runs it again: its protocol by its name, or, where it is the study's own, by its file."""
    called = experiment.protocol if experiment.protocol in protocols() else f"{experiment.protocol}.toml"
    parts = ["python manage.py experiment", called, f"--preset {experiment.preset}"]
    if roles := experiment.spec["roles"]:
        parts.append(f"--study {experiment.study.slug}")
        parts += [f'--role {role}="{found["name"]}"' for role, found in roles.items()]
    return " ".join(parts)
