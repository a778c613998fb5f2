"""C&C XML (Clark and Curran 2007), which depccg prints too (``--format xml``).

``<ccg>`` holds one derivation of nested ``<rule type cat>`` over ``<lf word lemma pos cat>``. Where
a sentence has several (the ``sentence`` attribute of depccg), the first and best is taken.
"""

from __future__ import annotations

from natlog.parsing.ccg.derivation import MAX_DEPTH, Branch, Derivation, Leaf
from natlog.parsing.ccg.elements import Element
from natlog.parsing.ccg.errors import DerivationError


def derivation_elements(root: Element) -> list[Element]:
    """One ``<ccg>`` for each sentence, in the file's order."""
    found = []
    seen = set()
    for element in root.walk():
        if element.tag != "ccg":
            continue
        sentence = element.get("sentence")
        if sentence and sentence in seen:
            continue
        seen.add(sentence)
        found.append(element)
    return found


def read_derivation(element: Element, source: str) -> Derivation:
    """The derivation in a ``<ccg>`` element. Raises DerivationError."""
    parts = [child for child in element.children if child.tag in ("rule", "lf")]
    if len(parts) != 1:
        problem = (
            "no derivation (the parser failed)"
            if not parts
            else f"{len(parts)} fragments, not one derivation"
        )
        raise DerivationError(source, element.line, "<ccg>", problem)
    return _read_part(parts[0], source, 0)


def _read_part(element: Element, source: str, depth: int) -> Derivation:
    if depth > MAX_DEPTH:
        raise DerivationError(source, element.line, "<rule>", f"more than {MAX_DEPTH} levels")
    if element.tag == "lf":
        return Leaf(
            word=element.get("word"),
            category=element.get("cat"),
            line=element.line,
            lemma=element.get("lemma"),
            tag=element.get("pos"),
        )
    if element.tag != "rule":
        raise DerivationError(source, element.line, f"<{element.tag}>", "expected <rule> or <lf>")
    children = tuple(_read_part(child, source, depth + 1) for child in element.children)
    return Branch(element.get("cat"), children, element.line)
