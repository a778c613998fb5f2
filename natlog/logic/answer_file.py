"""Answers of a prover kept in a file between runs, one a line: engine, question and answer, with tabs."""

from __future__ import annotations

from pathlib import Path

from natlog.logic.decision import Answer

_ANSWERS: dict[str, Answer] = {"yes": "yes", "no": "no"}


class AnswerFile:
    """Reads what is there once and adds lines at the end; several processes may add to one file.

    A line that is no answer (cut off by a crash) is passed over: its question is asked again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[tuple[str, str], Answer] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").split("\n"):
                parts = line.split("\t")
                if len(parts) == 3 and parts[2] in _ANSWERS:
                    self._known[parts[0], parts[1]] = _ANSWERS[parts[2]]

    def get(self, engine: str, question: str) -> Answer | None:
        """The answer that this engine gave, or None."""
        return self._known.get((engine, question))

    def add(self, engine: str, question: str, answer: Answer) -> None:
        """Keep an answer; not where a quoted name would break the line."""
        if (engine, question) in self._known or "\n" in question or "\t" in question or "\r" in question:
            return
        self._known[engine, question] = answer
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{engine}\t{question}\t{answer}\n")
