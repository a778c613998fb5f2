"""XML read into plain elements that know their line, within bounds and without entities.

Derivation files come from other people's parsers, so they are read through ``defusedxml`` (no entity
expansion, no external references) and within fixed bounds.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from natlog.parsing.ccg.errors import DerivationError

MAX_CHARACTERS = 64 * 1024 * 1024
MAX_ELEMENTS = 2_000_000
MAX_DEPTH = 400


@dataclass(slots=True)
class Element:
    """An XML element without its text: derivations are all attributes and nesting."""

    tag: str
    line: int
    attributes: Mapping[str, str]
    children: list[Element] = field(default_factory=list)

    def get(self, *names: str) -> str:
        """The first of the named attributes that is present, or the empty string."""
        for name in names:
            if name in self.attributes:
                return self.attributes[name]
        return ""

    def walk(self) -> Iterator[Element]:
        """The element and everything below it, in document order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def below(self, tag: str) -> list[Element]:
        """Every element of this tag below."""
        return [element for element in self.walk() if element.tag == tag and element is not self]


class _Builder(ContentHandler):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0
        self.locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:
        self.locator = locator

    def startElement(self, name: str, attrs: Any) -> None:
        line = self.locator.getLineNumber() if self.locator else 0
        self.count += 1
        if self.count > MAX_ELEMENTS or len(self.open) >= MAX_DEPTH:
            what = "elements" if self.count > MAX_ELEMENTS else "levels of nesting"
            bound = MAX_ELEMENTS if self.count > MAX_ELEMENTS else MAX_DEPTH
            raise DerivationError(self.source, line, f"<{name}>", f"more than {bound} {what}")
        element = Element(name, line, dict(attrs.items()))
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def endElement(self, name: str) -> None:
        self.open.pop()


def read_elements(text: str, source: str) -> Element:
    """The root element of an XML text.

    Raises DerivationError for malformed XML, for entity declarations, and beyond the bounds.
    """
    import defusedxml.sax
    from defusedxml.common import DefusedXmlException

    if len(text) > MAX_CHARACTERS:
        raise DerivationError(source, 0, "file", f"more than {MAX_CHARACTERS} characters")
    builder = _Builder(source)
    parser = defusedxml.sax.make_parser()
    parser.setContentHandler(builder)
    try:
        # As characters: the text is decoded already, whatever its declaration says
        parser.parse(io.StringIO(text))
    except SAXParseException as error:
        raise DerivationError(source, error.getLineNumber() or 0, "XML", error.getMessage()) from None
    except DefusedXmlException as error:
        raise DerivationError(source, 0, "XML", f"refused: {type(error).__name__}") from None
    if builder.root is None:
        raise DerivationError(source, 0, "XML", "no element")
    return builder.root
