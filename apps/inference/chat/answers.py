"""What a chat model's answer comes to: a label with scores, or the reason why it is none. Nothing is guessed.

The label is the first word of the answer, or the one value of its JSON. Scores are the probabilities of the
token with which the label begins, summed over the tokens that begin the same label's word, and normalised
over the labels; tokens that the server doesn't list count nothing. Without probabilities the score is 1 for
the label that was said and there is none for the others, so that nobody takes it for a probability.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from apps.datasets.labels import SPELLINGS

REFUSED, UNREADABLE, CUT = "refused", "unreadable", "cut"
# The way of reading is part of a model, as what it is asked is: a change of it is the next number.
READING = 1

_KEYS = ("answer", "label")
_WORD = re.compile(r"[^\W\d_]+(?:[-_'’][^\W\d_]+)*")
# What some models print of their thinking, before the answer.
_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_REFUSALS = (
    "i'm sorry",
    "i am sorry",
    "sorry,",
    "i can't",
    "i cannot",
    "i'm unable",
    "i am unable",
    "as an ai",
)


@dataclass(frozen=True)
class Alternative:
    """A token that could have stood in a place, and the logarithm of its probability (natural)."""

    token: str
    logprob: float


@dataclass(frozen=True)
class Token:
    """A token of the answer with the alternatives that the server lists, itself among them."""

    text: str
    alternatives: Sequence[Alternative]


@dataclass(frozen=True)
class Reading:
    """``label`` is canonical and empty where ``problem`` says why there is none; ``has_probabilities`` says
    whether ``scores`` are the model's own."""

    label: str = ""
    scores: dict[str, float] = field(default_factory=dict)
    problem: str = ""
    has_probabilities: bool = False


def read_answer(
    text: str,
    *,
    form: str,
    words: Mapping[str, str],
    tokens: Sequence[Token] = (),
    refusal: str = "",
    finish: str = "",
) -> Reading:
    """``words`` has each label's word; ``finish`` is the server's reason why the answer ends.

    >>> words = {"entailment": "yes", "non-entailment": "no"}
    >>> read_answer("**No**, it does not.", form="word", words=words)
    Reading(label='non-entailment', scores={'non-entailment': 1.0}, problem='', has_probabilities=False)
    >>> read_answer("It depends.", form="word", words=words).problem
    'unreadable'
    """
    if refusal or finish == "content_filter":
        return Reading(problem=REFUSED)
    thinking = _THINKING.match(text)
    begin = thinking.end() if thinking else 0
    found = (_json_answer if form == "json" else _first_word)(text, begin)
    label = _label_of(found[0], words) if found else ""
    if found is None or not label:
        if finish == "length":
            return Reading(problem=CUT)
        is_refusal = text[begin:].strip().replace("’", "'").lower().startswith(_REFUSALS)
        return Reading(problem=REFUSED if is_refusal else UNREADABLE)
    scores = _scores(text, found[1], tokens, words)
    if scores and scores[label] > 0:
        return Reading(label, scores, has_probabilities=True)
    return Reading(label, {label: 1.0})


def _label_of(word: str, words: Mapping[str, str]) -> str:
    """The label whose word, or name, this is; empty if none."""
    word = word.strip().strip(".!\"'").lower()
    for label, own in words.items():
        if word == own.lower():
            return label
    named = SPELLINGS.get(word.replace(" ", "_"), "")
    return named if named in words else ""


def _first_word(text: str, begin: int) -> tuple[str, int] | None:
    """The first word, and where it begins."""
    found = _WORD.search(text, begin)
    return (found[0], found.start()) if found else None


def _json_answer(text: str, begin: int) -> tuple[str, int] | None:
    """The answer of the JSON in the text, and where it begins; None if there is none, or two that differ."""
    found = dict(_json_values(text, begin))
    return next(iter(found.items())) if len(found) == 1 else None


def _json_values(text: str, begin: int) -> Iterator[tuple[str, int]]:
    decoder = json.JSONDecoder()
    at = text.find("{", begin)
    while at >= 0:
        try:
            read, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        for key in _KEYS:
            if isinstance(read, dict) and isinstance(read.get(key), str):
                place = re.compile(rf'"{key}"\s*:\s*"').search(text, at, end)
                yield read[key], place.end() if place else at
                break
        at = text.find("{", end)


def _scores(text: str, at: int, tokens: Sequence[Token], words: Mapping[str, str]) -> dict[str, float]:
    """The probabilities of the labels, by the token in which position ``at`` of the text lies; empty without
    any."""
    whole = "".join(token.text for token in tokens)
    shift = whole.find(text) if text else -1
    if shift < 0:
        return {}
    end = 0
    for token in tokens:
        end += len(token.text)
        if end > at + shift:
            return _shares(token.alternatives, words)
    return {}


def _shares(alternatives: Sequence[Alternative], words: Mapping[str, str]) -> dict[str, float]:
    """
    >>> two = [Alternative(" Yes", math.log(0.6)), Alternative("no", math.log(0.2)), Alternative("n", -2000)]
    >>> _shares(two, {"entailment": "yes", "non-entailment": "no"})
    {'entailment': 0.75, 'non-entailment': 0.25}
    """
    masses = dict.fromkeys(words, 0.0)
    for alternative in alternatives:
        begun = re.sub(r"\A\W+|\W+\Z", "", alternative.token).lower()
        fitting = [label for label, word in words.items() if begun and word.lower().startswith(begun)]
        if len(fitting) == 1 and not math.isnan(alternative.logprob):
            masses[fitting[0]] += math.exp(min(alternative.logprob, 0.0))
    total = sum(masses.values())
    return {label: round(mass / total, 6) for label, mass in masses.items()} if total > 0 else {}
