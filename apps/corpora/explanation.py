"""Why a place has its polarity, in words: the chain of operators that set it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from natlog.tree import Polarity

# The argument names of natlog/lexicon/operators.toml, and natlog's own for a word of the operator itself.
_ARGUMENTS = {
    "first": gettext_lazy("its first argument (the phrase it belongs to)"),
    "second": gettext_lazy("its second argument (the rest of the clause)"),
    "number": gettext_lazy("the numeral inside it"),
    "word": gettext_lazy("this word of its own"),
    "than": gettext_lazy("what it compares with"),
    "licensed": gettext_lazy("its arguments, licensed from outside,"),
    "scope": gettext_lazy("its scope"),
    "argument": gettext_lazy("its argument"),
    "main": gettext_lazy("the main clause"),
    "to": gettext_lazy("its to-complement"),
    "that": gettext_lazy("its that-clause"),
    "object": gettext_lazy("its object"),
    "ing": gettext_lazy("its ing-complement"),
    "prep": gettext_lazy("its prepositional object"),
}


@dataclass(frozen=True)
class Reason:
    """One operator of the chain, what it does here, and the sign so far (outermost first)."""

    operator: str
    surface: str
    argument: str
    effect: str
    so_far: str

    @property
    def is_named(self) -> bool:
        """The words in the sentence are the operator's own name, which need not be said twice."""
        return self.surface.casefold() == self.operator


def reasons_of(why: Sequence[dict[str, Any]]) -> list[Reason]:
    """The chain as it is stored (``Constituent.why``), each step with the product up to it."""
    reasons = []
    sign = Polarity.UP
    for step in why:
        sign = sign * Polarity(step["effect"])
        argument = _ARGUMENTS.get(step["argument"])
        reasons.append(
            Reason(
                operator=step["operator"],
                # A bare plural's generic reading is an operator without a word of its own.
                surface=step["surface"] or step["operator"].replace("-", " "),
                argument=str(argument) if argument else _("its argument “%s”") % step["argument"],
                effect=step["effect"],
                so_far=sign.value,
            )
        )
    return reasons


def in_words(why: Sequence[dict[str, Any]]) -> str:
    """The chain in one sentence, for places where there is no room for a list."""
    if not why:
        return _("No operator stands above it, so it is ↑.")
    reasons = reasons_of(why)
    steps = "; ".join(
        _("“%(surface)s” makes %(argument)s %(effect)s")
        % {"surface": reason.surface, "argument": reason.argument, "effect": reason.effect}
        for reason in reasons
    )
    if len(reasons) == 1:
        return f"{steps}."
    return _("%(steps)s; together %(product)s = %(sign)s.") % {
        "steps": steps,
        "product": " × ".join(reason.effect for reason in reasons),
        "sign": reasons[-1].so_far,
    }
