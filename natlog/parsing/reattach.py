"""Repairs that need no second parse: an arc moved where grammar leaves no doubt."""

from __future__ import annotations

from functools import lru_cache

from natlog.lexicon.words import wordnet
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft

_TEMPORAL = frozenset({"before", "after", "until", "since"})
_BETWEEN = frozenset({"MD", "RB", "VBD", "VBZ", "VBP"})
_NOUNS = frozenset({"NN", "NNS"})
_SENSES = 2


def mend(draft: Draft) -> Draft:
    """Mend a parse in place, and say in ``draft.repairs`` what was done.

    "before a guest arrived" is parsed as a prepositional phrase followed by a clause without subject; "a dog
    in the house who barks" as a house that barks.
    """
    for index, word in enumerate(draft.words):
        if draft.deps[index] == "prep" and word.lower() in _TEMPORAL:
            _read_as_subordinator(draft, index)
        elif word == "who" and draft.deps[index] in SUBJECTS:
            _give_to_person(draft, draft.heads[index])
    return draft


def _read_as_subordinator(draft: Draft, index: int) -> None:
    tags, deps, heads = draft.tags, draft.deps, draft.heads
    size = len(heads)
    noun = next((i for i in range(index + 1, size) if heads[i] == index and deps[i] == "pobj"), -1)
    if noun < 0:
        return
    verb = noun + 1
    while verb < size and tags[verb] in _BETWEEN and deps[verb] != "advcl":
        verb += 1
    if verb == size or deps[verb] != "advcl" or heads[verb] != heads[index]:
        return
    if any(head == verb and dep in SUBJECTS for head, dep in zip(heads, deps, strict=True)):
        return
    heads[noun], deps[noun] = verb, "nsubj"
    heads[index], deps[index] = verb, "mark"
    draft.repairs.append(f"{draft.words[index]} read as a subordinator")


def _give_to_person(draft: Draft, verb: int) -> None:
    """A *who* clause goes to the outer noun where the inner is a thing and the outer is not."""
    heads, deps = draft.heads, draft.deps
    inner = heads[verb]
    if deps[verb] != "relcl" or deps[inner] != "pobj":
        return
    outer = heads[heads[inner]]
    if outer < inner and draft.tags[outer] in _NOUNS and draft.tags[inner] in _NOUNS:
        lemmas = draft.lemmas
        if not _is_animate(lemmas[inner]) and _is_animate(lemmas[outer]):
            heads[verb] = outer
            draft.repairs.append(f"who read as {draft.words[outer]}")


@lru_cache(maxsize=4096)
def _is_animate(lemma: str) -> bool:
    """Whether one of a noun's commonest senses is a living thing or a group of people."""
    lexicon = wordnet()
    living = {lexicon.senses(name, "n")[0] for name in ("organism", "people", "social_group")}
    return any(
        not living.isdisjoint({sense, *lexicon.ancestors(sense)})
        for sense in lexicon.senses(lemma.lower(), "n")[:_SENSES]
    )
