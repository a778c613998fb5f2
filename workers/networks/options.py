"""How a network is trained: the options of the papers, checked before anything is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from django.conf import settings
from django.utils.translation import gettext as _

from workers.networks import NETWORKS

MOST_EPOCHS = 1000
MOST_SEEDS = 20
MOST_LAYERS, MOST_SIZE = 64, 100_000
#: Word vectors that are no file.
VECTORS = ("random", "encoder")
OPTIMIZERS = ("Adam", "Adagrad")
PRECISIONS = ("float32", "bfloat16")
ENCODER_DIMENSIONS = 384


class OptionError(ValueError):
    """An option that makes no sense; ``option`` is its name."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{option}: {reason}")
        self.option, self.reason = option, reason


@dataclass(frozen=True)
class Options:
    """``epochs`` at most, or until the validation accuracy is 1 or has not risen for ``patience`` of them
    (0: however long; systematicity 3.2: 25 epochs or convergence); no epoch leaves it untrained. ``batch``
    pairs a step of the ``optimizer``, at the ``learning_rate``: constant, or, where ``warmup`` is above 0,
    rising over that share of the steps and falling to nothing after. ``clip`` bounds the gradient's norm (0:
    it doesn't). ``vectors``, of so many ``dimensions``, are ``random``, the ``encoder``'s own, or in the
    GloVe file of that name below the models' directory. ``hypothesis_only`` is the variant of MED, Table 7.
    ``dropouts`` are tried one after the other with the first seed; the best on validation is what the others
    get (transitivity 4.1). ``precision`` is that of the products while learning: weights, their sums and
    what is tested stay in float32. ``sizes`` replace some of the network's own. ``threads`` is part of it
    all, since sums over several threads come out otherwise."""

    network: str
    epochs: int = 25
    patience: int = 3
    batch: int = 32
    optimizer: str = "Adam"
    learning_rate: float = 1e-3
    warmup: float = 0.0
    clip: float = 10.0
    vectors: str = "random"
    dimensions: int = 300
    hypothesis_only: bool = False
    dropouts: tuple[float, ...] = ()
    precision: str = "float32"
    sizes: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1

    @classmethod
    def of(cls, network: str, given: Mapping[str, Any], *, small: bool = False) -> Self:
        """The options of a network: its own, or those for two processor cores where ``small``, replaced by
        those given. Raises :class:`OptionError`."""
        kind = NETWORKS.get(network)
        if kind is None:
            known = ", ".join(sorted(NETWORKS)) or "none"
            raise OptionError(
                "network",
                _("there is no network “%(name)s”; there are: %(known)s") % {"name": network, "known": known},
            )
        unknown = sorted(set(given) - set(cls.__dataclass_fields__) | set(given) & {"network"})
        if unknown:
            raise OptionError(unknown[0], _("there is no such option"))
        usual: dict[str, Any] = {**kind.training, **given}
        sizes = usual.get("sizes") or {}
        if not isinstance(sizes, Mapping):
            raise OptionError("sizes", _("numbers by their names are wanted"))
        usual["sizes"] = sizes_of(kind, sizes, small=small)
        usual["dropouts"] = tuple(_listed(usual.get("dropouts", ())))
        if usual.get("vectors") == "encoder":
            usual.setdefault("dimensions", ENCODER_DIMENSIONS)
        options = cls(network, **usual)
        options.check()
        return options

    def check(self) -> None:
        """Raises :class:`OptionError` for the first value out of its range."""
        whole_check("epochs", self.epochs, 0, MOST_EPOCHS)
        whole_check("patience", self.patience, 0, MOST_EPOCHS)
        whole_check("batch", self.batch, 1, 1024)
        whole_check("threads", self.threads, 1, 64)
        number_check("learning_rate", self.learning_rate, 1e-8, 1.0)
        if self.optimizer not in OPTIMIZERS:
            known = {"known": ", ".join(OPTIMIZERS)}
            raise OptionError("optimizer", _("one of these is wanted: %(known)s") % known)
        if self.precision not in PRECISIONS:
            known = {"known": ", ".join(PRECISIONS)}
            raise OptionError("precision", _("one of these is wanted: %(known)s") % known)
        number_check("warmup", self.warmup, 0.0, 0.9)
        number_check("clip", self.clip, 0.0, 1e6)
        for share in self.dropouts:
            number_check("dropouts", share, 0.0, 0.9)
        if len(set(self.dropouts)) != len(self.dropouts) or len(self.dropouts) > MOST_SEEDS:
            raise OptionError("dropouts", _("each once, and at most %(most)d of them") % {"most": MOST_SEEDS})
        if self.dropouts and "dropout" not in self.sizes:
            raise OptionError("dropouts", _("this network has no dropout to search in"))
        if not isinstance(self.hypothesis_only, bool):
            raise OptionError("hypothesis_only", _("yes or no is wanted"))
        whole_check("dimensions", self.dimensions, 1, 4096)
        if not isinstance(self.vectors, str):
            raise OptionError("vectors", _("random, encoder, or the name of a file is wanted"))
        if self.vectors not in VECTORS:
            _vectors_file_check(self.vectors, self.dimensions)

    def vectors_source(self) -> str:
        """What a reader is asked for: ``random``, ``encoder``, or the file's whole path."""
        return self.vectors if self.vectors in VECTORS else str(_vectors_path(self.vectors))

    def stored(self) -> dict[str, Any]:
        """As plain JSON."""
        return {**asdict(self), "dropouts": list(self.dropouts), "sizes": dict(self.sizes)}

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**{**stored, "dropouts": tuple(stored["dropouts"])})


