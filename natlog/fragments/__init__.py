"""Fragments of English with their meanings: the grammars of three testbeds as data, and what is made of them.

A fragment is one TOML file: rules with their syntax and meaning, and words. :mod:`natlog.fragments.grammar`
reads it, :mod:`~natlog.fragments.parsing` parses with it, :mod:`~natlog.fragments.drawing` draws sentences
from it, :mod:`~natlog.fragments.meanings` composes their meanings. Formulas and what follows from them are
:mod:`natlog.logic`'s.
"""
