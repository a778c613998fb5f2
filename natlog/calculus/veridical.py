"""Pairs in which a clause is let out of what embeds it, or put into it.

The composite rule of the transitivity paper (Yanaka et al. 2021, Table 3): what a sentence says of a clause,
and how that clause stands to the hypothesis, give how the sentence stands to the hypothesis. Verbs,
modals, subordinators and the voice of a verb are taken off one by one, outermost first; what is left is
compared by the calculus of monotonicity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from natlog.calculus.anaphora import joined
from natlog.calculus.claim_edits import claim_edit, name_of, same_predicate, wording_edit
from natlog.calculus.clauses import Clauses
from natlog.calculus.edits import Edit
from natlog.calculus.embedded import Embedded, embedded, subordinate
from natlog.calculus.paraphrases import in_the_order_of, plain_wording
from natlog.calculus.relations import SetRelation
from natlog.calculus.said import said
from natlog.calculus.shared_subjects import rewording
from natlog.calculus.times import timed
from natlog.calculus.verdict import UNWEIGHED, Verdict
from natlog.calculus.voices import active, agent_of, is_passive, subject_of
from natlog.calculus.whole_rules import whole_rule
from natlog.lexicon.veridicality import Claim
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.words import Relation, Words
from natlog.tree import Marking, Polarity, Token

DEEPEST = 6
"""Predicates that are taken off a pair at most."""

MOST_CONJUNCTS = 3
"""Coordinations of one sentence that are put into the other's order."""

