"""A figure: a Vega-Lite description and its data, drawn here by vl-convert, without a browser or a script.

An SVG follows its reader's light or dark: it carries the dark value of each colour that the product has
(``static/polarlab.css``), and a page passes its own choice on to the pictures in it. PNG and PDF are for
paper: light, on white.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.formats import get_format
from django.utils.functional import Promise

INK, SOFT, LINE = "#1d1f23", "#595d66", "#dcd9d2"
UP, DOWN, FLAT = "#1d5fbf", "#b8430f", "#5f6368"
ACCENT, GOOD, BAD = "#1f4f46", "#23693b", "#a11d2b"

# The dark values of the same properties in the stylesheet.
_DARK = {
    INK: "#e9e7e2",
    SOFT: "#a9adb6",
    LINE: "#34383f",
    UP: "#7fb2ff",
    DOWN: "#ff9d6b",
    FLAT: "#b3b6bb",
    ACCENT: "#8fd0bf",
    GOOD: "#85d19d",
    BAD: "#ff9aa2",
}

#: In the order in which categories without a colour of their own take them; they differ in grey too.
CATEGORIES = [ACCENT, DOWN, UP, FLAT, BAD, GOOD]

_PAPER_SCALE = 2.0  # pixels of a PNG for each unit: sharp in print at a column's width

_LOOK: dict[str, Any] = {
    "background": "transparent",
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "domainColor": SOFT,
        "tickColor": SOFT,
        "gridColor": LINE,
        "labelColor": INK,
        "titleColor": SOFT,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 260,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": SOFT,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
    },
    "header": {"labelColor": INK, "titleColor": SOFT, "labelFontSize": 12},
    "title": {"color": INK, "fontWeight": "normal", "fontSize": 13, "anchor": "start"},
    "text": {"color": INK, "fontSize": 12},
    "bar": {"color": ACCENT},
    "line": {"color": ACCENT, "strokeWidth": 2},
    "point": {"color": ACCENT, "filled": True, "size": 50},
    "rule": {"color": SOFT},
    "rect": {"color": ACCENT},
    "range": {"category": CATEGORIES},
}


# Control characters, ends of lines, surrogates, and what is no character at all.
_UNDRAWABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Figure:
    """``says`` is its text alternative: what one sees in it, in words. ``spec`` is Vega-Lite with its data,
    without any colour or font that isn't one of this module's."""

    title: str | Promise
    says: str | Promise
    spec: Mapping[str, Any]

    def svg(self) -> str:
        return _svg(self._written())

    def size(self) -> tuple[int, int]:
        """Width and height of the SVG, for a page that must not move once its picture arrives."""
        head = self.svg().partition(">")[0]
        width, height = re.findall(r' (?:width|height)="([\d.]+)"', head)
        return round(float(width)), round(float(height))

    def paper_svg(self) -> str:
        """For a document in print: without the colours for the dark."""
        import vl_convert

        drawn: str = vl_convert.vegalite_to_svg(self._on_paper())
        return drawn

    def png(self) -> bytes:
        import vl_convert

        drawn: bytes = vl_convert.vegalite_to_png(self._on_paper(), scale=_PAPER_SCALE)
        return drawn

    def pdf(self) -> bytes:
        import vl_convert

        drawn: bytes = vl_convert.vegalite_to_pdf(self._on_paper())
        return drawn

    def _whole(self, **look: Any) -> dict[str, Any]:
        return {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "config": {**_LOOK, "locale": {"number": _numbers()}, **look},
            **_drawable(dict(self.spec)),
        }

    def _written(self) -> str:
        return json.dumps(self._whole(), ensure_ascii=False)

    def _on_paper(self) -> dict[str, Any]:
        return self._whole(background="#ffffff")


def _numbers() -> dict[str, Any]:
    """How the reader writes numbers, as the page around the picture does."""
    marks = {"decimal": get_format("DECIMAL_SEPARATOR"), "thousands": get_format("THOUSAND_SEPARATOR")}
    return {**marks, "grouping": [3], "currency": ["", ""]}


def _drawable(value: Any) -> Any:
    """Without what no picture can hold: a word in the data may come from anywhere, and a character that is
    none of XML ends the whole process in which it is drawn."""
    if isinstance(value, str):
        return _UNDRAWABLE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {_drawable(key): _drawable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_drawable(each) for each in value]
    return value


@lru_cache(maxsize=64)  # a page's pictures are asked for again whenever it is: drawing one takes 0.1 s
def _svg(spec: str) -> str:
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(spec)
    head, end, rest = drawn.partition(">")
    return f"{head}{end}<style>{_dark_style()}</style>{rest}"


def _dark_style() -> str:
    rules = "".join(
        f'[{part}="{light}"]{{{part}:{dark}}}' for light, dark in _DARK.items() for part in ("fill", "stroke")
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"
