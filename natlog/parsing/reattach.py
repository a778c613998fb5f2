"""Repairs that need no second parse: an arc moved where grammar leaves no doubt."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from natlog.arcs import dominates, upward
from natlog.lexicon.words import wordnet
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft
from natlog.parsing.preposed import keep_preposed
from natlog.parsing.sharing import share

_TEMPORAL = frozenset({"before", "after", "until", "since"})
_EXCEPTIVES = frozenset({"except", "excepting", "excluding", "but"})
_WHOLES = frozenset(
    {"all", "every", "each", "everyone", "everybody", "everything", "everywhere"}
    | {"no", "nobody", "nothing", "none", "any", "anyone", "anything"}
)
_RELATIVE_WORDS = frozenset({"who", "that", "which"})
_FINITE = frozenset({"VBD", "VBP", "VBZ"})
# Objects that make an adverbial of their preposition wherever it stands ("the boys in fact sang").
_ADVERBIAL = frozenset(
    {
        "fact",
        "course",
        "general",
        "particular",
        "turn",
        "contrast",
        "addition",
        "least",
        "times",
        "time",
        "all",
    }
)
_BETWEEN = frozenset({"MD", "RB", "VBD", "VBZ", "VBP"})
_NOUNS = frozenset({"NN", "NNS"})
_SENSES = 2


def mend(draft: Draft) -> Draft:
    """Mend a parse in place, and say in ``draft.repairs`` what was done.

    "before a guest arrived" is parsed as a prepositional phrase followed by a clause without subject; "a dog
    in the house who barks" as a house that barks; an exception as one more complement of the verb.
    """
    if len(draft.words) > 1 and draft.tags[0] in ("NNP", "NNPS") and draft.words[0].endswith("s"):
        _read_as_plural(draft)
    _part_subjects(draft)
    for index, word in enumerate(draft.words):
        if draft.deps[index] == "prep" and word.lower() in _TEMPORAL:
            _read_as_subordinator(draft, index)
        elif draft.deps[index] == "neg" and draft.deps[draft.heads[index]] in ("aux", "auxpass"):
            draft.move(index, draft.heads[draft.heads[index]])
        elif word in _EXCEPTIVES and draft.deps[index] == "prep":
            _give_to_whole(draft, index)
        elif word in _RELATIVE_WORDS and draft.deps[index] in SUBJECTS:
            _give_to_outer_noun(draft, draft.heads[index], word)
        elif draft.tags[index] == "VBP" and draft.lemmas[index] == word:
            _read_as_past(draft, index)
        elif word == "then" and draft.deps[index] == "advmod":
            _give_to_consequence(draft, index)
    share(draft)
    keep_preposed(draft)
    return draft


def _part_subjects(draft: Draft) -> None:
    """A verb has one subject, and a phrase between a subject and its verb belongs to the subject.

    "dogs that chased every cat cried" is parsed with two subjects of *cried*, "a dog and a cat ran" sometimes
    too; "a boy in a garden sings" sometimes as *sings in a garden*.
    """
    deps, heads, tags = draft.deps, draft.heads, draft.tags
    subjects = [index for index, dep in enumerate(deps) if dep in ("nsubj", "nsubjpass")]
    for first, second in pairwise(sorted(subjects, key=lambda index: (heads[index], index))):
        if heads[first] != heads[second] or heads[first] < second:
            continue
        before = next(
            (index for index in range(second - 1, first, -1) if not dominates(heads, second, index)), first
        )
        relative = deps[before] in ("relcl", "acl") and tags[before] in _FINITE
        if deps[before] == "cc" and dominates(heads, first, before):
            home, dep = first, "conj"
            draft.move(before, first)
        elif relative and dominates(heads, first, before):
            home, dep = before, "dobj"
        else:
            continue
        if draft.move(second, home):
            deps[second] = dep
    for index, dep in enumerate(deps):
        if (
            dep == "prep"
            and index
            and tags[index - 1] in _NOUNS
            and deps[index - 1] in ("nsubj", "nsubjpass")
        ):
            adverbial = any(
                head == index and draft.words[child].lower() in _ADVERBIAL for child, head in enumerate(heads)
            )
            if heads[index] == heads[index - 1] > index and not adverbial:
                draft.move(index, index - 1)


def _read_as_plural(draft: Draft) -> None:
    """A first word is no name because of its capital ("Dogs bark")."""
    lower = draft.words[0].lower()
    lemmas = wordnet().lemmas(lower, "n")
    if lemmas and lower not in lemmas and draft.tags[1] not in ("NNP", "NNPS", "VBZ", "POS"):
        draft.tags[0], draft.pos[0], draft.lemmas[0] = "NNS", "NOUN", lemmas[0]


def _read_as_past(draft: Draft, index: int) -> None:
    """A past form taken for a present one with itself as its lemma ("I forgot")."""
    lemma = _past_of(draft.words[index])
    if lemma:
        draft.tags[index], draft.lemmas[index] = "VBD", lemma


@lru_cache(maxsize=4096)
def _past_of(word: str) -> str:
    """The verb of which a word is an irregular past form and no base form; "" for none."""
    lemmas = wordnet().lemmas(word, "v")
    return lemmas[0] if len(lemmas) == 1 and lemmas[0] != word and not word.endswith("s") else ""


def _read_as_subordinator(draft: Draft, index: int) -> None:
    tags, deps, heads = draft.tags, draft.deps, draft.heads
    size = len(heads)
    noun = next((i for i in range(index + 1, size) if heads[i] == index and deps[i] == "pobj"), -1)
    if noun < 0:
        return
    verb = next((i for i in range(noun + 1, size) if tags[i] not in _BETWEEN or deps[i] == "advcl"), -1)
    if verb < 0 or deps[verb] != "advcl" or heads[verb] != heads[index]:
        return
    if any(head == verb and dep in SUBJECTS for head, dep in zip(heads, deps, strict=True)):
        return
    if draft.move(noun, verb) and draft.move(index, verb):
        deps[noun], deps[index] = "nsubj", "mark"
        draft.repairs.append(f"{draft.words[index]} read as a subordinator")


def _give_to_whole(draft: Draft, index: int) -> None:
    """An exceptive goes to the quantified noun phrase just before it ("likes all cats except Tom")."""
    heads, words = draft.heads, draft.words
    for noun in upward(heads, index - 1):
        if noun <= heads[index]:
            return
        universal = words[noun].lower() in _WHOLES or any(
            head == noun and words[child].lower() in _WHOLES for child, head in enumerate(heads)
        )
        if universal:
            if draft.move(index, noun):
                draft.repairs.append(f"{words[index]} read as an exception to {words[noun]}")
            return
        if heads[noun] >= index:
            return


def _give_to_outer_noun(draft: Draft, verb: int, word: str) -> None:
    """A relative clause goes to the outer of two nouns where the inner does not suit it.

    *who* is no thing ("a dog in the house who barks"), and a verb agrees in number with its noun ("the cats
    in the room that bark").
    """
    heads, tags = draft.heads, draft.tags
    inner = heads[verb]
    if draft.deps[verb] != "relcl" or draft.deps[inner] != "pobj":
        return
    outer = heads[heads[inner]]
    if outer > inner or tags[outer] not in _NOUNS or tags[inner] not in _NOUNS:
        return
    person = word == "who" and _is_animate(draft.lemmas[outer]) and not _is_animate(draft.lemmas[inner])
    agrees = {"VBZ": ("NN", "NNS"), "VBP": ("NNS", "NN")}.get(tags[verb]) == (tags[outer], tags[inner])
    if (person or agrees) and draft.move(verb, outer):
        draft.repairs.append(f"{word} read as {draft.words[outer]}")


def _give_to_consequence(draft: Draft, index: int) -> None:
    """*then* after a conditional begins its consequence."""
    clause = draft.heads[index]
    if clause < index and draft.deps[clause] == "advcl" and draft.heads[clause] > index:
        draft.move(index, draft.heads[clause])


@lru_cache(maxsize=4096)
def _is_animate(lemma: str) -> bool:
    """Whether one of a noun's commonest senses is a living thing."""
    lexicon = wordnet()
    living = {lexicon.senses(name, "n")[0] for name in ("organism", "people")}
    return any(
        not living.isdisjoint({sense, *lexicon.ancestors(sense)})
        for sense in lexicon.senses(lemma.lower(), "n")[:_SENSES]
    )
