"""An experiment's table and figure, with their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from django.utils import translation
from django.utils.translation import gettext as _

from apps.experiments.figures import figure_of, spread
from apps.experiments.measures import ERROR_TITLES, GROUPS
from apps.experiments.models import Cell as Contest
from apps.experiments.models import Experiment
from apps.experiments.results import (
    FORM_TITLES,
    Line,
    Reached,
    by_form,
    contestants_of,
    errors_in,
    lines_of,
    parted,
    published_networks,
    published_shares,
    scores_in,
    title_of,
)
from apps.experiments.services import UNTRAINED, protocol_of
from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.tables import PLUS_MINUS, Form

# Before a kind, in scores (apps/inference/meanings.py).
ERROR = "error: "


def kept(experiment: Experiment, cells: Sequence[Contest]) -> Exhibits:
    """Each exhibit of an experiment, by its key; ``cells`` are all that it has."""
    protocol, names = protocol_of(experiment), contestants_of(experiment, cells)
    by_measure = {group: lines_of(experiment, cells, group) for group in protocol.measures}
    every = [line for each in by_measure.values() for line in each]
    lines, forms = by_measure["exact"], experiment.spec["sizes"].get("forms", ())
    found: dict[str, Callable[[], Table | Figure | None]] = {
        "results": lambda: results(lines, names, forms),
        "figures": lambda: figures(every, names),
        "seeds": lambda: by_seed(every, names),
        "accuracy": lambda: figure_of(protocol, lines, names),
    }
    for group, own in by_measure.items():
        if group != "exact" and own:
            found[group] = partial(results, own, names, forms, group)
    if protocol.forms:
        found["errors"] = lambda: errors(experiment, cells, names)
        found["examples"] = lambda: examples(cells)
    return found


def tables(experiment: Experiment, cells: Sequence[Contest]) -> dict[str, Table]:
    """A table of each of the protocol's measures as far as it is there; who has none is left out."""
    names, forms = contestants_of(experiment, cells), experiment.spec["sizes"].get("forms", ())
    found = {}
    for group in protocol_of(experiment).measures:
        if lines := lines_of(experiment, cells, group):
            there = [name for name in names if any(name in line.reached for line in lines)]
            found[group] = results(lines, there, forms, group)
    return found


def results(
    lines: list[Line], names: Sequence[str], forms: Sequence[str] = (), group: str = "exact"
) -> Table:
    """The table as a paper has it: mean ± deviation in per cent, the published figures beside. ``group`` is
    what is measured, one of a protocol's measures; contestants that have none of it are left out. Of meanings
    each of the ``forms`` has lines of its own."""
    if forms:
        lines = by_form(lines, forms)
        names = list(dict.fromkeys(parted(name)[0] for name in names))
    published = published_networks(lines)
    names = names if group == "exact" else [name for name in names if any(name in x.reached for x in lines)]
    several = len({line.measure for line in lines}) > 1
    columns = [
        Column("trained_on", _("trained on")),
        Column("tested_on", _("tested on")),
        *([Column("form", _("form"))] if forms else []),
        *([Column("measure", _("measured"))] if several else []),
        Column("pairs", _("rows"), Form.COUNT),
        *(Column(name, title_of(name), Form.SPREAD) for name in names),
        *(
            Column(f"published_{name}", _("paper: %(name)s") % {"name": title_of(name)}, Form.SPREAD)
            for name in published
        ),
    ]
    rows = []
    for line in lines:
        paper = (line.published.get(name) for name in published)
        rows.append(
            [
                Cell(line.training),
                Cell(line.test),
                *([Cell(FORM_TITLES[line.form], key=line.form)] if forms else []),
                *([Cell(str(line.measure.title), key=line.measure.name)] if several else []),
                Cell(line.pairs or None),  # of meanings they are known with the first that are read
                *(_spread(line.reached.get(name)) for name in names),
                *(Cell(f" {PLUS_MINUS} ".join(f"{each:.1f}" for each in found or ())) for found in paper),
            ]
        )
    return Table(GROUPS[group], columns, rows)


def _spread(reached: Reached | None) -> Cell:
    """In CSV it has the same words for every reader."""
    with translation.override("en"):
        key = spread(reached)
    return Cell(spread(reached), key=key or "")


