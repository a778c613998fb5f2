"""What makes a training a function of its rows, options and seed: seeds, orders, the optimizer's memory."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

import torch
from torch import Tensor, nn

# Batches are cut out of so many batches' examples in order of length, so that they are padded little.
POOL = 50


def seed_for(seed: int, purpose: str) -> int:
    """A number for one purpose, of the run's seed."""
    return int.from_bytes(hashlib.sha256(f"{seed} {purpose}".encode()).digest()[:8], "big") >> 1


def shuffled_batches(sizes: Sequence[int], batch: int, seed: int) -> list[list[int]]:
    """Every example's number once, ``batch`` together, in an order drawn from the seed; those of about a
    length (``sizes``) beside each other."""
    draw = random.Random(seed)
    order = list(range(len(sizes)))
    draw.shuffle(order)
    batches = []
    for start in range(0, len(order), POOL * batch):
        pool = sorted(order[start : start + POOL * batch], key=lambda n: sizes[n])
        batches += [pool[place : place + batch] for place in range(0, len(pool), batch)]
    draw.shuffle(batches)
    return batches


def batches_by_length(sizes: Sequence[int], batch: int) -> list[list[int]]:
    """Every example's number once, the shortest first."""
    order = sorted(range(len(sizes)), key=lambda n: sizes[n])
    return [order[start : start + batch] for start in range(0, len(order), batch)]


def rate_at(step: int, steps: int, warmup: float) -> float:
    """What the learning rate is multiplied with at a step: 1 without warmup, else up and down again."""
    if not warmup:
        return 1.0
    top = max(1, round(warmup * steps))
    return (step + 1) / top if step < top else max(0.0, (steps - step) / max(1, steps - top))


def device_here() -> torch.device:
    """What trainings of this machine run on."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Drawn:
    """Where torch's random numbers stand, kept while others use the process."""

    def __init__(self, device: torch.device) -> None:
        self.on_card = device.type == "cuda"
        self.hold()

    def hold(self) -> None:
        self.state = torch.get_rng_state()
        self.card_state = torch.cuda.get_rng_state() if self.on_card else None

    def go_on(self) -> None:
        torch.set_rng_state(self.state)
        if self.card_state is not None:
            torch.cuda.set_rng_state(self.card_state)


def weights_copied(network: nn.Module) -> dict[str, Tensor]:
    """A network's weights as they are now."""
    return {name: value.detach().cpu().clone().contiguous() for name, value in network.state_dict().items()}


def moments_of(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """What an optimizer keeps, by ``<parameter>.<what>``."""
    return {
        f"{number}.{name}": value.detach().cpu().contiguous()
        for number, state in optimizer.state_dict()["state"].items()
        for name, value in state.items()
    }


def moments_restore(optimizer: torch.optim.Optimizer, moments: dict[str, Tensor]) -> None:
    """Give an optimizer back what :func:`moments_of` took."""
    states: dict[int, dict[str, Tensor]] = {}
    for name, value in moments.items():
        number, _, what = name.partition(".")
        states.setdefault(int(number), {})[what] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": states})
