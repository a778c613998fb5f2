"""What a researcher decides about a testbed, checked."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.datasets.models import Dataset
from apps.testbeds.drawing import FORTY
from apps.testbeds.models import Testbed
from natlog.fragments import systematicity, transitivity
from natlog.fragments.systematicity import VARIANTS
from natlog.fragments.testbeds import TESTBEDS

LARGEST = 400_000
PLAIN = VARIANTS[0]
FRAMES = ("someone", FORTY)
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class TestbedOptions:
    """``size`` rows; of one ``depth`` as the testbed's paper counts it, or of all (None). ``variant`` is
    systematicity's alone, ``frames`` (someone, forty) and ``source`` (a dataset whose labelled pairs are
    embedded in place of the fragment's) are transitivity's."""

    kind: str
    size: int = 1000
    depth: int | None = None
    seed: int = 1
    variant: str = "plain"
    frames: str = "someone"
    source: Dataset | None = None

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
        self._check_own()

    def _check_own(self) -> None:
        """What only one of the testbeds has."""
        variants = VARIANTS if self.kind == systematicity.NAME else (PLAIN,)
        if self.variant not in variants:
            raise ValidationError({"variant": _("This testbed has no such test set.")})
        if self.variant != PLAIN and self.depth not in (None, 1):
            raise ValidationError({"depth": _("The extra test sets have depth 1.")})
        is_transitivity = self.kind == transitivity.NAME
        if self.frames not in (FRAMES if is_transitivity else FRAMES[:1]):
            raise ValidationError({"frames": _("This testbed has no such main clauses.")})
        if self.source is not None and not is_transitivity:
            raise ValidationError({"source": _("Only transitivity embeds a dataset's pairs.")})
        if self.source is not None and self.depth is not None:
            raise ValidationError({"depth": _("Natural sentences have no depth.")})
