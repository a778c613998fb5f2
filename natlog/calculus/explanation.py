"""A verdict laid out for reading: alignment, edits, signs, the word relations used and their sources."""

from __future__ import annotations

from typing import Any

from natlog.calculus.confidence import doubts
from natlog.calculus.verdict import Verdict
from natlog.tree import Marking, Step


def explain(
    verdict: Verdict, premise: Marking | None = None, hypothesis: Marking | None = None
) -> dict[str, Any]:
    """A JSON-able account of a verdict; with the markings, also of every token's sign and its operators."""
    account: dict[str, Any] = {
        "label": verdict.label,
        "direction": verdict.direction,
        "tags": list(verdict.tags),
        "confidence": verdict.confidence,
        "doubts": list(doubts(verdict.evidence)) if verdict.evidence else [],
        "monotonicity": verdict.monotonicity,
        "reason": verdict.reason,
        "read": verdict.read,
        "unread": list(verdict.unread),
        "edits": [
            {
                "kind": edit.kind,
                "form": edit.form,
                "before": edit.before,
                "after": edit.after,
                "premise_tokens": [edit.start, edit.end],
                "hypothesis_tokens": [edit.other_start, edit.other_end],
                "site": edit.site,
                "polarity": edit.polarity.value,
                "operators": list(edit.operators),
                "relation": edit.relation,
                "note": edit.note,
                "known": edit.known,
                "constituent": edit.constituent,
                "word_relation": edit.word
                and {
                    "first": edit.word.first,
                    "second": edit.word.second,
                    "relation": edit.word.relation.value,
                    "source": edit.word.source,
                    "confidence": edit.word.confidence,
                },
            }
            for edit in verdict.edits
        ],
    }
    if premise is not None:
        account["premise"] = describe_marking(premise)
    if hypothesis is not None:
        account["hypothesis"] = describe_marking(hypothesis)
    return account


def describe_marking(marking: Marking) -> dict[str, Any]:
    """A marking as text, parser, convention and tokens with their sign and the operators behind it."""
    return {
        "text": marking.tree.text,
        "parser": marking.tree.parser,
        "confidence": marking.tree.confidence,
        "repairs": list(marking.tree.repairs),
        "convention": marking.convention,
        "tokens": [
            {
                "text": token.text,
                "start": token.start,
                "end": token.end,
                "polarity": sign.value,
                "why": [_step(step) for step in marking.token_why[token.index]] if marking.token_why else [],
            }
            for token, sign in zip(marking.tree.tokens, marking.signs, strict=True)
        ],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "operator": step.operator,
        "surface": step.surface,
        "argument": step.argument,
        "effect": step.effect.value,
    }
