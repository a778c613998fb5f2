"""Faults in parses: how they show, and the varied sentences whose parse shows the way out.

A small parser goes wrong in few ways: it takes a verb for a noun ("every dog barks", a garden path), *like*
for a preposition, or runs a conditional and its consequence together. Each shows in the parse. Then the
sentence is varied (a plain verb for the doubtful word, *love* for *like*, a comma after the conditional), and
the parse of the best variant is taken over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from natlog.arcs import dominates
from natlog.lexicon.words import wordnet
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft

NO_VERB = "no finite main verb"
NO_CONSEQUENCE = "a conditional without a consequence"
NO_SUBJECT = "a consequence without a subject"
BARE_SUBJECT = "a verb read as the second half of a compound subject"
NOUN_CLAUSE = "a subordinator on a noun"
STRAY_THAT = "a complementizer without a clause"
_WEIGHTS = {NO_VERB: 3, NO_CONSEQUENCE: 3, NO_SUBJECT: 3, STRAY_THAT: 2, BARE_SUBJECT: 2, NOUN_CLAUSE: 2}

THAN_AS_AND = "than read as a comparison of two sets"

REPAIRED = 0.8
"""Confidence in a parse that a variant mended."""
DOUBTFUL = 0.4
"""Confidence in a parse whose fault no variant mended."""

FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_DOUBTFUL = _NOUNS | {"VBN", "VBG", "JJ", "UH", "RB", "POS", "VB", "VBD"}
_PHRASE_STARTS = _NOUNS | {"DT", "PRP", "PRP$", "CD", "JJ", "EX", "PDT"}
_EXPECTING = frozenset({"IN", "DT", "JJ", "PRP$", "CD", "CC", "TO", "RB", "NNP", "POS", "MD"})
_WH = frozenset({"WP", "WDT", "WRB", "WP$"})
_BEFORE_NOUN = frozenset({"DT", "JJ", "JJS", "JJR", "PRP$", "IN", "POS", "CD", "TO"})
_STARTS_OBJECT = frozenset({"DT", "PRP", "PRP$", "CD", "JJ", "NN", "NNS", "NNP", "NNPS"})
_SINGULAR_DETERMINERS = frozenset({"this", "that", "a", "an", "every", "each", "another"})
_BEFORE_HEAD = frozenset({"amod", "compound"})
_LIKE = frozenset({"like", "likes", "liked"})
_INTRANSITIVE = (("are", "is", "was"),)
_AUXILIARIES = frozenset({"be", "have", "do", "get", "'s", "ai"})
_MOST_COMMAS = 6
_MOST_VARIANTS = 9


@dataclass(frozen=True, slots=True)
class Variant:
    """A varied sentence to parse.

    ``inserted`` is the place of an added comma or full stop, ``verb`` that of a plain verb, or -1.
    """

    words: tuple[str, ...]
    about: str
    inserted: int = -1
    verb: int = -1


def faults(draft: Draft) -> tuple[str, ...]:
    """What is wrong with a parse, by the marks above; () for a parse that looks sound."""
    tags, deps, heads = draft.tags, draft.deps, draft.heads
    found = []
    root = next((index for index, head in enumerate(heads) if head == index), -1)
    if root < 0:
        return ()
    if tags[root] not in FINITE and not _excused(draft, root):
        found.append(NO_VERB)
    for index, dep in enumerate(deps):
        if dep == "mark":
            if draft.words[index].lower() == "if" and len(heads) > index + 3:
                if heads[index] == root:
                    found.append(NO_CONSEQUENCE)
                elif tags[root] in FINITE and index < root and not _has_subject(draft, root):
                    found.append(NO_SUBJECT)
        elif dep == "nsubj":
            if _is_plural_compound(draft, index):
                found.append(BARE_SUBJECT)
        elif dep in ("dobj", "pobj") and tags[index] == "IN":
            found.append(STRAY_THAT)
        if tags[heads[index]] in _NOUNS and (dep == "mark" or _is_relative_determiner(draft, index)):
            found.append(NOUN_CLAUSE)
    return tuple(found)


def _is_auxiliary(draft: Draft, index: int) -> bool:
    return draft.tags[index] == "MD" or draft.lemmas[index] in _AUXILIARIES


def _excused(draft: Draft, root: int) -> bool:
    """An infinite root that is no fault: auxiliaries make it finite, or the text is no statement."""
    tags, deps = draft.tags, draft.deps
    if _helped(draft, root):
        return True
    below = [index for index, head in enumerate(draft.heads) if head == root and index != root]
    if len(tags) < 2 or tags[0] in _WH or draft.words[-1] == "?":
        return True
    return tags[root] == "VB" and not any(deps[index] in SUBJECTS for index in below)


def _is_plural_compound(draft: Draft, noun: int) -> bool:
    """Whether a singular subject is two bare nouns, the first plural: "dogs chase" in "dogs chase cats"."""
    if draft.tags[noun] != "NN" or noun == 0 or draft.deps[noun] != "nsubj":
        return False
    first = draft.words[noun - 1].lower()
    return (
        first.endswith("s")
        and not first.endswith("ss")
        and draft.deps[noun - 1] == "compound"
        and sum(head == noun for head in draft.heads) == 1 + (draft.heads[noun] == noun)
        and draft.heads[noun] > noun
        and bool(wordnet().lemmas(draft.words[noun].lower(), "v"))
    )


def _poses_as_noun(draft: Draft, place: int) -> bool:
    """Whether the parse takes a word for a noun where only a verb makes sense of it."""
    if _is_plural_compound(draft, place):
        return True
    return draft.tags[place] in _NOUNS and any(
        head == place and (draft.deps[index] == "mark" or _is_relative_determiner(draft, index))
        for index, head in enumerate(draft.heads)
    )


def _is_relative_determiner(draft: Draft, index: int) -> bool:
    """*that* tagged as a relative and parsed as a determiner: "cats that bark" taken for "that bark"."""
    return draft.tags[index] == "WDT" and draft.deps[index] == "det" and draft.words[index] == "that"


def _has_subject(draft: Draft, verb: int) -> bool:
    return any(head == verb and dep in SUBJECTS for head, dep in zip(draft.heads, draft.deps, strict=True))


def has_finite_root(draft: Draft) -> bool:
    """Whether the main verb is finite, by itself or by an auxiliary."""
    return any(
        index == head and (draft.tags[index] in FINITE or _helped(draft, index))
        for index, head in enumerate(draft.heads)
    )


def _helped(draft: Draft, verb: int) -> bool:
    return any(
        head == verb and dep in ("aux", "auxpass") and tag in FINITE and _is_auxiliary(draft, index)
        for index, (head, dep, tag) in enumerate(zip(draft.heads, draft.deps, draft.tags, strict=True))
    )


def severity(draft: Draft) -> int:
    """The weight of a parse's faults; 0 is sound."""
    return sum(_WEIGHTS[fault] for fault in faults(draft))


