"""How a network that writes meanings is trained: SyGNS, section 4.1 and appendix B, checked before it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from django.utils.translation import gettext as _

from natlog.fragments.sygns import FORMS
from workers.networks.options import MOST_EPOCHS, OptionError, number_check, sizes_of, whole_check
from workers.networks.sequences import SEQUENCE_NETWORKS


@dataclass(frozen=True)
class SequenceOptions:
    """``form`` is the meaning that is written (natlog.fragments.sygns). ``epochs`` at most, or until the loss
    on the validation part has not fallen for ``patience`` of them (0: all of them); no epoch leaves it
    untrained. ``batch`` sentences a step of Adam at the ``learning_rate``: constant, or, where ``warmup`` is
    above 0, rising over that share of the steps and falling to nothing after. ``clip`` bounds the gradient's
    norm (0: it doesn't; the paper says nothing). ``sizes`` replace some of the network's own. ``threads`` is
    part of it all, since sums over several threads come out otherwise."""

    network: str
    form: str = "fol"
    epochs: int = 25
    patience: int = 3
    batch: int = 128
    learning_rate: float = 5e-4
    warmup: float = 0.0
    clip: float = 1.0
    sizes: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1

    @classmethod
    def of(cls, network: str, given: Mapping[str, Any], *, small: bool = False) -> Self:
        """The options of a network: the paper's, or those for two processor cores where ``small``, replaced
        by those given. Raises :class:`workers.networks.options.OptionError`."""
        kind = SEQUENCE_NETWORKS.get(network)
        if kind is None:
            known = ", ".join(sorted(SEQUENCE_NETWORKS))
            raise OptionError(
                "network",
                _("there is no network “%(name)s”; there are: %(known)s") % {"name": network, "known": known},
            )
        unknown = sorted(set(given) - set(cls.__dataclass_fields__) | set(given) & {"network"})
        if unknown:
            raise OptionError(unknown[0], _("there is no such option"))
        sizes = given.get("sizes") or {}
        if not isinstance(sizes, Mapping):
            raise OptionError("sizes", _("numbers by their names are wanted"))
        options = cls(network, **{**given, "sizes": sizes_of(kind, sizes, small=small)})
        options.check()
        return options

    def check(self) -> None:
        """Raises :class:`workers.networks.options.OptionError` for the first value out of its range."""
        if self.form not in FORMS:
            raise OptionError("form", _("one of these is wanted: %(known)s") % {"known": ", ".join(FORMS)})
        whole_check("epochs", self.epochs, 0, MOST_EPOCHS)
        whole_check("patience", self.patience, 0, MOST_EPOCHS)
        whole_check("batch", self.batch, 1, 1024)
        whole_check("threads", self.threads, 1, 64)
        number_check("learning_rate", self.learning_rate, 1e-8, 1.0)
        number_check("warmup", self.warmup, 0.0, 0.9)
        number_check("clip", self.clip, 0.0, 1e6)
        if "heads" in self.sizes and self.sizes["model"] % self.sizes["heads"]:
            raise OptionError("sizes", _("model must be a multiple of heads"))

    def stored(self) -> dict[str, Any]:
        """As plain JSON; ``SequenceOptions(**stored)`` reads it again."""
        return {**asdict(self), "sizes": dict(self.sizes)}
