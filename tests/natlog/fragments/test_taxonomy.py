"""What is known of a fragment's nouns."""

from natlog.fragments.grammar import load
from natlog.fragments.parsing import parse
from natlog.fragments.taxonomy import axioms
from natlog.logic.nltk_notation import to_nltk
from natlog.logic.prover import Prover


def test_a_noun_of_the_sentences_is_under_their_hypernyms():
    grammar = load("systematicity")
    some, animals = (parse(grammar, text) for text in ("A few foxes ran.", "A few animals ran."))
    known = axioms(some, animals)
    assert [to_nltk(one) for one in known] == ["all x.(fox(x) -> animal(x))"]
    forward, back = Prover().both_ways(some.meaning(), animals.meaning(), known)
    assert (forward.answer, back.answer) == ("yes", "no")


def test_a_fragment_without_hypernyms_has_none():
    assert axioms(parse(load("sygns"), "every dog ran")) == ()
