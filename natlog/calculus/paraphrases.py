"""Wordings that say the same, brought to one: *a dog, which is brown,* as *a brown dog*.

Only what holds by grammar alone is rewritten: a predicative adjective of a relative clause says of its noun
what the adjective before it does (Quirk et al. 1985, 7.20–7.21), and *there is a dog barking* is *a dog is
barking* (Quirk et al. 1985, 18.44–18.46).
"""

from __future__ import annotations

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, sentence
from natlog.lexicon.inflection import article
from natlog.lexicon.word_lists import word_list
from natlog.tree import Marking, Token

_RELATIVES = word_list("relative_pronouns")
_COPULAS = frozenset({"be", "look"})


def plain_wording(marking: Marking) -> str:
    """The sentence in its plain wording, "" where it has it already."""
    clauses = Clauses.of(marking.tree)
    words = _before_noun(clauses)
    if words is None:
        words = _existential(clauses) or _short_standard(clauses)
    return sentence(words, marking.tree) if words else ""


def _before_noun(clauses: Clauses) -> list[str] | None:
    """The words with every predicative relative clause put before its noun."""
    tokens = clauses.tree.tokens
    moved: dict[int, list[str]] = {}
    dropped: set[int] = set()
    for verb in tokens:
        found = _predicative(clauses, verb)
        if found is None:
            continue
        inside, words = found
        noun = tokens[verb.head]
        place = min(
            (i for i in [*clauses.children[noun.index], noun.index] if i <= noun.index and _inner(tokens[i])),
            default=noun.index,
        )
        moved.setdefault(place, []).extend(words)
        dropped |= inside
    if not moved:
        return None
    written: list[str] = []
    for token in tokens:
        written += moved.get(token.index, [])
        if token.index not in dropped:
            written.append(token.text)
    return _articled(written)


def _inner(token: Token) -> bool:
    return token.dep in ("amod", "compound", "nmod") or token.pos in ("NOUN", "PROPN")


def _predicative(clauses: Clauses, verb: Token) -> tuple[set[int], list[str]] | None:
    """The tokens of a relative clause that says an adjective of its noun, with commas; the adjectives."""
    tokens = clauses.tree.tokens
    if verb.dep not in ("relcl", "acl") or verb.lemma not in _COPULAS or verb.head == verb.index:
        return None
    if not 0 <= verb.head < len(tokens) or tokens[verb.head].pos not in ("NOUN", "PROPN"):
        return None
    subject, adjective = clauses.child(verb.index, "nsubj"), clauses.child(verb.index, "acomp")
    if subject is None or adjective is None or spelling(subject) not in _RELATIVES or adjective.pos != "ADJ":
        return None
    inside = clauses.below(verb.index)
    said = [i for i in clauses.below(adjective.index) if tokens[i].pos not in ("CCONJ", "PUNCT")]
    rest = set(inside) - set(clauses.below(adjective.index)) - {subject.index, verb.index}
    if any(tokens[i].pos not in ("ADJ", "ADV") for i in said) or any(tokens[i].pos != "PUNCT" for i in rest):
        return None
    whole = set(inside)
    for near in (inside[0] - 1, inside[-1] + 1):
        if 0 <= near < len(tokens) and spelling(tokens[near]) == ",":
            whole.add(near)
    return whole, [tokens[i].text for i in said]


def _reduced(token: Token) -> bool:
    return token.dep == "acl" and token.tag == "VBG"


