"""What a clause is like: what opens it, in which order its parts take scope, whether it is habitual."""

from __future__ import annotations

from dataclasses import replace

from natlog.lexicon.operators import Match, OperatorIndex
from natlog.lexicon.word_lists import word_list
from natlog.parsing.constituents import SUBJECTS
from natlog.polarity.attachment import PLURALS, Attachment

_AUXILIARIES = frozenset({"aux", "auxpass"})
_PAST = frozenset({"VBD"})
_SCOPELESS = frozenset({"the", "possessive"})
_DISCOURSE = word_list("comment_nouns")
_FREE_RELATIVES = word_list("free_relatives")
_WIDE_CLAUSES = word_list("reasons")
PREPOSED, SUBJECT, FRONTED, NEGATION, INSIDE, DEFERRED = range(6)
"""The scope order of a clause's parts, widest first; the last are signed as the verb is."""


class Clauses:
    """Answers about the clauses of one tree."""

    def __init__(self, phrases: Attachment, operators: OperatorIndex, inner_auxiliaries: bool) -> None:
        self.phrases, self.operators, self.inner_auxiliaries = phrases, operators, inner_auxiliaries
        self.words, self.tags, self.deps = phrases.words, phrases.tags, phrases.deps
        self.heads, self.children, self.lemmas = phrases.heads, phrases.children, phrases.lemmas

    def opening(self, head: int, dependents: list[int]) -> tuple[Match, str] | None:
        """What opens the clause of ``head``, with the argument that the clause is of it: a subordinator, a
        question word, a free relative, or an auxiliary before its subject."""
        for child in dependents:
            match = self.phrases.at.get(child)
            if match is not None and match.operator.kind == "inversion" and self.deps[child] != "advcl":
                return match, "argument"
            found = self._opener(head, child, match)
            if found is not None:
                return found
        own = self.phrases.at.get(head)
        return (own, "argument") if own is not None and own.operator.kind == "inversion" else None

    def _opener(self, head: int, child: int, match: Match | None) -> tuple[Match, str] | None:
        kind = match.operator.kind if match is not None else ""
        free = self.words[child] in _FREE_RELATIVES and self.tags[child] in ("WP", "WDT", "WRB")
        asked = not free and self.is_question(head, child)
        question, every = self.operators.by_id["question"], self.operators.by_id["every"]
        if match is not None and kind in ("subordinator", "question") and self.subordinates(child):
            if asked or kind == "question":
                return replace(match, operator=question), "argument"
            episodic = match.operator.scope == "episodic" and self.is_episodic(head)
            return None if episodic else (match, "argument")
        if asked:
            return Match(question, child, child + 1, (), ()), "argument"
        return (Match(every, child, child + 1, (), ()), "first") if free else None

    def is_preposition(self, head: int, match: Match) -> bool:
        """Whether an operator signs its object here: also a subordinator ("before eating", "until noon")."""
        if match.operator.kind != "subordinator":
            return match.operator.kind == "preposition"
        return match.operator.scope == "wide" or any(
            self.deps[child] == "pcomp" for child in self.children[head]
        )

    def is_second(self, head: int, child: int) -> bool:
        """Whether a dependent is a second prepositional phrase with an operator, or links it to the first.

        "without a break and without complaining": neither stands inside the other.
        """
        return any(
            child == other or (self.deps[child] == "cc" and child < other)
            for other in self.children[head]
            if self.deps[other] == "conj" and other in self.phrases.at
        )

    def is_time_span(self, noun: int) -> bool:
        """Whether a noun says in how much time something is done ("ran in under five hours")."""
        span = self.deps[noun] == "pobj" and self.words[self.heads[noun]] in ("in", "within")
        return span and self.lemmas[noun] in word_list("time_units")

    def subordinates(self, child: int) -> bool:
        """Whether a word opens its head's clause ("before he left"; not "never before")."""
        return self.deps[child] == "mark" or (self.deps[child] == "advmod" and self.tags[child] == "WRB")

    def is_question(self, head: int, child: int) -> bool:
        """Whether ``child`` makes the clause of ``head`` an embedded question ("knows who sings")."""
        if self.deps[head] == "advcl" and self.words[child] == "if":
            return self.lemmas[self.heads[head]] in self.operators.by_id["question"].verbs and (
                head > self.heads[head]
            )
        if self.deps[head] not in ("ccomp", "pcomp", "csubj"):
            return False
        return (child < head and self.tags[child] in ("WP", "WRB", "WDT", "WP$")) or (
            self.words[child] == "if" and self.deps[child] == "mark"
        )

    def is_episodic(self, head: int) -> bool:
        """Whether a *when* clause tells of a single past event."""
        return self.tags[head] in _PAST or any(
            self.tags[child] in _PAST and self.deps[child] in _AUXILIARIES for child in self.children[head]
        )

    def rank(self, child: int, head: int, subject: int) -> int:
        """The place of a dependent in the scope order of the clause of ``head``."""
        dep = self.deps[child]
        if dep in SUBJECTS:
            return SUBJECT
        match = self.phrases.at.get(child)
        if match is not None and match.operator.scope == "wide":
            return PREPOSED
        if child < subject:
            return FRONTED if self.is_scopeless(child) else PREPOSED
        if dep in ("advcl", "ccomp") and self.takes_wide_scope(child):
            return PREPOSED
        if match is not None and match.operator.kind == "negation" and self.inner_auxiliaries:
            return NEGATION
        if dep == "prt" or (dep == "advmod" and child < head and match is None):
            return DEFERRED
        return INSIDE

    def is_scopeless(self, adjunct: int) -> bool:
        """Whether an adjunct before the subject says what it would say after the verb.

        "At night no guard sleeps" is "No guard sleeps at night"; "in every town no baker sleeps" is not.
        """
        if self.deps[adjunct] != "prep":
            return False
        match = self.phrases.at.get(adjunct)
        if match is not None and match.operator.kind == "preposition":
            return match.operator.scope != "outer"
        below = list(self.heads.subtree(adjunct))
        if any(self.words[index] in _DISCOURSE for index in below):
            return False
        return all(
            other.operator.id in _SCOPELESS
            for index in below
            for other in self.phrases.quantifiers.get(index, ())
        )

    def takes_wide_scope(self, clause: int) -> bool:
        """Conditionals, reasons and *until* stand outside the negation of the clause they follow."""
        for child in self.children[clause]:
            match = self.phrases.at.get(child)
            if match is not None and match.operator.kind == "inversion":
                return True
            if self.deps[clause] != "advcl":
                continue
            if match is not None and match.operator.kind == "subordinator" and match.operator.id != "before":
                return True
            if self.deps[child] == "mark" and self.words[child] in _WIDE_CLAUSES:
                return True
        return False

    def is_generic(self, child: int, head: int) -> bool:
        """Whether a bare plural subject speaks of the kind: the verb is habitual, not progressive."""
        if self.tags[child] not in PLURALS or self.tags[child] == "NNPS" or child in self.phrases.quantifiers:
            return False
        if any(self.deps[c] in ("det", "poss", "nummod", "predet") for c in self.children[child]):
            return False
        if any(m.operator.kind == "inversion" for c in self.children[head] if (m := self.phrases.at.get(c))):
            return False  # "should voters reject it": some of them, once
        auxiliaries = [c for c in self.children[head] if self.deps[c] in _AUXILIARIES]
        if self.tags[head] == "VBG":
            return False
        if auxiliaries:
            return all(self.tags[c] in ("VBP", "MD", "VB") and self.words[c] != "have" for c in auxiliaries)
        return self.tags[head] == "VBP"

    def is_kind_after_auxiliary(self, child: int, head: int) -> bool:
        """Whether a subject speaks of the kind after its auxiliary: outside what stands before both.

        "Under no circumstances may drivers leave" says of any driver that he may not.
        """
        inverted = any(self.deps[c] in _AUXILIARIES and c < child for c in self.children[head])
        return inverted and self.is_generic(child, head)

    def restricted(self, noun: int, clause: int) -> int:
        """The noun that a relative clause after "every hospital in the capital" restricts.

        ``noun`` is the one that the parse hangs it on: a place, that does not do what the clause says.
        """
        preposition = self.heads[noun]
        other = self.heads[preposition]
        if self.deps[clause] != "relcl" or self.deps[noun] != "pobj" or self.deps[preposition] != "prep":
            return noun
        if self.lemmas[noun].lower() not in word_list("places") or other not in self.phrases.quantifiers:
            return noun
        below = self.children[clause]
        subject = any(self.tags[c] in ("WDT", "WP") and self.deps[c] in SUBJECTS for c in below)
        acts = any(self.deps[c] == "dobj" for c in below) and (
            self.lemmas[clause].lower() not in word_list("place_verbs")
        )
        aside = any(self.words[at] == "," for at in range(noun, clause))
        bare = not any(self.deps[c] in ("amod", "prep") for c in self.children[noun])
        return other if subject and acts and bare and not aside else noun
