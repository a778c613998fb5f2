"""Conjunction and disjunction: from *A* to *A or B* and *A and B*, and back to *A*."""

from __future__ import annotations

from collections.abc import Iterator

from natlog.generation.change import Change, Operation
from natlog.generation.phrases import frame_of, is_bare_phrase, use_of_noun
from natlog.generation.stock import Stock, is_name
from natlog.generation.structure import Structure
from natlog.generation.thesaurus import are_akin
from natlog.generation.wordlists import listed
from natlog.lexicon.inflection import article
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.words import Relation, Words
from natlog.tree import Polarity, Token

OPERATIONS = {"and": Operation.CONJUNCTION, "or": Operation.DISJUNCTION}
PLURAL_VERBS = word_list("plural_verbs")
SHARED = word_list("shared_determiners")
"""Determiners under which *A or B* shares the one determiner."""

PERSONAL = word_list("third_person")
SEEN = 3
"""So many times a name was met as a subject."""


def joinings(structure: Structure, stock: Stock, words: Words) -> Iterator[Change]:
    """Every conjunct that can go and every one that can come."""
    if structure.words(0, len(structure.tokens)) & listed("collective_words"):
        return
    for token in structure.tokens:
        yield from _without(structure, stock, token)
        if token.dep == "dobj" and token.pos == "NOUN" and token.tag in ("NN", "NNS"):
            yield from _with_object(structure, stock, words, token)
        if token.dep == "nsubj" and token.tag == "NNP":
            yield from _with_name(structure, stock, token)


# ---- Dropping ---------------------------------------------------------------------------------


def _without(structure: Structure, stock: Stock, first: Token) -> Iterator[Change]:
    joints, others = structure.children(first.index, "cc"), structure.children(first.index, "conj")
    if len(joints) != 1 or len(others) != 1 or structure.children(first.index, "preconj"):
        return
    (joint,), (second,) = joints, others
    span = structure.span(second.index)
    word = joint.word
    if word not in OPERATIONS or span is None or span[0] != joint.index + 1:
        return
    if not _are_alike(structure, first, second) or not _stands_alone(structure, stock, first, second, word):
        return
    operators = [index for index in range(joint.index + 1, span[1]) if index in structure.operators]
    if any(structure.word(index) not in word_list("articles") for index in operators):
        return
    yield Change(
        operation=OPERATIONS[word],
        kind="conjunct" if word == "and" else "disjunct",
        start=joint.index,
        end=span[1],
        words=(),
        place=first.index,
        polarity=_sign(structure, first, second),
        wider=word == "and",
    )


def _are_alike(structure: Structure, first: Token, second: Token) -> bool:
    return (
        first.pos == second.pos
        and first.dep != "conj"
        and first.pos in ("NOUN", "PROPN", "VERB", "ADJ")
        and first.lemma.lower() != second.lemma.lower()
        and second.index > first.index
        and not structure.children(second.index, "nsubj", "nsubjpass", "cc", "conj", "mark", "advmod")
        and structure.word(second.index - 1) != ","
    )


def _stands_alone(structure: Structure, stock: Stock, first: Token, second: Token, word: str) -> bool:
    """Whether the rest is a sentence that says the one half of it."""
    head = structure.tokens[first.head]
    if first.pos == "VERB":
        return stock.frames[first.lemma.lower()][frame_of(structure, first)] > 1
    if first.pos == "ADJ":
        return first.dep == "acomp" and not structure.children(first.index, "advmod")
    if first.dep not in ("nsubj", "dobj", "pobj", "nsubjpass", "attr") or first.tag == "CD":
        return False
    own = [structure.determiner(noun.index) for noun in (first, second)]
    if own[0] is not None and own[1] is None:
        shared = own[0].word
        if not (word == "or" and shared in SHARED):
            return False
    if first.dep == "attr" or (head.dep == "prep" and head.word in word_list("comparing_prepositions")):
        return word == "or" and first.dep != "attr"
    return first.dep not in ("nsubj", "nsubjpass") or _agrees(structure, first, second, head, word)


