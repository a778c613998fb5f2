"""What a derivation file leaves out about its words: universal parts of speech, tags, lemmas, brackets.

C&C and Jigg files hold Penn Treebank tags and lemmas. AUTO lines hold tags at most, and a parser that ran
without a tagger prints a placeholder; then the category says what the word is.
"""

from __future__ import annotations

import re

from natlog.lexicon.word_lists import listed_under, word_list
from natlog.lexicon.wordnet import wordnet
from natlog.parsing.ccg.categories import (
    Category,
    Functor,
    is_atom,
    is_punctuation,
    is_verb_phrase,
    spine,
    target,
)

_ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LCB-": "{",
    "-RCB-": "}",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LAB-": "<",
    "-RAB-": ">",
}

_PLACEHOLDERS = frozenset({"", "XX", "_", "-", "None", "UNK"})

# Penn Treebank tag → Universal Dependencies part of speech
_UNIVERSAL = {
    "CC": "CCONJ",
    "CD": "NUM",
    "DT": "DET",
    "EX": "PRON",
    "FW": "X",
    "IN": "ADP",
    "JJ": "ADJ",
    "JJR": "ADJ",
    "JJS": "ADJ",
    "LS": "X",
    "MD": "AUX",
    "NN": "NOUN",
    "NNS": "NOUN",
    "NNP": "PROPN",
    "NNPS": "PROPN",
    "PDT": "DET",
    "POS": "PART",
    "PRP": "PRON",
    "PRP$": "PRON",
    "RB": "ADV",
    "RBR": "ADV",
    "RBS": "ADV",
    "RP": "ADP",
    "SYM": "SYM",
    "TO": "PART",
    "UH": "INTJ",
    "VB": "VERB",
    "VBD": "VERB",
    "VBG": "VERB",
    "VBN": "VERB",
    "VBP": "VERB",
    "VBZ": "VERB",
    "WDT": "PRON",
    "WP": "PRON",
    "WP$": "PRON",
    "WRB": "ADV",
}

_LEMMAS = listed_under("function_lemmas")
_AUXILIARIES = word_list("primary_auxiliaries")
_WORDNET_PARTS = {"VERB": "v", "NOUN": "n", "ADJ": "a"}
_UNINFLECTED = frozenset({"VB", "VBP", "NN", "JJ", "MD"})


def unescape(word: str) -> str:
    r"""The word as written: ``-LRB-`` is ``(``, ``1\/2`` is ``1/2``."""
    return _ESCAPES.get(word, word.replace("\\/", "/").replace("\\*", "*"))


def part_of_speech(word: str, tag: str, category: Category, lemma: str = "") -> tuple[str, str]:
    """The Penn Treebank tag and the universal part of speech of a word.

    ``tag`` is the file's tag; where it is a placeholder, both are read off the category.
    """
    if _is_placeholder(word, tag):
        tag = _tag_of(word, category)
    lower = word.lower()
    pos = _UNIVERSAL.get(tag, "PUNCT" if not any(c.isalnum() for c in tag) or tag in ("LRB", "RRB") else "X")
    if lower in ("not", "n't"):
        pos = "PART"
    elif tag.startswith("VB") and (lemma or _LEMMAS.get(lower, lower)) in _AUXILIARIES:
        pos = "AUX"
    elif tag == "IN" and isinstance(category, Functor) and _takes_clause(category):
        pos = "SCONJ"
    elif tag == "TO" and not _takes_clause(category):
        pos = "ADP"
    return tag, pos


def _is_placeholder(word: str, tag: str) -> bool:
    # POS is also the tag of the possessive 's; depccg writes it where it has no tag
    return tag in _PLACEHOLDERS or (tag == "POS" and word not in ("'s", "'", "’s", "’"))


def _takes_clause(category: Category) -> bool:
    return any(
        isinstance(part, Functor) and (is_atom(part.argument, "S") or is_verb_phrase(part.argument))
        for part in spine(category)
        if not (isinstance(part, Functor) and part.is_modifier)
    )


def _tag_of(word: str, category: Category) -> str:
    """The tag that a category suggests: ``N`` a noun's, ``NP/N`` a determiner's, ``S[dcl]\\NP`` a verb's."""
    lower = word.lower()
    if is_punctuation(category):
        return word if not any(c.isalnum() for c in word) else "."
    if is_atom(category, "conj"):
        return "CC"
    if re.fullmatch(r"[\d.,]*\d", word):
        return "CD"
    if is_atom(category, "N"):
        proper = word[0].isupper()
        plural = lower.endswith("s") and not lower.endswith("ss")
        return ("NNP" if proper else "NN") + ("S" if plural and not proper else "")
    if is_atom(category, "NP"):
        return "EX" if str(category) == "NP[thr]" else "PRP"
    if not isinstance(category, Functor):
        return "IN"
    if is_atom(category.result, "NP") and is_atom(category.argument, "N"):
        return "DT"
    if category.is_modifier:
        return "JJ" if is_atom(target(category), "N") else "RB"
    feature = target(category).feature
    if feature == "to" and lower == "to":
        return "TO"
    if feature in _VERB_TAGS and target(category).name == "S":
        return _VERB_TAGS[feature]
    return "JJ" if feature == "adj" else "IN"


_VERB_TAGS = {"dcl": "VBZ", "b": "VB", "ng": "VBG", "pt": "VBN", "pss": "VBN", "q": "VBZ"}


def lemma_of(word: str, tag: str, pos: str) -> str:
    """The lemma of a word that a file gives without one, by WordNet's rules of inflection.

    >>> [lemma_of("forgot", "VBD", "VERB"), lemma_of("dogs", "NNS", "NOUN"), lemma_of("No", "DT", "DET")]
    ['forget', 'dog', 'no']
    """
    lower = word.lower()
    if pos == "PROPN":
        return word
    if lower in _LEMMAS and pos != "PRON":
        return _LEMMAS[lower]
    part = _WORDNET_PARTS.get(pos)
    if part is None or tag in _UNINFLECTED:
        return lower
    lemmas = wordnet().lemmas(lower, part)
    return next((lemma for lemma in lemmas if lemma != lower), lower)
