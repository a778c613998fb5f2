"""What added words do to the phrase they join: narrow it, widen it, take it over.

A deletion is the addition that leads back, so only additions are described. Functions here look at the
sentence that has the words; ``linked`` are its tokens that the other sentence shares.
"""

from __future__ import annotations

from collections.abc import Container

from natlog.calculus.alignment import spelling, wordnet_pos
from natlog.calculus.groups import collective
from natlog.calculus.phrases import PhraseRelation, is_light
from natlog.calculus.relations import SetRelation
from natlog.calculus.times import going_on
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.veridicality import signature
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.words import Relation, Words
from natlog.tree import Marking, Polarity, Token

UNIVERSALS = frozenset({"every", "bare-plural"})
"""Operators whose restrictor reads "A and B" as the As together with the Bs."""

EXCEPTIVES = word_list("exceptives")
"""Operators that take something away from what a determiner ranges over."""

PARTITIVES = word_list("partitives")
"""Words of a partitive that adds nothing to a quantifier: all of them."""

NO_HEADS = frozenset({"compound", "amod", "nmod", "poss", "conj", "appos"})


CONDITIONS = ("in case of ", "in the event of ")
"""Prepositions whose object is a condition of what the sentence says."""


def governor_of(marking: Marking, start: int, end: int, linked: Container[int]) -> tuple[int, Token]:
    """The word outside a stretch that says in which context it stands, and the stretch's own top word."""
    tokens, heads = marking.tree.tokens, marking.tree.heads
    tops = [t for t in tokens[start:end] if not start <= t.head < end or t.head == t.index]
    meant = [t for t in tops if not is_light(t)] or [t for t in tops if t.dep not in ("punct", "cc")] or tops
    top = meant[0]
    for child in heads.children[top.index]:
        # "[had a sunburn or] caught a cold": the kept conjunct hangs on the added one.
        if tokens[child].dep == "conj" and child in linked:
            return child, top
    if top.head == top.index:
        below = (c for c in heads.children[top.index] if c in linked and not is_light(tokens[c]))
        return next(below, top.index), top
    if any(top.head in step.tokens for step in marking.token_why[top.index]):
        # "nothing useful": what restricts a quantifying pronoun stands in its first argument.
        return top.index, top
    low = _low(marking, start, top)
    if low == top.head and tokens[low].pos == "AUX":
        # A copula stands before its negation (is ↑ not red ↓); what is added after it does not.
        return top.index, top
    return low, top


def _low(marking: Marking, start: int, top: Token) -> int:
    """What a phrase after a noun restricts: the noun, where it stands in a ↓ place and its verb doesn't.

    "She reads every morning in summer" can be parsed either way; MED's annotators rewrote the noun
    phrase, so the phrase they added is read as part of it.
    """
    tokens, signs = marking.tree.tokens, marking.signs
    before = tokens[start - 1] if start else None
    if (
        before is not None
        and before.pos in ("NOUN", "PROPN")
        and top.dep in ("prep", "relcl", "acl", "advcl", "npadvmod")
        and top.head != before.index
        and tokens[top.head].pos in ("VERB", "AUX")
        and signs[before.index] is Polarity.DOWN
    ):
        return before.index
    return top.head


def added_relation(
    marking: Marking,
    tokens: list[Token],
    root: Token,
    governor: int,
    text: str,
    linked: Container[int],
    words_known: Words,
    same_number: bool = False,
) -> PhraseRelation:
    """The relation of the place without the added words to the place with them.

    ``same_number`` says that the noun they take over is singular, or plural, in both sentences.
    """
    words = {spelling(token) for token in tokens}
    joined = _joins(marking, tokens)
    if (modal := _circumstance(marking, root)) is not None:
        note = f"under *{modal}*, *{text}* is a condition and restricts nothing"
        return PhraseRelation(SetRelation.INDEPENDENT, note)
    if (verb := going_on(marking, root)) is not None:
        note = f"what *{verb.text}* says need not have come to its end *{text}*"
        return PhraseRelation(SetRelation.INDEPENDENT, note)
    if words <= word_list("clock") and {"past", "to"} & words:
        return PhraseRelation(SetRelation.INDEPENDENT, f"*{text}* makes it another time")
    if text.lower().startswith(CONDITIONS):
        return PhraseRelation(SetRelation.INDEPENDENT, f"*{text}* is a condition")
    if joined and words & {"or"}:
        return _disjunct(marking, root, governor, text, words_known)
    if joined and "and" in words and _union(marking, root, governor):
        return PhraseRelation(SetRelation.FORWARD, f"*{text}* adds to those spoken of")
    if joined and root.pos in ("NOUN", "PROPN", "PRON") and collective(marking, root):
        return PhraseRelation(SetRelation.INDEPENDENT, f"what is said is said of all together, *{text}* too")
    if joined and _repeats(marking, tokens, root, governor):
        return PhraseRelation(SetRelation.EQUAL, f"*{text}* says the same again")
    if joined and words & word_list("additive_conjunctions"):
        return PhraseRelation(SetRelation.REVERSE, f"*{text}* adds a conjunct")
    if (owner := _owner(marking, tokens, linked)) is not None:
        note = f"what is *{owner.text}*'s is not *{owner.text}*"
        return PhraseRelation(SetRelation.INDEPENDENT, note)
    if _excepts(marking, tokens):
        return PhraseRelation(SetRelation.INDEPENDENT, f"*{text}* takes away from those spoken of")
    if "of" in words and words <= PARTITIVES:
        return PhraseRelation(SetRelation.EQUAL, f"*{text}* names those spoken of")
    if words & modifiers("unclaimed") and root.pos in ("ADV", "VERB", "ADP", "SCONJ"):
        return PhraseRelation(SetRelation.INDEPENDENT, f"with *{text}* it is not claimed to be so")
    if words & modifiers("privative") and len(tokens) == 1 and marking.tree.tokens[root.head].dep == "attr":
        return PhraseRelation(SetRelation.ALTERNATION, f"what is *{text}* is not of the kind")
    if words & (modifiers("privative") | modifiers("alleged")):
        return PhraseRelation(SetRelation.INDEPENDENT, f"*{text}* need not keep the kind")
    if words & modifiers("widening"):
        return PhraseRelation(SetRelation.FORWARD, f"*{text}* weakens the claim")
    kept = taken_over(marking, root, linked)
    if kept is not None:
        up = same_number and marking.signs[root.index] is Polarity.UP
        return _new_head(tokens, root, kept, text, words_known, up)
    return PhraseRelation(SetRelation.REVERSE, _narrowing(marking, tokens, governor, text))


