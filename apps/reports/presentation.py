"""A report's facts as sections of tables, which the page and the CSV file show alike."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from apps.datasets.labels import LABEL_NAMES
from apps.jobs.wording import Wording
from apps.releases.rows import neutral_cell
from apps.reports.models import BalanceReport
from apps.reports.probe import SETUP
from apps.reports.rows import MOST_PAIRS, OTHER
from apps.reports.shares import ANY_NEGATION

NONE = "–"


@dataclass(frozen=True)
class Table:
    """Columns and rows of words; the first column names the row. ``title`` may be ""."""

    columns: list[str]
    rows: list[list[str]]
    title: str = ""


@dataclass
class Section:
    """One section: what was found in a sentence or two, and its tables."""

    title: str
    words: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    examples: list[list[str]] = field(default_factory=list)


def sections(report: BalanceReport) -> list[Section]:
    """Those sections that are there yet, in order."""
    makers: dict[str, Callable[[BalanceReport, Any], Section]] = {
        "balance": _balance,
        "downward": _downward,
        "lengths": _lengths,
        "cues": _cues,
        "vocabulary": _vocabulary,
        "duplicates": _duplicates,
        "probe": _probe,
    }
    return [make(report, report.facts[name]) for name, make in makers.items() if name in report.facts]


def csv_text(report: BalanceReport) -> str:
    """Every table with its section's title before it, and the sentences; one file for a spreadsheet, in
    English whoever reads it, with plain spaces and minus signs."""
    out = io.StringIO()
    writer = csv.writer(out)
    with override("en"):
        found = sections(report)
    for section in found:
        writer.writerow([neutral_cell(section.title)])
        for sentence in section.words:
            writer.writerow([neutral_cell(sentence)])
        for table in section.tables:
            if table.title:
                writer.writerow([neutral_cell(table.title)])
            writer.writerow(map(neutral_cell, table.columns))
            writer.writerows(map(_cell, row) for row in table.rows)
        writer.writerow([])
    return out.getvalue().replace("\u00a0", " ")


def _cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; a negative number is none."""
    return text.replace("−", "-") if text.startswith("−") else neutral_cell(text)


# ---- The sections ------------------------------------------------------------------------------


def _balance(report: BalanceReport, facts: dict[str, Any]) -> Section:
    labels = [*facts["labels"], *([""] if facts["labelled"] < facts["pairs"] else [])]
    cells = {(direction, label): n for direction, label, n in facts["cells"]}
    found = Section(_("Labels and directions"))
    if facts["pairs"] == MOST_PAIRS:
        found.words.append(_("The first %(n)d pairs were looked at.") % {"n": MOST_PAIRS})
    if facts["most"]:
        found.words.append(
            _(
                "Of %(pairs)d pairs, %(labelled)d have a label; always saying “%(label)s” is right on "
                "%(share)s."
            )
            % {**facts, "label": _label(facts["most"]), "share": _percent(facts["most_share"])}
        )
    else:
        found.words.append(_("Of %(pairs)d pairs, none has a label.") % facts)
    rows = [
        [
            _direction(direction),
            *(_count(cells.get((direction, label), 0)) for label in labels),
            _count(n),
            _percent(n / facts["pairs"]),
        ]
        for direction, n in facts["directions"].items()
    ]
    columns = [_("Direction"), *map(_label, labels), _("all"), _("share")]
    found.tables.append(Table(columns, rows))
    splits = list(dict.fromkeys(split for split, _label_name, _n in facts["splits"]))
    if splits not in ([], [""]):
        of_split = {(split, label): n for split, label, n in facts["splits"]}
        rows = []
        for split in splits:
            counts = [of_split.get((split, label), 0) for label in labels]
            rows.append([split, *map(_count, counts), _count(sum(counts))])
        found.tables.append(Table([_("Split"), *map(_label, labels), _("all")], rows))
    return found


def _downward(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("Downward inferences"))
    if not facts["labelled"]:
        found.words.append(_("Undefined: no pair has a calculus label yet."))
        return found
    found.words.append(
        _(
            "By the calculus, %(downward)d of %(labelled)d labelled pairs change a downward place, and on "
            "%(entailed)d of these the hypothesis follows."
        )
        % facts
    )
    if facts["monotone"] is not None:
        found.words.append(
            _(
                "Of the %(downward)d, it takes %(monotone)d for monotonicity inferences, all of whose words "
                "it knows; on %(monotone_entailed)d of these the hypothesis follows."
            )
            % facts
        )
    labels = sorted({label for _place, label, _n in facts["cells"]})
    cells = {(place, label): n for place, label, n in facts["cells"]}
    places = list(dict.fromkeys(place for place, _label_name, _n in facts["cells"]))
    rows = []
    for place in places:
        counts = [cells.get((place, label), 0) for label in labels]
        rows.append([_direction(place), *map(_count, counts), _count(sum(counts))])
    found.tables.append(Table([_("Direction"), *map(_label, labels), _("all")], rows))
    return found


def _lengths(report: BalanceReport, facts: list[dict[str, Any]]) -> Section:
    rows = [
        [
            _label(row["label"]),
            _count(row["pairs"]),
            _number(row["premise"]),
            _number(row["hypothesis"]),
            *(_percent(row[name]) for name in ("longer", "equal", "shorter")),
        ]
        for row in facts
    ]
    columns = [_("Label"), _("Pairs"), _("Words of a premise"), _("of a hypothesis")]
    columns += [_("Hypothesis longer"), _("equal"), _("shorter")]
    words = [] if rows else [_("Undefined: no pair has a label.")]
    return Section(_("Length"), words, [Table(columns, rows)] if rows else [])


