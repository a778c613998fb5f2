"""English words are data: no module of natlog holds a list of them, the technical words named here apart."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import natlog
from natlog.lexicon.operators import ARGUMENTS, KINDS
from natlog.lexicon.word_lists import named_lists, phrase_list, tables, word_list
from natlog.parsing.label_schemes import SCHEMES

ROOT = Path(natlog.__file__).parent
MOST = 2
"""Lower-case words in one literal that are no list yet."""
TECHNICAL = frozenset().union(*(scheme.relations for scheme in SCHEMES), ARGUMENTS, KINDS)
"""Dependency relations, and the kinds and arguments of operators."""
RELATIONS = frozenset(
    [
        "npadvmod",
        "csubj",
        "csubjpass",
        "preconj",
        "nmod",
        "parataxis",
        "intj",
        "meta",
        "case",
        "dep",
        "relcl",
        "nsubjpass",
        "oprd",
        "mark",
        "cc",
    ]
)
"""Relations that no rule must have, beside those."""
NO_ENGLISH = {
    "__main__.py": (1, "names of commands"),
    "calculus/checks.py": (2, "kinds of edits"),
    "calculus/confidence.py": (1, "names of what confidence is judged by"),
    "calculus/contexts.py": (1, "ids of operators"),
    "calculus/groups.py": (1, "a phrase to be written"),
    "calculus/tags.py": (1, "the paper's tags"),
    "commands/compare.py": (1, "keys of JSON, formats"),
    "commands/contrast.py": (1, "columns"),
    "commands/generate.py": (3, "columns, operations"),
    "commands/label.py": (1, "columns"),
    "commands/meaning.py": (1, "names of grammars"),
    "commands/testbed.py": (1, "names of test beds"),
    "lexicon/build_wordnet.py": (1, "relations of WordNet"),
    "lexicon/embedding.py": (1, "names of packages and settings"),
    "lexicon/inflection.py": (1, "endings"),
    "lexicon/operators.py": (1, "keys of operators.toml"),
    "lexicon/wordnet.py": (1, "relations of WordNet"),
    "pair_scores.py": (1, "names of directions and halves"),
    "pairs.py": (1, "columns and labels of files"),
    "parsing/ccg/__init__.py": (1, "formats"),
    "parsing/label_schemes.py": (1, "components of pipelines"),
    "polarity/asides.py": (1, "ids of operators"),
    "polarity/noun_phrases.py": (1, "ids of operators"),
}
"""Modules with lists of other lower-case words: how many, and what they are."""
PARTS_WITHOUT_ENGLISH_RULES = ("logic", "fragments")
"""Notations of logic, and grammars that are data files already."""


def modules():
    for path in sorted(ROOT.rglob("*.py")):
        name = str(path.relative_to(ROOT))
        if not name.startswith(PARTS_WITHOUT_ENGLISH_RULES):
            yield pytest.param(path, NO_ENGLISH.get(name, (0, ""))[0], id=name)


def lists_of_words(source: str) -> list[str]:
    """The literals with at least three lower-case words that are no technical ones."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Set | ast.Tuple | ast.List):
            continue
        texts = [
            item.value for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)
        ]
        words = [text for text in texts if text.isalpha() and text.islower() and len(text) > 1]
        english = [word for word in words if word not in TECHNICAL | RELATIONS]
        if len(english) > MOST:
            found.append(f"line {node.lineno}: {' '.join(words)}")
    return found


@pytest.mark.parametrize(("path", "technical"), modules())
def test_no_module_holds_a_list_of_english_words(path, technical):
    found = lists_of_words(path.read_text("utf-8"))
    assert len(found) <= technical, found


def test_the_search_finds_a_list_and_passes_labels():
    assert lists_of_words('X = frozenset({"who", "which", "whom"})') != []
    assert lists_of_words('X = ["all", "each", "every"]') == ["line 1: all each every"]
    assert lists_of_words('X = ("nsubj", "dobj", "pobj", "relcl")') == []
    assert lists_of_words('X = ("who", "which")') == []


def test_every_list_says_what_it_is_and_where_it_comes_from():
    for name, table in tables().items():
        assert table.get("about") or table.get("effect"), name
        assert table["source"], name
        kinds = table.keys() & {"words", "lists", "phrases"}
        assert len(kinds) == 1, name
        words = table.get("words", ())
        assert len(words) == len(set(words)), name


def test_one_notion_has_one_list():
    words = {}
    for name, table in tables().items():
        if "words" in table:
            words.setdefault(frozenset(table["words"]), []).append(name)
    assert [names for names in words.values() if len(names) > 1] == []


def test_lists_are_read_by_their_names():
    assert {"not", "nor"} <= word_list("negations")
    assert ("at", "all") in phrase_list("npi_phrases")
    assert named_lists("stand_in_verbs")["report"][0] == "say"
    with pytest.raises(KeyError):
        word_list("no such list")