def _agrees(structure: Structure, first: Token, second: Token, verb: Token, word: str) -> bool:
    """A subject that loses a conjunct: the verb's form must suit what is left, and its sense each of them."""
    if word == "and" and verb.lemma.lower() in listed("collective_verbs"):
        return False
    finite = [verb, *structure.children(verb.index, "aux", "auxpass")]
    finite = [token for token in finite if token.tag in ("VBZ", "VBP", "VBD", "MD")][:1] or [verb]
    is_plural = finite[0].tag == "VBP" or finite[0].word in PLURAL_VERBS
    return not is_plural or first.tag == "NNS"


def _sign(structure: Structure, first: Token, second: Token) -> Polarity:
    """The sign of what is coordinated: the nouns under one determiner, or whole noun phrases."""
    if first.pos not in ("NOUN", "PROPN") or structure.determiner(second.index) is None:
        return structure.sign(first.index)
    span = structure.span(first.index, "cc", "conj")
    return structure.phrase_sign(*span, first.index) if span else structure.sign(first.index)


# ---- Adding -----------------------------------------------------------------------------------


def _with_object(structure: Structure, stock: Stock, words: Words, noun: Token) -> Iterator[Change]:
    verb = structure.tokens[noun.head]
    if verb.pos != "VERB" or verb.lemma.lower() in listed("wide_verbs"):
        return
    if structure.word(noun.index + 1) in word_list("noun_joints"):
        return
    span = structure.span(noun.index)
    if span is None or span[1] != noun.index + 1 or noun.text != noun.word:
        return
    determiner = structure.determiner(noun.index)
    shared = determiner is not None and determiner.word in SHARED
    if not shared and not is_bare_phrase(structure, noun):
        return
    if structure.children(noun.index, "amod", "compound", "nummod", "poss"):
        return
    use = use_of_noun(structure, noun)
    for lemma, form in stock.companions.get((verb.lemma.lower(), _use_of_companion(use, shared)), ()):
        if not are_akin(noun.lemma.lower(), lemma) or lemma == noun.lemma.lower():
            continue
        if words.relation(noun.lemma.lower(), lemma, "n").relation not in (
            Relation.UNKNOWN,
            Relation.COHYPONYM,
        ):
            continue
        second = _as_noun_phrase(determiner, form, shared)
        for word in ("or",) if shared else ("or", "and"):
            yield _joined(structure, noun, word, second, span, shared)


def _use_of_companion(use: str, shared: bool) -> str:
    """Under a shared determiner a singular noun must be one of several: what was met after *a*."""
    return "a" if shared and use in ("the", "a") else use


def _as_noun_phrase(determiner: Token | None, form: str, shared: bool) -> tuple[str, ...]:
    if determiner is None or shared:
        return (form,)
    word = determiner.word
    return (article(form) if word in ("a", "an") else word, form)


def _joined(
    structure: Structure, noun: Token, word: str, second: tuple[str, ...], span: tuple[int, int], shared: bool
) -> Change:
    sign = structure.sign(noun.index)
    return Change(
        operation=OPERATIONS[word],
        kind="conjunct" if word == "and" else "disjunct",
        start=noun.index + 1,
        end=noun.index + 1,
        words=(word, *second),
        place=noun.index,
        polarity=sign if shared else structure.phrase_sign(*span, noun.index),
        wider=word == "or",
    )


def _with_name(structure: Structure, stock: Stock, name: Token) -> Iterator[Change]:
    """Another person beside one: only persons' names that the corpus has as subjects, and no pronoun may
    point at the one."""
    words = structure.words(0, len(structure.tokens))
    if words & PERSONAL or not is_name(structure, name) or stock.names[name.text] < SEEN:
        return
    if structure.word(name.index + 1)[:1] in ("'", "-"):
        return
    verb = structure.tokens[name.head]
    finite = [*structure.children(verb.index, "aux", "auxpass"), verb][0]
    may_be_plural = finite.tag in ("VBD", "MD") and finite.lemma.lower() != "be"
    collective = verb.lemma.lower() in listed("collective_verbs")
    span = (name.index, name.index + 1)
    for other, count in sorted(stock.names.items()):
        if count < SEEN or other.lower() in words:
            continue
        yield _joined(structure, name, "or", (other,), span, shared=False)
        if may_be_plural and not collective:
            yield _joined(structure, name, "and", (other,), span, shared=False)
