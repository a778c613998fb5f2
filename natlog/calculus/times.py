"""Pairs whose sentences name times: when something was so, and how long it took or went on.

What goes on evenly (states, activities) and lasts for a time lasts for every part of it; what has an end to
reach, or happens in a moment, does not (Vendler 1957; Dowty 1979; Krifka 1998). What happens to one thing
once did not happen at two times.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, sentence
from natlog.calculus.periods import Period, length, measured, period
from natlog.calculus.relations import SetRelation
from natlog.lexicon.inflection import inflect
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.times import hours, unique, verbs
from natlog.tree import Marking, Token

_SUBJECTS = ("nsubj", "nsubjpass")


@dataclass(frozen=True, slots=True)
class Timed:
    """Two sentences without their times, and how the times stand to each other."""

    premise: str
    hypothesis: str
    inside: bool
    apart: bool
    same: bool
    once: bool
    note: str

    def relation(self, inner: SetRelation) -> SetRelation:
        """The relation of the sentences with their times, from that without them."""
        if inner.entails:
            if self.inside:
                return inner if self.same else SetRelation.FORWARD
            return SetRelation.ALTERNATION if self.once and self.apart else SetRelation.INDEPENDENT
        return SetRelation.ALTERNATION if inner.excludes and self.same else SetRelation.INDEPENDENT


def timed(premise: Marking, hypothesis: Marking) -> Timed | None:
    """Both sentences without the times that they name, where both name one."""
    ones, twos = premise.tree.tokens, hypothesis.tree.tokens
    first, second = period(ones) or _always(ones), period(twos)
    if first is None or second is None or (first.start, first.end) == (second.start, second.end):
        return None
    one, two = Clauses.of(premise.tree), Clauses.of(hypothesis.tree)
    main, other = one.main, two.main
    if main is None or other is None:
        return None
    dropped = set(range(*first.tokens))
    even = _even(one, main)
    repeated = _repeated(ones)
    inside = first.within(second)
    if repeated is not None and second.within(first) and second.end - second.start >= repeated[0]:
        inside, dropped = True, dropped | repeated[1]
    elif (
        first.whole
        and (even or spelling(ones[first.tokens[0]]) in modifiers("always"))
        and second.within(first)
    ):
        inside = True
    written, same_thing = _resolved(one, two, second)
    once = main.lemma in verbs("once") and (same_thing or _unique(one, main))
    names = [premise.tree.span_text(*first.tokens), hypothesis.tree.span_text(*second.tokens)]
    note = (
        f"*{names[0]}* is in *{names[1]}*" if first.within(second) else f"*{names[1]}* against *{names[0]}*"
    )
    return Timed(
        sentence((t.text for t in ones if t.index not in dropped), premise.tree),
        sentence(written, hypothesis.tree),
        inside, first.apart(second), False, once and not _progressive(one, main), note,
    )  # fmt: skip


def _always(tokens: tuple[Token, ...]) -> Period | None:
    """All times, where a sentence says that something is always so."""
    found = next((t.index for t in tokens if spelling(t) in modifiers("always")), None)
    return Period(0, 10**8, (found, found + 1), True) if found is not None else None


def _resolved(one: Clauses, two: Clauses, time: Period) -> tuple[list[str], bool]:
    """The hypothesis' words without its time, *it* as the premise's object; whether both are of one thing."""
    main, other = one.main, two.main
    assert main is not None and other is not None
    object_, theirs = one.child(main.index, "dobj"), two.child(other.index, "dobj")
    tokens = two.tree.tokens
    kept = [t for t in tokens if not time.tokens[0] <= t.index < time.tokens[1]]
    if object_ is None or theirs is None:
        subject = one.child(main.index, *_SUBJECTS)
        return [t.text for t in kept], subject is not None and subject.pos == "PROPN"
    if spelling(theirs) == "it" and object_.pos == "NOUN":
        named = one.text_of(_noun_phrase(one, object_))
        return [word for t in kept for word in (named if t.index == theirs.index else [t.text])], True
    first = one.tree.tokens[_noun_phrase(one, object_)[0]]
    definite = (
        first.pos in ("PROPN", "PRON") or spelling(first) in ("the", "this", "that") or first.dep == "poss"
    )
    return [t.text for t in kept], definite


def _noun_phrase(clauses: Clauses, noun: Token) -> list[int]:
    """A noun with what stands before it."""
    return [i for i in clauses.below(noun.index) if i <= noun.index]


def _unique(clauses: Clauses, main: Token) -> bool:
    object_ = clauses.child(main.index, "dobj")
    below = clauses.below(object_.index) if object_ is not None else []
    return any(spelling(clauses.tree.tokens[i]) in unique() for i in below)


def _repeated(tokens: tuple[Token, ...]) -> tuple[int, set[int]] | None:
    """The days of the unit in *every week*, with its words; None where there is none."""
    for token in tokens[1:]:
        unit = hours(token.lemma.lower())
        before = tokens[token.index - 1]
        if unit is not None and spelling(before) in ("every", "each") and unit >= 1:
            days = min(int(unit / 24), 31 if unit <= 744 else 372) - (1 if unit >= 24 else 0)
            return days, {before.index, token.index}
    return None


def telic(clauses: Clauses, verb: Token) -> bool:
    """Whether what a verb with its object says has an end that must be reached."""
    if verb.lemma in verbs("achievement"):
        return True
    object_ = clauses.child(verb.index, "dobj", "nsubjpass")
    if verb.lemma not in verbs("accomplishment") or object_ is None:
        return False
    inside = [clauses.tree.tokens[i] for i in clauses.below(object_.index)]
    bounded = any(t.dep in ("det", "poss", "nummod") for t in inside if t.index < object_.index)
    return bounded or object_.pos in ("PROPN", "PRON")


def _progressive(clauses: Clauses, verb: Token) -> bool:
    return verb.tag == "VBG" and any(t.lemma == "be" for t in clauses.auxiliaries(verb))


def _even(clauses: Clauses, verb: Token) -> bool:
    return not telic(clauses, verb)


def lasting(premise: Marking, hypothesis: Marking) -> tuple[SetRelation, str] | None:
    """How long one thing went on or took, in two sentences that differ in nothing else; None of others."""
    if (first := length(premise.tree.tokens)) is None:
        return None
    one, two = Clauses.of(premise.tree), Clauses.of(hypothesis.tree)
    main, other = one.main, two.main
    if main is None or other is None:
        return None
    if other.lemma in verbs("spending"):
        return _spent(one, two, first.word, first.hours, first.tokens)
    second = length(hypothesis.tree.tokens)
    if second is None or second.word != first.word or first.word != "for":
        return None
    rest = [spelling(t) for t in one.tree.tokens if not first.tokens[0] <= t.index < first.tokens[1]]
    theirs = [spelling(t) for t in two.tree.tokens if not second.tokens[0] <= t.index < second.tokens[1]]
    if rest != theirs or one.denied(main) is not None or premise.tree.text == hypothesis.tree.text:
        return None
    if first.hours < second.hours:
        return SetRelation.REVERSE, "what went on for a time need not have gone on for longer"
    relation = SetRelation.EQUAL if first.hours == second.hours else SetRelation.FORWARD
    return relation, "what went on for a time went on for less"


def _spent(
    one: Clauses, two: Clauses, word: str, time: float, span: tuple[int, int]
) -> tuple[SetRelation, str] | None:
    """*Painted it in three days* against *spent more than three days painting it*."""
    main, other = one.main, two.main
    assert main is not None and other is not None
    doing = next((t for t in two.tree.tokens if t.tag == "VBG" and t.index > other.index), None)
    if doing is None or doing.lemma != main.lemma or _progressive(one, main):
        return None
    object_, theirs = one.child(main.index, "dobj"), two.child(doing.index, "dobj")
    subject, who = one.child(main.index, *_SUBJECTS), two.child(other.index, *_SUBJECTS)
    if subject is None or who is None or subject.word != who.word:
        return None
    if (object_ is None) != (theirs is None) or (object_ and theirs and object_.lemma != theirs.lemma):
        return None
    ends = telic(one, main)
    if ends and main.lemma in verbs("achievement"):
        return SetRelation.ALTERNATION, f"*{main.text}* happens in a moment, and takes no time"
    if ends != (word == "in"):
        return None
    inside = two.tree.tokens[other.index + 1 : doing.index]
    found = next((m for t in inside if (m := measured(two.tree.tokens, t.index)) is not None), None)
    if found is None:
        return None
    said = " ".join(spelling(t) for t in inside)
    more = any(form in said for form in ("more than", "over", "longer than"))
    less = any(form in said for form in ("less than", "under", "fewer than"))
    so = time > found[0] if more else time < found[0] if less else time == found[0]
    relation = SetRelation.FORWARD if so else SetRelation.ALTERNATION
    return relation, f"*{one.tree.span_text(*span)}* says how long it took"


def unfinished(premise: Marking, hypothesis: Marking, i: int, j: int) -> bool:
    """Whether a verb of the premise tells of what was going on, the hypothesis' of its having been done."""
    one, two = Clauses.of(premise.tree), Clauses.of(hypothesis.tree)
    verb, other = one.tree.tokens[i], two.tree.tokens[j]
    past = other.tag == "VBD" or (
        other.tag == "VBN" and any(t.lemma == "have" for t in two.auxiliaries(other))
    )
    if one.denied(verb) is not None:
        return False  # who was not building it did not build it
    return past and _progressive(one, verb) and not _progressive(two, other) and telic(one, verb)


