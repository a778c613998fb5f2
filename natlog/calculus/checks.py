"""Checks on what an annotator wrote into a blank (MED, section 3.1.3).

A replacement should be one constituent, more specific than what stood there, no mere synonym, and
nothing outside the blank should change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from natlog.calculus.alignment import loose_ends
from natlog.calculus.edits import Edit
from natlog.calculus.labeller import Labeller
from natlog.calculus.verdict import Verdict
from natlog.tree import Marking, Tree


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a replacement: a fixed ``code`` and a sentence for the annotator.

    Codes: empty, unchanged, changed-outside-blank, not-a-constituent, synonym, more-general.
    """

    code: str
    message: str


@lru_cache(maxsize=4)
def _labeller(convention: str) -> Labeller:
    return Labeller(convention=convention)


def check_replacement(
    premise: Marking, start: int, end: int, replacement: str, *, labeller: Labeller | None = None
) -> tuple[Finding, ...]:
    """What is wrong with writing ``replacement`` over code points ``start``–``end`` of the premise's text.

    Empty where nothing is. Raises ValueError where the span is not one of the text.
    """
    text = premise.tree.text
    if not 0 <= start < end <= len(text):
        raise ValueError(f"no span of the text: {start} to {end} of {len(text)}")
    if not replacement.strip():
        return (Finding("empty", "Nothing is written in the blank."),)
    hypothesis = text[:start] + replacement + text[end:]
    return check_hypothesis(premise, start, end, hypothesis, labeller=labeller)


def check_hypothesis(
    premise: Marking, start: int, end: int, hypothesis: str, *, labeller: Labeller | None = None
) -> tuple[Finding, ...]:
    """The same for a whole rewritten sentence, which may have changed outside the blank."""
    text = premise.tree.text
    before, after = text[:start], text[end:]
    if " ".join(hypothesis.split()).casefold() == " ".join(text.split()).casefold():
        return (Finding("unchanged", "This is the sentence as it was."),)
    kept = len(before) + len(after) <= len(hypothesis)
    if not (kept and hypothesis.startswith(before) and hypothesis.endswith(after)):
        return (Finding("changed-outside-blank", "Something outside the blank was changed."),)
    labeller = labeller or _labeller(premise.convention)
    marking = labeller.markings([hypothesis])[hypothesis]
    verdict = labeller.label_marked(premise, marking)
    findings = []
    if not _one_constituent(marking.tree, start, len(hypothesis) - len(after)):
        message = "What is written is more than one phrase, or reaches beyond the blank."
        findings.append(Finding("not-a-constituent", message))
    if (found := _comparison(verdict)) is not None:
        findings.append(found)
    return tuple(findings)


def _one_constituent(tree: Tree, start: int, end: int) -> bool:
    """Whether the tokens of a code-point span hang on one word outside it, by one arc."""
    inside = [token.index for token in tree.tokens if token.start < end and token.end > start]
    return not inside or not loose_ends(tree.tokens, inside[0], inside[-1] + 1, strict=False)


def _comparison(verdict: Verdict) -> Finding | None:
    relations = {edit.relation for edit in verdict.edits if edit.kind != "quantifier"}
    if not verdict.edits:
        return Finding("synonym", "This says the same as before: make it more specific.")
    if relations == {"≡"}:
        return Finding(
            "synonym", f"This is only another word for it ({_notes(verdict)}): make it more specific."
        )
    if relations and relations <= {"⊏", "≡"}:
        return Finding("more-general", f"This is more general, not more specific ({_notes(verdict)}).")
    return None


def _notes(verdict: Verdict) -> str:
    return "; ".join(edit.note for edit in verdict.edits)


def swappable(premise: str, hypothesis: str, verdict: Verdict) -> tuple[bool, str]:
    """Whether premise and hypothesis may be swapped and the label reversed; and why (MED, 3.1.3).

    Not after a replacement with synonyms (either sentence then entails the other), nor of non-constituents:
    where the changed part is no constituent.
    """
    if not verdict.edits:
        return False, "the sentences say the same"
    for edit in verdict.edits:
        if edit.kind in ("veridicality", "voice", "clause"):
            return False, edit.note
        if edit.relation == "≡" and edit.kind in ("substitution", "insertion", "deletion"):
            return False, f"a synonym was put in: {edit.note}"
        if not edit.constituent:
            return False, f"{_changed(edit)} is not one constituent"
    return True, "one constituent was made more specific or more general"


def _changed(edit: Edit) -> str:
    return f"*{edit.after or edit.before}*"
