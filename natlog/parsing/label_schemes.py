"""Which pipelines natlog can read: their language, their components, and the labels these give.

Rules ask for the relations of one scheme and the tags of one tag set. A pipeline with others would be read
without an error and marked wrongly, so it is refused, with what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """A scheme of dependency relations; ``telling`` are relations that no other scheme here has."""

    name: str
    telling: frozenset[str]
    relations: frozenset[str]


CLEARNLP = LabelScheme(
    "ClearNLP",
    frozenset({"dobj", "pobj", "nsubjpass", "prep"}),
    # Those that a rule asks for by name; pipelines have some more.
    frozenset(
        {"ROOT", "acl", "acomp", "advcl", "advmod", "agent", "amod", "appos", "attr", "aux", "auxpass"}
        | {"cc", "ccomp", "compound", "conj", "dative", "det", "dobj", "expl", "mark", "neg", "nsubj"}
        | {"nsubjpass", "nummod", "oprd", "pcomp", "pobj", "poss", "predet", "prep", "prt", "punct"}
        | {"quantmod", "relcl", "xcomp"}
    ),
)
"""What spaCy's English pipelines give (Choi and Palmer 2012): the scheme that the rules are written for."""
UNIVERSAL = LabelScheme(
    "Universal Dependencies",
    frozenset({"obj", "obl", "nsubj:pass"}),
    frozenset({"root", "acl", "advcl", "advmod", "amod", "aux", "aux:pass", "case", "cop", "det", "iobj"})
    | frozenset({"mark", "nmod", "nsubj", "nsubj:pass", "obj", "obl", "xcomp"}),
)
SCHEMES = (CLEARNLP, UNIVERSAL)
LANGUAGE = "en"
COMPONENTS = ("tagger", "parser", "lemmatizer")
TAGS = frozenset(
    {"CC", "CD", "DT", "IN", "JJ", "MD", "NN", "NNS", "PRP", "RB", "TO", "VB", "VBD", "VBG", "VBN", "VBZ"}
)
"""Tags of the Penn Treebank by which its tag set is known."""


def scheme_of(relations: Sequence[str]) -> LabelScheme | None:
    """The scheme that a parser's relations are of, or None.

    >>> scheme_of(["nsubj", "obj", "obl"]).name
    'Universal Dependencies'
    """
    found = frozenset(relations)
    return next((scheme for scheme in SCHEMES if scheme.telling & found), None)


def refusal(meta: Mapping[str, Any]) -> str:
    """Why a pipeline can't be read, from its ``meta.json``; "" where it can.

    >>> refusal({"lang": "de", "pipeline": ["tagger", "parser"]})
    "it is for the language 'de'; natlog reads English ('en')"
    """
    if meta.get("lang") != LANGUAGE:
        return f"it is for the language {meta.get('lang')!r}; natlog reads English ({LANGUAGE!r})"
    disabled = meta.get("disabled") or ()
    present = [name for name in meta.get("pipeline") or () if name not in disabled]
    if absent := [name for name in COMPONENTS if name not in present]:
        return f"it has no {' and no '.join(absent)} (its components: {', '.join(present) or 'none'})"
    labels = meta.get("labels") or {}
    return _refused_relations(labels.get("parser") or ()) or _refused_tags(labels.get("tagger") or ())


def _refused_relations(relations: Sequence[str]) -> str:
    scheme = scheme_of(relations)
    if scheme is None:
        shown = ", ".join(sorted(relations)[:8]) or "none"
        return f"the relations of its parser are of no scheme that is known here ({shown})"
    missing = sorted(CLEARNLP.relations.difference(relations))
    if not missing:
        return ""
    return (
        f"the relations of its parser are those of {scheme.name}; natlog reads {CLEARNLP.name}'s, "
        f"and misses {', '.join(missing)}"
    )


def _refused_tags(tags: Sequence[str]) -> str:
    missing = sorted(TAGS.difference(tags))
    return f"its tagger lacks tags of the Penn Treebank: {', '.join(missing)}" if missing else ""
