"""What each format says of a pair."""

from __future__ import annotations

import json

import pytest

from apps.imports.formats import known_by
from apps.imports.rows import Answer, LeftOut, PairRow
from tests.imports import layouts
from tests.imports.layouts import LAYOUTS


def first(pairs_in, format: str, **changed) -> PairRow:
    layout = LAYOUTS[format]
    row = {**layout.cells(1), **changed}
    if layout.is_json:
        return pairs_in(json.dumps(row), layout.file_name)[0]
    text = "\n".join(layout.separator.join(map(str, cells)) for cells in (row, row.values()))
    return pairs_in(text, layout.file_name)[0]


@pytest.mark.parametrize(
    ("format", "key"),
    [
        ("med", "mnli"),
        ("snli", "mnli"),
        *((name, name) for name in ("sick", "help", "generated", "glue", "transitivity", "polarlab")),
    ],
)
def test_a_format_is_known_by_its_columns(format, key):
    assert known_by([name.lower() for name in LAYOUTS[format].columns]).key == key


@pytest.mark.parametrize("format", [name for name in LAYOUTS if name not in ("mapped", "polarlab")])
def test_premise_hypothesis_and_label(pairs_in, format):
    row = first(pairs_in, format)
    assert (row.premises, row.hypothesis) == (("No café 1 has opened.",), "No small café 1 has opened.")
    assert row.label == "neutral"


def test_med_s_genre(pairs_in):
    row = first(pairs_in, "med")
    assert (row.direction, row.tags, row.source) == ("downward", ("npi",), "crowd")
    assert row.facts == {"pairID": "pairID1", "promptID": "promptID1"}


def test_snli_s_annotators(pairs_in):
    """The empty string is the annotator that a pair doesn't have."""
    row = first(pairs_in, "snli", annotator_labels=["neutral", "contradiction", "entailment", "", "neutral"])
    assert [answer.label for answer in row.answers] == ["neutral", "contradiction", "entailment", "neutral"]


def test_snli_without_a_majority_has_no_gold_label(pairs_in):
    assert first(pairs_in, "snli", gold_label="-").label == ""


def test_multinli_s_annotators_in_a_table(pairs_in):
    header = "sentence1\tsentence2\tgold_label\tlabel1\tlabel2\tlabel3\tgenre\n"
    row = pairs_in(header + "A.\tB.\tneutral\tneutral\tcontradiction\t\tfiction\n")[0]
    assert row.answers == (Answer("neutral"), Answer("contradiction"))
    assert (row.genre, row.direction, row.tags) == ("fiction", "", ())


@pytest.mark.parametrize(
    ("written", "score", "damaged"),
    [
        ("4.5", 4.5, False),
        ("4", 4.0, False),
        ("3,585", 3.585, False),
        ("04. May", None, True),
        ("Mar 65", None, True),
        ("3-Feb", None, True),
        ("", None, False),
    ],
)
def test_sick_s_scores(pairs_in, written, score, damaged):
    row = first(pairs_in, "sick", relatedness_score=written.replace(",", ".") if "," in written else written)
    assert row.facts.get("relatedness_score") == score
    assert [item.column for item in row.damage] == ["relatedness_score"] * damaged


@pytest.mark.parametrize(
    ("monotonicity", "direction", "tags"),
    [
        ("downward_monotone", "downward", ()),
        ("upward", "upward", ()),
        ("disjunction", "", ("disjunction",)),
    ],
)
def test_help_s_monotonicity(pairs_in, monotonicity, direction, tags):
    row = first(pairs_in, "help", monotonicity=monotonicity)
    assert (row.direction, row.tags, row.genre) == (direction, tags, monotonicity)


def test_generated_pairs_keep_their_direction_and_how_they_were_made(pairs_in):
    row = first(pairs_in, "generated", direction="non-monotone", kind="-")
    assert row.direction == "non-monotone"
    assert row.facts == {"operation": "operation1", "reversed": "reversed1"}


def test_generated_pairs_with_an_unknown_direction_are_refused(events):
    header = "sentence1\tsentence2\tgold_label\tdirection\n"
    (event,) = events(header + "No dog ran.\tNo cat ran.\tneutral\tsideways\n", "generated.tsv")
    assert (event.column, event.message) == (
        "direction", "“sideways” is none of upward, downward, non-monotone",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("logic", "direction"),
    [("Negation;Downward monotone", "downward"), ("Upward monotone;Non-monotone", ""), ("Negation", "")],
)
def test_glue_s_phenomena(pairs_in, logic, direction):
    row = first(pairs_in, "glue", Logic=logic)
    assert row.direction == direction
    assert set(logic.split(";")) < set(row.tags)


def test_the_transitivity_paper_s_ratings(pairs_in):
    row = first(pairs_in, "transitivity")
    assert row.answers == (Answer("entailment", 5), Answer("entailment", 4), Answer("neutral", 2))


def test_polarlab_s_rows_keep_several_premises(pairs_in):
    row = first(pairs_in, "polarlab")
    assert row.premises == ("No café 1 has opened.", "It is early.")
    assert (row.direction, row.tags) == ("downward", ("npi",))


def test_parquet_holds_the_same_rows(pairs_in):
    rows = [LAYOUTS["polarlab"].cells(n) for n in range(1, 1200)]
    found = pairs_in(layouts.parquet(rows), "release.parquet")
    assert [row.hypothesis for row in found] == [row["hypothesis"] for row in rows]
    assert found[0] == first(pairs_in, "polarlab")


def test_polarlab_s_facts_are_an_object_or_its_json(pairs_in):
    rows = [{**LAYOUTS["polarlab"].cells(1), "facts": facts} for facts in ({"score": 1.5}, '{"score": 1.5}')]
    found = pairs_in("\n".join(json.dumps(row) for row in rows), "release.jsonl")
    assert [row.facts for row in found] == [{"score": 1.5}] * 2


def test_fracas(pairs_in):
    row = pairs_in("\n".join(layouts.fracas(1)), "fracas.xml")[0]
    assert row.premises == ("No café 1 has opened.", "It is early.")
    assert (row.label, row.genre) == ("contradiction", "quantifiers")
    assert row.source == "FraCaS (Cooper et al. 1996), problem 001"


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("<h>No small café 1 has opened.</h>", "<h/>", LeftOut),
        ('fracas_answer="no"', 'fracas_answer="undef"', PairRow),
    ],
)
def test_fracas_problems_without_hypothesis_or_answer(events, old, new, kind):
    (event,) = events("\n".join(layouts.fracas(1)).replace(old, new), "fracas.xml")
    assert isinstance(event, kind)
    assert kind is LeftOut or event.label == ""


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_xml_with_entities_is_refused(events, declaration):
    from apps.corpora.sources import FileProblem

    lines = layouts.fracas(1)
    with pytest.raises(FileProblem, match="entities are not taken"):
        events("\n".join([lines[0], declaration, *lines[1:]]), "fracas.xml")
