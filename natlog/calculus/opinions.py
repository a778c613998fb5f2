"""An embedding asked about phrases whose relation no source knows; its vote is never knowledge."""

from __future__ import annotations

from natlog.calculus.alignment import wordnet_pos
from natlog.calculus.phrases import PhraseRelation, is_light
from natlog.calculus.relations import SetRelation
from natlog.lexicon.embedding import CONFIDENCE, Embedding, Likeness
from natlog.lexicon.words import Relation, WordRelation
from natlog.tree import Token

SHORT = 3
"""Words with a meaning in a phrase that an embedding is asked about."""


def by_opinion(
    found: PhraseRelation,
    ones: list[Token],
    twos: list[Token],
    heads: tuple[Token, Token],
    embedding: Embedding,
) -> PhraseRelation:
    """``found``, or what the embedding votes where that is unknown; either way ``known`` stays as it was."""
    if found.known or not _comparable(ones, twos, heads):
        return found
    one, two = (" ".join(token.text for token in tokens) for tokens in (ones, twos))
    opinion = embedding.opinion(one, two)
    by = f"by the {opinion.source} (similarity {opinion.similarity:.2f}), and no other source"
    if opinion.likeness is Likeness.SYNONYM:
        word = WordRelation(one, two, Relation.SYNONYM, opinion.source, CONFIDENCE)
        return PhraseRelation(
            SetRelation.EQUAL, f"*{two}* is much the same as *{one}* {by}", word, known=False
        )
    if opinion.likeness is Likeness.UNRELATED:
        word = WordRelation(one, two, Relation.UNKNOWN, opinion.source, CONFIDENCE)
        note = f"*{two}* has nothing to do with *{one}* {by}"
        return PhraseRelation(SetRelation.INDEPENDENT, note, word, known=False)
    return found


def _comparable(ones: list[Token], twos: list[Token], heads: tuple[Token, Token]) -> bool:
    """Short phrases of one kind, without names, numbers and negations: near each other, never the same."""
    if not wordnet_pos(heads[0]) or wordnet_pos(heads[0]) != wordnet_pos(heads[1]):
        return False
    if any(token.pos in ("PROPN", "NUM") or token.dep == "neg" for token in (*ones, *twos)):
        return False
    return all(sum(not is_light(token) for token in tokens) <= SHORT for tokens in (ones, twos))
