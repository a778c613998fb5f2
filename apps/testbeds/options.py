"""What a researcher decides about a testbed, checked."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.testbeds.models import Testbed
from natlog.fragments.testbeds import TESTBEDS

LARGEST = 400_000
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class TestbedOptions:
    """``size`` rows; of one ``depth`` as the testbed's paper counts it, or of all (None)."""

    kind: str
    size: int = 1000
    depth: int | None = None
    seed: int = 1

    def check(self) -> None:
        """Raises ValidationError under the name of the option that is wrong."""
        if self.kind not in Testbed.Kind.values or self.kind not in TESTBEDS:
            raise ValidationError({"kind": _("There is no such testbed.")})
        if not 1 <= self.size <= LARGEST:
            raise ValidationError({"size": _("Choose a number from 1 to %(most)d.") % {"most": LARGEST}})
        depths = TESTBEDS[self.kind].depths
        if self.depth is not None and self.depth not in depths:
            ends = {"first": depths[0], "last": depths[-1]}
            raise ValidationError({"depth": _("This testbed has depths %(first)d to %(last)d.") % ends})
        if not 0 <= self.seed <= LARGEST_SEED:
            raise ValidationError({"seed": _("Choose a number from 0.")})
