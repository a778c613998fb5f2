"""Polarity on a dependency parse.

Every head word keeps the context its phrase stands in (``outer``) and the operators found among its
dependents (``parts``). A constituent's sign is the context times the operators of its head that stand
outside the constituent, so that *every dog* is ↑ where *dog* is ↓. The scope order inside a clause is:
preposed conditional, subject, then negation, adverbs and objects from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass

from natlog.lexicon.operators import Match, load_operators
from natlog.parsing.constituents import SUBJECTS
from natlog.tree import Constituent, Marking, Polarity, Step, Tree

_POLARITY = {1: Polarity.UP, -1: Polarity.DOWN, 0: Polarity.FLAT}
_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "WP", "EX", "DT", "WDT", "PDT", "CD"})
_PREPOSITIONS = frozenset({"IN", "TO", "RP"})


@dataclass(frozen=True, slots=True)
class Context:
    """The sign of a place and the steps that made it."""

    sign: int = 1
    why: tuple[Step, ...] = ()

    def under(self, part: Part) -> Context:
        """The context inside an operator's argument."""
        return Context(self.sign * part.effect, (*self.why, part.step))


@dataclass(frozen=True, slots=True)
class Part:
    """An operator's effect on everything of its clause or phrase outside tokens ``start``–``end``."""

    start: int
    end: int
    effect: int
    step: Step


def mark_dependencies(tree: Tree, convention: str) -> Marking:
    """Mark a tree whose tokens carry heads and relations. See :func:`natlog.polarity.mark`."""
    return _Marker(tree, convention).marking()


