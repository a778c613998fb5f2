"""A stored marking as natlog's SVG tree."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from apps.corpora.marking_rows import marking_from_rows
from apps.corpora.models import Constituent, PolarityMarking


def tree_svg_of(
    marking: PolarityMarking, constituents: Sequence[Constituent], chosen: Constituent | None = None
) -> SafeString:
    """The tree with its arrows, ``chosen`` tinted, each constituent leading to the reasons for its sign;
    natlog escapes the sentence's own text."""
    from natlog.calculus.svg import tree_svg

    highlight = (chosen.start, chosen.end) if chosen else None
    links = {
        (item.first_token, item.first_token + item.tokens): f"?m={marking.pk}&c={item.pk}#why"
        for item in constituents
    }
    return SafeString(tree_svg(marking_from_rows(marking, constituents), highlight, links=links))
