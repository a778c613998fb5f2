"""Reading edits off two aligned sentences: operators first, then every stretch that is left over."""

from __future__ import annotations

from dataclasses import dataclass

from natlog.calculus.additions import (
    added_relation,
    form_of,
    governor_of,
    is_clause,
    taken_over,
)
from natlog.calculus.alignment import Hunk, loose_ends, spelling
from natlog.calculus.contexts import Contexts
from natlog.calculus.edits import Edit
from natlog.calculus.operator_edits import Claims, OperatorEdits
from natlog.calculus.opinions import by_opinion
from natlog.calculus.phrases import PhraseRelation, compare_phrases, is_light
from natlog.calculus.projection import Change
from natlog.calculus.relations import SetRelation
from natlog.calculus.standing import stands_beside, tells_of_name
from natlog.calculus.times import unfinished
from natlog.lexicon.embedding import Embedding
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.words import Words
from natlog.tree import Polarity, Token

CONJUNCTIONS = word_list("conjunctions")


@dataclass(slots=True)
class Reader:
    """Turns the differences of two sentences into edits and their changes of meaning.

    With ``presume_specific``, words whose relation no source knows are read as more specific; an
    ``embedding`` is asked about them first.
    """

    contexts: Contexts
    words: Words
    presume_specific: bool = False
    embedding: Embedding | None = None

    def read(self) -> list[tuple[Edit, Change]]:
        """Every edit with its change at its place; operators first, then stretches from left to right."""
        operators = OperatorEdits(self.contexts)
        found = operators.read() + self._forms()
        for hunk in self.contexts.alignment.hunks:
            found += self._hunk_edits(hunk, operators.claimed)
        return found

    def _forms(self) -> list[tuple[Edit, Change]]:
        """A form that says less: what is faster need not be fast, who was building need not have built."""
        premise, hypothesis = self.contexts.premise, self.contexts.hypothesis
        found = []
        for i, j in self.contexts.alignment.links.items():
            one, two = premise.tree.tokens[i], hypothesis.tree.tokens[j]
            graded = {one.tag, two.tag} == {"JJR", "JJ"} and one.word != two.word
            if not graded and (one.tag != "VBG" or not unfinished(premise, hypothesis, i, j)):
                continue
            place, agreed = self.contexts.place(i, j)
            note = f"what is *{one.text}* need not be *{two.text}*"
            note = note if graded else f"who was *{one.text}* it need not have come to its end"
            edit = Edit(
                "substitution", "word", i, i + 1, j, j + 1, one.text, two.text, premise.signs[i],
                str(SetRelation.INDEPENDENT), note, None, True, True, agreed, *self._site(i, j),
            )  # fmt: skip
            found.append((edit, Change(place, SetRelation.INDEPENDENT)))
        return found

    def _hunk_edits(self, hunk: Hunk, claimed: Claims) -> list[tuple[Edit, Change]]:
        premise, hypothesis = self.contexts.premise.tree, self.contexts.hypothesis.tree
        hunk = self._trim(hunk, claimed)
        ones = [premise.tokens[i] for i in range(hunk.start, hunk.end) if i not in claimed[0]]
        twos = [hypothesis.tokens[i] for i in range(hunk.other_start, hunk.other_end) if i not in claimed[1]]
        if _meant(ones) and _meant(twos):
            whole = self._substitution(hunk, ones, twos)
            if whole[0].known and whole[0].relation != "#":
                return [whole]
            pieces = [edit for piece in self._pieces(hunk) for edit in self._piece_edits(piece, claimed)]
            relations = {edit.relation for edit, _ in pieces}
            opposed = whole[0].constituent and len(ones) == 1 and {"⊏", "⊐"} <= relations
            return pieces if pieces and not opposed and all(edit.known for edit, _ in pieces) else [whole]
        return self._piece_edits(hunk, claimed)

    @staticmethod
    def _trim(hunk: Hunk, claimed: Claims) -> Hunk:
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

    def _piece_edits(self, hunk: Hunk, claimed: Claims) -> list[tuple[Edit, Change]]:
        premise, hypothesis = self.contexts.premise.tree, self.contexts.hypothesis.tree
        ones = [premise.tokens[i] for i in range(hunk.start, hunk.end) if i not in claimed[0]]
        twos = [hypothesis.tokens[i] for i in range(hunk.other_start, hunk.other_end) if i not in claimed[1]]
        before, after = _meant(ones), _meant(twos)
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

    def _addition(self, hunk: Hunk, tokens: list[Token], inserted: bool) -> tuple[Edit, Change]:
        """An insertion, or a deletion, which is the same told backwards."""
        marking = self.contexts.hypothesis if inserted else self.contexts.premise
        start, end = (hunk.other_start, hunk.other_end) if inserted else (hunk.start, hunk.end)
        linked = self.contexts.alignment.back if inserted else self.contexts.alignment.links
        governor, root = governor_of(marking, start, end, linked)
        kept = taken_over(marking, root, linked)
        if kept is not None:
            governor = kept.index
        other = linked.get(governor)
        one, two = (other, governor) if inserted else (governor, other)
        if kept is not None:
            # What was the head of the phrase stands for its place: in the longer sentence it is a modifier.
            one, two = (other, root.index) if inserted else (root.index, other)
        beside = stands_beside(marking, start, root)
        if beside is not None:
            other = linked.get(beside)
            one, two = (other, beside) if inserted else (beside, other)
        place, agreed = self.contexts.place(one, two)
        if beside is not None:
            place = tuple(step for step in place if step[1] != "number")
        sign = self._sign(one, two)
        if tells_of_name(marking, start, root):
            place, sign = (), Polarity.UP
        text = marking.tree.span_text(start, end)
        found = self._presume(
            added_relation(
                marking, tokens, root, governor, text, linked, self.words, self._same_number(kept, inserted)
            )
        )
        relation = found.relation if inserted else found.relation.converse
        constituent = loose_ends(marking.tree.tokens, start, end) == 0 and not is_clause(marking, root)
        edit = Edit(
            "insertion" if inserted else "deletion",
            form_of(tokens, root),
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

    def _same_number(self, kept: Token | None, inserted: bool) -> bool:
        """Whether a noun that both sentences have is in the same number in both."""
        if kept is None:
            return False
        alignment = self.contexts.alignment
        other = (self.contexts.premise if inserted else self.contexts.hypothesis).tree
        counterpart = (alignment.back if inserted else alignment.links).get(kept.index)
        return counterpart is not None and other.tokens[counterpart].tag == kept.tag

    def _substitution(self, hunk: Hunk, ones: list[Token], twos: list[Token]) -> tuple[Edit, Change]:
        premise, hypothesis = self.contexts.premise, self.contexts.hypothesis
        one, two = _top(ones), _top(twos)
        found = compare_phrases(ones, twos, (one, two), self.words)
        voted = by_opinion(found, ones, twos, (one, two), self.embedding) if self.embedding else found
        found = self._presume(found) if voted is found else voted
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


def _top(tokens: list[Token]) -> Token:
    """The word of a stretch that the others hang on: its first top word with a meaning."""
    indices = {token.index for token in tokens}
    tops = [t for t in tokens if t.head not in indices or t.head == t.index]
    meant = [t for t in tops if not is_light(t)] or tops
    return meant[0]


def _meant(tokens: list[Token]) -> bool:
    """Whether any of these changes what the sentence says."""
    words = [spelling(token) for token in tokens]
    if any(token.tag == "EX" for token in tokens):
        tokens = [token for token in tokens if token.lemma != "be"]
    if words == ["at", "all"] or words[:2] == ["at", "least"]:
        return False
    return any(_means(token) for token in tokens)


def _means(token: Token) -> bool:
    """Whether a token can change what a sentence says, when no operator edit has claimed it."""
    word = spelling(token)
    if word in modifiers("npi") or word in modifiers("focus") or token.tag in ("EX", "WP", "WDT"):
        return False
    return not is_light(token) or word in CONJUNCTIONS