_POSSIBLE = frozenset({"ability", "possibility"})


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and the relation of the premise to the hypothesis that it was made from."""

    verdict: Verdict
    relation: SetRelation


@dataclass(frozen=True, slots=True)
class Veridicality:
    """Compares sentences clause by clause: ``plain`` compares two, ``parse`` marks one written out."""

    plain: Callable[[Marking, Marking], Judged]
    parse: Callable[[str], Marking]
    words: Words

    def judge(self, premise: Marking, hypothesis: Marking, depth: int = 0) -> Judged:
        """How the premise stands to the hypothesis."""
        if depth >= DEEPEST or premise.tree.text == hypothesis.tree.text:
            return self.plain(premise, hypothesis)
        if (ruled := whole_rule(premise, hypothesis, self.words)) is not None:
            return self._ruled(premise, hypothesis, *ruled)
        if (read := rewording(premise, hypothesis) or timed(premise, hypothesis)) is not None:
            first = self.parse(read.premise) if read.premise else premise
            second = self.parse(read.hypothesis) if read.hypothesis else hypothesis
            inner = self.judge(first, second, depth + 1)
            return self._composed(premise, inner, read.relation(inner.relation), wording_edit(read.note))
        if texts := said(premise, hypothesis, self.words):
            return self._together(premise, hypothesis, texts, depth)
        if texts := joined(premise, hypothesis):
            parts = self._together(premise, hypothesis, texts, depth)
            if parts.relation.entails or parts.relation.excludes:
                return parts
        one, two = embedded(premise), embedded(hypothesis)
        if one is not None and two is not None and same_predicate(one, two):
            one = two = None  # the calculus compares what stands under it
        if one is None and two is None:
            found = self._subordinate(premise, hypothesis, depth)
        elif one is not None and two is not None:
            found = self._both(premise, hypothesis, one, two, depth)
        elif one is not None:
            found = self._premise_only(premise, hypothesis, one, depth)
        else:
            assert two is not None
            found = self._hypothesis_only(premise, hypothesis, two, depth)
        return found or self._voiced(premise, hypothesis, depth)

    def _together(self, premise: Marking, hypothesis: Marking, texts: list[str], depth: int) -> Judged:
        """A premise that says all of some sentences: what one of them entails or excludes, it does."""
        found = [(text, self.judge(self.parse(text), hypothesis, depth + 1)) for text in texts]

        def worth(item: tuple[str, Judged]) -> tuple[bool, bool, int, int]:
            relation, verdict = item[1].relation, item[1].verdict
            unknown = sum(not edit.known for edit in verdict.edits)
            return (relation.entails, relation.excludes, -len(verdict.unread), -unknown)

        text, best = max(found, key=worth)
        relation = SetRelation.INDEPENDENT
        if best.relation.entails or best.relation.excludes:
            relation = SetRelation.FORWARD if best.relation.entails else SetRelation.ALTERNATION
        return self._composed(premise, best, relation, wording_edit(f"says also *{text}*"))

    # A predicate that only one sentence has, or each its own

    def _both(
        self, premise: Marking, hypothesis: Marking, one: Embedded, two: Embedded, depth: int
    ) -> Judged | None:
        if "modal" in (one.complement, two.complement):
            if one.complement == two.complement:
                return self._modals(premise, hypothesis, one, two)
            if one.complement == "modal":
                return self._let_out(premise, hypothesis, one, depth)
            return self._put_in(premise, hypothesis, two, depth)
        if one.two_way or self._likeness(one.verb, _lemma(hypothesis)) > self._likeness(one.lemma, two.lemma):
            return self._let_out(premise, hypothesis, one, depth)
        if two.two_way or self._likeness(two.verb, _lemma(premise)) > self._likeness(one.lemma, two.lemma):
            return self._put_in(premise, hypothesis, two, depth)
        if self._likeness(one.lemma, two.lemma) or not self._likeness(one.verb, two.verb):
            return None
        what = f"how *{two.word}* stands to *{one.word}*"
        return self._unread(premise, hypothesis, what, (one.span, two.span))

    def _premise_only(
        self, premise: Marking, hypothesis: Marking, one: Embedded, depth: int
    ) -> Judged | None:
        lemma = _lemma(hypothesis)
        kept = self._likeness(_lemma(premise), lemma)
        inside = self._likeness(one.verb, lemma)
        if one.complement == "modal":
            return self._let_out(premise, hypothesis, one, depth) if inside or not lemma else None
        if inside > kept or (inside == kept and one.signature is not None):
            return self._let_out(premise, hypothesis, one, depth)
        return None

    def _hypothesis_only(
        self, premise: Marking, hypothesis: Marking, two: Embedded, depth: int
    ) -> Judged | None:
        lemma = _lemma(premise)
        kept = self._likeness(lemma, _lemma(hypothesis))
        inside = self._likeness(lemma, two.verb)
        if two.complement == "modal":
            return self._put_in(premise, hypothesis, two, depth) if inside else None
        if inside > kept or (inside == kept and two.signature is not None):
            return self._put_in(premise, hypothesis, two, depth)
        return None

    def _let_out(self, premise: Marking, hypothesis: Marking, one: Embedded, depth: int) -> Judged:
        """f(s₁) against s₂, from what f says of s₁ and how s₁ stands to s₂."""
        name = name_of(one)
        if one.signature is None:
            return self._unread(premise, hypothesis, f"what {name} says of its clause", (one.span, None))
        if one.claim is Claim.OPEN:
            note = f"{name} does not say whether its clause is so ({one.signature.kind}, {one.signature})"
            return self._settled(premise, hypothesis, one, None, SetRelation.INDEPENDENT, note)
        inner = self.judge(self.parse(one.clause), hypothesis, depth + 1)
        relation = inner.relation if one.claim is Claim.SO else inner.relation.of_complement()
        said = f"{name} says that *{one.clause}* is {'so' if one.claim is Claim.SO else 'not so'}"
        note = f"{said} ({one.signature.kind}, {one.signature})"
        return self._composed(premise, inner, relation, claim_edit(premise, one, None, note))

    def _put_in(self, premise: Marking, hypothesis: Marking, two: Embedded, depth: int) -> Judged:
        """s₁ against f(s₂): the same where f says no more than s₂; else excluded, or nothing."""
        name = name_of(two)
        if two.signature is None:
            what = f"whether {name} follows from its clause"
            return self._unread(premise, hypothesis, what, (None, two.span))
        inner = self.judge(premise, self.parse(two.clause), depth + 1)
        inside = inner.relation if two.claim is not Claim.NOT_SO else inner.relation.against_complement()
        relation, note = SetRelation.INDEPENDENT, f"nothing says {name}"
        if two.two_way:
            relation, note = inside, f"{name} says no more than *{two.clause}*"
        elif two.complement == "modal" and two.signature.kind in _POSSIBLE:
            relation, note = self._possible(premise, two, inner.relation, depth)
        elif two.claim is not Claim.OPEN and inside.excludes:
            relation, note = SetRelation.ALTERNATION, f"{name} says that *{two.clause}* is so"
        note = f"{note} ({two.signature.kind}, {two.signature})"
        return self._composed(premise, inner, relation, claim_edit(premise, None, two, note))

    def _possible(
        self, premise: Marking, two: Embedded, inside: SetRelation, depth: int
    ) -> tuple[SetRelation, str]:
        """What is so can be so; what is so is not impossible."""
        if two.affirmed and inside.entails:
            return SetRelation.FORWARD, f"what is so also {two.word.lower()} be so"
        denied = not two.affirmed and two.signature is not None and two.signature.denied is Claim.NOT_SO
        if denied and inside.excludes:
            return SetRelation.ALTERNATION, "what is so is not impossible"
        return SetRelation.INDEPENDENT, f"nothing says that it *{two.word}*"

    def _modals(self, premise: Marking, hypothesis: Marking, one: Embedded, two: Embedded) -> Judged | None:
        if not self._likeness(one.verb, two.verb):
            return None
        what = f"how *{two.word}* stands to *{one.word}*"
        return self._unread(premise, hypothesis, what, (one.span, two.span))

    # Subordinate clauses and voice

    def _subordinate(self, premise: Marking, hypothesis: Marking, depth: int) -> Judged | None:
        found = subordinate(premise)
        if found is None or subordinate(hypothesis) is not None:
            return None
        clause, main = found
        lemma = _lemma(hypothesis)
        if lemma == main.verb:
            return self._let_out(premise, hypothesis, main, depth) if main.claim is Claim.OPEN else None
        return self._let_out(premise, hypothesis, clause, depth) if lemma == clause.verb else None

    def _voiced(self, premise: Marking, hypothesis: Marking, depth: int) -> Judged:
        """Both in the active, where one is passive; a passive without agent is what someone did."""
        one, two = is_passive(premise), is_passive(hypothesis)
        if one == two:
            return self._worded(premise, hypothesis)
        passive, other = (premise, hypothesis) if one else (hypothesis, premise)
        named = agent_of(passive)
        unclear = not named and any(token.word == "by" for token in passive.tree.tokens)
        text = "" if unclear else active(passive, named or subject_of(other))
        if not text or not self._likeness(_lemma(premise), _lemma(hypothesis)):
            return self.plain(premise, hypothesis)
        written = self.parse(text)
        if is_passive(written):
            return self.plain(premise, hypothesis)
        pair = (written, hypothesis) if one else (premise, written)
        inner = self.judge(*pair, depth + 1)
        relation = inner.relation
        if not named:
            # "The door was closed": by someone, so that it follows from anyone's closing it, and no more.
            denied = Clauses.of(passive.tree).denied(_main(passive)) is not None  # type: ignore[arg-type]
            anyone = subject_of(other).lower() in word_list("persons_unnamed")
            if relation.entails and ((one and not anyone) or denied):
                relation = SetRelation.INDEPENDENT
            if relation.excludes and (denied if one else not denied):
                relation = relation if one else SetRelation.INDEPENDENT
        note = f"in the active: *{text}*"
        edit = Edit("voice", "voice", 0, 0, 0, 0, "", "", Polarity.UP, str(SetRelation.EQUAL), note)
        return self._composed(premise, inner, relation, edit)

    def _worded(self, premise: Marking, hypothesis: Marking) -> Judged:
        """Both in their plain wording, where only one of them has it."""
        one, two = plain_wording(premise), plain_wording(hypothesis)
        first = self.parse(one) if one else premise
        second = self.parse(two) if two else hypothesis
        for _ in range(MOST_CONJUNCTS):
            if reordered := in_the_order_of(first, second):
                two, second = reordered, self.parse(reordered)
        if not one and not two:
            return self.plain(premise, hypothesis)
        before, after = self.plain(premise, hypothesis), self.plain(first, second)
        if len(after.verdict.edits) >= len(before.verdict.edits):
            return before
        said = " and ".join(f"*{text}*" for text in (one, two) if text)
        return self._composed(premise, after, after.relation, wording_edit(f"read as {said}"))

    # Verdicts

    def _likeness(self, one: str, two: str) -> int:
        """How much two verbs are alike: 2 the same, 1 related, 0 neither."""
        if not one or not two:
            return 0
        if one == two:
            return 2
        related = self.words.relation(one, two, "v").relation
        return int(related in (Relation.SYNONYM, Relation.HYPONYM, Relation.HYPERNYM))

    def _ruled(self, premise: Marking, hypothesis: Marking, relation: SetRelation, note: str) -> Judged:
        """A verdict on two sentences as wholes, by a rule of their own."""
        ends = (0, len(premise.tree.tokens), 0, len(hypothesis.tree.tokens))
        edit = Edit("sentence", "sentence", *ends, "", "", Polarity.UP, str(relation), note)
        label, direction = label_of(relation), Polarity.UP.direction
        return Judged(Verdict(label, direction, (), UNWEIGHED, note, (edit,), False), relation)

    def _settled(
        self,
        premise: Marking,
        hypothesis: Marking,
        one: Embedded | None,
        two: Embedded | None,
        relation: SetRelation,
        note: str,
    ) -> Judged:
        edit = claim_edit(premise, one, two, note)
        verdict = Verdict(
            "non-entailment",
            Polarity.FLAT.direction,
            ("veridicality",),
            UNWEIGHED,
            note,
            (edit,),
            False,
        )
        return Judged(verdict, relation)

    def _composed(self, premise: Marking, inner: Judged, relation: SetRelation, edit: Edit) -> Judged:
        below = inner.verdict
        reason = edit.note if not below.edits else f"{edit.note}; {below.reason}"
        tags = below.tags if edit.kind == "voice" else (*below.tags, "veridicality")
        verdict = replace(
            below,
            label=label_of(relation),
            tags=tuple(dict.fromkeys(tags)),
            reason=reason,
            edits=(edit, *(replace(e, start=edit.start, end=edit.end) for e in below.edits)),
            monotonicity=below.monotonicity and edit.kind == "voice",
        )
        return Judged(verdict, relation)

    def _unread(
        self,
        premise: Marking,
        hypothesis: Marking,
        what: str,
        spans: tuple[tuple[int, int] | None, tuple[int, int] | None],
    ) -> Judged:
        reason = f"not read: {what}"
        start, end = spans[0] or (0, 0)
        other_start, other_end = spans[1] or (0, 0)
        edit = Edit(
            "clause", "clause", start, end, other_start, other_end,
            premise.tree.span_text(start, end), hypothesis.tree.span_text(other_start, other_end),
            Polarity.FLAT, str(SetRelation.INDEPENDENT), reason, known=False,
        )  # fmt: skip
        verdict = Verdict(
            "non-entailment", Polarity.FLAT.direction, (), UNWEIGHED, reason, (edit,), False, (what,)
        )
        return Judged(verdict, SetRelation.INDEPENDENT)


def label_of(relation: SetRelation) -> str:
    """The label that a relation of the sentences gives."""
    return "entailment" if relation.entails else "contradiction" if relation.excludes else "non-entailment"


def _main(marking: Marking) -> Token | None:
    return Clauses.of(marking.tree).main


def _lemma(marking: Marking) -> str:
    """The lemma that the sentence hangs on; of a copula what it is said to be."""
    main = _main(marking)
    return main.lemma.lower() if main is not None else ""