def variants(draft: Draft) -> list[Variant]:
    """The varied sentences that may parse better, at most ten."""
    found = faults(draft)
    tried: list[Variant] = []
    if NO_CONSEQUENCE in found or NO_SUBJECT in found:
        tried += list(_with_comma(draft))[:_MOST_COMMAS]
        tried += _with_plain_verb(draft)
    if NO_VERB in found:
        tried += _with_two_sets(draft)
        tried += _with_plain_verb(draft)
    if BARE_SUBJECT in found or NOUN_CLAUSE in found:
        places = [place for place in range(len(draft.words)) if _poses_as_noun(draft, place)]
        tried += [variant for place in places for variant in _plain_at(draft, place)]
    if STRAY_THAT in found:
        tried += _with_plain_report(draft)
        tried += _with_plain_verb(draft)
    return [*tried[:_MOST_VARIANTS], *_with_full_stop(draft)] if found else []


def _with_full_stop(draft: Draft) -> Iterator[Variant]:
    if draft.words[-1][-1:].isalnum():
        yield Variant((*draft.words, "."), "a full stop added", len(draft.words))


def _with_two_sets(draft: Draft) -> Iterator[Variant]:
    """*and* for *than* in "more dogs than cats bark", which is else parsed as "than cats bark"."""
    words, tags = draft.words, draft.tags
    for place, word in enumerate(words):
        if word.lower() == "than" and place > 1 and tags[place - 1] in _NOUNS:
            linked = (*words[:place], "and", *words[place + 1 :])
            yield Variant(linked, THAN_AS_AND)
            for verb in range(len(words) - 1, place + 1, -1):
                if tags[verb] in _DOUBTFUL and wordnet().lemmas(words[verb].lower(), "v"):
                    yield Variant((*linked[:verb], "are", *linked[verb + 1 :]), THAN_AS_AND)
                    break


