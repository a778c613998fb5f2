"""Jigg XML (Noji and Miyao 2016), as Jigg, ccg2lambda and depccg (``--format jigg_xml``) write it.

A ``<sentence>`` holds ``<tokens>`` and one ``<ccg>`` or more (the best first); a ``<ccg>`` is a flat list
of ``<span>``, which name their parts (``child``, or ``children`` in Jigg's own files) or their word
(``terminal``), and their category (``category``, or ``symbol``).
"""

from __future__ import annotations

from natlog.parsing.ccg.derivation import MAX_DEPTH, Branch, Derivation, Leaf
from natlog.parsing.ccg.elements import Element
from natlog.parsing.ccg.errors import DerivationError


def derivation_elements(root: Element) -> list[Element]:
    """Every ``<sentence>``, in the file's order."""
    return [element for element in root.walk() if element.tag == "sentence"]


def read_derivation(sentence: Element, source: str) -> Derivation:
    """The first derivation of a ``<sentence>``. Raises DerivationError."""
    derivations = sentence.below("ccg")
    if not derivations or not derivations[0].children:
        raise DerivationError(source, sentence.line, "<sentence>", "no derivation (the parser failed)")
    return _Reader(sentence, derivations[0], source).read()


class _Reader:
    def __init__(self, sentence: Element, derivation: Element, source: str) -> None:
        self.source = source
        self.derivation = derivation
        self.tokens = {token.get("id"): token for token in sentence.below("token")}
        self.spans = {span.get("id"): span for span in derivation.below("span")}
        self.left = len(self.spans)

    def read(self) -> Derivation:
        root = self.derivation.get("root")
        if not root:
            raise DerivationError(self.source, self.derivation.line, "<ccg>", "no root attribute")
        return self.part(root, self.derivation, 0)

    def part(self, name: str, parent: Element, depth: int) -> Derivation:
        span = self.spans.get(name)
        if span is None:
            raise DerivationError(self.source, parent.line, f"<{parent.tag}>", f"no span has the id {name!r}")
        # Each span is used once: a span that is its own ancestor, or shared, would never end
        self.left -= 1
        if depth > MAX_DEPTH or self.left < 0:
            raise DerivationError(self.source, span.line, f"span {name}", "spans don't form a tree")
        category = span.get("category", "symbol")
        names = span.get("child", "children").split()
        if names:
            children = tuple(self.part(child, span, depth + 1) for child in names)
            return Branch(category, children, span.line)
        token = self.tokens.get(span.get("terminal"))
        if token is None:
            problem = (
                f"no token has the id {span.get('terminal')!r}"
                if span.get("terminal")
                else "no part and no word"
            )
            raise DerivationError(self.source, span.line, f"span {name}", problem)
        return Leaf(
            word=token.get("surf", "form"),
            category=category or token.get("cat"),
            line=span.line,
            lemma=token.get("base", "lemma"),
            tag=token.get("pos"),
        )
