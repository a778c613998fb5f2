"""Sentences with a clause of which words were left out, as the clauses they stand for.

*Anna sang, and so did Tom* says that Anna sang and that Tom did (Hankamer and Sag 1976); *Anna ate the cake,
and Tom the apple* that Tom ate the apple (gapping: Ross 1970). A pronoun in what is left out may keep its
referent (strict) or take the new subject for it (sloppy), though not the second after the first (Dahl 1974).
"""

from __future__ import annotations

from collections.abc import Sequence

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, finite, sentence
from natlog.calculus.remnants import gapped
from natlog.lexicon.inflection import inflect
from natlog.lexicon.modifiers import modifiers
from natlog.lexicon.word_lists import word_list
from natlog.tree import Marking, Token

_SUBJECTS = ("nsubj", "nsubjpass", "expl")
_FINITE = ("VBD", "VBZ", "VBP")
_NOMINAL = ("NOUN", "PROPN", "PRON")
_PRONOUNS = {"he": "", "she": "", "they": "", "his": "'s", "her": "'s", "their": "'s"}


def spelled_out(marking: Marking) -> list[str]:
    """The sentences that a sentence with ellipsis says together; none where nothing was left out."""
    tree = marking.tree
    if text := _contained(Clauses.of(tree)):
        return [text]
    if not any(spelling(token) in modifiers("joining") for token in tree.tokens):
        return []
    clauses = Clauses.of(tree)
    for token in tree.tokens:
        if token.dep != "conj" or not 0 <= token.head < token.index:
            continue
        if (first := tree.tokens[token.head]).pos not in ("VERB", "AUX"):
            continue
        second = _elided(clauses, first, token) or gapped(clauses, first, token)
        if second:
            return [_without(clauses, first, token), *second]
    return []


def _contained(clauses: Clauses) -> str:
    """*Read every book that Tom did* with the verb that *did* stands for inside its own object; or ""."""
    main, tokens = clauses.main, clauses.tree.tokens
    pro = next((t for t in tokens if t.dep == "relcl" and t.lemma == "do"), None)
    if main is None or pro is None or main.pos != "VERB" or pro.tag not in _FINITE:
        return ""
    after = [spelling(t) for t in tokens[pro.index + 1 :] if t.pos != "PUNCT"]
    subject = clauses.child(pro.index, *_SUBJECTS)
    if after or subject is None or subject.index > pro.index or clauses.child(main.index, "dobj") is None:
        return ""
    verb = inflect(main.lemma.lower(), pro.tag)
    return sentence((verb if t.index == pro.index else t.text for t in tokens), clauses.tree)


def _without(clauses: Clauses, first: Token, second: Token) -> str:
    """The sentence without its second clause and what joins it."""
    dropped = _joint(clauses, second)
    return sentence((t.text for t in clauses.tree.tokens if t.index not in dropped), clauses.tree)


def _joint(clauses: Clauses, second: Token) -> set[int]:
    """The places of a second clause, and of what joins it to the first."""
    tokens = clauses.tree.tokens
    dropped = set(clauses.below(second.index))
    begin, end = min(dropped) - 1, max(dropped) + 1
    while begin > 0 and (tokens[begin].text == "," or tokens[begin].dep == "cc"):
        dropped.add(begin)
        begin -= 1
    while end < len(tokens) and _echo(tokens[end]):
        dropped.add(end)
        end += 1
    return dropped


def _echo(token: Token) -> bool:
    return spelling(token) in modifiers("echo")


def _elided(clauses: Clauses, first: Token, second: Token) -> list[str]:
    """The second clause with the first one's verb phrase in the place of its auxiliary."""
    tokens = clauses.tree.tokens
    left = clauses.child(first.index, *_SUBJECTS)
    below = [i for i in clauses.below(second.index) if tokens[i].pos != "PUNCT"]
    verbs = [
        tokens[i] for i in below if tokens[i].lemma in modifiers("pro_verbs") and tokens[i].pos != "NOUN"
    ]
    if left is None or len(verbs) != 1:
        return []
    rest = [
        i
        for i in below
        if i != verbs[0].index and not _echo(tokens[i]) and tokens[i].dep not in ("mark", "cc")
    ]
    if not rest or rest != [*range(rest[0], rest[-1] + 1)] or any(tokens[i].pos == "VERB" for i in rest):
        return []
    if tokens[rest[-1]].pos not in _NOMINAL or tokens[rest[0]].pos == "ADP":
        return []
    inverted = rest[0] > verbs[0].index
    if inverted != (spelling(tokens[verbs[0].index - 1]) in word_list("inverting_echoes")):
        return []
    around = [spelling(token) for token in tokens[max(0, below[0] - 1) : below[-1] + 1]]
    negated = any(word in word_list("clause_negations") for word in around)
    words = _reference(clauses, left, clauses.text_of(rest))
    group = sorted([*clauses.auxiliaries(first), first], key=lambda token: token.index)
    written = _group(group, verbs[0], clauses.tense(first), clauses.plural(rest), negated)
    found = _phrases(clauses, first, second, words, written, _taken(clauses, first, verbs[0], words))
    outer = tokens[first.head] if first.dep == "ccomp" and first.head >= 0 else None
    if outer is not None and not any(spelling(tokens[i]) == "that" for i in range(first.index, below[-1])):
        subject = clauses.child(outer.index, *_SUBJECTS)
        group = sorted([*clauses.auxiliaries(outer), outer], key=lambda token: token.index)
        if subject is not None:
            written = _group(group, verbs[0], clauses.tense(outer), clauses.plural(rest), negated)
            found += _phrases(clauses, outer, second, words, written)
    return found


