"""What speaks for and against a verdict: facts about the pair and its reading, before they are weighed."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.edits import Edit
from natlog.tree import Polarity, Tree


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts that a verdict's confidence is made of.

    ``read`` is False where a part of the pair was read by no rule; ``unknown`` counts edits whose words no
    source relates; with ``assumed`` these were taken to be more specific, with ``voted`` an embedding was
    asked about them. ``weakest`` is the least trusted word relation used, ``parse`` the lesser confidence
    of the two parses, both in [0, 1];
    ``repaired`` whether a parse was mended. ``changes`` counts edits whose sides differ, ``share`` is the
    fraction of all words in edits, ``length`` the tokens of the longer sentence. The rest say what kinds of
    edits there are: at a place that is not ↑ (``under``), let out of a predicate or put under one
    (``veridical``), after a rewording (``reworded``), at what is no constituent (``broken``), a conjunct or
    disjunct (``coordinated``), words that say the same (``synonymous``), that exclude each other
    (``excluding``), or that are known to be neither above nor below each other (``crossing``).
    """

    label: str
    read: bool = True
    unknown: int = 0
    assumed: bool = False
    voted: bool = False
    weakest: float = 1.0
    parse: float = 1.0
    repaired: bool = False
    changes: int = 0
    share: float = 0.0
    length: int = 8
    under: bool = False
    veridical: bool = False
    reworded: bool = False
    quantifier: bool = False
    negation: bool = False
    inserted: bool = False
    deleted: bool = False
    replaced: bool = False
    broken: bool = False
    coordinated: bool = False
    synonymous: bool = False
    excluding: bool = False
    crossing: bool = False


def gather(
    label: str, edits: tuple[Edit, ...], read: bool, trees: tuple[Tree, Tree], presumed: bool
) -> Evidence:
    """The evidence for a label made from ``edits`` between two sentences.

    ``presumed`` says whether words of unknown relation were taken to be more specific.
    """
    differing = [edit for edit in edits if edit.relation != "≡" and edit.kind != "veridicality"]
    known = [edit for edit in differing if edit.known]
    kinds = {edit.kind for edit in known}
    unknown = sum(not edit.known for edit in edits)
    words = sum(
        len(f"{edit.before} {edit.after}".split()) for edit in edits if edit.kind not in ("voice", "clause")
    )
    return Evidence(
        label=label,
        read=read,
        unknown=unknown,
        assumed=presumed and unknown > 0,
        voted=any(edit.word.source.startswith("embedding") for edit in edits if edit.word),
        weakest=min((edit.word.confidence for edit in edits if edit.word and edit.known), default=1.0),
        parse=min(max(min(tree.confidence for tree in trees), 0.0), 1.0),
        repaired=any(tree.repairs for tree in trees),
        changes=len(differing),
        share=min(words / max(sum(len(tree.tokens) for tree in trees), 1), 1.0),
        length=max(len(tree.tokens) for tree in trees),
        under=any(edit.polarity is not Polarity.UP for edit in differing),
        veridical=any(edit.kind == "veridicality" for edit in edits),
        reworded=any(edit.kind == "voice" for edit in edits),
        quantifier="quantifier" in kinds,
        negation="negation" in kinds,
        inserted="insertion" in kinds,
        deleted="deletion" in kinds,
        replaced="substitution" in kinds,
        broken=any(not edit.constituent for edit in edits),
        coordinated=any(edit.form in ("conjunct", "disjunct") for edit in edits),
        synonymous=any(edit.kind == "substitution" and edit.relation == "≡" for edit in edits),
        excluding=any(edit.relation in ("|", "^") for edit in differing),
        crossing=any(edit.kind == "substitution" and edit.relation == "#" for edit in known),
    )
