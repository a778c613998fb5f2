"""Where the operators of a sentence stand in its CCG derivation.

Operators are found by their words, as on the dependency route, and then tied to the derivation: a
determiner to the noun phrase that its category makes, every other operator to its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from natlog.lexicon.operators import Match, Operator, OperatorIndex, load_operators
from natlog.lexicon.word_lists import word_list
from natlog.parsing.ccg.categories import Category, Functor, is_atom, spine, target
from natlog.parsing.ccg.combinators import Rule
from natlog.parsing.ccg.parts import Part, maximal_noun_phrase, saturated
from natlog.tree import Tree

_BEFORE_NUMERAL = frozenset({"DT", "PDT", "PRP$", "POS", "RB", "IN", "JJR", "RBR", "JJS", "RBS"})


@dataclass(frozen=True, slots=True)
class PlacedOperators:
    """The operators of a sentence.

    ``quantifiers``: the parts that determiners (and focus words, superlatives) stand in, each with these
    left to right; ``at``: the other operators, by each of their tokens; ``than``: the words that
    introduce a compared set (or, *nor*, go with a determiner), with the determiner that they belong to;
    ``predicates``: verbs, nouns and adjectives that sign a complement; ``by_id``: the operators that have
    no words of their own; ``predication``: the noun phrase that is to be read as subject and predicate.
    """

    quantifiers: Mapping[Part, tuple[Match, ...]]
    at: Mapping[int, Match]
    than: Mapping[int, Match]
    predicates: Mapping[int, tuple[Operator, ...]]
    by_id: Mapping[str, Operator]
    predication: Part | None


def place_operators(tree: Tree, root: Part, convention: str) -> PlacedOperators:
    """Find the operators of a tree's sentence and tie them to its parts."""
    operators = load_operators(convention)
    leaves = tuple(part for part in root.walk() if not part.children)
    predication = _predication(tree, root)
    at: dict[int, Match] = {}
    than: dict[int, Match] = {}
    quantifiers: dict[Part, list[Match]] = {}
    for match in _matches(tree, leaves, operators):
        if match.operator.kind in ("determiner", "modifier", "focus"):
            phrase = _quantified(tree, match, leaves, predication)
            if phrase is not None and _is_operator(tree, match, leaves, phrase):
                quantifiers.setdefault(phrase, []).append(match)
                _tie(match, leaves, tree, than)
                continue
            if match.operator.kind != "focus":
                continue
        at.update(dict.fromkeys(range(match.start, match.end), match))
    used = {index for matches in quantifiers.values() for m in matches for index in range(m.start, m.end)}
    predicates = {
        token.index: tuple(operators.predicates.get(token.lemma.lower(), ()))
        for token in tree.tokens
        if token.index not in used and token.index not in at
    }
    return PlacedOperators(
        quantifiers={
            phrase: tuple(sorted(found, key=lambda match: match.start))
            for phrase, found in quantifiers.items()
        },
        at=at,
        than=than,
        predicates={index: found for index, found in predicates.items() if found},
        by_id=operators.by_id,
        predication=predication,
    )


def _matches(tree: Tree, leaves: tuple[Part, ...], operators: OperatorIndex) -> list[Match]:
    """The operators found by their words, and those that a category or a tag shows."""
    found = operators.find([token.word for token in tree.tokens])
    taken = {index for match in found for index in range(match.start, match.end)}
    for token, leaf in zip(tree.tokens, leaves, strict=True):
        operator = None
        if token.tag == "POS" or token.category.endswith(r"N)\NP"):
            operator = operators.by_id.get("possessive")
        elif token.tag in ("JJS", "RBS") and target(leaf.category).name == "N":
            operator = operators.by_id.get("superlative")
        if operator is not None and token.index not in taken:
            found.append(Match(operator, token.index, token.index + 1, (token.word,), (0,)))
    found = [match for match in found if match.operator.kind not in ("idiom", "inversion", "correlative")]
    return [_disambiguated(match, leaves, operators) for match in found]


def _disambiguated(match: Match, leaves: tuple[Part, ...], operators: OperatorIndex) -> Match:
    """*Only* is a modifier of the noun after a determiner (*the only dog*), and a focus word elsewhere."""
    if match.form != ("only",):
        return match
    after_determiner = is_atom(target(leaves[match.start].category), "N") and match.start > 0
    operator = operators.by_id["superlative" if after_determiner else "only"]
    return Match(operator, match.start, match.end, match.form, match.slots)


