"""Word relations: what WordNet and the supplement know, and what they say they don't."""

import subprocess
import sys
from pathlib import Path

import pytest

from natlog.lexicon.wordnet import wordnet
from natlog.lexicon.words import Relation, SupplementError, Words, read_supplement

WORDS = Words()
PLAIN = Words(supplement=False)


@pytest.mark.parametrize(
    ("first", "second", "pos", "relation"),
    [
        ("poodle", "animal", "n", Relation.HYPONYM),
        ("animal", "poodle", "n", Relation.HYPERNYM),
        ("poodles", "dogs", "n", Relation.HYPONYM),
        ("mice", "rodent", "n", Relation.HYPONYM),
        ("waltzed", "danced", "v", Relation.HYPONYM),
        ("snore", "sleep", "v", Relation.HYPONYM),
        ("boy", "male child", "n", Relation.SYNONYM),
        ("ice cream", "dessert", "n", Relation.HYPONYM),
        ("hot", "cold", "a", Relation.ANTONYM),
        ("dog", "cat", "n", Relation.COHYPONYM),
        ("Boston", "city", "n", Relation.HYPONYM),
        ("Bach", "composer", "n", Relation.HYPONYM),
        ("dogs", "dog", "n", Relation.SYNONYM),
        ("Nairobi", "Kenya", "n", Relation.HYPONYM),
        ("Africa", "Kenya", "n", Relation.HYPERNYM),
        ("glorp", "animal", "n", Relation.UNKNOWN),
        ("singer", "pianist", "n", Relation.UNKNOWN),
    ],
)
def test_wordnet_alone_knows(first, second, pos, relation):
    assert PLAIN.relation(first, second, pos).relation is relation


def test_persons_of_two_trades_are_no_exclusive_kinds_though_sisters_in_wordnet():
    assert PLAIN.relation("singer", "violinist", "n").relation is not Relation.COHYPONYM


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("coke", "soda", Relation.HYPONYM),
        ("lemonade", "beverage", Relation.HYPONYM),
        ("Berlin", "Europe", Relation.HYPONYM),
        ("toward", "towards", Relation.SYNONYM),
    ],
)
def test_the_supplement_adds_general_english(first, second, relation):
    found = WORDS.relation(first, second)
    assert found.relation is relation
    assert found.source.startswith("supplement") or found.source == "WordNet"


def test_unknown_is_a_verdict_of_its_own_with_low_confidence():
    found = WORDS.relation("glorp", "blorp", "n")
    assert (found.relation, found.source) == (Relation.UNKNOWN, "no source")
    assert found.confidence < 0.5


def test_a_relation_and_its_converse_agree():
    pairs = [("poodle", "animal"), ("guest", "visitor"), ("dog", "cat"), ("run", "move"), ("hot", "cold")]
    for first, second in pairs:
        assert WORDS.relation(first, second).relation is WORDS.relation(second, first).relation.converse


def test_synonyms_of_synonyms_are_not_chained(tmp_path):
    extra = tmp_path / "more.tsv"
    extra.write_text("aaa\tsynonym\tbbb\ttest\nbbb\tsynonym\tccc\ttest\n")
    words = Words(supplement=False, extra=[extra])
    assert words.relation("aaa", "bbb").relation is Relation.SYNONYM
    assert words.relation("aaa", "ccc").relation is Relation.UNKNOWN


def test_a_researchers_file_extends_the_relations_and_chains_with_wordnet(tmp_path):
    extra = tmp_path / "more.tsv"
    extra.write_text("# house animals\nlabradoodle, cockapoo\thyponym\tdog\tbreeders' list\n")
    words = Words(extra=[extra])
    assert words.relation("cockapoos", "dog").relation is Relation.UNKNOWN  # forms are WordNet's alone
    assert words.relation("cockapoo", "dog").source == "supplement: breeders' list"
    assert words.relation("labradoodle", "animal").relation is Relation.HYPONYM


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dog\thyponym\tanimal", "line 2: four tab-separated columns"),
        ("dog\tkind of\tanimal\tme", "line 2: 'kind of' is no relation"),
        ("dog\t\tanimal\tme", "line 2: four"),
    ],
)
def test_a_bad_supplement_line_is_named(tmp_path, line, message):
    path = tmp_path / "bad.tsv"
    path.write_text("cat\thyponym\tanimal\tme\n" + line + "\n")
    with pytest.raises(SupplementError, match=message) as error:
        read_supplement(path)
    assert str(path) in str(error.value)


def test_every_line_of_the_shipped_supplement_is_readable_and_has_a_source():
    from natlog.lexicon.words import SUPPLEMENT

    entries = read_supplement(SUPPLEMENT)
    assert len(entries) > 500
    assert all(entry.source.startswith(("general English", "compositional")) for entry in entries)


OPENED_DATA = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from natlog.lexicon import wordnet, words
{then}
print(*sorted({{name for name in opened if name.endswith((".zip", ".tsv", ".toml"))}}))
"""


@pytest.mark.parametrize(
    ("then", "read"),
    [
        ("", set()),
        ("wordnet.wordnet()", {"wordnet.zip"}),
        ("words.Words()", {"wordnet.zip", "supplement.tsv"}),
    ],
)
def test_data_is_read_when_first_wanted_and_not_on_import(then, read):
    done = subprocess.run(
        [sys.executable, "-c", OPENED_DATA.format(then=then)], capture_output=True, text=True, check=True
    )
    assert {Path(name).name for name in done.stdout.split()} == read


@pytest.mark.parametrize(
    ("form", "lemma"), [("staring", "stare"), ("riding", "ride"), ("hopping", "hop"), ("hoping", "hope")]
)
def test_a_short_verb_doubles_its_last_letter(form: str, lemma: str) -> None:
    assert wordnet().lemmas(form, "v") == (lemma,)


@pytest.mark.parametrize(("one", "two"), [("snow", "snowy"), ("quick", "quickly"), ("ride", "rider")])
def test_derived_words_know_each_other(one: str, two: str) -> None:
    assert two in wordnet().derived(one)
    assert one in wordnet().derived(two)


SISTERS = [("tennis", "football"), ("guitar", "piano"), ("politics", "sociology")]


@pytest.mark.parametrize(("one", "two"), SISTERS)
def test_sister_sports_instruments_and_sciences_exclude_each_other(one: str, two: str) -> None:
    assert WORDS.relation(one, two, "n").relation is Relation.COHYPONYM