def going_on(marking: Marking, phrase: Token) -> Token | None:
    """The verb that *for two hours* says to have gone on, though it has an end to be reached; else None."""
    clauses, tokens = Clauses.of(marking.tree), marking.tree.tokens
    if spelling(phrase) != "for" or measured(tokens, phrase.index + 1) is None:
        return None
    verb = next((tokens[i] for i in clauses.tree.heads.upward(phrase.index) if tokens[i].pos == "VERB"), None)
    done = verb is not None and not _progressive(clauses, verb) and verb.lemma in verbs("accomplishment")
    return verb if done and verb is not None and telic(clauses, verb) else None


def existing(premise: Marking, hypothesis: Marking) -> tuple[SetRelation, str] | None:
    """*In 1980 Anna built the house* against *The house existed in 1975*."""
    one, two = Clauses.of(premise.tree), Clauses.of(hypothesis.tree)
    main, other = one.main, two.main
    if main is None or other is None or main.lemma not in verbs("creation"):
        return None
    first, second = period(one.tree.tokens), period(two.tree.tokens)
    if (
        first is None
        or second is None
        or other.lemma not in verbs("existence")
        or two.denied(other) is not None
    ):
        return None
    made, thing = one.child(main.index, "dobj", "nsubjpass"), two.child(other.index, *_SUBJECTS)
    if made is None or thing is None or made.word != thing.word or one.denied(main) is not None:
        return None
    if second.end < first.start:
        return SetRelation.ALTERNATION, f"*{made.text}* was not there before it was made"
    if first.within(second):
        return SetRelation.FORWARD, f"*{made.text}* was there once it was made"
    return SetRelation.INDEPENDENT, f"*{made.text}* need not have lasted"


