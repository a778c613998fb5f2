"""Edits: what was inserted, deleted or replaced, where, and how the two sides relate there."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.alignment import Hunk, loose_ends, slide, spelling
from natlog.calculus.contexts import Contexts, OperatorPair
from natlog.calculus.phrases import LIGHT, MEASURES, PRIVATIVE, WIDENING, PhraseRelation, compare_phrases
from natlog.calculus.projection import Change
from natlog.calculus.quantifiers import quantifier
from natlog.calculus.relations import SetRelation
from natlog.lexicon.words import WordRelation, Words
from natlog.tree import Marking, Polarity, Token

NPIS = frozenset({"any", "ever", "anymore", "anyone", "anybody", "anything", "anywhere", "anyhow", "yet", "either"})
FOCUS = frozenset({"even", "also", "too", "just", "really", "simply", "actually", "indeed", "so", "then", "well",
                   "please", "there", "here"})  # fmt: skip
CONJUNCTIONS = frozenset({"and", "or", "but", "nor", "plus"})


@dataclass(frozen=True, slots=True)
class Edit:
    """One change. Spans are token indices, end exclusive; an empty span stands before its start.

    ``kind`` is insertion, deletion, substitution, quantifier, negation or operator; ``form`` says what
    sort of phrase it is (modifier, relative clause, conjunct, disjunct, adverb, word, phrase, …).
    ``polarity`` is the sign of the place it stands at, ``relation`` (≡ ⊏ ⊐ ^ | ⌣ #) how the premise's
    words stand to the hypothesis's there, ``note`` the same in words. ``known`` is False where no
    source knows the words' relation; ``constituent`` whether the changed part is one phrase.
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


@dataclass(slots=True)
class Reader:
    """Turns the unaligned stretches of two sentences into edits and their changes of meaning."""

    contexts: Contexts
    words: Words

    def read(self) -> list[tuple[Edit, Change]]:
        """Every edit with its change at its place; operators first, then hunks from left to right."""
        found: list[tuple[Edit, Change]] = []
        claimed: tuple[set[int], set[int]] = (set(), set())
        for pair in self.contexts.pairs:
            if pair.changed:
                if self._is_edit(pair):
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
            return verb in linked or any(
                step.tokens == pair.either.tokens for token in linked for step in marking.token_why[token]
            ) and not self._in_inserted_clause(verb, marking, linked)
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

    def _operator_edit(self, pair: OperatorPair) -> tuple[Edit, Change]:
        one, two = pair.premise, pair.hypothesis
        before, after = one.surface if one else "", two.surface if two else ""
        place, agreed = self.contexts.place(one.tokens[0] if one else None, two.tokens[0] if two else None)
        marking = self.contexts.premise if one else self.contexts.hypothesis
        sign = marking.signs[pair.either.tokens[0]]
        if pair.either.negates:
            kind, note = "negation", f"*{after or before}* is {'added' if two and not one else 'dropped' if one and not two else 'changed'}"
        elif one and two:
            kind, note = "quantifier", f"*{before}* becomes *{after}*"
        else:
            kind, note = "quantifier", f"*{after or before}* is {'added' if two else 'dropped'}"
        edit = Edit(
            kind,
            "operator",
            one.tokens[0] if one else 0,
            one.tokens[-1] + 1 if one else 0,
            two.tokens[0] if two else 0,
            two.tokens[-1] + 1 if two else 0,
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
        hunk = slide(hunk, premise, hypothesis)
        ones = [premise.tokens[i] for i in range(hunk.start, hunk.end) if i not in claimed[0]]
        twos = [hypothesis.tokens[i] for i in range(hunk.other_start, hunk.other_end) if i not in claimed[1]]
        if not any(self._means(token) for token in ones + twos):
            return []
        if ones and twos and any(self._means(t) for t in ones) and any(self._means(t) for t in twos):
            return [self._substitution(hunk, ones, twos)]
        if any(self._means(token) for token in twos):
            return [self._addition(hunk, twos, inserted=True)]
        return [self._addition(hunk, ones, inserted=False)]

    @staticmethod
    def _means(token: Token) -> bool:
        """Whether a token can change what a sentence says, when no operator edit has claimed it."""
        word = spelling(token)
        if word in NPIS or word in FOCUS:
            return False
        return token.pos not in LIGHT or word in CONJUNCTIONS

    def _addition(self, hunk: Hunk, tokens: list[Token], inserted: bool) -> tuple[Edit, Change]:
        """An insertion, or a deletion, which is the same told backwards."""
        marking = self.contexts.hypothesis if inserted else self.contexts.premise
        start, end = (hunk.other_start, hunk.other_end) if inserted else (hunk.start, hunk.end)
        governor, root = self._governor(marking, start, end)
        linked = self.contexts.alignment.back if inserted else self.contexts.alignment.links
        other = linked.get(governor)
        one, two = (other, governor) if inserted else (governor, other)
        place, agreed = self.contexts.place(one, two)
        sign = self._sign(one, two)
        text = marking.tree.span_text(start, end)
        found = self._added(marking, tokens, root, governor, text, linked)
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
        )
        return edit, Change(place, relation)

    def _governor(self, marking: Marking, start: int, end: int) -> tuple[int, Token]:
        """The word outside a stretch that it hangs on, and the stretch's own top word."""
        tokens = marking.tree.tokens
        tops = [t for t in tokens[start:end] if not start <= t.head < end or t.head == t.index]
        meant = [t for t in tops if t.pos not in LIGHT] or tops
        top = meant[0]
        if top.head == top.index:
            below = [t for t in tokens if t.head == top.index and not start <= t.index < end and t.pos not in LIGHT]
            return (below[0].index if below else top.index), top
        return top.head, top

    def _sign(self, one: int | None, two: int | None) -> Polarity:
        if one is not None:
            return self.contexts.premise.signs[one]
        assert two is not None
        return self.contexts.hypothesis.signs[two]

    def _added(
        self, marking: Marking, tokens: list[Token], root: Token, governor: int, text: str, linked: dict[int, int]
    ) -> PhraseRelation:
        """The relation of the place without the added words to the place with them."""
        words = {spelling(token) for token in tokens}
        if words & {"or"}:
            return PhraseRelation(SetRelation.FORWARD, f"*{text}* is one more alternative")
        if words & {"and", "but", "plus"} and root.dep in ("conj", "cc", "ROOT", "appos", "nmod", "amod", "compound"):
            return PhraseRelation(SetRelation.REVERSE, f"*{text}* adds a conjunct")
        if words & PRIVATIVE:
            return PhraseRelation(SetRelation.INDEPENDENT, f"*{text}* need not keep the kind")
        if words & WIDENING:
            return PhraseRelation(SetRelation.FORWARD, f"*{text}* weakens the claim")
        if root.pos in ("NOUN", "PROPN") and self._takes_over(marking, root, linked):
            if root.lemma.lower() in MEASURES or spelling(root) in MEASURES:
                return PhraseRelation(SetRelation.REVERSE, f"*{text}* makes it more specific")
            return PhraseRelation(SetRelation.INDEPENDENT, f"*{text}* changes what the phrase is about", known=False)
        return PhraseRelation(SetRelation.REVERSE, f"*{text}* makes it more specific")

    @staticmethod
    def _takes_over(marking: Marking, root: Token, linked: dict[int, int]) -> bool:
        """Whether an added noun has become the head of a phrase that was there before (car, car factory)."""
        tokens = marking.tree.tokens
        for token in tokens:
            if token.index in linked and token.pos in ("NOUN", "PROPN") and token.index != root.index:
                if token.head == root.index and token.dep in ("compound", "nmod", "amod", "poss", "npadvmod"):
                    return True
                head = tokens[token.head]
                if token.dep == "pobj" and head.head == root.index and spelling(head) == "of" and head.index not in linked:
                    return True
        return False

    def _substitution(self, hunk: Hunk, ones: list[Token], twos: list[Token]) -> tuple[Edit, Change]:
        premise, hypothesis = self.contexts.premise, self.contexts.hypothesis
        one, two = _top(ones), _top(twos)
        found = compare_phrases(ones, twos, (one, two), self.words)
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
            agreed=agreed,
        )
        return edit, Change(place, found.relation)


def _top(tokens: list[Token]) -> Token:
    """The word of a stretch that the others hang on: its first top word with a meaning."""
    indices = {token.index for token in tokens}
    tops = [t for t in tokens if t.head not in indices or t.head == t.index]
    meant = [t for t in tops if t.pos not in LIGHT] or tops
    return meant[0]


def _form(tokens: list[Token], root: Token) -> str:
    words = {spelling(token) for token in tokens}
    if "or" in words and root.dep in ("conj", "cc"):
        return "disjunct"
    if words & {"and", "but"} and root.dep in ("conj", "cc"):
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