def _taken(clauses: Clauses, first: Token, second: Token, subject: Sequence[str]) -> Token | None:
    """The infinitive that the auxiliary stands for: *wanted to leave, and did*."""
    left = clauses.child(first.index, *_SUBJECTS)
    same = left is not None and list(subject) == clauses.text_of(clauses.below(left.index))
    inner = clauses.child(first.index, "xcomp")
    to = inner is not None and any(clauses.tree.tokens[i].tag == "TO" for i in clauses.children[inner.index])
    return inner if same and to and inner is not None and second.lemma == "do" else None


def _reference(clauses: Clauses, left: Token, words: list[str]) -> list[str]:
    """A pronoun subject as the subject of the first clause, which it speaks of."""
    if len(words) == 1 and words[0].lower() in _PRONOUNS:
        return clauses.text_of(clauses.below(left.index))
    return words


def _group(verbs: list[Token], second: Token, tense: str, plural: bool, negated: bool) -> list[str]:
    """The first clause's verb group for the second one's subject, negated or not."""
    if second.tag == "MD":
        base = inflect(verbs[-1].lemma.lower(), "VB")
        kept = [t.text for t in verbs[1:]] if verbs[0].tag == "MD" else [base]
        return [second.text, *(["not"] if negated else []), *kept]
    if verbs[0].tag == "MD":
        return [verbs[0].text, *(["not"] if negated else []), *(t.text for t in verbs[1:])]
    if verbs[0].lemma == "do" and len(verbs) > 1:
        verbs = verbs[1:]
    return finite(verbs, tense, plural, negated)


def _phrases(
    clauses: Clauses,
    first: Token,
    second: Token,
    subject: list[str],
    written: list[str],
    bare: Token | None = None,
) -> list[str]:
    """The sentence with its second clause written out, once for each reading of the pronouns copied."""
    tokens = clauses.tree.tokens
    left = clauses.child(first.index, *_SUBJECTS)
    assert left is not None
    theirs, dropped = clauses.below(left.index), _joint(clauses, second)
    dropped |= {i for i in clauses.children[first.index] if tokens[i].dep == "neg"}
    dropped |= {t.index for t in clauses.auxiliaries(first)}
    verb = first
    if bare is not None:
        verb = bare
        written = finite([bare], clauses.tense(first), False, "not" in written[:2])
        dropped |= set(range(theirs[-1] + 1, bare.index))
    parts: list[str | Token] = []
    for token in tokens:
        if token.index == theirs[0]:
            parts += subject
        if token.index == verb.index:
            parts += written
        elif token.index not in dropped and token.index not in theirs:
            parts.append(token)
    return _readings(clauses, parts, theirs, subject)


def _readings(clauses: Clauses, parts: list[str | Token], theirs: list[int], subject: list[str]) -> list[str]:
    """The parts as sentences: as they are, and with their pronouns for the old or the new subject."""
    owner = clauses.text_of(theirs)
    pronouns = [
        place for place, part in enumerate(parts) if isinstance(part, Token) and spelling(part) in _PRONOUNS
    ]
    plain = [part.text if isinstance(part, Token) else part for part in parts]
    texts = [plain]
    for strict in range(len(pronouns) + 1):
        for kept in {0, strict}:
            words = list(plain)
            for count, place in enumerate(pronouns):
                if count < kept:
                    continue  # the pronoun itself, for the new subject
                part = parts[place]
                assert isinstance(part, Token)
                named = subject if count < strict else owner
                words[place] = _named(named, _PRONOUNS[spelling(part)])
            texts.append(words)
    return list(dict.fromkeys(sentence(words, clauses.tree) for words in texts))


def _named(words: list[str], suffix: str) -> str:
    name = " ".join(words)
    if not suffix:
        return name
    return f"{name}'" if name.endswith("s") else f"{name}'s"
