"""Each section of a report, on small sets whose figures can be worked out by hand."""

from __future__ import annotations

import random

import pytest
from django.utils.translation import override

from apps.reports import duplicates, probe, shares, vocabulary
from apps.reports.duplicates import Text, near_duplicates, similarity
from apps.reports.models import BalanceReport
from apps.reports.presentation import sections
from apps.reports.rows import Row

E, N = "entailment", "non-entailment"


def row(hypothesis: str, label: str, *, premise: str = "A dog ran.", **fields) -> Row:
    return Row(premise, hypothesis, label, fields.pop("direction", "upward"), **fields)


def still() -> None:
    """A job's sign of life, which nobody looks for here."""


def test_shares_of_labels_and_directions():
    rows = [row("a", E), row("b", E), row("c", N, direction="downward"), row("d", "", split="test")]
    found = shares.balance(rows)
    assert (found["pairs"], found["labelled"], found["labels"]) == (4, 3, {E: 2, N: 1})
    assert found["directions"] == {"downward": 1, "upward": 3}
    assert (found["most"], found["most_share"]) == (E, 0.666667)
    assert ["downward", N, 1] in found["cells"]
    assert ["test", "", 1] in found["splits"]


def test_lengths_by_label():
    rows = [row("A small dog ran.", E), row("A dog ran.", E), row("Dogs isn't.", N, premise="One.")]
    entailed, other = shares.lengths(rows)
    assert (entailed["premise"], entailed["hypothesis"]) == (3.0, 3.5)
    assert (entailed["longer"], entailed["equal"], entailed["shorter"]) == (0.5, 0.5, 0.0)
    assert (other["premise"], other["hypothesis"]) == (1.0, 3.0)  # dogs, is, n't


def test_a_negation_cue_s_share_information_and_odds():
    """Of 4 entailments 1 has a *not*, of 4 others 3: P(n | not) = 3/4, PMI = log₂ (3·8 / 4·4), OR = 1/9."""
    rows = [row("not", E), *[row("x", E)] * 3, *[row("It is not", N)] * 2, row("isn't", N), row("y", N)]
    found = shares.cues(rows)
    either, word, clitic = found["cues"]
    assert [cue["cue"] for cue in found["cues"]] == ["any of them", "not", "n't"]
    assert (either["pairs"], either["shares"][N], either["pmi"][N]) == (4, 0.75, 0.585)
    assert either["odds"][0] == 0.111
    assert either["odds"][1] < 0.111 < either["odds"][2]
    assert word["counts"] == {E: 1, N: 2}
    assert clitic["pmi"][E] is None  # it never happened
    assert clitic["odds"] is None
    assert shares.cues([row("x", E)])["cues"] == []


def test_downward_inferences_are_counted_by_the_calculus():
    down = {"place": "downward"}
    rows = [
        row("a", E, calculus=E, monotone=True, **down),
        row("b", E, calculus=E, monotone=False, **down),
        row("c", E, calculus=N, monotone=True, **down),
        row("d", E, calculus=E, place="upward", monotone=True),
        row("e", E, direction="downward"),  # without a calculus label
    ]
    found = shares.downward(rows)
    assert (found["pairs"], found["labelled"]) == (5, 4)
    assert (found["downward"], found["entailed"]) == (3, 2)
    assert (found["monotone"], found["monotone_entailed"]) == (2, 1)
    assert shares.downward([row("a", E, calculus=E, place="downward")])["monotone"] is None


def test_figures_are_rounded_and_in_the_reader_s_language():
    from django.utils.translation import override

    from apps.reports.sections.words import number, percent

    assert (percent(2 / 3), percent(None), number(-0.296)) == ("66.7\u00a0%", "–", "−0.30")
    with override("de"):
        assert (percent(2 / 3), number(-0.296)) == ("66,7\u00a0%", "−0,30")


def test_vocabulary_overlaps_in_both_directions():
    rows = [row("a small dog", E, premise="A dog"), row("the cat", N, premise="A cat", split="test")]
    found = vocabulary.vocabulary(rows, [("The dog", "the BIG dog isn't")], still)
    assert (found["words"], found["running"]) == (5, 9)  # a small dog the cat
    other = found["other"]
    assert (other["words"], other["shared"]) == (5, 2)  # the dog big is n't; shared: the dog
    assert (other["share"], other["back"]) == (0.4, 0.4)
    assert other["running"] == round(3 / 9, 6)  # dog twice, the once
    (split,) = found["splits"]
    assert (split["one"], split["two"], split["share"]) == ("test", "", round(1 / 3, 6))
    assert vocabulary.vocabulary([], None, still)["words"] == 0


def test_similarity_counts_shared_shingles():
    assert similarity("abcde", "abcde") == 1.0
    assert similarity("abcdefg", "abcdefh") == 2 / 4
    assert similarity("ab", "cd") == 0.0


SENTENCE = "The small boy in the yellow coat gave his youngest sister a red ball in the garden of their house"


