"""Polarity marking: a sign for every token and constituent of a parsed sentence."""

from __future__ import annotations

from natlog.polarity.dependency import mark_dependencies
from natlog.tree import Marking, Tree

__all__ = ["mark"]

_CCG_PARSERS = ("candc", "jigg", "auto", "depccg")


def mark(tree: Tree, convention: str = "default") -> Marking:
    """The polarity of every token and constituent of ``tree``, with the operators behind each sign.

    ``convention`` names a set of switches in ``conventions.toml``; an unknown name raises
    :class:`natlog.lexicon.conventions.UnknownConvention`. A tree from a CCG parser is marked by its
    categories, any other by its dependencies; neither needs the parser itself.
    """
    if tree.parser.startswith(_CCG_PARSERS):
        from natlog.polarity.ccg import mark_ccg

        marking: Marking = mark_ccg(tree, convention)
        return marking
    return mark_dependencies(tree, convention)