def _with_comma(draft: Draft) -> Iterator[Variant]:
    words, tags = draft.words, draft.tags
    condition = next(index for index, word in enumerate(words) if word.lower() == "if")
    verb = next((i for i in range(condition + 1, len(tags)) if tags[i][:2] in ("VB", "MD")), condition + 2)
    for place in range(verb + 1, len(words) - 1):
        if tags[place] in _PHRASE_STARTS and tags[place - 1] not in _EXPECTING and words[place - 1] != ",":
            yield Variant((*words[:place], ",", *words[place:]), "a comma after the conditional", place)


def _with_plain_verb(draft: Draft) -> Iterator[Variant]:
    """A plain verb in the place of each word that could be the missing one, the last first."""
    words, tags = draft.words, draft.tags
    lexicon = wordnet()
    places = []
    for place, word in enumerate(words):
        lower = word.lower()
        if lower == "'s" and tags[place] in ("POS", "VBZ"):
            yield Variant((*words[:place], "is", *words[place + 1 :]), f"{word} read as a verb")
        elif place and lower in _LIKE:
            if tags[place] not in FINITE:
                places.append(place)
        elif (
            place
            and (tags[place] in _DOUBTFUL or (tags[place] in FINITE and draft.deps[place] in _BEFORE_HEAD))
            and not _is_gerund(lower)
            and (tags[place - 1] not in _BEFORE_NOUN or _disagrees(draft, place) or _is_past(lower))
            and lexicon.lemmas(lower, "v")
        ):
            places.append(place)
    places.sort(key=lambda place: (words[place].lower() not in _LIKE, not _is_verbal(words[place]), -place))
    for place in places:
        yield from _plain_at(draft, place)


def _is_gerund(word: str) -> bool:
    """Whether a word is an -ing form, which is never finite (*gambling*, not *sing*)."""
    return word.endswith("ing") and word not in wordnet().lemmas(word, "v")


def _is_verbal(word: str) -> bool:
    """Whether a word has more senses as a verb than as a noun (*sell*, not *bread*)."""
    lexicon = wordnet()
    senses = {
        pos: sum(len(lexicon.senses(lemma, pos)) for lemma in lexicon.lemmas(word.lower(), pos))
        for pos in "nv"
    }
    return senses["v"] > senses["n"]


def _is_past(word: str) -> bool:
    """Whether a word can only be a past form of a verb (*drank*, *swam*)."""
    lexicon = wordnet()
    return not lexicon.lemmas(word, "n") and word not in lexicon.lemmas(word, "v") and not word.endswith("s")


def _disagrees(draft: Draft, place: int) -> bool:
    """Whether a word cannot be the noun of the determiner or adjective before it ("this borders on")."""
    before, tag = draft.words[place - 1], draft.tags[place - 1]
    if tag == "DT":
        return draft.tags[place] == "NNS" and before.lower() in _SINGULAR_DETERMINERS
    return tag == "JJ" and (before[0].isupper() or not wordnet().senses(before.lower(), "a"))


def _plain_at(draft: Draft, place: int) -> Iterator[Variant]:
    words = draft.words
    for plain in _plain_verbs(draft, place):
        varied = (*words[:place], plain, *words[place + 1 :])
        yield Variant(varied, f"{words[place]} read as a verb", verb=place)


