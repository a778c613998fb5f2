"""The list of repairs: each is in it once, and shows itself on a sentence."""

from __future__ import annotations

import pytest

from natlog.parsing.repairs import REPAIRS
from natlog.parsing.repairs.rule import Repair


def test_every_repair_is_listed_once() -> None:
    assert sorted(map(repr, Repair.__subclasses__())) == sorted(repr(type(repair)) for repair in REPAIRS)


@pytest.mark.parametrize("repair", REPAIRS, ids=lambda repair: type(repair).__name__)
def test_every_repair_shows_itself_on_a_sentence(repair: Repair[object]) -> None:
    assert f'>>> show({type(repair).__name__}, "' in (repair.__doc__ or "")
