"""SyGNS (Yanaka et al. 2021): what a sentence shows, and sentences drawn at each depth."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.fragments.derivation import Derivation
from natlog.fragments.drawing import Drawing, shares
from natlog.fragments.grammar import load

NAME = "sygns"
FORMS = ("fol", "clf", "vf")
"""A meaning's forms, each a column: formulas in NLTK's notation, clauses of DRSs, variable-free formulas."""
DEPTHS = range(5)
"""Depth is the number of relative clauses (section 3.2)."""
TAGS = (
    "sbj_quant", "obj_quant", "negation", "adjective", "peripheral", "center", "adverb", "conjunction",
    "disjunction",
)  # fmt: skip
_OWN = ("adjective", "adverb", "conjunction", "disjunction")
NOTHING = "-"
_MODIFIERS = {"adjective": "ADJ", "adverb": "ADV", "conjunction": "CON", "disjunction": "CON"}
PHENOMENA = {
    "quantifiers": f"each quantifier, in order, ; between; {NOTHING} where there are names alone",
    "modifiers": f"ADJ, ADV, CON (and, or), each once, ; between; {NOTHING} without any",
    "negation": "yes where any clause is negated, or no",
    "embedding": f"PER, CEN, each once, ; between; {NOTHING} without a relative clause",
}
"""What the paper's splits look at (sections 3.1 and 3.2), by column."""


def tags(derivation: Derivation) -> dict[str, bool]:
    """The phenomena of a sentence (section 3.4), each of :data:`TAGS` with whether it is there.

    ``sbj_quant`` and ``obj_quant`` look at the main clause. A relative clause is *peripheral* where it ends
    its host clause: a subject relative, intransitive ones too, on an object. It is *center* where words of
    the host follow, and every object relative is (the published data call each transitive subject relative
    peripheral wherever it stands, and intransitive ones neither).
    """
    found = dict.fromkeys(TAGS, False)
    subject, predicate = derivation.children
    found["sbj_quant"] = subject.tag != "name"
    found["obj_quant"] = predicate.tag == "transitive" and predicate.children[1].tag != "name"
    _add(derivation, found)
    return found


def _add(node: Derivation, found: dict[str, bool]) -> None:
    tag = node.tag
    if tag in _OWN:
        found[tag] = True
    elif "negat" in tag:
        found["negation"] = True
    for child in node.children:
        if child.tag == "relative":
            clause = child.children[2].tag
            ends_host = node.tag == "transitive" and clause.endswith("subject relative")
            found["peripheral" if ends_host else "center"] = True
        if child.children:
            _add(child, found)


def phenomena(derivation: Derivation) -> dict[str, str]:
    """A sentence's value in each column of :data:`PHENOMENA`."""
    nodes = list(derivation.walk())
    shown = tags(derivation)
    found = {
        "quantifiers": [node.words[0] for node in nodes if node.category.startswith("Q.")],
        "modifiers": sorted({_MODIFIERS[node.tag] for node in nodes if node.tag in _MODIFIERS}),
        "embedding": [name for name, tag in (("PER", "peripheral"), ("CEN", "center")) if shown[tag]],
    }
    texts = {column: ";".join(values) or NOTHING for column, values in found.items()}
    return texts | {"negation": "yes" if shown["negation"] else "no"}


def draw(n: int, seed: int, depth: int | None = None) -> Iterator[tuple[int, Derivation]]:
    """``n`` different sentences, each with its depth: one of :data:`DEPTHS`, or spread evenly over all. The
    same for the same seed.

    Raises :class:`natlog.fragments.drawing.TooFew` where a depth has not so many.
    """
    drawing = Drawing(load(NAME), seed)
    depths = DEPTHS if depth is None else (depth,)
    for each, share in zip(depths, shares(n, len(depths)), strict=True):
        for derivation in drawing.different(each, share):
            yield each, derivation