def _repeats(marking: Marking, tokens: list[Token], root: Token, governor: int) -> bool:
    """Whether a conjunct is the word it is joined to, once more: *barked and barked*."""
    kept = marking.tree.tokens[governor]
    alone = all(is_light(token) for token in tokens if token.index != root.index)
    # Where no kept word governs them, the place is the conjunct's own.
    return alone and root.pos == "VERB" and kept.index != root.index and root.word == kept.word


def _owner(marking: Marking, tokens: list[Token], linked: Container[int]) -> Token | None:
    """The kept noun of which the added words name a belonging ("Dan", "Dan's father")."""
    added = {token.index for token in tokens}
    return next(
        (
            token
            for token in marking.tree.tokens
            if token.dep == "poss"
            and token.pos in ("NOUN", "PROPN")
            and token.head in added
            and token.index in linked
        ),
        None,
    )


def _excepts(marking: Marking, tokens: list[Token]) -> bool:
    """Whether the added words name an exception ("all countries except Cuba")."""
    added = {token.index for token in tokens}
    return any(
        step.operator in EXCEPTIVES and added.issuperset(step.tokens)
        for token in tokens
        for step in marking.token_why[token.index]
    )


def _circumstance(marking: Marking, root: Token) -> str | None:
    """The modal of ability whose verb an added phrase gives the circumstances of.

    Who can jump twenty feet on the moon need not be able to; the phrase says in which situations.
    """
    tokens = marking.tree.tokens
    if (
        root.dep != "prep"
        or not 0 <= root.head < len(tokens)
        or spelling(root) not in modifiers("circumstance")
    ):
        return None
    verb = tokens[root.head]
    if marking.signs[verb.index] is not Polarity.UP:
        return None  # what cannot be done cannot be done anywhere
    for token in tokens:
        if token.head == verb.index and token.tag == "MD" and token.index < verb.index:
            found = signature(spelling(token), "modal")
            return token.text if found is not None and found.kind == "ability" else None
    return None


def _narrowing(marking: Marking, tokens: list[Token], governor: int, text: str) -> str:
    """In words: "*small dog* is more specific than *dog*", where the words stand together."""
    start, end = min(governor, tokens[0].index), max(governor, tokens[-1].index) + 1
    word = marking.tree.tokens[governor]
    together = end - start == len(tokens) + 1 and end - start <= 7
    if together and word.pos not in ("AUX", "ADP") and governor != tokens[0].index:
        return f"*{marking.tree.span_text(start, end)}* is more specific than *{word.text}*"
    return f"*{text}* makes it more specific"


def _union(marking: Marking, root: Token, governor: int) -> bool:
    """Whether "A and B" means both kinds together: nouns under one universal ("all boys and girls")."""
    steps = marking.token_why[governor]
    return (
        bool(steps)
        and steps[-1].operator in UNIVERSALS
        and steps[-1].argument == "first"
        and steps[-1].effect is Polarity.DOWN
        and root.pos in ("NOUN", "PROPN")
        and marking.tree.tokens[governor].pos in ("NOUN", "PROPN")
    )


def _joins(marking: Marking, tokens: list[Token]) -> bool:
    """Whether the added words are coordinated with kept ones, rather than among themselves."""
    inside = {token.index for token in tokens}
    return any(
        token.dep == "conj" and (token.index in inside) != (token.head in inside)
        for token in marking.tree.tokens
    )


