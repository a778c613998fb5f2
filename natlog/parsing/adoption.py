"""The parse of a variant, put on the words of the sentence itself."""

from __future__ import annotations

from natlog.heads import Heads
from natlog.lexicon.wordnet import wordnet
from natlog.parsing.constituents import SUBJECTS
from natlog.parsing.draft import Draft
from natlog.parsing.variants import THAN_AS_AND, Variant


def adopt(draft: Draft, variant: Variant, parse: Draft) -> Draft:
    """The parse of a variant, with the sentence's own words in the place of those that were varied."""
    if variant.inserted >= 0:
        parse = _without(parse, variant.inserted)
    adopted = Draft(
        draft.text,
        draft.words,
        draft.starts,
        [*parse.lemmas],
        [*parse.pos],
        [*parse.tags],
        [*parse.deps],
        parse.heads,
        [*draft.repairs, variant.about],
        draft.confidence,
    )
    for at, word in enumerate(draft.words):
        if variant.about == THAN_AS_AND and word.lower() == "than":
            _compare(adopted, at)
        elif parse.words[at] != word:
            _read_as_verb(adopted, at)
    return adopted


def _without(parse: Draft, gone: int) -> Draft:
    """A parse without the mark that was added to its sentence."""
    # What hung on the mark goes to its governor, or stands alone where it had none.
    above = parse.heads[gone]
    kept = [
        head if head != gone else index if above == gone else above for index, head in enumerate(parse.heads)
    ]
    del kept[gone]
    heads = Heads(head - 1 if head > gone else head for head in kept)
    columns = parse.words, parse.lemmas, parse.pos, parse.tags, parse.deps
    words, lemmas, pos, tags, deps = (column[:gone] + column[gone + 1 :] for column in columns)
    return Draft(parse.text, words, [0] * len(words), lemmas, pos, tags, deps, heads)


def _compare(draft: Draft, than: int) -> None:
    """Put *than* back for *and*: the second of the two sets is its object."""
    deps, heads = draft.deps, draft.heads
    after = range(than, len(heads))
    second = next((i for i in after if deps[i] == "conj" and heads[i] == heads[than]), -1)
    draft.tags[than], draft.pos[than], draft.lemmas[than], deps[than] = "IN", "ADP", "than", "prep"
    if second > 0 and draft.move(second, than):
        deps[second] = "pobj"


def _read_as_verb(draft: Draft, at: int) -> None:
    """Give the verb that was a plain one its own lemma, and its tag by its subject."""
    word = draft.words[at].lower()
    known = wordnet().lemmas(word, "v")
    draft.lemmas[at] = known[-1] if known else "be" if word == "'s" else word
    base = draft.tags[at] == "VBD" and draft.lemmas[at] == word
    if base and any(
        draft.deps[child] in SUBJECTS and draft.tags[child] in ("NNS", "NNPS", "PRP")
        for child in draft.heads.children[at]
    ):
        draft.tags[at] = "VBP"
