"""The edits that tell how a sentence was read: what a predicate says of its clause, another wording."""

from __future__ import annotations

from natlog.calculus.edits import Edit
from natlog.calculus.embedded import Embedded
from natlog.calculus.relations import SetRelation
from natlog.tree import Marking, Polarity


def wording_edit(note: str) -> Edit:
    """The edit of a sentence that is read in another wording, which ``note`` gives."""
    return Edit("voice", "wording", 0, 0, 0, 0, "", "", Polarity.UP, str(SetRelation.EQUAL), note)


def same_predicate(one: Embedded, two: Embedded) -> bool:
    """Whether both sentences have the same predicate, or modals of one class."""
    if one.complement == two.complement == "modal":
        classes = [side.signature.kind if side.signature else side.word.lower() for side in (one, two)]
        return classes[0] == classes[1]
    return one.lemma == two.lemma and one.complement.removeprefix("object-") == two.complement.removeprefix(
        "object-"
    )


def name_of(one: Embedded) -> str:
    """A predicate with its complement, in words: "*not managed to*"."""
    suffix = {"that": " that", "to": " to", "object-to": " … to", "whether": " whether", "from": " … from"}
    negated = "" if one.affirmed else "not "
    return f"*{negated}{one.word}{suffix.get(one.complement, '')}*"


def claim_edit(premise: Marking, one: Embedded | None, two: Embedded | None, note: str) -> Edit:
    """The edit of a predicate that only one sentence has above its clause, or each its own."""
    start, end = one.span if one else (0, 0)
    other_start, other_end = two.span if two else (0, 0)
    signature = (one or two).signature  # type: ignore[union-attr]
    return Edit(
        "veridicality",
        signature.kind if signature else "",
        start,
        end,
        other_start,
        other_end,
        one.word if one else "",
        two.word if two else "",
        Polarity.FLAT,
        str(SetRelation.INDEPENDENT),
        note,
    )