def test_near_duplicates_between_splits_are_found_and_others_are_not():
    texts = [
        Text(SENTENCE, f"{SENTENCE} today", "train"),
        Text("No dog ran", "No poodle ran", "train"),
        Text(SENTENCE, f"{SENTENCE} now", "test"),  # one word of forty is another
        Text("no DOG ran!", "No poodle ran.", "test"),  # the very same words
        Text("Some cats were asleep", "Some animals were asleep", "test"),
    ]
    (found,) = near_duplicates(texts, [("test", "train")], still)["between"]
    assert (found["pairs"], found["near"], found["exact"]) == (3, 2, 1)
    assert found["examples"] == [[SENTENCE, f"{SENTENCE} now", SENTENCE, f"{SENTENCE} today"]]


def test_within_a_part_a_pair_is_no_duplicate_of_itself():
    texts = [Text("A dog ran", "A dog moved", ""), Text("It rained", "It poured", "")]
    (found,) = near_duplicates(texts, [("", "")], still)["between"]
    assert found["near"] == 0
    (found,) = near_duplicates([*texts, texts[0]], [("", "")], still)["between"]
    assert (found["near"], found["exact"]) == (2, 2)


def test_minhash_misses_nothing_that_comparing_everything_finds():
    """A control: 120 pairs with a word changed here and there, every pair compared."""
    draw = random.Random(7)
    words = [f"word{n}" for n in range(40)]
    originals = [" ".join(draw.choices(words, k=25)) for _n in range(60)]
    texts = []
    for part in ("train", "test"):
        for original in originals:
            changed = original.split()
            for _change in range(draw.randrange(8)):
                changed[draw.randrange(25)] = draw.choice(words)
            texts.append(Text(original, " ".join(changed), part))
    normals = [duplicates.normal(text) for text in texts]
    wanted = {
        at
        for at, text in enumerate(texts)
        if text.part == "test"
        and any(
            texts[other].part == "train" and similarity(normals[at], normals[other]) >= duplicates.LIKE
            for other in range(len(texts))
        )
    }
    (found,) = near_duplicates(texts, [("test", "train")], still)["between"]
    assert 20 < len(wanted) < 60
    assert found["near"] == len(wanted)
    (found,) = near_duplicates(texts[::-1], [("train", "test")], still)["between"]
    assert found["near"] > 20


def test_many_pairs_alike_are_tried_up_to_a_limit_and_said_so(monkeypatch):
    texts = [Text(SENTENCE, f"{SENTENCE} {number}", "") for number in range(200)]
    found = near_duplicates(texts, [("", "")], still)
    assert (found["between"][0]["near"], found["limited"]) == (200, 0)
    monkeypatch.setattr(duplicates, "NEIGHBOURS", 0)
    found = near_duplicates(texts, [("", "")], still)
    assert (found["between"][0]["near"], found["limited"]) == (0, 200)


def test_the_probe_finds_a_word_that_gives_the_label_away():
    rows = [
        row(
            f"thing {number} {'never' if number % 2 else 'ever'}",
            N if number % 2 else E,
            premise=f"p{number // 2}",
        )
        for number in range(200)
    ]
    found = probe.probe(rows, seed=1, beat=still)
    assert (found["accuracy"], found["majority"], found["above"]) == (1.0, 0.5, True)
    assert found["interval"] == [1.0, 1.0]
    assert found["groups"] == 100
    assert probe.probe(rows, seed=1, beat=still) == found


def test_the_probe_finds_nothing_where_labels_are_drawn():
    draw = random.Random(3)
    rows = [
        row(" ".join(draw.choices("abcdefghij", k=6)), draw.choice([E, N]), premise=f"p{number}")
        for number in range(400)
    ]
    found = probe.probe(rows, seed=1, beat=still)
    assert not found["above"]
    low, high = found["interval"]
    assert low < found["accuracy"] < high
    assert 0.4 < found["accuracy"] < 0.6


def test_pairs_that_share_a_sentence_are_one_group():
    rows = [
        row("b", E, premise="a"),
        row("a", N, premise="b"),
        row("c", E, premise="b"),
        row("y", E, premise="x"),
    ]
    assert probe.groups_of(rows) == [0, 0, 0, 1]


def test_a_premise_is_never_on_both_sides():
    """Each hypothesis occurs under one premise alone, its label with it: what was learnt is of no use."""
    draw = random.Random(5)
    rows = []
    for premise in range(40):
        label = E if premise % 2 else N
        words = [f"w{premise}-{n}" for n in range(5)]
        rows += [row(" ".join(draw.sample(words, 3)), label, premise=f"p{premise}") for _n in range(5)]
    assert probe.probe(rows, seed=1, beat=still)["accuracy"] < 0.7


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "pairs with a label: 0, at least 50"),
        ([row("a", E)] * 60, "no variation"),
        ([*[row("a", E)] * 60, *[row("b", N)] * 2], "pairs with the label non-entailment: 2, at least 5"),
        ([*[row("a", E)] * 60, *[row("b", N)] * 60], "fewer than 5 groups"),
    ],
)
def test_where_the_probe_is_undefined_it_says_why(rows, why):
    assert why in probe.probe(rows, seed=1, beat=still)["undefined"]


def test_why_the_probe_is_undefined_is_read_in_the_reader_s_language():
    report = BalanceReport(facts={"probe": probe.probe([], seed=1, beat=still)})
    with override("de"):
        (section,) = sections(report)
    assert section.words == ["Nicht definiert: Paare mit Label: 0, mindestens 50 sind nötig."]
