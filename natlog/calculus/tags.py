"""MED's tags (section 3.3), in the spelling of its genre column.

Lexical knowledge, reverse, conjunction, disjunction, conditionals, negative polarity items (NPIs).
"""

from __future__ import annotations

from natlog.calculus.alignment import spelling
from natlog.calculus.contexts import Contexts
from natlog.calculus.edits import Edit
from natlog.lexicon.word_lists import phrase_list, word_list
from natlog.tree import Polarity, Tree

TAGS = ("lexical_knowledge", "reverse", "conjunction", "disjunction", "conditionals", "npi")

NPIS = word_list("npi")
NPI_PHRASES = phrase_list("npi_phrases")
CONDITIONALS = word_list("conditionals")
CONDITIONAL_PHRASES = phrase_list("conditional_phrases")


def tags_of(contexts: Contexts, edits: tuple[Edit, ...]) -> tuple[str, ...]:
    """The tags of a pair, in the order of the paper."""
    hypothesis = contexts.hypothesis.tree
    words = tuple(spelling(token) for token in hypothesis.tokens)
    checks = (
        any(edit.kind == "substitution" and _lexical(edit) for edit in edits),
        any(_reversed(contexts, edit) for edit in edits),
        any(edit.form == "conjunct" for edit in edits),
        any(edit.form == "disjunct" for edit in edits),
        _conditional(hypothesis, words),
        any(word in NPIS for word in words) or any(_contains(words, phrase) for phrase in NPI_PHRASES),
    )
    return tuple(tag for tag, found in zip(TAGS, checks, strict=True) if found)


def _lexical(edit: Edit) -> bool:
    """A replacement that takes lexical knowledge (hypernyms, hyponyms, synonyms): not one that only
    inflects or repeats the word."""
    return edit.word is None or edit.word.source != "same word"


def _reversed(contexts: Contexts, edit: Edit) -> bool:
    """Reverse: whether the changed place (the paper's propositional object) stands in a downward environment
    more than once, one inside the other."""
    marking = contexts.premise if edit.end > edit.start else contexts.hypothesis
    start, end = (edit.start, edit.end) if edit.end > edit.start else (edit.other_start, edit.other_end)
    # The least of them is the place's own: an added phrase may hold operators of its own.
    chains = marking.token_why[start:end]
    return bool(chains) and min(sum(step.effect is Polarity.DOWN for step in why) for why in chains) >= 2


def _conditional(tree: Tree, words: tuple[str, ...]) -> bool:
    """If, unless and the like; *when* only where it could be *if*, not of a past episode (footnote 4)."""
    if CONDITIONALS & set(words) or any(_contains(words, phrase) for phrase in CONDITIONAL_PHRASES):
        return True
    for token in tree.tokens:
        if spelling(token) == "when" and token.dep in ("advmod", "mark"):
            clause = tree.tokens[token.head]
            below = (tree.tokens[child] for child in tree.heads.children[clause.index])
            past = any(verb.tag == "VBD" for verb in (clause, *(t for t in below if t.dep == "aux")))
            if clause.dep == "advcl" and not past:
                return True
    return False


def _contains(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    return any(words[i : i + len(phrase)] == phrase for i in range(len(words) - len(phrase) + 1))