def _vectors_path(name: str) -> Path:
    root = Path(settings.MODELS_DIR).resolve()
    try:
        path = (root / name).resolve()
        is_there = path.is_relative_to(root) and path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        is_there = False
    if not is_there:
        raise OptionError(
            "vectors", _("there is no file “%(name)s” in the models' directory") % {"name": name[:200]}
        )
    return path


def _vectors_file_check(name: str, dimensions: int) -> None:
    """Its first line says how many numbers a word has."""
    try:
        with _vectors_path(name).open(encoding="utf-8", newline="\n") as lines:
            found = len(lines.readline(1 << 20).split(" ")) - 1
    except UnicodeDecodeError:
        raise OptionError("vectors", _("“%(name)s” is not UTF-8 text") % {"name": name}) from None
    if found != dimensions:
        raise OptionError(
            "vectors",
            _("“%(name)s” has %(found)d numbers a word; dimensions is %(wanted)d")
            % {"name": name, "found": found, "wanted": dimensions},
        )


class Sized(Protocol):
    """A kind of network with its sizes: of the paper, and what differs in the small ones."""

    @property
    def title(self) -> str: ...

    @property
    def sizes(self) -> Mapping[str, Any]: ...

    @property
    def small(self) -> Mapping[str, Any]: ...


def sizes_of(kind: Sized, given: Mapping[str, Any], *, small: bool) -> dict[str, Any]:
    """A kind's sizes, some replaced by those given. Raises :class:`OptionError`."""
    unknown = sorted(set(given) - set(kind.sizes))
    if unknown:
        known = ", ".join(kind.sizes)
        raise OptionError(
            "sizes",
            _("%(title)s has no size “%(name)s”; it has: %(known)s")
            % {"title": kind.title, "name": unknown[0], "known": known},
        )
    sizes = {**kind.sizes, **(kind.small if small else {}), **given}
    for name, value in given.items():
        usual = kind.sizes[name]
        if isinstance(usual, bool) or isinstance(value, bool):
            fits = isinstance(value, bool) and isinstance(usual, bool)
        elif isinstance(usual, int):
            try:
                whole_check(name, value, 1, MOST_LAYERS if name == "layers" else MOST_SIZE)
            except OptionError as error:
                raise OptionError("sizes", str(error)) from None
            continue
        elif isinstance(usual, float):
            fits = isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= 1e6
        else:
            fits = isinstance(value, type(usual))
        if not fits:
            raise OptionError(
                "sizes",
                _("%(name)s can't be %(value)r; it is usually %(usual)r")
                % {"name": name, "value": value, "usual": usual},
            )
    return sizes


def _listed(given: Any) -> list[Any]:
    if not isinstance(given, list | tuple):
        raise OptionError("dropouts", _("a list of numbers is wanted"))
    return list(given)


def whole_check(name: str, value: Any, least: int, most: int) -> None:
    """Raises :class:`OptionError` unless the value is a whole number in the range."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(
            name, _("a whole number from %(least)d to %(most)d is wanted") % {"least": least, "most": most}
        )


def number_check(name: str, value: Any, least: float, most: float) -> None:
    """Raises :class:`OptionError` unless the value is a number in the range."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise OptionError(
            name, _("a number from %(least)g to %(most)g is wanted") % {"least": least, "most": most}
        )