def _disjunct(marking: Marking, root: Token, governor: int, text: str, words: Words) -> PhraseRelation:
    """A or B is more general than A, unless B is no more than A already says."""
    tree = marking.tree
    there = tree.tokens[governor]
    related = words.relation(root.text, there.text, wordnet_pos(root))
    below = tree.heads.children[root.index]
    bare = root.head != root.index and all(is_light(tree.tokens[child]) for child in below)
    if bare and root.pos in ("NOUN", "ADJ") and related.relation in (Relation.SYNONYM, Relation.HYPONYM):
        return PhraseRelation(SetRelation.EQUAL, f"*{text}* adds nothing to *{there.text}*", related)
    return PhraseRelation(SetRelation.FORWARD, f"*{text}* is one more alternative")


def _says_nothing(root: Token, kept: Token, up: bool) -> bool:
    """Whether there is a group wherever there are several, and a piece wherever there is some.

    In an ↑ place only: where there is no group of dogs there can still be one dog.
    """
    if not up or root.tag != "NN":
        return False
    group = spelling(root) in modifiers("groups") and kept.tag in ("NNS", "NNPS")
    piece = spelling(root) in modifiers("pieces") and kept.tag == "NN"
    return group or piece


def _new_head(
    tokens: list[Token], root: Token, kept: Token, text: str, words: Words, up: bool
) -> PhraseRelation:
    """An added noun has become the head over ``kept`` (car, car factory; Boston, the city of Boston)."""
    measures = root.lemma.lower() in modifiers("measures") or spelling(root) in modifiers("measures")
    if measures and _says_nothing(root, kept, up):
        return PhraseRelation(SetRelation.EQUAL, f"*{text}* says nothing of *{kept.text}* that it lacks")
    if measures or spelling(root) in modifiers("day_parts"):
        return PhraseRelation(SetRelation.REVERSE, f"*{text}* makes it more specific")
    related = words.relation(kept.text, root.text, "n")
    if related.relation in (Relation.HYPONYM, Relation.SYNONYM):
        if len([t for t in tokens if t.pos in ("ADJ", "NOUN", "PROPN", "VERB")]) > 1:
            return PhraseRelation(SetRelation.REVERSE, f"*{text}* makes *{kept.text}* more specific", related)
        return PhraseRelation(
            SetRelation.EQUAL, f"*{root.text}* only names the kind of *{kept.text}*", related
        )
    whole = words.relation(f"{kept.text} {root.text}", kept.text, "n")
    if whole.relation is Relation.HYPONYM or spelling(kept) in modifiers("kind"):
        return PhraseRelation(
            SetRelation.REVERSE, f"*{kept.text} {root.text}* is a kind of *{kept.text}*", whole
        )
    return PhraseRelation(
        SetRelation.INDEPENDENT, f"*{text}* changes what the phrase is about", related, known=False
    )


def taken_over(marking: Marking, root: Token, linked: Container[int]) -> Token | None:
    """The noun that was head before an added noun came to govern it."""
    if root.pos not in ("NOUN", "PROPN") or root.dep in NO_HEADS:
        return None
    tokens = marking.tree.tokens
    for token in reversed(tokens):
        if token.index not in linked or token.pos not in ("NOUN", "PROPN") or token.index == root.index:
            continue
        if token.head == root.index and token.dep in ("compound", "nmod", "amod", "npadvmod"):
            return token
        head = tokens[token.head]
        if (
            token.dep == "attr"
            and head.dep == "relcl"
            and head.head == root.index
            and head.index not in linked
        ):
            return token  # "[a person who is] a spectator"
        if (
            token.dep == "pobj"
            and head.head == root.index
            and spelling(head) == "of"
            and head.index not in linked
        ):
            return token
    return None


def is_clause(marking: Marking, root: Token) -> bool:
    """Whether added words are a clause of their own, with its subject: no part of the phrase before them."""
    if root.dep not in ("conj", "parataxis", "ccomp"):
        return False
    tree = marking.tree
    below = tree.heads.children[root.index]
    return any(tree.tokens[child].dep in ("nsubj", "nsubjpass", "expl") for child in below)


def form_of(tokens: list[Token], root: Token) -> str:
    """What sort of phrase was added or dropped."""
    words = {spelling(token) for token in tokens}
    if "or" in words and root.dep not in ("relcl", "acl", "advcl", "ccomp"):
        return "disjunct"
    if words & {"and", "but"} and root.dep not in ("relcl", "acl", "advcl", "ccomp"):
        return "conjunct"
    if root.dep in ("relcl", "acl"):
        return "relative clause"
    if root.dep in ("prep", "agent"):
        return "prepositional phrase"
    if root.pos == "ADV":
        return "adverb"
    if root.dep in ("advcl", "ccomp", "xcomp"):
        return "clause"
    return "modifier"
