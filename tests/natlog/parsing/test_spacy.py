"""Trees from spaCy parses: tokens, constituents, the kind of sentence, repairs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from natlog.parsing import SpacyParser, load_parser
from natlog.parsing.spacy import DEFAULT_MODEL, ParserNotFound
from natlog.tree import Node, SentenceKind, Tree, to_dict, tree_from_dict


def brackets(tree: Tree, node: Node) -> str:
    if not node.children:
        return tree.span_text(node.start, node.end)
    return f"[{node.label} {' '.join(brackets(tree, child) for child in node.children)}]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Every small dog barks", "[S [NP Every [NBAR [AP small] [NBAR dog]]] [VP barks]]"),
        (
            "John saw a dog in the park",
            "[S [NP John] [VP [VP saw] [NP a [NBAR [NBAR dog] [PP in [NP the [NBAR park]]]]]]]",
        ),
        ("Dogs who bark run", "[S [NP [NBAR Dogs] [SBAR [NP who] [VP bark]]] [VP run]]"),
        ("A dog and a cat sleep", "[S [NP [NP A [NBAR dog]] and [NP a [NBAR cat]]] [VP sleep]]"),
        ("John does not sleep", "[S [NP John] [VP does [VP not [VP sleep]]]]"),
    ],
)
def test_constituents(text: str, expected: str) -> None:
    tree = load_parser().parse(text)
    assert brackets(tree, tree.root) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The dog barks.", SentenceKind.DECLARATIVE),
        ("What he did wasn't wrong.", SentenceKind.DECLARATIVE),
        ("Whoever barks is a dog.", SentenceKind.DECLARATIVE),
        ("The wolf howls.", SentenceKind.DECLARATIVE),
        ("Does the dog bark?", SentenceKind.QUESTION),
        ("He left, didn't he?", SentenceKind.QUESTION),
        ('"Who is it?" "It is Tom."', SentenceKind.QUESTION),
        ("Don't touch that button.", SentenceKind.IMPERATIVE),
        ("Let's eat out.", SentenceKind.IMPERATIVE),
        ("If a dog bites you, wash the wound.", SentenceKind.IMPERATIVE),
        ("If the door is open, then don't close it.", SentenceKind.IMPERATIVE),
        ("If the door is open, I don't close it.", SentenceKind.DECLARATIVE),
        ("Cut taxes!", SentenceKind.IMPERATIVE),
        ("Dogs bark!", SentenceKind.DECLARATIVE),
        ("Wow! The dog barked.", SentenceKind.DECLARATIVE),
        ("Nobody laughed.", SentenceKind.DECLARATIVE),
        ("No one laughed.", SentenceKind.DECLARATIVE),
        ("What a feast!", SentenceKind.FRAGMENT),
        ("John Irving", SentenceKind.FRAGMENT),
        ("", SentenceKind.FRAGMENT),
    ],
)
def test_kind_of_sentence(text: str, kind: SentenceKind) -> None:
    assert load_parser().parse(text).kind is kind


@pytest.mark.parametrize(
    ("text", "verb", "repair"),
    [
        ("Three dogs like four cats", "like", "like read as a verb"),
        ("Every man without a hat shivers", "shivers", "shivers read as a verb"),
        ("If every cat runs some dog sleeps", "sleeps", "a comma after the conditional"),
        ("The wolf howls.", "howls", "howls read as a verb"),
        ("Tom's young.", "'s", "'s read as a verb"),
        ("Dogs chase cats", "chase", "chase read as a verb"),
        ("Fewer dogs than cats sit.", "sit", "than read as a comparison of two sets"),
        ("some poodle who a young bat sniffed did not run", "run", "the relative clause parsed by itself"),
    ],
)
def test_a_faulty_parse_is_repaired(text: str, verb: str, repair: str) -> None:
    tree = load_parser().parse(text)
    root = next(token for token in tree.tokens if token.head == token.index)
    assert root.text == verb
    assert tree.repairs == (repair,)
    assert tree.confidence < 1
    assert load_parser().parse("The dog sees a cat.").confidence == 1


@pytest.mark.parametrize(
    ("text", "word", "governor"),
    [
        ("Mary ate before a guest arrived.", "guest", "arrived"),
        ("There is a dog in the house who barks.", "barks", "dog"),
        ("John likes all cats except Tom.", "except", "cats"),
        ("Never have I seen a whale.", "Never", "seen"),
    ],
)
def test_an_arc_is_moved_where_grammar_leaves_no_doubt(text: str, word: str, governor: str) -> None:
    tree = load_parser().parse(text)
    token = next(token for token in tree.tokens if token.text == word)
    assert tree.tokens[token.head].text == governor


@pytest.mark.parametrize("text", ["dog and " * 150 + "cat", "word " * 500])
def test_what_is_no_sentence_is_left_unparsed(text: str) -> None:
    tree = load_parser().parse(text)
    assert tree.confidence == 0
    assert tree.kind is SentenceKind.FRAGMENT


def test_without_repair_the_parse_is_the_pipelines_own() -> None:
    parser = SpacyParser(repair=False)
    assert parser.name == load_parser().name.partition("+repair")[0]
    assert parser.parse("Every man without a hat shivers").repairs == ()


@pytest.mark.parametrize(
    ("text", "phrase", "noun"),
    [
        ("At most 6 dogs bark.", ["At", "most", "6"], "dogs"),
        ("Hardly any dog barks.", ["Hardly", "any"], "dog"),
        ("Some but not all dogs bark.", ["Some", "but", "not", "all"], "dogs"),
    ],
)
def test_a_complex_determiner_hangs_on_its_noun(text: str, phrase: list[str], noun: str) -> None:
    tree = load_parser().parse(text)
    assert [token.text for token in tree.tokens[: len(phrase)]] == phrase
    for token in tree.tokens[: len(phrase)]:
        head = tree.tokens[token.head]
        while head.text in phrase:
            head = tree.tokens[head.head]
        assert head.text == noun


def test_parts_of_speech_and_lemmas_do_not_depend_on_what_was_parsed_before() -> None:
    texts = ["Let's go.", "Tom's dog lets us go.", "There is a dog.", "A dog is here.", "They ain't here."]
    forward = list(SpacyParser(repair=False).pipe(texts))
    backward = list(SpacyParser(repair=False).pipe(texts[::-1]))[::-1]
    assert forward == backward
    for tree, doc in zip(forward, load_parser()._nlp.pipe(texts), strict=True):
        assert [(t.pos, t.lemma) for t in tree.tokens] == [(t.pos_, t.lemma_) for t in doc]


def test_a_stored_tree_is_the_tree() -> None:
    tree = load_parser().parse("No dog who barks likes every cat.")
    assert tree_from_dict(to_dict(tree)) == tree


def test_given_words_are_kept() -> None:
    tree = load_parser().parse_tokens(["John", "'s", "cat", "ca", "n't", "swim", "."])
    assert [token.text for token in tree.tokens] == ["John", "'s", "cat", "ca", "n't", "swim", "."]
    assert tree.text == "John 's cat ca n't swim ."


def test_a_missing_pipeline_is_named() -> None:
    with pytest.raises(ParserNotFound, match="nonesuch"):
        SpacyParser("nonesuch")


LOADED = """
import sys
from natlog.parsing import load_parser
print(load_parser(sys.argv[1]).parse("No dog ran.").tokens[1].dep, "torch" in sys.modules)
import torch
print(torch.ones(1).item())
"""


@pytest.mark.neural
@pytest.mark.parametrize("component", ["", "spacy.TorchBiLSTMEncoder.v1"])
def test_torch_is_loaded_for_a_pipeline_that_needs_it_alone(component: str, tmp_path: Path) -> None:
    """A second and 180 MB of every process that parses; it can be imported afterwards all the same."""
    pytest.importorskip("torch", reason="torch is not installed (make neural)")
    pipeline = tmp_path / "pipeline"
    package = Path(find_spec(DEFAULT_MODEL).submodule_search_locations[0])  # type: ignore[union-attr,index]
    shutil.copytree(next(package.glob("*/config.cfg")).parent, pipeline)
    config = pipeline / "config.cfg"
    config.write_text(f"# {component}\n{config.read_text('utf-8')}", "utf-8")
    told = subprocess.run(
        [sys.executable, "-c", LOADED, str(pipeline)], capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["nsubj", str(bool(component)), "1.0"]
