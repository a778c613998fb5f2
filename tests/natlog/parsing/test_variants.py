"""The list of variations: each is in it, and shows itself on a sentence."""

from __future__ import annotations

import pytest

from natlog.parsing.variants import VARIATIONS, FullStop, Variation


def test_every_variation_is_listed() -> None:
    assert set(Variation.__subclasses__()) == {FullStop, *(type(variation) for _, variation in VARIATIONS)}


@pytest.mark.parametrize("variation", Variation.__subclasses__())
def test_every_variation_shows_itself_on_a_sentence(variation: type[Variation]) -> None:
    assert f'>>> vary({variation.__name__}, "' in (variation.__doc__ or "")