def _is_operator(tree: Tree, match: Match, leaves: tuple[Part, ...], phrase: Part) -> bool:
    """Whether a determiner's words are one here: *each other*, *the most beautiful*, *the few* hold none."""
    words = [token.word for token in tree.tokens]
    before = words[match.start - 1] if match.start > phrase.start else ""
    after = words[match.end] if match.end < len(words) else ""
    single = words[match.start] if match.end - match.start == 1 else ""
    category = leaves[match.start].category
    if "than" in match.operator.signs:
        return _closing(match, leaves, tree) is not None
    if match.operator.id == "superlative" and tree.tokens[match.start].tag in ("JJS", "RBS"):
        earlier = tree.tokens[phrase.start : match.start]
        return any(token.word == "the" or token.tag in ("PRP$", "POS") for token in earlier)
    if match.operator.id == "numeral":
        previous = tree.tokens[match.start - 1] if match.start > phrase.start else None
        return previous is None or previous.tag in _BEFORE_NUMERAL
    if single in ("each", "every"):
        return after != "other"
    if single == "few":
        return before in ("", "not", "very", "so", "too")
    if single == "little":
        return tree.tokens[phrase.node.head].tag == "NN" and match.start == phrase.start
    if single in word_list("degree_determiners") and isinstance(category, Functor):
        return not isinstance(category.argument, Functor)
    return True


def _tie(match: Match, leaves: tuple[Part, ...], tree: Tree, than: dict[int, Match]) -> None:
    """Tie a comparing determiner to its *than* (or *as*), and *neither* to its *nor*."""
    closing = _closing(match, leaves, tree)
    if closing is not None:
        than[closing] = match


def _closing(match: Match, leaves: tuple[Part, ...], tree: Tree) -> int | None:
    if "than" in match.operator.signs:
        word = "as" if match.form[0] == "as" else "than"
    elif match.form == ("neither",):
        word = "nor"
    else:
        return None
    places = (leaf.start for leaf in leaves[match.end :] if tree.tokens[leaf.start].word == word)
    return next(places, None)


def _quantified(tree: Tree, match: Match, leaves: tuple[Part, ...], predication: Part | None) -> Part | None:
    """The noun phrase that a determiner quantifies, or None where its words are no determiner.

    The first of its words whose category makes a noun phrase says which: in C&C's derivations *At least
    three dogs bark* has *At least* on the sentence and only *three* on the noun.
    """
    for index in range(match.start, match.end):
        leaf = leaves[index]
        if not _is_prenominal(leaf.category):
            continue
        phrase = saturated(leaf)
        if phrase.is_nominal:
            if match.operator.id == "numeral" and _is_name(leaf):
                return None
            return _without_predicate(maximal_noun_phrase(phrase), phrase, predication)
    leaf = leaves[match.start]
    if match.operator.kind != "determiner":
        return None
    if leaf.is_modifier and "than" not in match.operator.signs and match.end - match.start == 1:
        return leaf if leaf.is_clausal and _stands_alone(leaf) else _around(tree, match, leaves)
    return _around(tree, match, leaves)


def _is_prenominal(category: Category) -> bool:
    r"""Whether a category begins a noun phrase: ``N``, ``NP/N``, ``(NP/N)\NP``, but not ``NP\NP``."""
    if target(category).name not in ("N", "NP"):
        return False
    functors = [part for part in spine(category) if isinstance(part, Functor)]
    return not functors or functors[-1].slash == "/"


def _is_name(leaf: Part) -> bool:
    """Whether a numeral names its noun phrase (*class 5*, *May 5*) rather than counts."""
    up = leaf.parent
    return is_atom(leaf.category, "N") and up is not None and len(up.children) == 2 and up.argument is leaf


def _without_predicate(maximal: Part, core: Part, predication: Part | None) -> Part:
    """The noun phrase without the predicate, where a fragment is read as subject and predicate."""
    if predication is None or not _contains(maximal, predication):
        return maximal
    return predication.argument if _contains(predication.argument, core) else maximal


def _contains(outer: Part, inner: Part) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _stands_alone(leaf: Part) -> bool:
    """Whether an adverb modifies what is beside it by itself (*nowhere*, a floating *all*)."""
    return leaf.parent is not None and leaf.parent.functor is leaf


def _around(tree: Tree, match: Match, leaves: tuple[Part, ...]) -> Part | None:
    """Where a determiner's category makes no noun phrase (a misparse): what it forms a constituent with."""
    if tree.tokens[match.start].tag not in ("DT", "PDT", "PRP$", "CD"):
        return None
    above = leaves[match.start].ascend()
    part = next(up for up in above if up.parent is None or up.end > match.end)
    return part if part.start == match.start and part.parent is not None else None


def _predication(tree: Tree, root: Part) -> Part | None:
    r"""The noun phrase of a full-stopped text that should be a clause, as C&C's *An Irishman won a prize.*

    A parser that takes the verb for a participle or a preposition gives ``NP → NP NP\NP``; a full stop
    says that the text is a sentence, so the lowest such pair with a verb in it is read as subject and
    predicate.
    """
    if not root.is_nominal or tree.tokens[-1].text not in (".", "!"):
        return None
    pairs = []
    for part in root.descend(_argument):
        functor = part.functor
        if part.rule is Rule.APPLICATION and functor.is_modifier and functor.start > part.start:
            pairs.append(part)
    verbal = [pair for pair in pairs if any(inner.is_clausal for inner in pair.functor.children)]
    found = verbal or pairs
    return found[-1] if found else None


def _argument(part: Part) -> Part:
    return part.argument