class _Marker:
    def __init__(self, tree: Tree, convention: str) -> None:
        self.tree, self.convention = tree, convention
        tokens = tree.tokens
        self.words = [token.text.lower() for token in tokens]
        self.tags = [token.tag for token in tokens]
        self.deps = [token.dep for token in tokens]
        self.heads = [token.head for token in tokens]
        self.children: list[list[int]] = [[] for _ in tokens]
        for index, head in enumerate(self.heads):
            if head != index:
                self.children[head].append(index)
        self.signs: list[Context | None] = [None] * len(tokens)
        self.outer: list[Context | None] = [None] * len(tokens)
        self.parts: list[list[Part]] = [[] for _ in tokens]
        self.quantifiers: dict[int, list[Match]] = {}
        self.at: dict[int, Match] = {}
        self.consumed: set[int] = set()
        self.operators = load_operators(convention)
        for match in self.operators.find(self.words, [tag == "CD" for tag in self.tags]):
            self.attach(match)

    def attach(self, match: Match) -> None:
        """Tie a determiner to the head of its noun phrase; any other operator to its own words."""
        for index in range(match.start, match.end):
            self.at[index] = match
        if match.operator.kind == "determiner":
            head = self.governor(match)
            self.quantifiers.setdefault(head, []).append(match)
            self.consumed.update(index for index in range(match.start, match.end) if index != head)

    def governor(self, match: Match) -> int:
        """The noun that a determiner belongs to, or the determiner itself where it stands alone."""
        index = match.end - 1
        while match.start <= self.heads[index] < match.end and self.heads[index] != index:
            index = self.heads[index]
        head = self.heads[index]
        return head if self.tags[head] in _NOUNS and head >= match.end else index

    def step(self, match: Match, argument: str) -> Part:
        effect = match.operator.signs.get(argument, 1)
        step = Step(
            operator=match.operator.id,
            surface=self.tree.span_text(match.start, match.end),
            tokens=tuple(range(match.start, match.end)),
            argument=argument,
            effect=_POLARITY[effect],
        )
        return Part(match.start, match.end, effect, step)

    def marking(self) -> Marking:
        for index, head in enumerate(self.heads):
            if head == index:
                self.visit(index, Context())
        contexts = [context or Context() for context in self.signs]
        return Marking(
            tree=self.tree,
            convention=self.convention,
            signs=tuple(_POLARITY[context.sign] for context in contexts),
            constituents=tuple(self.constituents(contexts)),
            token_why=tuple(context.why for context in contexts),
        )

    def constituents(self, contexts: list[Context]) -> list[Constituent]:
        marked = []
        for node in self.tree.root.walk():
            if not node.children:
                continue
            context = self.outer[node.head]
            if context is None or (node.end - node.start == 1):
                context = contexts[node.head]
            else:
                for part in self.parts[node.head]:
                    if part.start < node.start or part.end > node.end:
                        context = context.under(part)
            marked.append(
                Constituent(node.start, node.end, node.label, node.head, _POLARITY[context.sign], context.why)
            )
        return marked

    def visit(self, head: int, context: Context) -> list[Part]:
        """Mark the phrase of ``head``; the operators whose scope is the phrase around it."""
        tag = self.tags[head]
        if tag in _VERBS:
            return self.clause(head, context)
        if tag in _NOUNS or head in self.quantifiers:
            if any(self.deps[child] in SUBJECTS for child in self.children[head]):
                return self.clause(head, context)
            return self.noun_phrase(head, context)
        if tag in _PREPOSITIONS and self.deps[head] not in ("mark", "prt"):
            return self.prepositional(head, context)
        return self.clause(head, context)

    def noun_phrase(self, head: int, context: Context) -> list[Part]:
        self.outer[head] = context
        inside, parts = context, self.parts[head]
        exported: list[Part] = []
        for match in sorted(self.quantifiers.get(head, ()), key=lambda match: match.start):
            number = inside.under(self.step(match, "number"))
            for index in range(match.start, match.end):
                self.signs[index] = number if self.tags[index] == "CD" else inside
            if not exported:
                exported.append(self.step(match, "second"))
            part = self.step(match, "first")
            if part.start <= head < part.end:
                part = Part(part.start, part.start, part.effect, part.step)
            else:
                parts.append(part)
            inside = inside.under(part)
        if self.signs[head] is None:
            self.signs[head] = inside
        for child in self.children[head]:
            if child in self.consumed:
                continue
            own = self.deps[child] == "conj" and child in self.quantifiers
            self.visit(child, context if own else inside)
        return exported

    def prepositional(self, head: int, context: Context) -> list[Part]:
        self.outer[head] = self.signs[head] = context
        match = self.at.get(head)
        inside = context
        if match is not None and match.operator.kind == "preposition":
            part = self.step(match, "argument")
            self.parts[head].append(part)
            inside = context.under(part)
        exported: list[Part] = []
        for child in self.children[head]:
            if child not in self.consumed:
                exported.extend(self.visit(child, inside))
        return exported if inside is context else []

    def clause(self, head: int, context: Context) -> list[Part]:
        self.outer[head] = context
        parts = self.parts[head]
        inside = context
        pending = [child for child in self.children[head] if child not in self.consumed]
        for child in pending:
            match = self.at.get(child)
            if match is not None and match.operator.kind == "subordinator":
                for index in range(match.start, match.end):
                    self.signs[index] = context
                parts.append(self.step(match, "argument"))
                inside = inside.under(parts[-1])
        exported: list[Part] = []
        after_subject = inside
        for child in sorted(pending, key=lambda child: (self.rank(child, head), child)):
            if self.signs[child] is not None:
                continue
            here = inside
            if self.deps[child] == "conj":
                own = any(self.deps[grandchild] in SUBJECTS for grandchild in self.children[child])
                shared = self.tags[child] == self.tags[head]
                here = context if own else inside if shared else after_subject
            for part in self.element(child, here):
                low = min(part.start, child)
                parts.append(Part(low, max(part.end, child + 1), part.effect, part.step))
                inside = inside.under(part)
            if self.deps[child] in SUBJECTS:
                after_subject = inside
        if self.signs[head] is None:
            self.signs[head] = inside
        return exported

    def element(self, child: int, context: Context) -> list[Part]:
        match = self.at.get(child)
        if match is not None and match.operator.kind == "negation":
            for index in range(match.start, match.end):
                self.signs[index] = context
            return [self.step(match, "scope")]
        return self.visit(child, context)

    def rank(self, child: int, head: int) -> int:
        if self.deps[child] == "advcl" and any(
            self.at[mark].operator.kind == "subordinator" for mark in self.children[child] if mark in self.at
        ):
            return 0
        if self.deps[child] in SUBJECTS:
            return 1
        return 2
