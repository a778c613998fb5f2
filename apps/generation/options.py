"""What a researcher decides about machine-made pairs, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from natlog.lexicon.conventions import conventions

OPERATIONS = {
    "substitute": gettext_lazy("put a more general or more specific word"),
    "extend": gettext_lazy("add a modifier"),
    "shorten": gettext_lazy("drop a modifier"),
    "conjunction": gettext_lazy("add or drop “and …”"),
    "disjunction": gettext_lazy("add or drop “or …”"),
}
MOST_PER_SENTENCE = 10
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class MachineOptions:
    """``limit`` is the most pairs of one operation, direction and label; None for all. Pairs of whose label
    the calculus has a confidence below ``sure`` are left out."""

    operations: tuple[str, ...] = tuple(OPERATIONS)
    per_sentence: int = 2
    limit: int | None = None
    seed: int = 1
    convention: str = "med"
    sure: float = 0.0

    def check(self) -> None:
        """Raises ValidationError under the name of the option that is wrong."""
        if not self.operations or set(self.operations) - set(OPERATIONS):
            raise ValidationError({"operations": _("Choose operations of this list.")})
        if not 1 <= self.per_sentence <= MOST_PER_SENTENCE:
            raise ValidationError(
                {"per_sentence": _("Choose a number from 1 to %(most)d.") % {"most": MOST_PER_SENTENCE}}
            )
        if self.limit is not None and self.limit < 1:
            raise ValidationError({"limit": _("Choose a number from 1, or leave it empty.")})
        if not 0 <= self.seed <= LARGEST_SEED:
            raise ValidationError({"seed": _("Choose a number from 0.")})
        if not 0 <= self.sure <= 1:
            raise ValidationError({"sure": _("Choose a number from 0 to 1.")})
        if self.convention not in conventions():
            raise ValidationError({"convention": _("There is no such convention.")})

    def stored(self) -> dict[str, Any]:
        return {**asdict(self), "operations": list(self.operations)}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> MachineOptions:
        return cls(**{**stored, "operations": tuple(stored["operations"])})
