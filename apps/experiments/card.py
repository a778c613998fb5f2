"""The card that a paper's appendix needs: sizes, seeds, versions, commands, and what came out."""

from __future__ import annotations

from apps.experiments.exhibits import PLUS_MINUS
from apps.experiments.models import Experiment
from apps.experiments.protocols import protocols
from apps.experiments.results import cells_of, contestants_of, lines_of, progress_of, title_of
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
        "command": f"python manage.py experiment {_called(experiment)} --preset {experiment.preset}",
    }
    lines = [f"# {experiment.name}", "", protocol.about, "", "| | |", "|---|---|"]
    lines += [f"| {name} | {text} |" for name, text in told.items() if text]
    lines += ["", "## Networks", "", "| network | options |", "|---|---|"]
    for network, options in sizes["options"].items():
        shown = ", ".join(f"{name} {value}" for name, value in options.items() if name != "network")
        lines.append(f"| {title_of(network)} | {shown} |")
    lines += ["", f"## Right, in % (mean {PLUS_MINUS} standard deviation over seeds)", ""]
    lines.append("| trained on | tested on | pairs | " + " | ".join(map(title_of, names)) + " |")
    lines.append("|---|---|---|" + "---|" * len(names))
    for line in lines_of(experiment, cells):
        shown_figures = []
        for name in names:
            reached = line.reached.get(name)
            spread = f" {PLUS_MINUS} {100 * reached.sd:.1f}" if reached and reached.sd is not None else ""
            shown_figures.append(f"{100 * reached.mean:.1f}{spread}" if reached else "–")
        lines.append(f"| {line.training} | {line.test} | {line.pairs} | {' | '.join(shown_figures)} |")
    return "\n".join([*lines, ""])


def _called(experiment: Experiment) -> str:
    """What the command calls its protocol: by its name, or, where it is the study's own, by its file."""
    return experiment.protocol if experiment.protocol in protocols() else f"{experiment.protocol}.toml"
