"""What a premise says of which its words are left out, or stand for others, as sentences of its own."""

from __future__ import annotations

from natlog.calculus.anaphora import ones, owned, reflexive_as_name
from natlog.calculus.degrees import comparison, counted_out
from natlog.calculus.ellipsis import spelled_out
from natlog.calculus.groups import as_group
from natlog.calculus.remnants import stripped
from natlog.calculus.times import taken
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.times import verbs
from natlog.lexicon.words import Words
from natlog.tree import Marking


def said(premise: Marking, hypothesis: Marking, words: Words) -> list[str]:
    """What a premise says with words left out, or by a possessive or a pronoun, as sentences."""
    found = spelled_out(premise) or stripped(premise, hypothesis)
    if not found and (text := owned(premise, hypothesis)):
        found = [text]
    if not found and (text := ones(premise)):
        found = [text]
    if not found and not _reflexive(hypothesis) and (text := reflexive_as_name(premise)):
        found = [text]
    if not found:
        found = as_group(premise, hypothesis)
    if not found and hypothesis.tree.tokens and not _spends(hypothesis):
        found = taken(premise)
    if not found and comparison(hypothesis, words) is None:
        found = counted_out(premise, words)
    return found


def _spends(marking: Marking) -> bool:
    return any(token.lemma in verbs("spending") for token in marking.tree.tokens)


def _reflexive(marking: Marking) -> bool:
    return any(token.word in modifiers("reflexive") for token in marking.tree.tokens)
