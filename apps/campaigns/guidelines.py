"""A campaign's instructions: the texts to start from, and how Markdown becomes a page.

CommonMark, with what a stranger's text must not do left out: no HTML of its own, no images, no links but
``http``, ``https`` and ``mailto``. [Square brackets] that are no link underline a part, as the blank is
underlined.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from apps.datasets.labels import BY_VALUE, CONTRADICTION, NEUTRAL, NON_ENTAILMENT

_FOLDER = Path(__file__).parent / "guideline_texts"
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")
_LINK = re.compile(r"(?:https?:|mailto:)", re.IGNORECASE)
_EXAMPLE = re.compile(r'<li dir="auto">(?=.* → )')
_BLOCKS = ("paragraph_open", "heading_open", "list_item_open")


# Lines with so many words in common are one line in two wordings.
_ALIKE = 0.3
# The texts in which something is said otherwise from campaign to campaign.
_CREATION, _THREE = "creation", "validation-three"
# Starting instructions are known for so many phrases in a set; apps/campaigns/settings.py allows no more.
_MOST_PHRASES = 20


@dataclass(frozen=True)
class _Start:
    """A text to start from: its file, and what is said in it: so many phrases, or by which label's words it
    is called that the second sentence may be true and may be false."""

    name: str
    phrases: int = 0
    open: str = ""


def starting_body(task: str, labels: Sequence[str] = (), phrases: int = 3) -> str:
    """The instructions that a new campaign of this task begins with, for a dataset with these labels and so
    many phrases in a set."""
    if task == "validation" and CONTRADICTION in labels:  # three answers, not whether it follows or doesn't
        return _text_of(_Start(_THREE, open=NEUTRAL))
    return _text_of(_Start(task, phrases if task == _CREATION else 0))


@cache
def _text_of(start: _Start, language: str = "en") -> str:
    folder = _FOLDER if language == "en" else _FOLDER / language
    text = (folder / f"{start.name}.txt").read_text(encoding="utf-8").strip()
    if start.name == _CREATION:
        return text.format(**_phrases_in_words(start.phrases, language))
    if start.name == _THREE:
        with override(language):
            return text.format(open=BY_VALUE[start.open].title)
    return text


@cache
def _phrases_in_words(phrases: int, language: str) -> dict[str, str]:
    """What stands for {phrases} and {each} in the text of creation (``phrases.toml``)."""
    words = tomllib.loads((_FOLDER / "phrases.toml").read_text(encoding="utf-8"))[language]
    numbers = words["numbers"]
    number = numbers[phrases - 2] if 0 <= phrases - 2 < len(numbers) else str(phrases)
    form: dict[str, str] = words["one" if phrases == 1 else "several"]
    return {name: text.format(n=number) for name, text in form.items()}


@lru_cache(maxsize=64)
def blocks_of(body: str) -> SafeString:
    """The body as HTML that can be put into a page. Kept for the next card: every card shows it.

    >>> blocks_of("# One\\n\\nNo [shops] *open*.")
    '<h2 dir="auto">One</h2>\\n<p dir="auto">No <span class="blank">shops</span> <em>open</em>.</p>\\n'
    >>> blocks_of("<b>x</b> ![y](https://example.org/z.png)")
    '<p dir="auto">&lt;b&gt;x&lt;/b&gt; !<a href="https://example.org/z.png" rel="noreferrer">y</a></p>\\n'
    """
    html = _markdown().render(body)
    if body.strip() in _ours():  # in whatever language the page around them is
        html = f'<div lang="en">\n{html}</div>\n'
    safe: SafeString = mark_safe(html)  # noqa: S308 - html is off, texts are escaped
    return safe


def read_in(body: str) -> str:
    """The language in which the reader of this page has them: "" for a researcher's own text."""
    start, language = _ours().get(body.strip()), get_language()
    if not start:
        return ""
    return language if language and _translated(start, language) else "en"


