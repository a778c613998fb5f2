"""Edits: what was inserted, deleted or replaced, where, and how the two sides relate there."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.alignment import Hunk, loose_ends, slide, spelling, wordnet_pos
from natlog.calculus.contexts import Contexts, OperatorPair
from natlog.calculus.phrases import PhraseRelation, compare_phrases, describe, is_light
from natlog.calculus.projection import Change
from natlog.calculus.quantifiers import compare, quantifier
from natlog.calculus.relations import SetRelation
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.words import Relation, WordRelation, Words
from natlog.tree import Marking, Polarity, Token

UNIVERSALS = frozenset({"every", "bare-plural"})
CONJUNCTIONS = frozenset({"and", "or", "but", "nor", "plus"})


@dataclass(frozen=True, slots=True)
class Edit:
    """One change. Spans are token indices, end exclusive; an empty span stands before its start.

    ``kind`` is insertion, deletion, substitution, quantifier, negation or operator; ``form`` says what
    sort of phrase it is (modifier, relative clause, conjunct, disjunct, adverb, word, phrase, …).
    ``polarity`` is the sign of the place it stands at, ``relation`` (≡ ⊏ ⊐ ^ | ⌣ #) how the premise's
    words stand to the hypothesis's there, ``note`` the same in words. ``known`` is False where no
    source knows the words' relation; ``constituent`` whether the changed part is one phrase; ``agreed``
    whether both parses put it in the same context. ``site`` is the word whose place it is, ``operators``
    the words that made its polarity.
    """

    kind: str
    form: str
    start: int
    end: int
    other_start: int
    other_end: int
    before: str
    after: str
    polarity: Polarity
    relation: str
    note: str
    word: WordRelation | None = None
    known: bool = True
    constituent: bool = True
    agreed: bool = True
    site: str = ""
    operators: tuple[str, ...] = ()


@dataclass(slots=True)
class Reader:
    """Turns the unaligned stretches of two sentences into edits and their changes of meaning."""

    contexts: Contexts
    words: Words
    presume_specific: bool = False

    def read(self) -> list[tuple[Edit, Change]]:
        """Every edit with its change at its place; operators first, then hunks from left to right."""
        found: list[tuple[Edit, Change]] = []
        claimed: tuple[set[int], set[int]] = (set(), set())
        for pair in self.contexts.pairs:
            if pair.changed:
                name = self._name_for_pronoun(pair)
                if name is not None:
                    found.append(self._pronoun_edit(pair, name, claimed))
                elif self._is_edit(pair):
                    found.append(self._operator_edit(pair))
                    if pair.premise:
                        claimed[0].update(pair.premise.tokens)
                    if pair.hypothesis:
                        claimed[1].update(pair.hypothesis.tokens)
                else:
                    self.contexts.ignored.add(pair.index)
        for hunk in self.contexts.alignment.hunks:
            found += self._hunk_edits(hunk, claimed)
        return found

    # Operators

    def _is_edit(self, pair: OperatorPair) -> bool:
        """Whether an added or dropped operator has words of both sentences in its scope."""
        if pair.premise and pair.hypothesis:
            return True
        marking = self.contexts.premise if pair.premise else self.contexts.hypothesis
        linked = self.contexts.alignment.links if pair.premise else self.contexts.alignment.back
        if pair.either.negates:
            verb = marking.tree.tokens[pair.either.tokens[0]].head
            return (
                verb in linked
                or any(
                    step.tokens == pair.either.tokens for token in linked for step in marking.token_why[token]
                )
                and not self._in_inserted_clause(verb, marking, linked)
            )
        noun = self.contexts.noun(marking, pair.either)
        return noun is not None and (noun in linked or self._replaced(noun, pair))

    def _in_inserted_clause(self, verb: int, marking: Marking, linked: dict[int, int]) -> bool:
        return verb not in linked and marking.tree.tokens[verb].dep in ("relcl", "acl", "advcl", "conj")

    def _replaced(self, noun: int, pair: OperatorPair) -> bool:
        for hunk in self.contexts.alignment.hunks:
            start, end = (hunk.start, hunk.end) if pair.premise else (hunk.other_start, hunk.other_end)
            if start <= noun < end:
                others = (hunk.other_start, hunk.other_end) if pair.premise else (hunk.start, hunk.end)
                tokens = (self.contexts.hypothesis if pair.premise else self.contexts.premise).tree.tokens
                return any(tokens[i].pos in ("NOUN", "PROPN", "PRON") for i in range(*others))
        return False

    def _name_for_pronoun(self, pair: OperatorPair) -> Token | None:
        """The name or pronoun that a quantifying pronoun (someone, everyone) of the other sentence replaces."""
        if pair.premise and pair.hypothesis:
            return None
        marking = self.contexts.premise if pair.premise else self.contexts.hypothesis
        tokens = pair.either.tokens
        if len(tokens) != 1 or marking.tree.tokens[tokens[0]].pos != "PRON":
            return None
        for hunk in self.contexts.alignment.hunks:
            start, end = (hunk.start, hunk.end) if pair.premise else (hunk.other_start, hunk.other_end)
            other = self.contexts.hypothesis if pair.premise else self.contexts.premise
            span = (hunk.other_start, hunk.other_end) if pair.premise else (hunk.start, hunk.end)
            if start <= tokens[0] < end:
                names = [other.tree.tokens[i] for i in range(*span) if other.tree.tokens[i].pos in ("PROPN", "PRON")]
                return names[-1] if names and len(names) == span[1] - span[0] else None
        return None

    def _pronoun_edit(
        self, pair: OperatorPair, name: Token, claimed: tuple[set[int], set[int]]
    ) -> tuple[Edit, Change]:
        """Socrates is one of those that *someone* speaks of: a definite against a quantifier over persons."""
        one, two = pair.premise, pair.hypothesis
        definite, other = quantifier("the"), quantifier(pair.either.surface)
        relation = SetRelation.INDEPENDENT
        if definite is not None and other is not None:
            if one:
                relation = compare(other, definite, SetRelation.REVERSE, SetRelation.EQUAL, True)
            else:
                relation = compare(definite, other, SetRelation.FORWARD, SetRelation.EQUAL, True)
        start = one.tokens[0] if one else name.index
        other_start = two.tokens[0] if two else name.index
        marking = self.contexts.hypothesis if one else self.contexts.premise
        for index in range(name.index, -1, -1):
            if marking.tree.tokens[index].pos not in ("PROPN", "PRON"):
                break
            claimed[1 if one else 0].add(index)
        claimed[0 if one else 1].update(pair.either.tokens)
        self.contexts.ignored.add(pair.index)
        place, agreed = self.contexts.place(start, other_start)
        before = self.contexts.premise.tree.tokens[start].text
        after = self.contexts.hypothesis.tree.tokens[other_start].text
        edit = Edit(
            "substitution",
            "word",
            start,
            start + 1,
            other_start,
            other_start + 1,
            before,
            after,
            self.contexts.premise.signs[start],
            str(relation),
            describe(relation, before, after),
            agreed=agreed,
            site=before,
        )
        return edit, Change(place, relation)

    def _operator_edit(self, pair: OperatorPair) -> tuple[Edit, Change]:
        one, two = pair.premise, pair.hypothesis
        before, after = one.surface if one else "", two.surface if two else ""
        place, agreed = self.contexts.place(
            one.tokens[0] if one and one.tokens else None, two.tokens[0] if two and two.tokens else None
        )
        marking = self.contexts.premise if one and one.tokens else self.contexts.hypothesis
        sign = marking.signs[one.tokens[0] if one and one.tokens else two.tokens[0] if two else 0]
        if pair.either.negates:
            kind, note = (
                "negation",
                f"*{after or before}* is {'added' if two and not one else 'dropped' if one and not two else 'changed'}",
            )
        elif one and two:
            kind, note = "quantifier", f"*{before}* becomes *{after}*"
        else:
            kind, note = "quantifier", f"*{after or before}* is {'added' if two else 'dropped'}"
        edit = Edit(
            kind,
            "operator",
            one.tokens[0] if one and one.tokens else 0,
            one.tokens[-1] + 1 if one and one.tokens else 0,
            two.tokens[0] if two and two.tokens else 0,
            two.tokens[-1] + 1 if two and two.tokens else 0,
            before,
            after,
            sign,
            "#",
            note,
            agreed=agreed,
        )
        return edit, Change(place, SetRelation.EQUAL, pair.index)

    # Everything else

    def _hunk_edits(self, hunk: Hunk, claimed: tuple[set[int], set[int]]) -> list[tuple[Edit, Change]]:
        premise, hypothesis = self.contexts.premise.tree, self.contexts.hypothesis.tree
        hunk = self._trim(slide(hunk, premise, hypothesis), claimed)
        ones = [premise.tokens[i] for i in range(hunk.start, hunk.end) if i not in claimed[0]]
        twos = [hypothesis.tokens[i] for i in range(hunk.other_start, hunk.other_end) if i not in claimed[1]]
        if self._meant(ones) and self._meant(twos):
            whole = self._substitution(hunk, ones, twos)
            if whole[0].known and whole[0].relation != "#":
                return [whole]
            pieces = [edit for piece in self._pieces(hunk) for edit in self._piece_edits(piece, claimed)]
            return pieces if pieces and all(edit.known for edit, _ in pieces) else [whole]
        return self._piece_edits(hunk, claimed)

    @staticmethod
    def _trim(hunk: Hunk, claimed: tuple[set[int], set[int]]) -> Hunk:
        """The stretch without the operators at its ends that an operator edit accounts for."""
        ends = []
        for start, end, taken in (
            (hunk.start, hunk.end, claimed[0]),
            (hunk.other_start, hunk.other_end, claimed[1]),
        ):
            while start < end and start in taken:
                start += 1
            while end > start and end - 1 in taken:
                end -= 1
            ends += [start, end]
        return Hunk(*ends)

    def _piece_edits(self, hunk: Hunk, claimed: tuple[set[int], set[int]]) -> list[tuple[Edit, Change]]:
        premise, hypothesis = self.contexts.premise.tree, self.contexts.hypothesis.tree
        ones = [premise.tokens[i] for i in range(hunk.start, hunk.end) if i not in claimed[0]]
        twos = [hypothesis.tokens[i] for i in range(hunk.other_start, hunk.other_end) if i not in claimed[1]]
        before, after = self._meant(ones), self._meant(twos)
        if before and after:
            return [self._substitution(hunk, ones, twos)]
        if before or after:
            return [self._addition(hunk, twos if after else ones, inserted=after)]
        return []

    def _pieces(self, hunk: Hunk) -> list[Hunk]:
        """A stretch cut at the words that stand in each other's place: "[who slept] ran", "moved"."""
        pieces: list[Hunk] = []
        i, j = hunk.start, hunk.other_start
        pairs = sorted(self.contexts.alignment.replaced.items())
        for one, two in [
            *((a, b) for a, b in pairs if hunk.start <= a < hunk.end),
            (hunk.end, hunk.other_end),
        ]:
            if one > i:
                pieces.append(Hunk(i, one, j, j))
            if two > j:
                pieces.append(Hunk(one, one, j, two))
            if one < hunk.end:
                pieces.append(Hunk(one, one + 1, two, two + 1))
            i, j = one + 1, two + 1
        return pieces if len(pieces) > 1 else []

    def _meant(self, tokens: list[Token]) -> bool:
        """Whether any of these changes what the sentence says."""
        words = [spelling(token) for token in tokens]
        if any(token.tag == "EX" for token in tokens):
            tokens = [token for token in tokens if token.lemma != "be"]
        if words == ["at", "all"] or words[:2] == ["at", "least"]:
            return False
        return any(self._means(token) for token in tokens)

    @staticmethod
    def _means(token: Token) -> bool:
        """Whether a token can change what a sentence says, when no operator edit has claimed it."""
        word = spelling(token)
        if word in modifiers("npi") or word in modifiers("focus") or token.tag in ("EX", "WP", "WDT"):
            return False
        return not is_light(token) or word in CONJUNCTIONS

    def _addition(self, hunk: Hunk, tokens: list[Token], inserted: bool) -> tuple[Edit, Change]:
        """An insertion, or a deletion, which is the same told backwards."""
        marking = self.contexts.hypothesis if inserted else self.contexts.premise
        start, end = (hunk.other_start, hunk.other_end) if inserted else (hunk.start, hunk.end)
        linked = self.contexts.alignment.back if inserted else self.contexts.alignment.links
        governor, root = self._governor(marking, start, end, linked)
        other = linked.get(governor)
        one, two = (other, governor) if inserted else (governor, other)
        place, agreed = self.contexts.place(one, two)
        sign = self._sign(one, two)
        text = marking.tree.span_text(start, end)
        found = self._presume(self._added(marking, tokens, root, governor, text, linked))
        relation = found.relation if inserted else found.relation.converse
        constituent = loose_ends(marking.tree.tokens, start, end) == 0
        edit = Edit(
            "insertion" if inserted else "deletion",
            _form(tokens, root),
            hunk.start,
            hunk.end,
            hunk.other_start,
            hunk.other_end,
            "" if inserted else text,
            text if inserted else "",
            sign,
            str(relation),
            found.note,
            found.word,
            found.known,
            constituent,
            agreed,
            *self._site(one, two),
        )
        return edit, Change(place, relation)

    def _governor(self, marking: Marking, start: int, end: int, linked: dict[int, int]) -> tuple[int, Token]:
        """The word outside a stretch that says in which context it stands, and the stretch's own top word."""
        tokens = marking.tree.tokens
        tops = [t for t in tokens[start:end] if not start <= t.head < end or t.head == t.index]
        meant = [t for t in tops if not is_light(t)] or tops
        top = meant[0]
        for token in tokens:
            # "[had a sunburn or] caught a cold": the kept conjunct hangs on the added one.
            if token.dep == "conj" and token.head == top.index and token.index in linked:
                return token.index, top
        if top.head == top.index:
            below = [t for t in tokens if t.head == top.index and t.index in linked and not is_light(t)]
            return (below[0].index if below else top.index), top
        low = self._low(marking, start, top)
        if low == top.head and tokens[low].pos == "AUX":
            # A copula stands before its negation (is ↑ not red ↓); what is added after it does not.
            return top.index, top
        return low, top

    @staticmethod
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

    def _site(self, one: int | None, two: int | None) -> tuple[str, tuple[str, ...]]:
        """The word whose place it is, and the operators that make its sign other than a plain ↑."""
        marking, index = (self.contexts.premise, one) if one is not None else (self.contexts.hypothesis, two)
        assert index is not None
        steps = marking.token_why[index]
        return marking.tree.tokens[index].text, tuple(s.surface for s in steps if s.effect is not Polarity.UP)

    def _one_phrase(self, hunk: Hunk) -> bool:
        """Whether what was replaced, and what replaced it, are one phrase each."""
        premise, hypothesis = self.contexts.premise.tree.tokens, self.contexts.hypothesis.tree.tokens
        return not loose_ends(premise, hunk.start, hunk.end, strict=False) and not loose_ends(
            hypothesis, hunk.other_start, hunk.other_end, strict=False
        )

    def _presume(self, found: PhraseRelation) -> PhraseRelation:
        """A relation that no source knows, read as the creation task makes it: more specific (MED, 3.1.2)."""
        if found.known or not self.presume_specific:
            return found
        note = f"{found.note}, and taken to be more specific"
        return PhraseRelation(SetRelation.REVERSE, note, found.word, known=False)

    def _sign(self, one: int | None, two: int | None) -> Polarity:
        if one is not None:
            return self.contexts.premise.signs[one]
        assert two is not None
        return self.contexts.hypothesis.signs[two]

    def _added(
        self,
        marking: Marking,
        tokens: list[Token],
        root: Token,
        governor: int,
        text: str,
        linked: dict[int, int],
    ) -> PhraseRelation:
        """The relation of the place without the added words to the place with them."""
        words = {spelling(token) for token in tokens}
        joined = self._joins(marking, tokens)
        if joined and words & {"or"}:
            return self._disjunct(marking, root, governor, text)
        if joined and "and" in words and self._union(marking, root, governor):
            return PhraseRelation(SetRelation.FORWARD, f"*{text}* adds to those spoken of")
        if joined and words & {"and", "but", "plus"}:
            return PhraseRelation(SetRelation.REVERSE, f"*{text}* adds a conjunct")
        if words & modifiers("privative"):
            return PhraseRelation(SetRelation.INDEPENDENT, f"*{text}* need not keep the kind")
        if words & modifiers("widening"):
            return PhraseRelation(SetRelation.FORWARD, f"*{text}* weakens the claim")
        kept = self._taken_over(marking, root, linked)
        if kept is not None:
            return self._new_head(tokens, root, kept, text)
        return PhraseRelation(SetRelation.REVERSE, f"*{text}* makes it more specific")

    @staticmethod
    def _union(marking: Marking, root: Token, governor: int) -> bool:
        """Whether "A and B" means both kinds together: nouns under one universal ("all boys and girls")."""
        steps = marking.token_why[governor]
        return (
            bool(steps)
            and steps[-1].operator in UNIVERSALS
            and steps[-1].argument == "first"
            and root.pos in ("NOUN", "PROPN")
            and marking.tree.tokens[governor].pos in ("NOUN", "PROPN")
        )

    @staticmethod
    def _joins(marking: Marking, tokens: list[Token]) -> bool:
        """Whether the added words are coordinated with kept ones, rather than among themselves."""
        inside = {token.index for token in tokens}
        return any(
            token.dep == "conj" and (token.index in inside) != (token.head in inside)
            for token in marking.tree.tokens
        )

    def _disjunct(self, marking: Marking, root: Token, governor: int, text: str) -> PhraseRelation:
        """A or B is more general than A, unless B is no more than A already says."""
        there = marking.tree.tokens[governor]
        related = self.words.relation(root.text, there.text, wordnet_pos(root))
        bare = not any(t.head == root.index and not is_light(t) for t in marking.tree.tokens)
        if bare and root.pos in ("NOUN", "ADJ") and related.relation in (Relation.SYNONYM, Relation.HYPONYM):
            return PhraseRelation(SetRelation.EQUAL, f"*{text}* adds nothing to *{there.text}*", related)
        return PhraseRelation(SetRelation.FORWARD, f"*{text}* is one more alternative")

    def _new_head(self, tokens: list[Token], root: Token, kept: Token, text: str) -> PhraseRelation:
        """An added noun has become the head over ``kept`` (car, car factory; Boston, the city of Boston)."""
        measures = root.lemma.lower() in modifiers("measures") or spelling(root) in modifiers("measures")
        if measures or spelling(root) in modifiers("day_parts"):
            return PhraseRelation(SetRelation.REVERSE, f"*{text}* makes it more specific")
        related = self.words.relation(kept.text, root.text, "n")
        if related.relation in (Relation.HYPONYM, Relation.SYNONYM):
            if len([t for t in tokens if t.pos in ("ADJ", "NOUN", "PROPN", "VERB")]) > 1:
                return PhraseRelation(
                    SetRelation.REVERSE, f"*{text}* makes *{kept.text}* more specific", related
                )
            return PhraseRelation(
                SetRelation.EQUAL, f"*{root.text}* only names the kind of *{kept.text}*", related
            )
        whole = self.words.relation(f"{kept.text} {root.text}", kept.text, "n")
        if whole.relation is Relation.HYPONYM or spelling(kept) in modifiers("kind"):
            return PhraseRelation(
                SetRelation.REVERSE, f"*{kept.text} {root.text}* is a kind of *{kept.text}*", whole
            )
        return PhraseRelation(
            SetRelation.INDEPENDENT, f"*{text}* changes what the phrase is about", related, known=False
        )

    def _taken_over(self, marking: Marking, root: Token, linked: dict[int, int]) -> Token | None:
        """The noun that was head before an added noun came to govern it."""
        if root.pos not in ("NOUN", "PROPN") or root.dep in (
            "compound",
            "amod",
            "nmod",
            "poss",
            "conj",
            "appos",
        ):
            return None
        tokens = marking.tree.tokens
        for token in reversed(tokens):
            if token.index not in linked or token.pos not in ("NOUN", "PROPN") or token.index == root.index:
                continue
            if token.head == root.index and token.dep in ("compound", "nmod", "amod", "npadvmod"):
                return token
            head = tokens[token.head]
            if (
                token.dep == "pobj"
                and head.head == root.index
                and spelling(head) == "of"
                and head.index not in linked
            ):
                return token
        return None

    def _substitution(self, hunk: Hunk, ones: list[Token], twos: list[Token]) -> tuple[Edit, Change]:
        premise, hypothesis = self.contexts.premise, self.contexts.hypothesis
        one, two = _top(ones), _top(twos)
        found = self._presume(compare_phrases(ones, twos, (one, two), self.words))
        place, agreed = self.contexts.place(one.index, two.index)
        edit = Edit(
            "substitution",
            "word" if len(ones) == len(twos) == 1 else "phrase",
            hunk.start,
            hunk.end,
            hunk.other_start,
            hunk.other_end,
            premise.tree.span_text(hunk.start, hunk.end),
            hypothesis.tree.span_text(hunk.other_start, hunk.other_end),
            premise.signs[one.index],
            str(found.relation),
            found.note,
            found.word,
            found.known,
            self._one_phrase(hunk),
            agreed,
            *self._site(one.index, two.index),
        )
        return edit, Change(place, found.relation)


def _top(tokens: list[Token]) -> Token:
    """The word of a stretch that the others hang on: its first top word with a meaning."""
    indices = {token.index for token in tokens}
    tops = [t for t in tokens if t.head not in indices or t.head == t.index]
    meant = [t for t in tops if not is_light(t)] or tops
    return meant[0]


def _form(tokens: list[Token], root: Token) -> str:
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
