"""A small corpus, and what the operations make of its sentences."""

import pytest

from natlog.calculus import Labeller
from natlog.generation import Maker, Operation, Options, maker_for
from natlog.generation.realising import realise
from natlog.generation.structure import Structure

CORPUS = (
    "No dog barked loudly.",
    "Every animal is hungry.",
    "A dog that bites is dangerous.",
    "Tom saw a small dog in the park.",
    "The dog barked.",
    "The boy barked.",
    "Mary bought a book and a pen.",
    "Tom bought a pencil.",
    "Ann doesn't eat apples or pears.",
    "Ann ate an apple.",
    "Ben ate a pear.",
    "Tom saw an old apple.",
    "Mary slept in the garden.",
    "Tom slept.",
    "Ann slept.",
    "Tom laughed.",
    "Tom wept.",
    "Mary laughed.",
    "Mary wept.",
    "Exactly three dogs barked.",
    "Some animals barked.",
)


@pytest.fixture(scope="session")
def med():
    return Labeller(convention="med")


@pytest.fixture(scope="session")
def corpus(med):
    """A maker over the corpus, every operation, and the markings by sentence."""
    maker, markings = maker_for(CORPUS, med, Options(per_sentence=50))
    return maker, {marking.tree.text: marking for marking in markings}


@pytest.fixture
def changed(corpus):
    """The sentences that an operation makes of one, unchecked, with the labels."""

    def of(operation, sentence):
        maker, markings = corpus
        only = Maker(maker.stock, maker.labeller, Options(frozenset({Operation(operation)})))
        structure = Structure(markings[sentence])
        return {realise(structure.tree, change)[0]: change.label for change in only.changes(structure)}

    return of


@pytest.fixture
def made(corpus):
    """The checked pairs of a sentence, and what was rejected."""

    def of(sentence, **options):
        maker, markings = corpus
        wanted = Options(**{"per_sentence": 50, **options})
        (found,) = Maker(maker.stock, maker.labeller, wanted).make([markings[sentence]])
        return found

    return of
