"""Which phrases of a sentence may be dropped from it, or carried to another.

What is dropped or added must leave a sentence whose only difference is being more general or more
specific: adjectives that neither order, compare nor deny; clauses and phrases without pronouns that point
out of them; adverbs of manner, time and place. Operators are never touched.
"""

from __future__ import annotations

from natlog.generation.structure import ANAPHORS, Structure
from natlog.generation.wordlists import listed
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.word_lists import word_list
from natlog.lexicon.wordnet import wordnet
from natlog.lexicon.words import normal
from natlog.tree import Token

LONGEST_CLAUSE = 6
LONGEST_PHRASE = 4
COMPLEMENTS = frozenset(
    {"dobj", "dative", "ccomp", "xcomp", "acomp", "attr", "oprd", "nsubjpass", "advcl", "expl", "npadvmod"}
)

Phrase = tuple[str, ...]


def use_of_noun(structure: Structure, noun: Token) -> str:
    """How a noun is used, as far as number, countability and possession show it: plural, a (one of several),
    the, poss (my, Tom's), bare."""
    if structure.children(noun.index, "poss"):
        return "poss"
    if noun.tag == "NNS":
        return "plural"
    determiner = structure.determiner(noun.index)
    if determiner is None:
        return "bare"
    word = determiner.word
    if word in word_list("singular_quantifiers"):
        return "a"
    if word in word_list("mass_quantifiers"):
        return "bare"
    return "the"


def frame_of(structure: Structure, verb: Token, without: int | None = None) -> Phrase:
    """What a verb takes: its complements, particles and prepositions, in a fixed order; the token
    ``without`` left out."""
    found = []
    for child in structure.children(verb.index):
        if child.index == without:
            continue
        if child.dep in COMPLEMENTS:
            found.append(child.dep)
        elif child.dep in ("prt", "prep", "agent"):
            found.append(f"{child.dep}:{child.lemma.lower()}")
        elif child.dep in ("aux", "auxpass") and child.lemma.lower() == "be":
            found.append("progressive" if verb.tag == "VBG" else "passive")
    return tuple(sorted(found))


def is_bare_phrase(structure: Structure, noun: Token) -> bool:
    """A noun with nothing but an article before it."""
    children = structure.children(noun.index)
    articles = [child for child in children if child.dep == "det" and child.word in word_list("articles")]
    return len(children) == len(articles) <= 1 and structure.word(noun.index + 1) != "-"


def is_plain_adjective(structure: Structure, adjective: Token, noun: Token) -> bool:
    """An attributive adjective that narrows its noun, stands before it by itself and means itself."""
    word = adjective.word
    return (
        adjective.tag == "JJ"
        and adjective.dep == "amod"
        and adjective.index < noun.index
        and not structure.children(adjective.index)
        and word.isalpha()
        and adjective.text == word
        and adjective.index not in structure.operators
        and word not in listed("fixed_adjectives")
        and word not in modifiers("privative")
        and word not in modifiers("alleged")
        and word not in modifiers("focus")
        and not is_idiom(word, noun)
        and not _is_joined(structure, adjective.index)
    )


def is_idiom(word: str, noun: Token) -> bool:
    """*High school*, *hot dog*: a word of its own."""
    net = wordnet()
    entry = normal(f"{word} {noun.lemma}")
    return bool(net.senses(entry, "n"))


def _is_joined(structure: Structure, index: int) -> bool:
    joins = word_list("joints")
    return structure.word(index - 1) in joins or structure.word(index + 1) in joins


def is_plain_adverb(structure: Structure, adverb: Token) -> bool:
    """An adverb of manner, time or place that narrows its verb."""
    word = adverb.word
    return (
        adverb.tag == "RB"
        and adverb.dep == "advmod"
        and not structure.children(adverb.index)
        and adverb.index not in structure.operators
        and word.isalpha()
        and (word.endswith("ly") or word in listed("plain_adverbs"))
        and word not in listed("fixed_adverbs")
        and word not in modifiers("widening")
        and word not in modifiers("focus")
        and not _is_joined(structure, adverb.index)
    )


def clause_span(structure: Structure, noun: Token, clause: Token) -> tuple[int, int] | None:
    """The tokens of a restrictive relative clause that directly follows its noun, pronoun first."""
    found = structure.span(clause.index)
    if found is None or found[0] != noun.index + 1:
        return None
    start, end = found
    if structure.word(start) not in word_list("relative_pronouns") or clause.tag in ("VB", "VBG"):
        return None
    inside = structure.tokens[start:end]
    if any(token.text in (",", '"', "(", ")", ":", "-") for token in inside) or end - start < 2:
        return None
    return found


def clause_to_carry(structure: Structure, noun: Token, clause: Token) -> Phrase | None:
    """A relative clause that would mean the same after another noun of that number."""
    found = clause_span(structure, noun, clause)
    if found is None or found[1] - found[0] > LONGEST_CLAUSE:
        return None
    start, end = found
    if structure.words(start + 1, end) & ANAPHORS or has_operator(structure, start, end):
        return None
    return tuple(token.text for token in structure.tokens[start:end])


def phrase_span(structure: Structure, preposition: Token) -> tuple[int, int] | None:
    """The tokens of a prepositional adjunct, if it has one object and no pronoun or clause in it."""
    if preposition.word not in listed("adjunct_prepositions") or preposition.dep != "prep":
        return None
    found = structure.span(preposition.index)
    objects = structure.children(preposition.index, "pobj")
    if found is None or found[0] != preposition.index or len(objects) != 1:
        return None
    if len(structure.children(preposition.index)) != 1 or _is_joined(structure, preposition.index):
        return None
    if objects[0].pos not in ("NOUN", "PROPN", "NUM"):
        return None
    return found


def phrase_to_carry(structure: Structure, preposition: Token) -> Phrase | None:
    """A short adjunct about a common noun, which would mean the same in another sentence."""
    found = phrase_span(structure, preposition)
    if found is None or found[1] - found[0] > LONGEST_PHRASE:
        return None
    start, end = found
    (noun,) = structure.children(preposition.index, "pobj")
    inside = structure.tokens[start + 1 : end]
    plain = all(token.pos in ("DET", "NOUN", "ADJ") and token.text.isalpha() for token in inside)
    determiner = structure.determiner(noun.index)
    if noun.pos != "NOUN" or not plain or structure.words(start, end) & ANAPHORS:
        return None
    if determiner is not None and determiner.word not in word_list("articles"):
        return None
    if has_operator(structure, start, end, article=True):
        return None
    return tuple(token.word for token in structure.tokens[start:end])


def has_operator(structure: Structure, start: int, end: int, article: bool = False) -> bool:
    """Whether any word of a stretch sets a polarity (its articles aside, if so asked), or stands in a
    place that is not ↑ though its governor's is: then it would not mean the same elsewhere."""
    articles = word_list("articles") if article else ()
    return any(
        index in structure.operators and structure.word(index) not in articles for index in range(start, end)
    )
