"""Human judgements of the transitivity paper (Yanaka et al. 2021, section 4.4): three ratings a pair.

``crowd_score`` lists the ratings from 1 to 5, ``crowd_label`` the labels that they come to; each becomes a
judgement. The genre is the template of the pair, the verb is kept as a tag, and what the paper's Tables 10
and 14 are broken down by as facts.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.imports.formats.table import Columns, Values
from apps.imports.labels import label_of, list_of
from apps.imports.records.record import Record
from apps.imports.rows import Answer, CellError, PairRow


def read(record: Record, values: Values) -> PairRow:
    return PairRow(
        record.number,
        record.line,
        (record.text("sentence1"),),
        record.text("sentence2"),
        label=label_of(record.label("gold_label"), "gold_label", values),
        genre=record.text("genre"),
        tags=(record.text("verb"),) if record.text("verb") else (),
        source="Yanaka et al. 2021, transitivity",
        answers=_answers(record, values),
        facts={"pair_ID": record.text("pair_id"), **_cell(record)},
    )


def _cell(record: Record) -> dict[str, str]:
    """Of a genre such as ``past.fph.neutral.act.pos.factive``: the verb and its type, the kind of the pair
    (f(s1) → s1, or f(s1) → s2) and, of the second kind, its cell: does f(s1) → s1 hold, does s1 → s2?"""
    match record.text("genre").split("."):
        case [tense, "fpp" | "fph" as kind, relation, _voice, _polarity, "factive" | "non-factive" as verb]:
            facts = {"verb": record.text("verb"), "tense": tense, "verb_type": verb}
            if kind == "fpp":
                return {**facts, "kind": "f(s1)-s1"}
            steps = verb == "factive", relation == "entailment"
            cell = "-".join("yes" if step else "unk" for step in steps)
            return {**facts, "kind": "f(s1)-s2", "cell": cell}
    return {}


def _answers(record: Record, values: Values) -> tuple[Answer, ...]:
    ratings = list_of(record.text("crowd_score"), "crowd_score")
    labels = list_of(record.text("crowd_label"), "crowd_label")
    if len(ratings) != len(labels):
        raise CellError(
            "crowd_label",
            _("%(labels)d labels for %(ratings)d ratings") % {"labels": len(labels), "ratings": len(ratings)},
        )
    for rating in ratings:
        if not isinstance(rating, int) or not 1 <= rating <= 5:
            raise CellError(
                "crowd_score", _("%(found)s is no rating from 1 to 5") % {"found": repr(rating)[:20]}
            )
    answers = []
    for rating, written in zip(ratings, labels, strict=True):
        label = label_of(written, "crowd_label", values)
        if not label:
            raise CellError("crowd_label", _("a rating without its label"))
        answers.append(Answer(label, rating))
    return tuple(answers)


FORMAT = Columns(
    "transitivity",
    gettext_lazy("Human judgements of the transitivity paper"),
    frozenset({"sentence1", "sentence2", "gold_label", "crowd_score", "crowd_label"}),
    read,
)
