"""Which phrase each monotonicity operator of a sentence belongs to: its argument positions.

Operators are found by their words alone; here the parse decides whether a match is an operator in this place
(*each other*, *the most beautiful*, *no, thanks* hold none) and which noun phrase or clause it works on.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from natlog.lexicon.operators import Match, OperatorIndex
from natlog.lexicon.word_lists import word_list
from natlog.parsing.constituents import SUBJECTS
from natlog.polarity.inversion import correlated, inverts
from natlog.tree import Tree

VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "WP", "EX", "DT", "WDT", "PDT", "CD"})
PLURALS = frozenset({"NNS", "NNPS"})
_ADNOMINAL = frozenset(
    {
        "det",
        "predet",
        "amod",
        "nummod",
        "quantmod",
        "poss",
        "advmod",
        "neg",
        "nmod",
        "compound",
        "preconj",
        "cc",
    }
)
_NOMINAL = frozenset(
    {"nsubj", "nsubjpass", "dobj", "pobj", "attr", "dative", "conj", "appos", "npadvmod", "ROOT"}
)
_MODIFIER_TAGS = frozenset(
    {"JJ", "JJR", "JJS", "CD", "RB", "RBS", "NN", "NNP", "VBN", "VBG", "PRP$", "DT", "POS"}
)
_COORDINATIVE = frozenset({"preconj", "cc"})


class Attachment:
    """The operators of a tree, by the words they work on.

    ``quantifiers[head]`` are the operators at the left edge of a noun phrase, outermost first;
    ``at[token]`` is the operator that a token is part of; ``consumed`` are the tokens that are operator words
    of a noun phrase and so no dependents of their own; ``than[token]`` is the comparison that a *than*
    closes, with its noun; ``idle`` are the tokens of idioms, which are no operators; ``correlated`` are the
    two words *the* of "the more …, the more …".
    """

    def __init__(self, tree: Tree, operators: OperatorIndex) -> None:
        self.words = [token.word for token in tree.tokens]
        self.tags = [token.tag for token in tree.tokens]
        self.deps = [token.dep for token in tree.tokens]
        self.lemmas = [token.lemma for token in tree.tokens]
        self.heads, self.children = tree.heads, tree.heads.children
        self.quantifiers: dict[int, list[Match]] = {}
        self.at: dict[int, Match] = {}
        self.consumed: set[int] = set()
        self.idle: set[int] = set()
        self.than: dict[int, tuple[Match, int]] = {}
        self.operators = operators
        matches = operators.find(self.words)
        self.correlated = correlated(self, matches)
        article = operators.by_id["the"]
        matches = [
            replace(match, operator=article)
            if match.operator.kind == "correlative" and match not in self.correlated
            else match
            for match in matches
        ]
        following = {match.start: match for match in matches if match.operator.kind == "determiner"}
        for match in matches:
            self._attach(match, following)

    def _attach(self, match: Match, following: dict[int, Match]) -> None:
        kind = match.operator.kind
        if kind == "idiom":
            self.idle.update(range(match.start, match.end))
            return
        anchor = self.anchor(match)
        if kind == "inversion":
            if inverts(self, match.start):
                self.at[match.start] = match
            return
        if kind == "correlative":
            self.at[match.start] = match
            self.consumed.add(match.start)
            return
        if kind == "determiner":
            match = self._alone(match, anchor)
            if self._is_determiner(match, anchor):
                self._quantify(self.governor(match, anchor), match)
            elif match.operator.id == "neither":
                # "neither sings nor dances": a negation of the predicate.
                self.at[match.start] = match
            return
        if kind == "modifier":
            head = self.heads[anchor]
            if self.deps[anchor] == "amod" and self._has_definite(head):
                self.at[anchor] = match
            return
        if kind == "focus" and self.deps[anchor] == "amod" and self._has_definite(self.heads[anchor]):
            # "the only boy" picks one out, as a superlative does.
            self.at[anchor] = replace(match, operator=self.operators.by_id["superlative"])
            return
        if kind == "focus":
            self._attach_focus(match, anchor, following)
            return
        if kind == "negation":
            noun = self._negated_noun(match, anchor, following)
            if noun >= 0:
                self._quantify(noun, match)
                return
        for index in range(match.start, match.end):
            self.at[index] = match

    def _alone(self, match: Match, anchor: int) -> Match:
        """A comparing determiner without its *than* compares with before ("fewer dogs barked")."""
        if not match.operator.alone or self._compares(match, anchor):
            return match
        before = self.tags[match.start - 1] if match.start else ""
        noun = self.deps[anchor] in ("amod", "det", "nummod") and self.tags[self.heads[anchor]] in NOUNS
        if not noun or before in ("CD", "DT", "RB", "JJ"):
            return match
        return replace(match, operator=self.operators.by_id[match.operator.alone])

    def _quantify(self, head: int, match: Match) -> None:
        for index in range(match.start, match.end):
            self.at[index] = match
            if index != head:
                self.consumed.add(index)
        known = self.quantifiers.setdefault(head, [])
        known.append(match)
        known.sort(key=lambda item: item.start)

    def anchor(self, match: Match) -> int:
        """The word of the match that hangs on something outside it."""
        inside = range(match.start, match.end)
        *_, anchor = takewhile(lambda index: index in inside, self.heads.upward(match.end - 1))
        return anchor

    def governor(self, match: Match, anchor: int) -> int:
        """The noun whose phrase the operator opens, or the operator's own word where it stands alone."""
        head = self.heads[anchor]
        if match.operator.id == "neither" and self.deps[anchor] in _ADNOMINAL:
            nor = next((at for at in range(match.end, len(self.words)) if self.words[at] == "nor"), -1)
            if nor >= 0 and self.tags[self.heads[nor]] in NOUNS and self.heads[nor] > match.start:
                return self.heads[nor]
        if self.deps[anchor] in ("quantmod", "nummod", "advmod") and self.tags[head] == "CD":
            outer = self.heads[head]
            head = outer if self.tags[outer] in NOUNS and self.deps[head] == "nummod" else head
        if self.deps[anchor] in _ADNOMINAL:
            if head >= match.end and (self.tags[head] in NOUNS or self.deps[head] in _NOMINAL - {"ROOT"}):
                return head
            if self.words[anchor] == "most" and self.deps[head] == "amod":
                return self.heads[head]
            found = self._noun_after(match.end)
            if found >= 0:
                return found
        return anchor

    def _noun_after(self, start: int) -> int:
        """The head noun of a noun phrase whose modifiers begin at ``start``, by tags alone; -1 for none."""
        size = len(self.tags)
        after = next((at for at in range(start, size) if self.tags[at] not in _MODIFIER_TAGS), size)
        if start < after < size and self.tags[after - 1] in ("DT", "PRP$") and self.tags[after] in PLURALS:
            return after
        if after > start and self.tags[after - 1] in NOUNS:
            return after - 1
        return after if after < size and self.tags[after] in PLURALS else -1

    def _is_determiner(self, match: Match, anchor: int) -> bool:
        """Whether a determiner's words are one here."""
        word, dep, tag = self.words[match.start], self.deps[anchor], self.tags[anchor]
        before = self.words[match.start - 1] if match.start else ""
        after = self.words[match.end] if match.end < len(self.words) else ""
        identity = match.operator.id
        if identity == "numeral":
            return self._counts(match, anchor)
        if identity == "the":
            return dep in ("det", "predet") or (word == "both" and dep not in _COORDINATIVE)
        if identity == "possessive":
            return tag in ("PRP$", "WP$")
        if identity == "no":
            # "No, thanks" and "No. Three dogs barked" answer something.
            answers = word == "no" and after in (",", ".", "!")
            return not answers and (after != "" or match.start > 0 or match.end - match.start > 1)
        if identity == "every":
            other = (word == "each" and after == "other") or tag in ("WP", "WDT")
            idiom = word == "all" and (before in ("after", "above") or (before == "at" and dep != "det"))
            return not other and not idiom and (dep != "advmod" or word != "all")
        if identity in ("more-than-set", "fewer-than-set", "as-many-as-set"):
            return self._compares(match, anchor)
        if word == "most" and self._counts_majority(match, anchor, before):
            return True
        if word in word_list("degree_determiners"):
            modifies = dep == "advmod" and self.tags[self.heads[anchor]] not in NOUNS
            return (not modifies and before not in word_list("before_degree")) or (
                word == "much" and self.tags[self.heads[anchor]] in NOUNS
            )
        if word == "little" and match.end - match.start == 1:
            head = self.heads[anchor]
            return dep == "amod" and self.tags[head] == "NN" and not self._has_determiner(head)
        if word == "few" and match.end - match.start == 1:
            return before not in word_list("before_few")
        if word in ("either", "neither"):
            return dep not in _COORDINATIVE or (word == "neither" and self.tags[self.heads[anchor]] in NOUNS)
        return True

    def _counts(self, match: Match, anchor: int) -> bool:
        """Whether a number counts things: not a date, a score, a name or the pronoun *one*."""
        dep, head = self.deps[anchor], self.heads[anchor]
        if dep == "nummod":
            return head >= match.end and self.tags[head] in ("NN", "NNS")
        if self.words[anchor] == "one" and self.tags[anchor] != "CD":
            return False
        partitive = any(self.words[child] == "of" for child in self.children[anchor])
        if dep == "pobj":
            return partitive
        return partitive or (dep in ("nsubj", "nsubjpass", "dobj") and self.tags[anchor] == "CD")

    def is_coordinator(self, token: int) -> bool:
        """Whether a token is *neither* before nouns that *nor* coordinates."""
        match = self.at.get(token)
        if match is None or match.operator.id != "neither":
            return False
        return any(
            self.words[child] == "nor"
            for noun, known in self.quantifiers.items()
            if match in known
            for child in self.children[noun]
        )

    def _counts_majority(self, match: Match, anchor: int, before: str) -> bool:
        """Whether *most* is the determiner where it stands before an adjective or after *at*."""
        head = self.heads[anchor]
        if before == "at":
            return self.tags[head] in PLURALS and self.heads[head] == match.start - 1
        if self.deps[anchor] != "advmod" or self.deps[head] != "amod" or before == "the":
            return False
        noun = self.heads[head]
        return self.tags[noun] in PLURALS and not self._has_determiner(noun) and head == match.end

    def _compares(self, match: Match, anchor: int) -> bool:
        """Whether *more* or *fewer* opens a comparison of two sets; notes where its *than* stands."""
        if (
            self.deps[anchor] not in ("amod", "det", "advmod", "nummod")
            or self.tags[self.heads[anchor]] not in NOUNS
        ):
            return False
        closing = "as" if match.operator.id == "as-many-as-set" else "than"
        noun = self.governor(match, anchor)
        place = next((i for i in range(noun, len(self.words)) if self.words[i] == closing), -1)
        if place < 0:
            return False
        self.than[place] = (match, noun)
        return True

    def _has_definite(self, head: int) -> bool:
        return any(
            self.words[child] in word_list("definite_determiners") or self.deps[child] == "poss"
            for child in self.children[head]
        )

    def _has_determiner(self, head: int) -> bool:
        return any(self.deps[child] in ("det", "poss", "predet") for child in self.children[head])

    def _attach_focus(self, match: Match, anchor: int, following: dict[int, Match]) -> None:
        """*only*, *even*: on the noun phrase that follows, else on the clause."""
        after = match.end
        noun = -1
        if after < len(self.tags):
            if after in following:
                noun = self.governor(following[after], self.anchor(following[after]))
            elif self.tags[after] in NOUNS or self.tags[after] in ("JJ", "PRP$"):
                noun = self._noun_after(after)
                noun = after if noun < 0 and self.tags[after] in NOUNS else noun
        before_verb = anchor < self.heads[anchor] and self.tags[self.heads[anchor]] in VERBS
        if noun >= 0 and (not before_verb or match.start == 0 or self.deps[noun] in SUBJECTS):
            self._quantify(noun, match)
            return
        for index in range(match.start, match.end):
            self.at[index] = match

    def _negated_noun(self, match: Match, anchor: int, following: dict[int, Match]) -> int:
        """The noun whose phrase a negation opens ("not every dog"); -1 where it negates a clause."""
        before = self.tags[match.start - 1] if match.start else ""
        head = self.heads[anchor]
        if self.deps[anchor] in ("cc", "preconj") or before in VERBS or self.tags[anchor] in VERBS:
            return -1
        if match.end in following:
            other = following[match.end]
            noun = self.governor(other, self.anchor(other))
            return noun if self._is_determiner(other, self.anchor(other)) else -1
        nominal = self.tags[head] in NOUNS and not any(self.deps[c] in SUBJECTS for c in self.children[head])
        return head if nominal and head > anchor else -1

    def is_superlative(self, child: int) -> bool:
        """Whether a modifier of a definite noun is a superlative."""
        if self.deps[child] != "amod" or child in self.consumed:
            return False
        if self.tags[child] == "JJS":
            return True
        return any(self.words[c] in word_list("superlative_words") for c in self.children[child])
