"""What a part's category says of its words: which word makes it, what complement it is."""

from __future__ import annotations

from natlog.lexicon.word_lists import word_list
from natlog.parsing.ccg.categories import Functor, is_atom, is_verb_phrase, spine, target
from natlog.parsing.ccg.combinators import Rule
from natlog.parsing.ccg.parts import Part
from natlog.tree import Tree

DETERMINER_TAGS = frozenset({"DT", "PDT", "PRP$", "WP$", "CD", "POS"})
EXCEPTABLE = frozenset({"every", "no", "any"})
"""The operators that a *but* after their noun phrase makes an exception from (every boy but John)."""
REASONS = word_list("reasons")
"""Words whose clause stands outside the negation of the clause that it follows."""

_VERBAL = {"to": "to", "b": "to", "ng": "ing"}


def lexical_functor(part: Part) -> Part:
    """The word whose category makes the part what it is."""
    *_, word = part.descend(_towards_functor)
    return word


def _towards_functor(part: Part) -> Part:
    if part.is_coordination or part.rule in (Rule.PUNCTUATION, Rule.CONJUNCT):
        return part.argument
    return part.argument if part.functor.is_modifier or part.functor.is_raised else part.functor


def underlying(part: Part) -> Part:
    r"""The part below unary rules: of a reduced relative ``N\N``, the infinitive ``S[to]\NP`` that it is."""
    return next(inner for inner in part.walk() if len(inner.children) != 1)


def is_phrase(part: Part) -> bool:
    """Whether a part with target ``S`` is a modifier or on the way to one (*in*, *quickly*), not a clause."""
    return any(isinstance(inner, Functor) and inner.is_modifier for inner in spine(part.category))


def awaits_object(part: Part) -> bool:
    """Whether these are conjoined clauses that have their subjects and wait for an object (``S/NP``)."""
    category = part.category
    if not part.is_coordination or not isinstance(category, Functor):
        return False
    return is_atom(category.result, "S") and category.slash == "/"


def embeds_question(word: Part) -> bool:
    """Whether a word makes an embedded question (``S[qem]``), as *whether* and *who* do."""
    return target(word.category).feature == "qem"


def complement_names(complement: Part) -> tuple[str, ...]:
    """The names that ``operators.toml`` has for a complement of this category."""
    category = complement.category
    if is_verb_phrase(category):
        name = _VERBAL.get(target(category).feature)
        return (name,) if name else ()
    if is_atom(category, "S"):
        return ("that",)
    return ("object",) if complement.is_nominal else ()


def preposition_of(part: Part, tree: Tree) -> str:
    """The preposition of a prepositional phrase (argument or modifier), or the empty string."""
    if is_verb_phrase(part.category) or is_atom(part.category, "S"):
        return ""
    word = lexical_functor(part)
    if word is part or word.start != part.start or tree.tokens[word.start].tag not in ("IN", "TO"):
        return ""
    return tree.tokens[word.start].word


def takes_clause(word: Part) -> bool:
    """Whether a word's category asks for a clause, as a conjunction's does."""
    return any(isinstance(part, Functor) and is_atom(part.argument, "S") for part in spine(word.category))
