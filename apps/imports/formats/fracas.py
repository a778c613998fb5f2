"""FraCaS in MacCartney's XML: 346 problems with one to five premises (Cooper et al. 1996).

The problems without a hypothesis are listed as left out. An answer ``undef`` is no label: the pair comes
in without one, and its note says why. The genre is the section's title, the tag the subsection's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.corpora.sources import FileProblem, Source
from apps.imports.rows import LONGEST_TAG, LeftOut, PairRow

KEY = "fracas"
SOURCE = "FraCaS (Cooper et al. 1996), problem %s"
# A problem has some hundred characters; a file of one endless element ends here.
LONGEST_ELEMENT = 100_000
CHUNK = 16 * 1024
DEEPEST = 20
_LABELS = {"yes": "entailment", "no": "contradiction", "unknown": "neutral", "undef": ""}


class _Problems:
    """Receives the parser's events and collects finished problems in ``found``."""

    def __init__(self) -> None:
        self.found: list[PairRow | RowError | LeftOut] = []
        self.parser: Any = None
        self.number = 0
        self.depth = 0
        self._problem: dict[str, Any] | None = None
        self._section = self._subsection = ""
        self._comment = ""
        self._text: list[str] = []
        self._length = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise FileProblem(_("elements stand within elements too deep"), self._line())
        if self.depth == 1 and tag != "fracas-problems":
            raise FileProblem(
                _("this XML is not FraCaS: its element is “%(tag)s”") % {"tag": tag[:60]}, self._line()
            )
        if tag == "problem":
            self.number += 1
            self._problem = {"line": self._line(), "attributes": attributes, "premises": [], "note": []}
        self._comment = attributes.get("class", "") if tag == "comment" else ""
        self._clear()

    def data(self, text: str) -> None:
        self._length += len(text)
        if self._length > LONGEST_ELEMENT:
            raise FileProblem(
                _("an element has more than %(n)d characters") % {"n": LONGEST_ELEMENT}, self._line()
            )
        self._text.append(text)

    def end(self, tag: str) -> None:
        self.depth -= 1
        text = " ".join("".join(self._text).split())
        if tag == "comment" and self._comment in ("section", "subsection"):
            # "1.2 Monotonicity (upwards …)" is known by its title.
            title = text.partition(" ")[2] or text
            if self._comment == "section":
                self._section, self._subsection = title.lower(), ""
            else:
                self._subsection = title
        elif self._problem is not None:
            if tag == "p":
                self._problem["premises"].append(text)
            elif tag in ("h", "q", "a"):
                self._problem[tag] = text
            elif tag in ("note", "why") and text:
                self._problem["note"].append(text)
            elif tag == "problem":
                self.found.append(self._finished(self._problem))
                self._problem = None
        self._clear()

    def close(self) -> None:
        """Nothing is left to do."""

    def _clear(self) -> None:
        self._text, self._length = [], 0

    def _line(self) -> int:
        return int(self.parser.parser.CurrentLineNumber)

    def _finished(self, problem: dict[str, Any]) -> PairRow | RowError | LeftOut:
        line, attributes = problem["line"], problem["attributes"]
        hypothesis = problem.get("h", "")
        if not hypothesis:
            return LeftOut(
                self.number, line, _("problem %(id)s has no hypothesis") % {"id": attributes.get("id", "–")}
            )
        answer = attributes.get("fracas_answer", "")
        if answer not in _LABELS:
            message = _("“%(found)s” is none of yes, no, unknown, undef") % {"found": answer[:60]}
            return RowError(self.number, line, "fracas_answer", message)
        facts: dict[str, Any] = {"id": attributes.get("id", ""), "fracas_answer": answer}
        if note := " ".join(problem["note"]):
            facts["note"] = note
        if attributes.get("fracas_nonstandard") == "true":
            facts["nonstandard"] = True
        if question := problem.get("q"):
            facts["question"] = question
        return PairRow(
            self.number,
            line,
            tuple(problem["premises"]),
            hypothesis,
            label=_LABELS[answer],
            genre=self._section,
            tags=(self._subsection[:LONGEST_TAG],) if self._subsection else (),
            source=SOURCE % attributes.get("id", "–"),
            facts=facts,
        )


def read(source: Source) -> Iterator[PairRow | RowError | LeftOut]:
    """The problems of an XML file as it is read. Raises FileProblem where it is no FraCaS."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    problems = _Problems()
    parser = DefusedXMLParser(target=problems)
    problems.parser = parser
    try:
        while chunk := source.stream.read(CHUNK):
            parser.feed(chunk)
            yield from problems.found
            problems.found.clear()
        parser.close()
    except DefusedXmlException as error:
        raise FileProblem(_("entities are not taken (%(error)s)") % {"error": type(error).__name__}) from None
    except ParseError as error:
        raise FileProblem(
            _("no well-formed XML: %(error)s") % {"error": error.msg}, error.position[0]
        ) from None
    except (ValueError, LookupError) as error:
        if isinstance(error, FileProblem):
            raise
        raise FileProblem(_("no well-formed XML: %(error)s") % {"error": error}) from None
    yield from problems.found
