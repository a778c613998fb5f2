"""Machine-made pairs: sentences changed at polarised places, with labels from the place and the change."""

from __future__ import annotations

from natlog.generation.change import Change, MadePair, Operation, Rejected
from natlog.generation.making import Made, Maker, Options, maker_for, stock_of
from natlog.generation.stock import Stock

__all__ = [
    "Change",
    "Made",
    "MadePair",
    "Maker",
    "Operation",
    "Options",
    "Rejected",
    "Stock",
    "maker_for",
    "stock_of",
]
