"""Nouns that a main clause takes from the clause before it, given back.

In "Whoever steals a car goes to prison" the car is parsed as what goes; in "Nobody who has a car but no
licence may drive" the licence as one more who may. Each stands next to the clause that it belongs to.
"""

from __future__ import annotations

from itertools import pairwise

from natlog.arcs import dominates, upward
from natlog.parsing.draft import Draft

_FINITE = frozenset({"VBD", "VBP", "VBZ", "VB", "VBN"})
_CLAUSES = frozenset({"relcl", "acl"})
_OBJECTS = frozenset({"conj", "dobj", "pobj", "attr", "prep"})
_NEGATIVE = frozenset({"no", "neither", "not"})
_PRONOUNS = frozenset(
    {"nobody", "everybody", "somebody", "anybody", "everyone", "someone", "anyone", "everything", "nothing"}
)


def share(draft: Draft) -> None:
    """Give nouns back to a free relative and to a relative clause, in place; says so in ``draft.repairs``."""
    for index, dep in enumerate(draft.deps):
        if dep == "csubj":
            _give_object(draft, index)
        elif dep == "conj":
            _give_conjunct(draft, index)
            _take_conjunct(draft, index)
        elif dep == "det" and draft.words[draft.heads[index]].lower() in _PRONOUNS:
            _give_to_preposition(draft, index, draft.heads[index])
    _list_objects(draft)


def _list_objects(draft: Draft) -> None:
    """A verb has one direct object: a second after a comma is one more of a list.

    "Ann has a scar but no swelling, a small bruise and a cut": the bruise stands beside the scar.
    """
    heads, deps = draft.heads, draft.deps
    objects = [index for index, dep in enumerate(deps) if dep == "dobj"]
    for first, second in pairwise(sorted(objects, key=lambda index: (heads[index], index))):
        if heads[first] != heads[second] or first < heads[first]:
            continue
        before = next((i for i in range(second - 1, first, -1) if not dominates(heads, second, i)), first)
        if draft.words[before] == "," and draft.move(second, first):
            draft.move(before, first)
            deps[second] = "conj"
            draft.repairs.append(f"{draft.words[second]} read beside {draft.words[first]}")


def _give_object(draft: Draft, clause: int) -> None:
    """A verb has one subject: a noun between a clause that is its subject and the verb is the clause's."""
    heads, deps = draft.heads, draft.deps
    verb = heads[clause]
    for noun in range(clause + 1, verb):
        if heads[noun] == verb and deps[noun] in ("nsubj", "nsubjpass") and draft.move(noun, clause):
            deps[noun] = "dobj"
            draft.repairs.append(f"{draft.words[noun]} read as the object of {draft.words[clause]}")


def _give_conjunct(draft: Draft, conjunct: int) -> None:
    """A second noun after a relative clause goes to the noun that it is like.

    The one with the same determiner, where the other has a different one ("every boy who kissed a girl or a
    woman"); before *but no*, which opposes it to what is there, the nearer one.
    """
    heads, deps, words = draft.heads, draft.deps, draft.words
    outer = heads[conjunct]
    clause = next(
        (
            index
            for index in range(outer + 1, conjunct)
            if heads[index] == outer and deps[index] in _CLAUSES and draft.tags[index] in _FINITE
        ),
        -1,
    )
    if clause < 0 or not heads[outer] > conjunct:
        return
    linker = next((index for index in range(conjunct - 1, clause, -1) if deps[index] == "cc"), -1)
    if linker < 0 or not dominates(heads, clause, linker - 1):
        return
    inner = _last_noun(draft, clause, linker - 1)
    if inner < 0 or deps[inner] not in ("dobj", "pobj", "attr"):
        return
    own, near, far = (_determiner(draft, noun) for noun in (conjunct, inner, outer))
    opposed = words[linker].lower() == "but" and own in _NEGATIVE and near not in _NEGATIVE
    if ((own == near != far) or opposed) and draft.move(conjunct, inner):
        draft.move(linker, inner)
        draft.repairs.append(f"{words[conjunct]} read beside {words[inner]}")


def _last_noun(draft: Draft, clause: int, last: int) -> int:
    """The head of the phrase that ends a clause with its word ``last``; -1 where the clause's own verb ends
    it ("every boy who sang and …")."""
    for word in upward(draft.heads, last):
        if word == clause:
            break
        governor = draft.heads[word]
        if governor == clause or draft.tags[governor] in ("IN", "TO"):
            return word
    return -1


def _take_conjunct(draft: Draft, conjunct: int) -> None:
    """The reverse: "no boy who saw a cat and no girl", where the girl was parsed beside the cat."""
    heads, deps = draft.heads, draft.deps
    inner = heads[conjunct]
    clause = next(
        (word for word in upward(heads, inner) if deps[word] not in _OBJECTS or heads[word] >= word), -1
    )
    outer = heads[clause]
    if clause < 0 or deps[clause] != "relcl" or not heads[outer] > conjunct:
        return
    far = _determiner(draft, outer)
    linker = next((index for index in range(conjunct - 1, inner, -1) if deps[index] == "cc"), -1)
    if linker < 0 or draft.words[linker].lower() == "but" or not far:
        return
    if _determiner(draft, conjunct) != far or _determiner(draft, inner) == far:
        return
    if draft.move(conjunct, outer):
        draft.move(linker, outer)
        draft.repairs.append(f"{draft.words[conjunct]} read beside {draft.words[outer]}")


def _give_to_preposition(draft: Draft, article: int, pronoun: int) -> None:
    """*nobody* takes no article: "With a key nobody opened a door" begins with a phrase of its own."""
    heads, deps = draft.heads, draft.deps
    preposition, noun = article - 1, pronoun - 1
    if preposition < 0 or noun == article:
        return
    if deps[preposition] != "prep" and draft.words[preposition].lower() not in ("with", "without"):
        return
    if preposition in heads[article:] or any(heads[index] != pronoun for index in range(article, pronoun)):
        return
    if not draft.move(noun, preposition):
        return
    for index in range(article, noun):
        draft.move(index, noun)
    deps[preposition] = "prep"
    deps[noun], draft.tags[noun], draft.pos[noun] = "pobj", "NN", "NOUN"
    draft.repairs.append(f"{draft.words[noun]} read as the object of {draft.words[preposition]}")


def _determiner(draft: Draft, noun: int) -> str:
    """The noun's determiner, *a* for *an*; "" for none."""
    for child, head in enumerate(draft.heads):
        if head == noun and child < noun and draft.deps[child] in ("det", "poss", "neg", "nummod", "amod"):
            word = draft.words[child].lower()
            return "a" if word == "an" else word
    return ""
