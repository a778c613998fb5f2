"""An attribute said in another way: *a snowy area*, *an area covered by snow*; *no shirt*, *shirtless*.

The words that link an attribute to its noun (made of, for, in, covered by) are those that a compound or an
adjective leaves unsaid: Levi's recoverably deletable predicates (1978, chapter 4). Where one sentence drops
an attribute of a noun and the other gives it one of the same words, or of words derived from them, nothing
changed.
"""

from __future__ import annotations

from dataclasses import replace

from natlog.calculus.alignment import spelling
from natlog.calculus.contexts import Contexts
from natlog.calculus.edits import Edit
from natlog.calculus.phrases import is_light
from natlog.calculus.projection import Change
from natlog.calculus.relations import SetRelation
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.wordnet import wordnet
from natlog.lexicon.words import Relation, Words
from natlog.tree import Token

Found = list[tuple[Edit, Change]]

Attribute = tuple[str, str, bool]
"""A word of an attribute as it is spelled, its lemma, and whether it is denied."""

_NOUNS = ("NOUN", "PROPN")
_WITHOUT = word_list("lacking")
_LEAST_STEM = 3


def same_attributes(contexts: Contexts, found: Found, words: Words) -> Found:
    """The edits, where what was dropped and what was added at the same noun are the same attribute."""
    result = list(found)
    for place, (edit, _) in enumerate(result):
        if edit.kind != "deletion" or edit.relation == str(SetRelation.EQUAL):
            continue
        for other, (added, _) in enumerate(result):
            if added.kind != "insertion" or added.relation == str(SetRelation.EQUAL):
                continue
            if edit.polarity is not added.polarity or not _same(contexts, edit, added, words):
                continue
            note = f"*{added.after}* says the same as *{edit.before}*"
            for index in (place, other):
                old, old_change = result[index]
                result[index] = (
                    replace(old, relation=str(SetRelation.EQUAL), note=note, known=True),
                    replace(old_change, relation=SetRelation.EQUAL),
                )
            break
    return result


def _same(contexts: Contexts, dropped: Edit, added: Edit, words: Words) -> bool:
    one = contexts.premise.tree.tokens[dropped.start : dropped.end]
    two = contexts.hypothesis.tree.tokens[added.other_start : added.other_end]
    if dropped.before.lower() == added.after.lower():
        return _adverbial(one) and _adverbial(two)
    left_noun = _noun(contexts.premise.tree.tokens, dropped.start, dropped.end)
    right_noun = _noun(contexts.hypothesis.tree.tokens, added.other_start, added.other_end)
    if left_noun is None or right_noun is None or contexts.alignment.links.get(left_noun) != right_noun:
        return False
    left, right = _attributes(one), _attributes(two)
    if not left or len(left) != len(right):
        return False
    for attribute in left:
        match = next((other for other in right if _alike(attribute, other, words)), None)
        if match is None:
            return False
        right.remove(match)
    return True


def _adverbial(tokens: tuple[Token, ...]) -> bool:
    """Whether a word moved that says the same before and after its verb."""
    return len(tokens) == 1 and tokens[0].pos in ("ADV", "VERB")


def _noun(tokens: tuple[Token, ...], start: int, end: int) -> int | None:
    """The noun that a stretch is an attribute of: what it hangs on, or what precedes its preposition."""
    heads = [tokens[t.head] for t in tokens[start:end] if not start <= t.head < end]
    noun = next((head.index for head in heads if head.pos in _NOUNS), None)
    if noun is None and start and tokens[start - 1].pos in _NOUNS and tokens[start].pos == "ADP":
        return start - 1
    return noun


def _attributes(tokens: tuple[Token, ...]) -> list[Attribute]:
    """The words with a meaning that do more than link."""
    denied = any(spelling(token) in _WITHOUT for token in tokens)
    found = []
    for token in tokens:
        word = spelling(token)
        if token.pos == "ADP" and word not in modifiers("linking"):
            return []
        if is_light(token) or token.pos in ("ADP", "PRON") or word in modifiers("linking") | _WITHOUT:
            continue
        if word.endswith("less") and len(word) > len("less") + _LEAST_STEM - 1 and not denied:
            stem = word.removesuffix("less")
            found.append((stem, stem, True))
        else:
            found.append((word, token.lemma.lower(), denied))
    return found


def _alike(one: Attribute, two: Attribute, words: Words) -> bool:
    """Whether two words are one, or one is derived from the other, or a synonym of it."""
    if one[2] != two[2]:
        return False
    if one[0] == two[0] or one[1] == two[1]:
        return True
    ones, twos = set(words.forms(one[0], "")), set(words.forms(two[0], ""))
    if ones & twos or any(wordnet().derived(lemma) & twos for lemma in ones):
        return True
    return words.relation(one[0], two[0]).relation is Relation.SYNONYM
