"""Composing meanings by functions gives what β-reduction of the λ-terms gives."""

import random

import pytest

from natlog.fragments.composition import begin, formula_function
from natlog.fragments.drawing import Drawing
from natlog.fragments.grammar import FRAGMENTS, Rule, load
from natlog.logic.formula import Apply, rename
from natlog.logic.nltk_notation import parse, to_nltk
from natlog.logic.reduction import reduce


def term(node, column):
    """The derivation's meaning as one λ-term, nothing reduced."""
    if not isinstance(node.by, Rule):
        return parse(node.by.meanings[column])
    names, met = [], {}
    bases = [child.partition(".")[0] for child in node.by.children]
    for base in bases:
        met[base] = met.get(base, 0) + 1
        names.append(base if bases.count(base) == 1 else f"{base}{met[base]}")
    result = parse(f"\\{' '.join(names)}.{node.by.meanings[column]}")
    for child in node.children:
        result = Apply(result, term(child, column))
    return result


@pytest.mark.parametrize("name", FRAGMENTS)
def test_functions_and_reduction_agree_to_the_names_of_variables(name):
    grammar = load(name)
    drawing = Drawing(grammar, 7)
    for depth in random.Random(7).choices(range(4) if name != "transitivity" else [0, 1], k=60):
        derivation = drawing.one(depth)
        for column, kind in enumerate(grammar.columns):
            if kind != "vf":
                assert to_nltk(derivation.meaning(column)) == to_nltk(rename(reduce(term(derivation, kind))))


def test_the_innermost_binder_of_a_name_counts():
    begin()
    assert to_nltk(formula_function(parse(r"exists x.(dog(x) & exists x.cat(x))"))) == (
        "exists x1.(dog(x1) & exists x2.cat(x2))"
    )
