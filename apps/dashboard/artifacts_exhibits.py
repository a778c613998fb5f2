"""What gives labels away, as figures and tables that a paper takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.comparison.pairs import predicted
from apps.dashboard.addresses import WordAddresses
from apps.dashboard.artifacts import AGREED, ALL, Artifacts
from apps.dashboard.hard_pairs import REFERENCES
from apps.datasets.labels import ENTAILMENT, LABEL_NAMES, NON_ENTAILMENT
from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.figures import CATEGORIES, SOFT
from apps.frame.exhibits.tables import Form
from apps.inference.models import Run

_DRAWN, _SOURCES = 15, 6
_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]


def kept(found: Artifacts, names: Mapping[str, str], addresses: WordAddresses) -> Exhibits:
    """The page's exhibits; ``names`` are the sources' by their keys."""
    return {
        "words-figure": lambda: words_figure(found, names),
        "rules": lambda: rules_table(found, names),
        "words": lambda: words_table(found, names, addresses),
    }


def source_names(reference: str, runs: Sequence[Run]) -> dict[str, str]:
    """What each source is called; ``reference`` is whose labels are right."""
    named = str(REFERENCES[reference])
    return {predicted(run): run.model.name for run in runs} | {
        ALL: named,
        AGREED: _("%(reference)s, where people and calculus agree") % {"reference": named},
    }


def words_figure(found: Artifacts, names: Mapping[str, str]) -> Figure | None:
    """The z-score of each of the most telling words, in the labels and in what models say."""
    sources = found.sources[:_SOURCES]
    values: list[dict[str, Any]] = [
        {"word": word, "source": names[source.key], "z": round(z, 2)}
        for word in found.words[:_DRAWN]
        for source in sources
        if (z := source.cues[word].z) is not None
    ]
    if not values:
        return None
    there = list(dict.fromkeys(value["source"] for value in values))
    by_source = {"field": "source", "type": "nominal", "sort": there, "title": None}
    spec = {
        "data": {"values": values},
        "width": 440,
        "height": {"step": 20},
        "layer": [
            {
                "mark": {"type": "rule", "color": SOFT, "strokeDash": [2, 3]},
                "encoding": {"x": {"datum": 0, "type": "quantitative"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60},
                "encoding": {
                    "y": {"field": "word", "type": "nominal", "sort": found.words[:_DRAWN], "title": None},
                    "x": {
                        "field": "z",
                        "type": "quantitative",
                        "title": _("z-score: to the right entailment, to the left non-entailment"),
                    },
                    "color": {
                        **by_source,
                        "scale": {"domain": there, "range": CATEGORIES[: len(there)]},
                        "legend": {"orient": "top", "columns": 3, "labelLimit": 220},
                    },
                    "shape": {**by_source, "scale": {"domain": there, "range": _SHAPES[: len(there)]}},
                },
            },
        ],
    }
    first = found.words[0]
    cue = found.sources[0].cues[first]
    says = _("The most telling word, “%(word)s”, comes with %(label)s in %(share).0f of 100 pairs.") % {
        "word": first,
        "label": LABEL_NAMES.get(cue.label, cue.label),
        "share": 100 * (cue.share or 0),
    }
    return Figure(_("Words of the hypothesis that give the label away"), says, spec)


def rules_table(found: Artifacts, names: Mapping[str, str]) -> Table:
    """A row a source: how often rules of thumb give its label, and how much longer hypotheses are."""
    columns = [
        Column("source", _("Whose labels")),
        Column("pairs", _("Pairs"), Form.COUNT),
        Column("common", _("Its commoner label, always"), Form.SHARE, 1),
        Column("overlap", _("All words in the premise: entailment"), Form.SHARE, 1),
        Column("negation", _("A negating word: no entailment"), Form.SHARE, 1),
        Column("longer_entailment", _("Words more than the premise, entailment"), Form.FIGURE, 2),
        Column("longer_other", _("the same, non-entailment"), Form.FIGURE, 2),
    ]
    rows = [
        [
            Cell(names[source.key]),
            Cell(source.pairs),
            Cell(source.common),
            Cell(source.overlap),
            Cell(source.negation),
            Cell(source.longer.get(ENTAILMENT)),
            Cell(source.longer.get(NON_ENTAILMENT)),
        ]
        for source in found.sources
    ]
    return Table(_("How often a rule of thumb gives the label, per cent"), columns, rows)


def words_table(found: Artifacts, names: Mapping[str, str], addresses: WordAddresses) -> Table:
    """A row a word: the label that it points to, how many have it, its share and PMI, and the z-score in each
    source."""
    columns = [
        Column("word", _("Word")),
        Column("pairs", _("Pairs"), Form.COUNT),
        Column("label", _("Label")),
        Column("with_label", _("of those with it"), Form.COUNT),
        Column("share", _("of those with it, %"), Form.SHARE, 1),
        Column("pmi", _("PMI, bits"), Form.FIGURE, 2),
        *(
            Column(f"z_{source.key}", _("z, %(source)s") % {"source": names[source.key]}, Form.FIGURE, 2)
            for source in found.sources
        ),
    ]
    rows = []
    for word in found.words:
        cue = next(source for source in found.sources if source.key == ALL).cues[word]
        label = str(LABEL_NAMES.get(cue.label, cue.label))
        with_label = None if cue.share is None else round(cue.pairs * cue.share)
        rows.append(
            [
                Cell(word),
                Cell(cue.pairs, addresses.of(word)),
                Cell(label),
                Cell(with_label, addresses.of(word, cue.label) if with_label else ""),
                Cell(cue.share),
                Cell(cue.pmi),
                *(Cell(source.cues[word].z) for source in found.sources),
            ]
        )
    return Table(_("Words of the hypothesis"), columns, rows)
