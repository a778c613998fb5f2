"""Active and passive as one reading: a passive sentence written out as the active it stands for."""

from __future__ import annotations

from natlog.calculus.alignment import spelling
from natlog.calculus.clauses import Clauses, finite, sentence
from natlog.lexicon.inflection import inflect
from natlog.lexicon.word_lists import listed_under
from natlog.tree import Marking, Polarity, Token

_SUBJECTS = listed_under("subject_forms")
_OBJECTS = {subject: pronoun for pronoun, subject in _SUBJECTS.items()}


def is_passive(marking: Marking) -> bool:
    """Whether the main clause is passive."""
    clauses = Clauses.of(marking.tree)
    return clauses.main is not None and _passive(clauses, clauses.main) is not None


def agent_of(marking: Marking) -> str:
    """The agent that a passive names with *by*, "" where it names none."""
    clauses = Clauses.of(marking.tree)
    agent = _agent(clauses, clauses.main) if clauses.main is not None else None
    return " ".join(clauses.text_of(clauses.below(agent[1].index))) if agent else ""


def subject_of(marking: Marking) -> str:
    """The subject of an active main clause with an object, "" without."""
    clauses = Clauses.of(marking.tree)
    main = clauses.main
    if main is None or clauses.child(main.index, "dobj") is None:
        return ""
    subject = clauses.child(main.index, "nsubj")
    return " ".join(clauses.text_of(clauses.below(subject.index))) if subject is not None else ""


def active(marking: Marking, agent: str = "") -> str:
    """A passive sentence in the active, with its own agent or the one given; "" where it can't be told.

    What is done to *every* or *no* thing stays passive: in the active its scope could be another.
    """
    clauses = Clauses.of(marking.tree)
    main = clauses.main
    patient = _passive(clauses, main) if main is not None else None
    if main is None or patient is None or marking.signs[patient.index] is Polarity.DOWN:
        return ""
    by = _agent(clauses, main)
    doer = _doer(clauses, by[1]) if by is not None else []
    if not doer and not agent:
        return ""
    done = clauses.below(patient.index)
    verbs = clauses.auxiliaries(main)
    passive = next((token for token in reversed(verbs) if token.dep == "auxpass"), None)
    if passive is None or done[-1] > passive.index:
        return ""
    group = [token for token in verbs if token is not passive]
    negation = clauses.denied(main)
    taken = {*done, *doer, *(t.index for t in verbs), main.index}
    taken |= {by[0].index} if by is not None else set()
    taken |= {negation.index} if negation is not None else set()
    plural = clauses.plural(doer) if doer else clauses.tense(main) == "present" and agent.endswith("s")
    words = _cased(clauses.text_of(doer), _SUBJECTS) if doer else [agent]
    before = [i for i in range(main.index) if i not in taken and i > done[-1]]
    front = [i for i in range(done[0]) if i not in taken]
    after = [i for i in range(main.index + 1, len(marking.tree.tokens)) if i not in taken]
    verb = _group(main, group, passive, clauses.tense(main), plural, negation is not None)
    parts = [*clauses.text_of(front), *words, *clauses.text_of(before), *verb]
    parts += [*_cased(_lowered(clauses, done), _OBJECTS), *clauses.text_of(after)]
    return sentence(parts, clauses.tree)


def _passive(clauses: Clauses, main: Token) -> Token | None:
    """The subject of a passive verb."""
    if not any(token.dep == "auxpass" for token in clauses.auxiliaries(main)):
        return None
    return clauses.child(main.index, "nsubjpass")


def _agent(clauses: Clauses, main: Token) -> tuple[Token, Token] | None:
    by = clauses.child(main.index, "agent") or clauses.child(main.index, "prep")
    noun = clauses.child(by.index, "pobj") if by is not None and spelling(by) == "by" else None
    return (by, noun) if by is not None and noun is not None else None


def _doer(clauses: Clauses, noun: Token) -> list[int]:
    """The agent without a phrase at its end, which may be the verb's (*by someone with a spoon*)."""
    inside = clauses.below(noun.index)
    for index in clauses.children[noun.index]:
        phrase = clauses.tree.tokens[index]
        if phrase.dep == "prep" and spelling(phrase) != "of" and clauses.below(index)[-1] == inside[-1]:
            return [i for i in inside if i < index]
    return inside


def _group(
    main: Token, others: list[Token], passive: Token, tense: str, plural: bool, denied: bool
) -> list[str]:
    """The verb group without its passive auxiliary, whose form the verb takes over."""
    tag = {"VBD": "VB", "VBZ": "VB", "VBP": "VB"}.get(passive.tag, passive.tag)
    verb = Token(main.index, inflect(main.lemma.lower(), tag), 0, 0, main.lemma, "VERB", tag, "ROOT")
    if others and others[0].tag == "MD":
        return [others[0].text, *(["not"] if denied else []), *(t.text for t in others[1:]), verb.text]
    if others and others[0].lemma == "do":
        return [*finite([verb], tense, plural, denied)]
    return finite([*others, verb], tense, plural, denied)


def _lowered(clauses: Clauses, indices: list[int]) -> list[str]:
    first = clauses.tree.tokens[indices[0]]
    words = clauses.text_of(indices)
    if first.index == 0 and first.pos != "PROPN" and first.text != "I":
        words[0] = words[0].lower()
    return words


def _cased(words: list[str], cases: dict[str, str]) -> list[str]:
    return [cases.get(words[0].lower(), words[0])] if len(words) == 1 else words