def _cues(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("Negation in the hypothesis"))
    labels = list(facts["labels"])
    if not facts["cues"]:
        found.words.append(_("No labelled hypothesis has a negating word."))
        return found
    found.words.append(
        _(
            "What a negating word says of the label: the label's share among the pairs with it, pointwise "
            "mutual information in bits, and the odds of entailment with it over those without it "
            "(95 % interval)."
        )
    )
    columns = [_("Word"), _("Pairs"), _("Odds ratio")]
    columns += [_("%(label)s with it") % {"label": _label(label)} for label in labels]
    columns += [_("PMI, %(label)s") % {"label": _label(label)} for label in labels]
    rows = [
        [
            _("any of them") if row["cue"] == ANY_NEGATION else row["cue"],
            _count(row["pairs"]),
            NONE if row["odds"] is None else "{} ({}–{})".format(*map(_number, row["odds"])),
            *(_percent(row["shares"][label]) for label in labels),
            *(_number(row["pmi"][label]) for label in labels),
        ]
        for row in facts["cues"]
    ]
    found.tables.append(Table(columns, rows))
    return found


def _vocabulary(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("Vocabulary"))
    found.words.append(
        _("%(words)d different words among %(running)d running ones, without regard to capitals.") % facts
    )
    columns = [_("This"), _("Compared with"), _("its words"), _("shared")]
    columns += [_("share of this"), _("share of that"), _("of running words")]
    rows = [[row["one"], row["two"], *_overlap_cells(row)] for row in facts["splits"]]
    if facts["other"]:
        rows.append([_("all"), report.other_name, *_overlap_cells(facts["other"])])
    if rows:
        found.tables.append(Table(columns, rows))
    return found


def _overlap_cells(row: dict[str, Any]) -> list[str]:
    counts = [_count(row["words"]), _count(row["shared"])]
    return [*counts, *(_percent(row[name]) for name in ("share", "back", "running"))]


def _duplicates(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("Near-duplicates"))
    found.words.append(
        _(
            "A near-duplicate of a pair is another pair that shares %(share)s or more of its five-character "
            "pieces (of those that either has)."
        )
        % {"share": _percent(facts["like"])}
    )
    if facts["limited"]:
        found.words.append(
            _("%(n)d pairs look like so many others that not all were compared; none was found alike.")
            % {"n": facts["limited"]}
        )
    rows = [
        [
            item["one"] or _("this dataset"),
            _("itself") if item["two"] == item["one"] else _part(report, item["two"]),
            _count(item["pairs"]),
            _count(item["near"]),
            _percent(item["near"] / item["pairs"] if item["pairs"] else None),
            _count(item["exact"]),
        ]
        for item in facts["between"]
    ]
    columns = [_("Pairs of"), _("in"), _("Pairs"), _("with a near-duplicate"), _("share"), _("the very same")]
    found.tables.append(Table(columns, rows))
    found.examples = [texts for item in facts["between"] for texts in item["examples"]][:10]
    return found


def _part(report: BalanceReport, name: str) -> str:
    return report.other_name if name == OTHER else name


def _probe(report: BalanceReport, facts: dict[str, Any]) -> Section:
    found = Section(_("The hypothesis alone"))
    if facts["undefined"]:
        why = Wording(**facts["why"]) if "why" in facts else facts["undefined"]
        found.words.append(_("Undefined: %(why)s.") % {"why": why})
        return found
    low, high = facts["interval"]
    values = {
        **facts,
        "accuracy": _percent(facts["accuracy"]),
        "low": _percent(low),
        "high": _percent(high),
        "majority": _percent(facts["majority"]),
    }
    found.words.append(
        _(
            "A classifier that sees only hypotheses is right on %(accuracy)s of %(pairs)d pairs (95 %% "
            "interval %(low)s to %(high)s); always saying the most frequent label, on %(majority)s."
        )
        % values
    )
    found.words.append(
        _("So hypotheses give something away of the labels.")
        if facts["above"]
        else _("So it found nothing in the hypotheses that gives the labels away.")
    )
    found.words.append(
        _(
            "%(setup)s (%(library)s, seed %(seed)d); five-fold cross-validation over %(groups)d groups of "
            "pairs, no sentence on both sides."
        )
        % {**facts, "setup": _(SETUP)}
    )
    rows = [[_label(label), _percent(value)] for label, value in facts["by_label"].items()]
    found.tables.append(Table([_("Label"), _("recognised")], rows))
    return found


# ---- Words -------------------------------------------------------------------------------------


def _label(label: str) -> str:
    return str(LABEL_NAMES.get(label, label)) if label else _("no label")


def _direction(direction: str) -> str:
    return {"upward": _("upward"), "downward": _("downward"), "non-monotone": _("non-monotone")}.get(
        direction, _("none")
    )


def _percent(value: float | None) -> str:
    return NONE if value is None else f"{number_format(f'{100 * value:.1f}')}\u00a0%"


def _count(value: int) -> str:
    return str(value) if value else NONE


def _number(value: float | None) -> str:
    return NONE if value is None else number_format(f"{value:.2f}").replace("-", "−")