def _plain_verbs(draft: Draft, place: int) -> tuple[str, ...]:
    """Verbs of the word's own form that no tagger takes for a noun."""
    word = draft.words[place].lower()
    if word in _LIKE:
        return (word.replace("lik", "lov"), {"like": "have", "likes": "has"}.get(word, "had"))
    tags = draft.tags
    after = tags[place + 1] if place + 1 < len(tags) else ""
    choices = (("have", "has", "had"), ("see", "sees", "saw")) if after in _STARTS_OBJECT else _INTRANSITIVE
    if word.endswith("s") and not word.endswith("ss"):
        form = 1
    else:
        plural = tags[place - 1] in ("NNS", "NNPS", "PRP", "CC") or _is_plural_compound(draft, place)
        form = 0 if plural and word in wordnet().lemmas(word, "v") else 2
    return tuple(forms[form] for forms in choices)


def _with_plain_report(draft: Draft) -> Iterator[Variant]:
    """*says* in the place of a rarer verb before *that*."""
    words, tags = draft.words, draft.tags
    for place, dep in enumerate(draft.deps):
        if dep in ("dobj", "pobj") and tags[place] == "IN":
            verb = draft.heads[place]
            plain = {"VBZ": "says", "VBD": "said", "VBN": "said", "VBG": "saying"}.get(tags[verb], "say")
            yield Variant((*words[:verb], plain, *words[verb + 1 :]), f"{words[verb]} read as a report")


def unfit(parse: Draft, variant: Variant) -> int:
    """Added weight for a variant's parse.

    A plain verb is a main verb; after an added comma the main clause starts with its subject.
    """
    if variant.verb >= 0 and parse.deps[variant.verb] in ("aux", "auxpass"):
        return 2
    if variant.inserted < 0 or variant.inserted == len(variant.words) - 1:
        return 0
    heads, deps = parse.heads, parse.deps
    root = next((index for index, head in enumerate(heads) if head == index), -1)
    subject = next((i for i in range(len(heads)) if heads[i] == root and deps[i] in SUBJECTS), -1)
    if subject < variant.inserted:
        return 2
    start = min((i for i in range(variant.inserted + 1, subject) if heads[i] == subject), default=subject)
    return 0 if start == variant.inserted + 1 else 1


def _has_plural_subject(heads: list[int], deps: list[str], tags: list[str], verb: int) -> bool:
    return any(
        head == verb and dep in SUBJECTS and tag in ("NNS", "NNPS", "PRP")
        for head, dep, tag in zip(heads, deps, tags, strict=True)
    )


def adopt(draft: Draft, variant: Variant, parse: Draft) -> Draft:
    """The parse of a variant, put on the words of the sentence itself."""
    lemmas, pos, tags = list(parse.lemmas), list(parse.pos), list(parse.tags)
    deps, heads = list(parse.deps), list(parse.heads)
    if variant.inserted >= 0:
        gone = variant.inserted
        # What hung on the added mark goes to its governor, or stands alone where it had none.
        above = heads[gone]
        heads = [
            head if head != gone else index if above == gone else above for index, head in enumerate(heads)
        ]
        for column in (lemmas, pos, tags, deps, heads):
            del column[gone]
        heads = [head - 1 if head > gone else head for head in heads]
    sentence = [*variant.words]
    if variant.inserted >= 0:
        del sentence[variant.inserted]
    for at, word in enumerate(draft.words):
        if variant.about == THAN_AS_AND and word.lower() == "than":
            second = next(
                (i for i in range(at, len(heads)) if deps[i] == "conj" and heads[i] == heads[at]), -1
            )
            tags[at], pos[at], lemmas[at], deps[at] = "IN", "ADP", "than", "prep"
            if second > 0 and not dominates(heads, second, at):
                heads[second], deps[second] = at, "pobj"
        elif sentence[at] != word:
            known = wordnet().lemmas(word.lower(), "v")
            lemmas[at] = known[-1] if known else "be" if word.lower() == "'s" else word.lower()
            base = tags[at] == "VBD" and lemmas[at] == word.lower()
            if base and _has_plural_subject(heads, deps, tags, at):
                tags[at] = "VBP"
    return Draft(
        draft.text,
        draft.words,
        draft.starts,
        lemmas,
        pos,
        tags,
        deps,
        heads,
        [*draft.repairs, variant.about],
        draft.confidence,
    )