def _of_a_figure() -> list[Column]:
    """What a figure is of."""
    return [
        Column("trained_on", _("trained on")),
        Column("tested_on", _("tested on")),
        Column("contestant", _("contestant")),
        Column("measure", _("measured")),
        Column("pairs", _("rows"), Form.COUNT),
    ]


def figures(lines: list[Line], names: list[str]) -> Table:
    """The same, a line for each figure: what a program reads."""
    columns = [
        *_of_a_figure(),
        Column("mean", _("mean"), Form.SHARE, 1),
        Column("sd", _("standard deviation"), Form.SHARE, 1),
        Column("seeds", _("seeds"), Form.COUNT),
    ]
    rows = []
    for line in lines:
        measure = line.measure.name
        for name in names:
            if reached := line.reached.get(name):
                rows.append(
                    [Cell(line.training), Cell(line.test), Cell(name), Cell(measure), Cell(line.pairs),
                     Cell(reached.mean), Cell(reached.sd), Cell(reached.seeds)]
                )  # fmt: skip
        for name, (share, sd) in published_shares(line.published).items():
            rows.append(
                [Cell(line.training), Cell(line.test), Cell(f"published {name}"), Cell(measure), Cell(None),
                 Cell(share), Cell(sd), Cell(None)]
            )  # fmt: skip
    return Table(_("Every figure"), columns, rows)


def by_seed(lines: list[Line], names: list[str]) -> Table:
    """What each seed came to, a line for each: what a test of significance asks for. Where each seed has rows
    of its own, theirs stands beside it."""
    columns = [
        *_of_a_figure(),
        Column("rows_seed", _("seed of the rows"), Form.COUNT),
        Column("seed", _("seed"), Form.COUNT),
        Column("share", _("share"), Form.SHARE, 1),
    ]
    rows = [
        [Cell(line.training), Cell(line.test), Cell(name), Cell(line.measure.name), Cell(line.pairs),
         Cell(each.rows or None), Cell(each.seed), Cell(each.share)]
        for line in lines
        for name in names
        if name in line.reached
        for each in line.reached[name].by_seed
    ]  # fmt: skip
    return Table(_("Every seed"), columns, rows)


def errors(experiment: Experiment, cells: Sequence[Contest], names: list[str]) -> Table:
    """Wrong meanings by their kind (SyGNS, Tables 7 and 18): how many of all of a training's tests together,
    over seeds."""
    columns = [
        Column("contestant", _("contestant")),
        Column("trained_on", _("trained on")),
        Column("kind", _("error")),
        Column("rows", _("rows"), Form.COUNT),
        Column("of", _("of"), Form.COUNT),
        Column("share", _("share"), Form.SHARE, 1),
    ]
    counted: dict[tuple[str, str], Counter[str]] = {}
    for cell in cells:
        counts = counted.setdefault((cell.contestant, cell.split.training), Counter())
        for by_key in (scores_in(cell) or {}).values():
            counts["of"] += by_key["all"][1]
            counts.update({key: value[0] for key, value in by_key.items() if key.startswith(ERROR)})
    rows = [
        [
            Cell(title_of(name), key=name),
            Cell(training),
            Cell(str(ERROR_TITLES[kind]), key=kind),
            Cell(count),
            Cell(own["of"]),
            Cell(count / own["of"]),
        ]
        for name in names
        for training in protocol_of(experiment).trainings
        if (own := counted.get((name, training)))
        for kind in ERROR_TITLES
        if (count := own[f"{ERROR}{kind}"])
    ]
    return Table(_("Kinds of error"), columns, rows)


def examples(cells: Sequence[Contest]) -> Table:
    """A few wrong meanings of each kind, of the networks of the first seed."""
    columns = [
        Column("contestant", _("contestant")),
        Column("trained_on", _("trained on")),
        Column("tested_on", _("tested on")),
        Column("kind", _("error")),
        Column("sentence", _("sentence")),
        Column("gold", _("gold meaning")),
        Column("said", _("written")),
    ]
    found = [
        [Cell(title_of(cell.contestant), key=cell.contestant), Cell(cell.split.training), Cell(each["test"]),
         Cell(str(ERROR_TITLES[each["kind"]]), key=each["kind"]),
         *(Cell(each[key]) for key in ("sentence", "gold", "said"))]
        for cell in cells
        if cell.seed == 1 and not cell.contestant.startswith(UNTRAINED)
        for each in errors_in(cell)
    ]  # fmt: skip
    return Table(_("What went wrong"), columns, found)
