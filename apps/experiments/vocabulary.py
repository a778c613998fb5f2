"""What can stand in the columns of a testbed's rows, so that a misspelt value of a condition is told of.

Asked is the testbed, not what was drawn of it: a rare value can be missing from a small pool by chance.
Columns that hold sentences, formulas and numbers of inferences are open, and not here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from django.utils.translation import gettext as _

from apps.experiments.plans import CONDITION, Protocol
from apps.experiments.toml_values import ProtocolError
from natlog.fragments import embedding, sygns, systematicity, transitivity
from natlog.fragments.grammar import load

NOTHING = "-"


@cache
def values_of(testbed: str) -> Mapping[str, frozenset[str]]:
    """The values of each closed column, one part where a row has several (``;`` between them). None of a
    testbed that there is not."""
    known = {
        systematicity.NAME: _systematicity,
        transitivity.NAME: _transitivity,
        sygns.NAME: _sygns,
    }
    found = known[testbed]() if testbed in known else {}
    return {column: frozenset(values) for column, values in found.items()}


def values_check(protocol: Protocol) -> None:
    """Every value that a condition names, by itself or through a list, can stand in a row of its set. Of a
    role, and of a set that is made of another one's pairs, the rows alone tell. Raises
    :class:`ProtocolError` with the set, the column and the value."""
    for name, each in protocol.sets.items():
        _where_check(f"{protocol.key}, sets.{name}", protocol, name, each.where)
    plans = [
        *((_("training “%(name)s”") % {"name": plan.name}, plan.on) for plan in protocol.trainings.values()),
        *((_("test “%(name)s”") % {"name": plan.name}, plan.on) for plan in protocol.tests),
    ]
    for told, on in plans:
        for number, selection in enumerate(on, 1):
            place = _("selection %(number)d") % {"number": number}
            _where_check(f"{protocol.key}, {told}, {place}", protocol, selection.set, selection.where)


def _where_check(place: str, protocol: Protocol, name: str, where: Mapping[str, Sequence[str]]) -> None:
    of = protocol.sets[name]
    if not of.testbed or of.source:
        return
    for column, there in values_of(of.testbed).items():
        for condition in where.get(column, ()):
            match = CONDITION.fullmatch(condition)
            # A list is in another order for each seed, so that any of it can come to any place.
            listed = protocol.shuffled.get(match["name"]) if match else None
            for value in listed or [condition]:
                if value not in there:
                    said = {"set": name, "value": value, "column": column, "known": ", ".join(sorted(there))}
                    if match and listed:
                        reason = _(
                            "no row of the set “%(set)s” can have “%(value)s” (of the list “%(list)s”) "
                            "in its column “%(column)s”; there are: %(known)s"
                        )
                        raise ProtocolError(place, reason % {**said, "list": match["name"]})
                    reason = _(
                        "no row of the set “%(set)s” can have “%(value)s” in its column “%(column)s”; "
                        "there are: %(known)s"
                    )
                    raise ProtocolError(place, reason % said)


def _systematicity() -> dict[str, set[str]]:
    grammar = load(systematicity.NAME)
    quantifiers = {*systematicity.UPWARD, *systematicity.DOWNWARD}
    added = ("NHYP.sg", "NHYP.pl", "ADJ", "PP", "RELC", "ADV", "IV2")
    return {
        "split": {"train", "test"},
        "depth": set(map(str, systematicity.DEPTHS)),
        "variant": set(systematicity.VARIANTS),
        "gold_label": {"entailment", "non-entailment"},
        "direction": {"upward", "downward"},
        "quantifiers": quantifiers,
        "quantifier": quantifiers,
        "directions": {"up", "down"},
        "embedding": {"peripheral", "center", "bare center", NOTHING},
        "relatives": {"that", "which", "0", NOTHING},
        "replacement": {f"r{number}" for number in range(1, 8)},
        "argument": {"first", "second"},
        "item": {word for category in added for word in grammar.words(category)},
    }


def _transitivity() -> dict[str, set[str]]:
    three_way = {"entailment", "neutral", "contradiction"}
    frames = (embedding.someone(), *embedding.templates())
    return {
        "kind": {"s1-s2", "f(s1)-s1", "f(s1)-s2"},
        "gold_label": {"entailment", "non-entailment"},
        "three_way": three_way,
        "tense": set(embedding.TENSES),
        "connectives": set(map(str, transitivity.DEPTHS)),
        "verb": {NOTHING, *(verb.lemma for verb in embedding.verbs())},
        "verb_type": {NOTHING, "V", "NV"},
        "template": {NOTHING, *(frame.text for frame in frames)},
        "base_label": three_way,
    }


def _sygns() -> dict[str, set[str]]:
    entries = load(sygns.NAME).entries
    of_quantifiers = [found for category, found in entries.items() if category.startswith("Q.")]
    return {
        "depth": set(map(str, sygns.DEPTHS)),
        "quantifiers": {sygns.NOTHING, *(entry.words[0] for found in of_quantifiers for entry in found)},
        "modifiers": {sygns.NOTHING, "ADJ", "ADV", "CON"},
        "negation": {"yes", "no"},
        "embedding": {sygns.NOTHING, "PER", "CEN"},
    }
