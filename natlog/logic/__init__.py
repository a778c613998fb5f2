"""Formal meanings: formulas, λ-terms, discourse representation structures, variable-free formulas, and what
follows from what.

Types and functions are imported from their modules: :mod:`natlog.logic.formula` (types, renaming,
α-equivalence), :mod:`natlog.logic.reduction` (β-reduction), :mod:`natlog.logic.nltk_notation` (parsing and
printing), and their neighbours.
"""
