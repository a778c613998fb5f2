"""Clause-embedding verbs and the main clauses around them: f(s1) of the transitivity paper (section 3.2)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from natlog.lexicon.veridicality import Claim, signature

Tense = Literal["past", "present"]
TENSES: tuple[Tense, ...] = ("past", "present")
DATA = Path(__file__).with_name("embedding_verbs.toml")


@dataclass(frozen=True, slots=True)
class Verb:
    """A clause-embedding verb with its forms; veridical where "x V that p" says that p (Table 4)."""

    lemma: str
    past: str
    singular: str
    plural: str
    veridical: bool

    @property
    def kind(self) -> str:
        """V or NV, as in the paper's tables."""
        return "V" if self.veridical else "NV"


@dataclass(frozen=True, slots=True)
class Template:
    """A main clause: ``{f}`` is the verb's place, ``{s}`` the clause's."""

    text: str
    kind: str
    plural: bool

    def around(self, verb: Verb, tense: Tense, clause: str, stop: str = ".") -> str:
        """The sentence, ended by ``stop``. ``clause`` begins as it does in the middle of a sentence."""
        present = verb.plural if self.plural else verb.singular
        form = verb.past if tense == "past" else present
        return f"{self.text.format(f=form, s=clause.rstrip('.'))}{stop}"


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text("utf-8"))


@cache
def verbs() -> tuple[Verb, ...]:
    """The thirty verbs of Table 4; what they say of their clause is :mod:`natlog.lexicon.veridicality`'s."""
    found = []
    for line in _data()["verbs"]:
        lemma, past, singular, plural = line.split(" / ")
        known = signature(lemma, "that")
        found.append(Verb(lemma, past, singular, plural, known is not None and known.affirmed is Claim.SO))
    return tuple(found)


@cache
def someone() -> Template:
    """The main clause of the paper's data: "Someone f that s"."""
    data = _data()["someone"]
    return Template(data["text"], data["kind"], data["number"] == "pl")


@cache
def templates() -> tuple[Template, ...]:
    """The forty other main clauses, in the manner of Table 7."""
    return tuple(
        Template(text, item["kind"], item["number"] == "pl")
        for item in _data()["template"]
        for text in item["texts"]
    )


def composite(veridical: bool, base: str) -> str:
    """The label of f(s1) → s2 from f's kind and the label of s1 → s2 (Table 3).

    Where f is veridical it is the base's, a contradiction too; otherwise nothing follows.
    """
    return base if veridical else "neutral"


def two_way(label: str) -> str:
    """Entailment or non-entailment: how the paper's data, and exports, have a three-way label."""
    return label if label == "entailment" else "non-entailment"


def embedding_of(verb: Verb | None, template: Template | None) -> tuple[str, str, str]:
    """The fields verb, verb_type and template of a row; ``-`` where nothing is embedded."""
    if verb is None or template is None:
        return "-", "-", "-"
    return verb.lemma, verb.kind, template.text
