"""From the relations at the places of a sentence to the relation of the sentences.

Places form a tree: under the sentence its outermost operators, under each of their arguments the next
ones. At every operator the relations of its arguments and its own replacement give one relation above
it, by the quantifier algebra where the operator is a determiner and by its sign where it is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from natlog.calculus.contexts import Operator, OperatorPair, Place
from natlog.calculus.quantifiers import Quantifier, compare, quantifier
from natlog.calculus.relations import SetRelation, intersect
from natlog.tree import Polarity

BARE = quantifier("some")


@dataclass(frozen=True, slots=True)
class Change:
    """A relation at a place; with ``pair`` set, that operator's replacement, addition or loss there."""

    place: Place
    relation: SetRelation
    pair: int | None = None


@dataclass(frozen=True, slots=True)
class Projection:
    """What projection needs to know: the operator pairs and the switches of the calculus."""

    pairs: list[OperatorPair]
    existential_import: bool = True
    coreference: bool = True
    exact_numerals: bool = False

    def relation(self, changes: list[Change]) -> SetRelation:
        """The relation of the premise to the hypothesis."""
        here: list[SetRelation] = []
        below: dict[int, list[Change]] = {}
        for change in changes:
            if change.place:
                below.setdefault(change.place[0][0], []).append(change)
            elif change.pair is not None:
                below.setdefault(change.pair, [])
            else:
                here.append(change.relation)
        here += [self.through(self.pairs[index], inside) for index, inside in below.items()]
        return intersect(here)

    def through(self, pair: OperatorPair, changes: list[Change]) -> SetRelation:
        """The relation above an operator, from the changes inside its arguments."""
        arguments: dict[str, list[Change]] = {}
        for change in changes:
            inner = Change(change.place[1:], change.relation, change.pair)
            arguments.setdefault(change.place[0][1], []).append(inner)
        relations = {name: self.relation(inside) for name, inside in arguments.items()}
        if pair.premise and pair.hypothesis and not pair.changed:
            return self._unchanged(pair, relations)
        if pair.either.negates and not (pair.premise and pair.hypothesis):
            inside = intersect(relations.values())
            return inside.of_complement() if pair.premise else inside.against_complement()
        return self._changed(pair, relations)

    def _unchanged(self, pair: OperatorPair, relations: dict[str, SetRelation]) -> SetRelation:
        operator = pair.either
        if operator.negates:
            inside = intersect(relations.values())
            return _negated(inside)
        effects = pair.effects()
        moved = [relation.under(effects.get(name, Polarity.UP)) for name, relation in relations.items()]
        found = intersect(moved)
        one = self._quantifier(operator)
        if found is SetRelation.INDEPENDENT and one is not None:
            # Containment is the convention's to grant; that two scopes exclude each other is not in a sign.
            compared = self._compare(one, one, relations)
            return compared if compared.excludes else found
        return found

    def _changed(self, pair: OperatorPair, relations: dict[str, SetRelation]) -> SetRelation:
        operator = pair.either
        if pair.premise and pair.hypothesis and {pair.premise.id, pair.hypothesis.id} == {"if", "unless"}:
            return self._without_negation(pair.premise.id == "unless", relations)
        alone = not (pair.premise and pair.hypothesis)
        if alone and self._quantifier(operator) is None and self._harmless(operator):
            return intersect(relations.values())
        one = self._quantifier(pair.premise) if pair.premise else BARE
        two = self._quantifier(pair.hypothesis) if pair.hypothesis else BARE
        if one is None or two is None:
            return SetRelation.INDEPENDENT
        return self._compare(one, two, relations)

    @staticmethod
    def _without_negation(first: bool, relations: dict[str, SetRelation]) -> SetRelation:
        """*unless* A is *if not* A; ``first`` says that the premise has it."""
        inside = relations.get("argument", SetRelation.EQUAL)
        inside = inside.of_complement() if first else inside.against_complement()
        return intersect([inside.under(Polarity.DOWN), relations.get("main", SetRelation.EQUAL)])

    @staticmethod
    def _harmless(operator: Operator) -> bool:
        """Whether an added or dropped operator leaves what it is put before as it was (even, to manage)."""
        return all(sign is Polarity.UP for _, sign in operator.effects)

    def _compare(self, one: Quantifier, two: Quantifier, relations: dict[str, SetRelation]) -> SetRelation:
        if self.coreference and _refers(one) and _refers(two):
            together = intersect(relations.values())
            if together.excludes and relations.get("first") is not SetRelation.INDEPENDENT:
                return SetRelation.ALTERNATION
        first = relations.get("first", SetRelation.EQUAL)
        second = intersect(relation for name, relation in relations.items() if name != "first")
        return compare(one, two, first, second, self.existential_import)

    def _quantifier(self, operator: Operator) -> Quantifier | None:
        effects = dict(operator.effects)
        if not operator.surface:
            return quantifier("every" if effects.get("first") is Polarity.DOWN else "some")
        if operator.id == "possessive":
            return quantifier("the")
        exact = self.exact_numerals or all(effects.get(name) is Polarity.FLAT for name in ("first", "number"))
        return quantifier(operator.surface, exact)


@lru_cache(maxsize=1024)
def _refers(quantifier: Quantifier) -> bool:
    """Whether a noun phrase with this determiner introduces what a second sentence may speak of again."""
    return not quantifier.holds(0, 99) and any(
        quantifier.holds(n, rest) for n in range(1, 100) for rest in (0, 1)
    )


def _negated(relation: SetRelation) -> SetRelation:
    """The relation of two complements, from that of the sets."""
    return {
        SetRelation.FORWARD: SetRelation.REVERSE,
        SetRelation.REVERSE: SetRelation.FORWARD,
        SetRelation.ALTERNATION: SetRelation.COVER,
        SetRelation.COVER: SetRelation.ALTERNATION,
    }.get(relation, relation)