def ordered(premise: Marking, hypothesis: Marking) -> tuple[SetRelation, str] | None:
    """*A before B* and *B after A* are one order of two events; *B before A* is another."""
    one, two = _order(premise), _order(hypothesis)
    if one is None or two is None:
        return None
    if one == two and premise.tree.text != hypothesis.tree.text:
        return SetRelation.EQUAL, "one is before the other where the other is after the one"
    if one == two[::-1]:
        return SetRelation.ALTERNATION, "of two events only one is before the other"
    return None


def _events(tokens: Iterable[Token]) -> list[str]:
    """The words of a clause whatever the tense of its verbs."""
    return [
        t.lemma.lower() if t.pos == "VERB" else spelling(t)
        for t in tokens
        if t.pos != "PUNCT" and not (t.lemma == "have" and t.dep == "aux")
    ]


def taken(marking: Marking) -> list[str]:
    """*It took Anna two hours to paint it* as *Anna painted it in two hours*, and *spent …* likewise."""
    clauses = Clauses.of(marking.tree)
    main, tokens = clauses.main, clauses.tree.tokens
    if main is None or main.lemma not in verbs("spending") or clauses.denied(main) is not None:
        return []
    doing = clauses.child(main.index, "xcomp", "advcl")
    after = next((t.index for t in tokens[main.index + 1 :] if measured(tokens, t.index) is not None), None)
    if doing is None or after is None or doing.index < after or doing.tag not in ("VB", "VBG"):
        return []
    time = measured(tokens, after)
    assert time is not None
    subject = clauses.child(main.index, *_SUBJECTS)
    spent = doing.tag == "VBG" and subject is not None and subject.pos != "PRON"
    person = clauses.text_of(range(main.index + 1, after))
    if spent:
        person = clauses.text_of(range(main.index))
    elif subject is None or spelling(subject) != "it" or not person:
        return []
    if spent and any(t.pos == "ADV" or t.tag in ("JJR", "IN") for t in tokens[main.index + 1 : after]):
        return []
    verb = inflect(doing.lemma.lower(), "VBD" if main.tag == "VBD" else "VBZ")
    rest = [t.text for t in tokens[doing.index + 1 :] if t.pos != "PUNCT"]
    how = ["for" if spent else "in", *clauses.text_of(range(after, time[1]))]
    return [sentence([*person, verb, *rest, *how], marking.tree)]


def _order(marking: Marking) -> tuple[str, str] | None:
    """The clauses of the earlier and of the later event, in words."""
    tokens = marking.tree.tokens
    if not any(spelling(token) in modifiers("order") for token in tokens):
        return None
    clauses = Clauses.of(marking.tree)
    main = clauses.main
    clause = clauses.child(main.index, "advcl") if main is not None else None
    if main is None or clause is None or clauses.denied(main) is not None:
        return None
    inside = clauses.below(clause.index)
    link = spelling(tokens[inside[0]])
    if link not in modifiers("order") or clauses.child(clause.index, *_SUBJECTS) is None:
        return None
    words = _events(tokens[i] for i in inside[1:])
    rest = _events(t for t in tokens if t.index not in inside)
    pair = (" ".join(rest), " ".join(words))
    return pair if link == "before" else pair[::-1]
