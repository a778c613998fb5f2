"""English inflection: a lemma and a Penn Treebank tag to the form, and *a* or *an*.

Irregular forms are WordNet's own exceptions, read from the form to its lemma and here turned round; what
they leave open (which of *ate* and *eaten* is the participle, verbs such as *hit* that never change) is
said by two rules and the tables of ``inflection.toml``. Regular forms follow the spelling rules of any
grammar (Quirk et al. 1985, sections 3.5–3.10 and 5.79–5.81).
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from natlog.lexicon.word_lists import tables, word_list
from natlog.lexicon.wordnet import wordnet

DATA = Path(__file__).with_name("inflection.toml")

_VOWELS = "aeiou"
_AN = re.compile(r"hour|honest|hono|heir|[aefhilmnorsx]-|[aeiou]")
_AN_LETTERS = re.compile(r"[AEFHILMNORSX](?:[A-Z0-9]*$|-)")
_A = re.compile(r"eu|ewe|one\b|once\b|ouija|u(?:[bcfkrst](?:[aeiou]|$)|ni(?!n|m))")
_COMPOUND_ENDINGS = tuple(tables()["compound_endings"]["words"])


def inflect(lemma: str, tag: str) -> str:
    """The form of a lower-case lemma; several words: nouns at the last, verbs at the first.

    >>> inflect("mouse", "NNS"), inflect("eat", "VBN"), inflect("stop", "VBG"), inflect("look up", "VBZ")
    ('mice', 'eaten', 'stopping', 'looks up')
    """
    if tag.startswith("V"):
        verb, space, particle = lemma.partition(" ")
        return _verb(verb, tag) + space + particle
    if tag in ("NNS", "NNPS"):
        rest, space, noun = lemma.rpartition(" ")
        return rest + space + plural(noun)
    return lemma


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> [plural(noun) for noun in ("child", "city", "box", "housewife", "dog")]
    ['children', 'cities', 'boxes', 'housewives', 'dogs']
    """
    irregular = _forms("plural").get(noun) or next(iter(_irregular("n").get(noun, ())), None)
    if irregular:
        return irregular
    for ending in _COMPOUND_ENDINGS:
        if noun.endswith(ending) and noun != ending and not noun.endswith(tuple(word_list("regular_men"))):
            return noun[: -len(ending)] + plural(ending)
    return _with_s(noun)


def _verb(lemma: str, tag: str) -> str:
    if tag in ("VB", "VBP"):
        return lemma
    if tag == "VBZ":
        return {"be": "is", "have": "has"}.get(lemma) or _with_s(lemma)
    known = _irregular("v").get(lemma, ())
    if tag == "VBG":
        return next((form for form in known if form.endswith("ing")), _with_ing(lemma))
    if tag == "VBN" and lemma in _forms("participle"):
        return _forms("participle")[lemma]
    if lemma in _forms("past"):
        return _forms("past")[lemma]
    if lemma in _tables()["unchanged"]["words"]:
        return lemma
    return _past(lemma, [form for form in known if not form.endswith("ing")], tag)


def _past(lemma: str, known: list[str], tag: str) -> str:
    if not known:
        return _with_ed(lemma)
    if lemma.endswith(("come", "run")):
        return lemma if tag == "VBN" else known[0]
    participles = [form for form in known if _is_participle(form, known)]
    if tag == "VBN" and participles:
        return participles[0]
    return next((form for form in known if form not in participles), known[0])


def _is_participle(form: str, known: list[str]) -> bool:
    """*Eaten*, *torn*, *sung*, *begun*: in -n where the past is not, or with u where the past has a."""
    others = [other for other in known if other != form]
    if not others:
        return False
    if form.endswith(("n", "ne")) and not all(other.endswith(("n", "ne")) for other in others):
        return True
    return any(form == other.replace("a", "u") for other in others)


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text("utf-8"))


@lru_cache(maxsize=8)
def _forms(name: str) -> dict[str, str]:
    """A table of irregular forms, by lemma."""
    return dict(pair.split() for pair in _tables()[name]["pairs"])


@lru_cache(maxsize=2)
def _irregular(pos: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for form, lemmas in wordnet().exceptions(pos):
        if "_" not in form and lemmas[0] != form:
            found[lemmas[0]].append(form)
    return {lemma: tuple(known) for lemma, known in found.items()}


def _with_s(lemma: str) -> str:
    if lemma.endswith(("s", "x", "z", "ch", "sh")) or (lemma.endswith("o") and lemma[-2:-1] not in _VOWELS):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def _with_ing(lemma: str) -> str:
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")) and lemma != "be":
        return lemma[:-1] + "ing"
    return lemma + "ing"


def _with_ed(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return lemma[:-1] + "ied"
    return lemma + "ed"


def article(word: str) -> str:
    """*a* or *an* before a word, by its sound.

    >>> [article(word) for word in ("apple", "hour", "university", "umbrella", "one-way street", "MP")]
    ['an', 'an', 'a', 'an', 'a', 'an']
    """
    first = word.split()[0] if word.split() else word
    if first.isupper():
        return "an" if _AN_LETTERS.match(first) else "a"
    lower = first.lower()
    return "an" if _AN.match(lower) and not _A.match(lower) else "a"
