"""Every file of pairs comes in, with the counts of an independent look at the raw file.

The counts here use no code of the import: lines split at tabs, JSON parsed, XML searched by patterns.
A pair that stands in a file twice is stored once, under what its first row says.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from apps.campaigns.models import Campaign, Judgement
from apps.datasets.models import Pair, Tag

pytestmark = pytest.mark.django_db

DIRECTIONS = {"upward_monotone": "upward", "downward_monotone": "downward", "non_monotone": "non-monotone"}
TWO_WAY = {
    "entailment": "entailment",
    "neutral": "non-entailment",
    "contradiction": "contradiction",
    "": None,
}


def table(path: Path) -> list[dict[str, str]]:
    lines = path.read_bytes().decode().replace("\r\n", "\n").rstrip("\n").split("\n")
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"), strict=True)) for line in lines[1:]]


def json_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def fracas(path: Path) -> list[dict]:
    def text(part: str) -> str:
        return " ".join(part.replace("&lt;", "<").replace("&amp;", "&").split())

    found = []
    for attributes, body in re.findall(r"<problem\s([^>]*)>(.*?)</problem>", path.read_text(), re.S):
        hypothesis = re.search(r"<h>(.*?)</h>", body, re.S)
        premises = [text(part) for part in re.findall(r"<p idx=[^>]*>(.*?)</p>", body, re.S)]
        answer = re.search(r'fracas_answer="(\w*)"', attributes)
        found.append(
            {
                "premise": premises,
                "hypothesis": text(hypothesis[1]) if hypothesis else "",
                "answer": answer[1],
            }
        )
    return found


def once(rows: list[dict], premise: str, hypothesis: str) -> list[dict]:
    """The first row of each pair."""
    first: dict = {}
    for row in rows:
        first.setdefault((str(row[premise]).strip(), row[hypothesis].strip()), row)
    return list(first.values())


def labels(rows: list[dict], column: str) -> Counter:
    return Counter(TWO_WAY[row[column].lower()] for row in rows)


def stored_labels() -> Counter:
    return Counter(Pair.objects.values_list("gold_labels__label", flat=True))


def test_med(bring, shared_data):
    """Direction × label × genre, and each tag, as the genre column writes them (MED, section 3.3)."""
    path = shared_data / "MED_dev.tsv"
    bring(path)
    rows = once(table(path), "sentence1", "sentence2")
    expected = Counter()
    tags = Counter()
    sources = Counter()
    for row in rows:
        parts = row["genre"].split(":")
        (direction,) = [DIRECTIONS[part] for part in parts if part in DIRECTIONS]
        expected[direction, TWO_WAY[row["gold_label"]], row["genre"]] += 1
        publication = [part for part in parts[1:2] if part in ("GLUE", "FraCaS_GQ")]
        sources[":".join([parts[0], *publication])] += 1
        tags.update({part for part in parts[1:] if part not in DIRECTIONS and part not in publication})
    assert len(table(path)) == 2731
    assert Counter(Pair.objects.values_list("direction", "gold_labels__label", "genre")) == expected
    assert Counter(Tag.objects.filter(source="file").values_list("name", flat=True)) == tags
    assert Counter(Pair.objects.values_list("source", flat=True)) == sources
    again = sum(len(facts.get("repeated", [])) for facts in Pair.objects.values_list("facts", flat=True))
    assert len(rows) + again == 2731


@pytest.mark.parametrize(
    "name",
    [
        "nmonli_dev.jsonl",
        "pmonli_dev.jsonl",
        "fragments_monotonicity_simple_dev.jsonl",
        "fragments_monotonicity_hard_dev.jsonl",
    ],
)
def test_json_lines(bring, shared_data, name):
    bring(shared_data / name)
    rows = once(json_lines(shared_data / name), "sentence1", "sentence2")
    assert stored_labels() == labels(rows, "gold_label")


def test_sick_without_the_scores_that_a_spreadsheet_turned_into_dates(bring, shared_data):
    path = shared_data / "sick_corrected.csv"
    printed = bring(path)
    rows = once(table(path), "sentence_A", "sentence_B")
    scores = [row["relatedness_score"] for row in table(path)]
    numbers = [score for score in scores if re.fullmatch(r"\d(\.\d+)?", score)]
    assert stored_labels() == labels(rows, "entailment_label")
    assert f"relatedness_score is damaged in {len(scores) - len(numbers)} rows" in printed
    stored = [facts.get("relatedness_score") for facts in Pair.objects.values_list("facts", flat=True)]
    assert sorted(score for score in stored if score) == sorted(map(float, numbers))
    parts = Counter(facts["split"] for facts in Pair.objects.values_list("facts", flat=True))
    assert parts == Counter(row["SemEval_set"].lower() for row in rows)


def test_help(bring, shared_data):
    path = shared_data / "help_or.tsv"
    bring(path)
    rows = once(table(path), "ori_sentence", "new_sentence")
    assert stored_labels() == labels(rows, "gold_label")
    assert Counter(Tag.objects.values_list("name", flat=True)) == Counter(row["monotonicity"] for row in rows)


def test_glue_with_its_tags(bring, shared_data):
    path = shared_data / "glue_diagnostic.tsv"
    bring(path)
    rows = once(table(path), "Premise", "Hypothesis")
    columns = ("Lexical Semantics", "Predicate-Argument Structure", "Logic", "Knowledge")
    tags = Counter(tag for row in rows for name in columns for tag in set(row[name].split(";")) if tag)
    assert stored_labels() == labels(rows, "Label")
    assert Counter(Tag.objects.values_list("name", flat=True)) == tags
    assert Counter(Pair.objects.values_list("genre", flat=True)) == Counter(row["Domain"] for row in rows)


def test_the_transitivity_paper_s_ratings_become_judgements(bring, shared_data):
    path = shared_data / "transitivity_human.tsv"
    bring(path)
    rows = table(path)
    ratings = Counter(int(point) for row in rows for point in re.findall(r"\d", row["crowd_score"]))
    answers = Counter(TWO_WAY[label] for row in rows for label in re.findall(r"'(\w+)'", row["crowd_label"]))
    assert Counter(Judgement.objects.values_list("rating", flat=True)) == ratings
    assert Counter(Judgement.objects.values_list("answer", flat=True)) == answers
    assert Campaign.objects.get().items.filter(counted=3).count() == len(rows) == 1920


def test_fracas(bring, shared_data):
    path = shared_data / "fracas.xml"
    printed = bring(path)
    problems = fracas(path)
    whole = [problem for problem in problems if problem["hypothesis"]]
    rows = once(whole, "premise", "hypothesis")
    words = {"yes": "entailment", "no": "contradiction", "unknown": "non-entailment", "undef": None}
    assert len(problems) == 346
    assert printed.count("has no hypothesis") == len(problems) - len(whole) == 4
    counted = Counter(pair.premises.count() for pair in Pair.objects.all())
    assert counted == Counter(len(row["premise"]) for row in rows)
    # A label may come from a later row of the pair, where the first one's answer is undefined.
    labelled: dict = {}
    for row in whole:
        key = (str(row["premise"]), row["hypothesis"])
        labelled[key] = labelled.get(key) or words[row["answer"]]
    assert stored_labels() == Counter(labelled.values())
    assert Pair.objects.filter(source__startswith="FraCaS (Cooper et al. 1996), problem ").count() == len(
        rows
    )