def _existential(clauses: Clauses) -> list[str] | None:
    """*There is a dog barking* as *a dog is barking*."""
    tokens, main = clauses.tree.tokens, clauses.main
    if main is None or main.lemma != "be" or clauses.denied(main) is not None:
        return None
    there = next((tokens[i] for i in clauses.children[main.index] if tokens[i].tag == "EX"), None)
    noun = clauses.child(main.index, "attr", "nsubj")
    if there is None or noun is None or noun.index < main.index:
        return None
    inside = clauses.below(noun.index)
    verb = next((tokens[i] for i in inside if _reduced(tokens[i])), None)
    relative = next((tokens[i] for i in inside if tokens[i].dep == "relcl"), None)
    if verb is None and relative is not None and there.index == 0:
        pronoun = clauses.child(relative.index, "nsubj", "nsubjpass")
        if pronoun is not None and spelling(pronoun) in word_list("relative_pronouns"):
            start = clauses.below(noun.index)[0]
            before = [t.text for t in tokens[start : pronoun.index]]
            return [*before, *(t.text for t in tokens[pronoun.index + 1 :])]
    if verb is None or verb.index < noun.index or verb.head != noun.index:
        return None
    start = min(clauses.below(noun.index)[0], noun.index)
    if start < main.index or there.index > main.index:
        return None
    before = [t.text for t in tokens[: there.index]]
    subject = [t.text for t in tokens[start : verb.index]]
    return [*before, *subject, main.text, *(t.text for t in tokens[verb.index :])]


def _short_standard(clauses: Clauses) -> list[str] | None:
    """*A larger boat than Tom has* as *a larger boat than Tom*."""
    tokens, main = clauses.tree.tokens, clauses.main
    said = [token for token in tokens if token.pos != "PUNCT"]
    if main is None or not said or said[-1].index == main.index or len(said) < 4:
        return None
    last = said[-1]
    link = next((token for token in reversed(said) if spelling(token) in ("than", "as")), None)
    if link is None or link.index > last.index - 2 or last.lemma not in (main.lemma, "do", "be"):
        return None
    if last.dep not in ("advcl", "ccomp", "pcomp", "relcl", "aux") or any(
        token.pos == "VERB" for token in tokens[link.index : last.index]
    ):
        return None
    return [token.text for token in tokens if token.index != last.index]


def _articled(words: list[str]) -> list[str]:
    """The words with *a* and *an* by what follows."""
    fitted = list(words)
    for place, word in enumerate(words[:-1]):
        if word.lower() in ("a", "an"):
            new = article(words[place + 1])
            fitted[place] = new.capitalize() if word[0].isupper() else new
    return fitted


def in_the_order_of(premise: Marking, hypothesis: Marking) -> str:
    """The hypothesis with its conjuncts in the premise's order; "" where they are in it."""
    clauses = Clauses.of(hypothesis.tree)
    tokens = hypothesis.tree.tokens
    orders = {
        (premise.tree.tokens[t.head].word, t.word)
        for t in premise.tree.tokens
        if t.dep == "conj" and 0 <= t.head < len(premise.tree.tokens)
    }
    for second in tokens:
        if second.dep != "conj" or not 0 <= second.head < second.index:
            continue
        first = tokens[second.head]
        pair = (first.word, second.word)
        if pair in orders or pair[::-1] not in orders or pair[0] == pair[1]:
            continue
        joints = [i for i in clauses.children[first.index] if tokens[i].dep == "cc" and i < second.index]
        others = [i for i in clauses.children[first.index] if tokens[i].dep == "conj"]
        if len(joints) != 1 or len(others) != 1:
            continue
        own = [i for i in clauses.below(first.index) if i < joints[0]]
        if first.pos in ("VERB", "AUX"):
            own = [i for i in own if i >= first.index]
        other = clauses.below(second.index)
        if other[0] != joints[0] + 1 or own[-1] != joints[0] - 1 or own != [*range(own[0], own[-1] + 1)]:
            continue
        texts = clauses.text_of
        head, tail = texts(range(own[0])), texts(range(other[-1] + 1, len(tokens)))
        one, two = texts(own), texts(other)
        if own[0] == 0 and tokens[0].pos != "PROPN":
            one[0] = one[0].lower()
        return sentence([*head, *two, tokens[joints[0]].text, *one, *tail], hypothesis.tree)
    return ""