@dataclass(frozen=True)
class Part:
    """Words of a changed line: ``gone``, ``new``, or as before (``same``)."""

    text: str
    kind: str


def changes_of(before: str, after: str) -> list[list[Part]]:
    """The lines that differ between two versions of the instructions, in their order. A line that is worded
    differently shows its words that went and came; what is another line altogether is gone, or new.

    >>> changes_of("Read.\\nBe quick.", "Read.\\nDo not be quick.")
    [[Part(text='Be', kind='gone'), Part(text='Do not be', kind='new'), Part(text='quick.', kind='same')]]
    """
    old, new = _lines(before), _lines(after)
    found: list[list[Part]] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        together = min(b - a, d - c)
        for gone, come in zip(old[a : a + together], new[c : c + together], strict=True):
            found += _reworded(gone, come)
        found += [[Part(line, "gone")] for line in old[a + together : b]]
        found += [[Part(line, "new")] for line in new[c + together : d]]
    return found


def _reworded(gone: str, come: str) -> list[list[Part]]:
    old, new = gone.split(), come.split()
    compared = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if compared.ratio() < _ALIKE:
        return [[Part(gone, "gone")], [Part(come, "new")]]
    parts = []
    for tag, a, b, c, d in compared.get_opcodes():
        if tag == "equal":
            parts.append(Part(" ".join(old[a:b]), "same"))
            continue
        parts += [Part(" ".join(old[a:b]), "gone")] if b > a else []
        parts += [Part(" ".join(new[c:d]), "new")] if d > c else []
    return [parts]


def _lines(body: str) -> list[str]:
    return [line.strip() for line in body.splitlines() if line.strip()]


def instructions_of(body: str) -> SafeString:
    """What an annotator reads. Instructions that are still as a campaign begins come in the reader's
    language, where they are translated, with the English ones, which are in force, folded below."""
    start, language = _ours().get(body.strip()), get_language()
    translated = start and language and _translated(start, language)
    if not translated:
        return blocks_of(body)
    summary = _("The English text, which counts")
    return format_html("{}<details><summary>{}</summary>{}</details>", translated, summary, blocks_of(body))


@cache
def _translated(start: _Start, language: str) -> SafeString | None:
    """A starting text in another language, its examples marked as English; None where there is none."""
    if not (_FOLDER / language / f"{start.name}.txt").exists():
        return None
    html = _markdown().render(_text_of(start, language))
    # No text of a user's: it is in a file beside this one.
    return mark_safe(_EXAMPLE.sub('<li dir="auto" lang="en" translate="no">', html))  # noqa: S308


@cache
def _ours() -> dict[str, _Start]:
    """The texts to start from, as they are. A researcher's own may be in any language."""
    plain = {path.stem for path in _FOLDER.glob("*.txt")} - {_CREATION, _THREE}
    starts = [
        *(_Start(name) for name in plain),
        *(_Start(_CREATION, phrases=number) for number in range(1, _MOST_PHRASES + 1)),
        _Start(_THREE, open=NEUTRAL),
    ]
    # Campaigns began so once, with words that fit two of the three buttons.
    before = {_text_of(_Start(_THREE, open=NON_ENTAILMENT)): _Start(_THREE, open=NEUTRAL)}
    return before | {_text_of(start): start for start in starts}


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block", "html_inline"])
    markdown.validateLink = lambda url: bool(_LINK.match(url))  # type: ignore[method-assign]
    markdown.core.ruler.push("polarlab", _adapt)
    markdown.add_render_rule("text", _text)
    return markdown


def _adapt(state: StateCore) -> None:
    """The page has its h1: headings begin a step below it. The direction of each block is its text's."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
        if token.type in _BLOCKS:
            token.attrSet("dir", "auto")
        for child in token.children or []:
            if child.type == "link_open":
                child.attrSet("rel", "noreferrer")


def _text(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Mapping[str, Any], env: Any
) -> str:
    return _BRACKETS.sub(r'<span class="blank">\1</span>', escapeHtml(tokens[index].content))
