"""What a chat model is asked: templates, examples, and the messages of one pair.

A template is immutable: a shipped one is a numbered file in ``templates/``, one's own is its text. A model
is registered with the text itself, so its fingerprint names it whatever becomes of the files.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "templates"
OWN = "own"
_PLACES = re.compile(r"\{(premise|hypothesis)\}")

Message = dict[str, str]


@dataclass(frozen=True)
class Template:
    """``answers`` are the words that stand for the labels, ``forms`` the sentence that ends the instructions,
    by the form of the answer (``word``, ``json``)."""

    name: str
    version: int
    system: str
    user: str
    answers: Mapping[str, str]
    forms: Mapping[str, str]

    @property
    def labels(self) -> list[str]:
        return list(self.answers)

    @property
    def sha256(self) -> str:
        """Of the text with its words, whatever the name: what two templates agree in that ask the same."""
        asked = [self.system, self.user, sorted(self.answers.items()), sorted(self.forms.items())]
        return hashlib.sha256(json.dumps(asked, ensure_ascii=False).encode()).hexdigest()

    def stored(self) -> dict[str, Any]:
        return {**asdict(self), "sha256": self.sha256}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Template:
        return cls(**{key: value for key, value in stored.items() if key != "sha256"})

    def reworded(self, *, system: str = "", user: str = "") -> Template:
        """One's own wording, with the labels and the words for them as they are here."""
        if not (system or user):
            return self
        return replace(self, name=OWN, version=1, system=system or self.system, user=user or self.user)


@dataclass(frozen=True)
class Shot:
    """An example in the prompt: a pair and its (canonical) label; ``digest`` is the pair's."""

    premise: str
    hypothesis: str
    label: str
    digest: str


def lacking(user: str) -> list[str]:
    """The places that a text has not.

    >>> lacking("{premise} So: hypothesis?")
    ['{hypothesis}']
    """
    return [place for place in ("{premise}", "{hypothesis}") if place not in user]


def filled(text: str, premise: str, hypothesis: str) -> str:
    """A sentence that itself holds a place is left as it is.

    >>> filled("{premise} / {hypothesis}", "A {hypothesis}.", "B.")
    'A {hypothesis}. / B.'
    """
    return _PLACES.sub(lambda place: premise if place[1] == "premise" else hypothesis, text)


def messages_of(
    template: Template, form: str, shots: Sequence[Shot], premise: str, hypothesis: str
) -> list[Message]:
    """What the server is sent for a pair: instructions, examples with their answers, the pair."""
    asked: list[Message] = [{"role": "system", "content": f"{template.system} {template.forms[form]}"}]
    for shot in shots:
        asked.append({"role": "user", "content": filled(template.user, shot.premise, shot.hypothesis)})
        asked.append({"role": "assistant", "content": said(template.answers[shot.label], form)})
    asked.append({"role": "user", "content": filled(template.user, premise, hypothesis)})
    return asked


def said(word: str, form: str) -> str:
    """A word as an answer of this form.

    >>> said("no", "json")
    '{"answer": "no"}'
    """
    return json.dumps({"answer": word}) if form == "json" else word


@lru_cache(maxsize=1)
def shipped() -> dict[str, Template]:
    """The templates that come with the program, by name and number.

    >>> list(shipped())
    ['three-way-1', 'two-way-1']
    >>> shipped()["two-way-1"].labels
    ['entailment', 'non-entailment']
    """
    found = {}
    for path in sorted(FOLDER.glob("*.toml")):
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        texts = {"system": read.pop("system").strip(), "user": read.pop("user").strip()}
        found[path.stem] = Template(**read, **texts)
    return found
