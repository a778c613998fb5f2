"""Parts of speech and lemmas, worked out once for each kind of word.

spaCy's attribute ruler and rule lemmatizer look at a word's form, tag and relation alone, but for a few
patterns of several words ("let 's"). Run on every sentence they cost a third of a parse. Here they are run
once on each (form, tag, relation), and on those sentences that may hold one of the patterns, so that the
result never depends on what was parsed before.
"""

from __future__ import annotations

from typing import Any

RULES, LEMMATIZER = "attribute_ruler", "lemmatizer"
_MOST_KEPT = 200_000

Key = tuple[str, str, str]
"""A token's form, Penn tag and relation."""
Value = tuple[str, str]
"""A token's universal part of speech and lemma."""


class Annotation:
    """The attribute ruler and lemmatizer of a pipeline, with a memory.

    ``skipped`` are the components that the pipeline itself need not run.
    """

    def __init__(self, nlp: Any) -> None:
        self._vocab = nlp.vocab
        self._known: dict[Key, Value] = {}
        self._words: set[str] = set()
        self._relations: set[str] = set()
        self._components: list[Any] = []
        if self._is_memorable(nlp):
            self._components = [nlp.get_pipe(name) for name in nlp.pipe_names[-2:]]
        self.skipped = [RULES, LEMMATIZER] if self._components else []

    def _is_memorable(self, nlp: Any) -> bool:
        """Whether the two components come last and look at single words, known patterns apart."""
        if sorted(nlp.pipe_names[-2:]) != [RULES, LEMMATIZER]:
            return False
        if getattr(nlp.get_pipe(LEMMATIZER), "mode", "") not in ("rule", "lookup"):
            return False
        for rule in nlp.get_pipe(RULES).patterns:
            for pattern in rule["patterns"]:
                if len(pattern) > 1 and not self._note(pattern):
                    return False
                if any(set(token) - {"LOWER", "ORTH", "TAG", "DEP", "IS_SPACE"} for token in pattern):
                    return False
        return True

    def _note(self, pattern: list[dict[str, Any]]) -> bool:
        """Note one word or relation without which a pattern of several words cannot match."""
        for token in pattern:
            if isinstance(token.get("LOWER"), str):
                self._words.add(token["LOWER"])
                return True
            if isinstance(token.get("DEP"), str):
                self._relations.add(token["DEP"])
                return True
        return False

    def of(self, docs: list[Any]) -> list[tuple[list[Key], list[Value]]]:
        """For every token of every document its (form, tag, relation) and (part of speech, lemma)."""
        keyed = [(doc, [(token.text, token.tag_, token.dep_) for token in doc]) for doc in docs]
        if not self._components:
            return [(keys, _values(doc)) for doc, keys in keyed]
        known, missing = self._known, dict[Key, None]()
        for _, keys in keyed:
            for key in keys:
                if key not in known:
                    missing[key] = None
        fresh = self._look_up([key for key in missing if not self._is_contextual(key)])
        if len(known) < _MOST_KEPT:
            known.update(fresh)
            fresh = known
        else:
            fresh = {**known, **fresh} if fresh else known
        return [(keys, self._annotate(doc, keys, fresh)) for doc, keys in keyed]

    def _is_contextual(self, key: Key) -> bool:
        return key[2] in self._relations or key[0].lower() in self._words

    def _annotate(self, doc: Any, keys: list[Key], known: dict[Key, Value]) -> list[Value]:
        try:
            return [known[key] for key in keys]
        except KeyError:
            return self._run(doc)

    def _look_up(self, keys: list[Key]) -> dict[Key, Value]:
        """One made-up document of all new words; no pattern of several words can match in it."""
        if not keys:
            return {}
        from spacy.tokens import Doc

        doc = Doc(
            self._vocab,
            words=[form for form, _, _ in keys],
            tags=[tag for _, tag, _ in keys],
            deps=[relation for _, _, relation in keys],
            heads=list(range(len(keys))),
        )
        return dict(zip(keys, self._run(doc), strict=True))

    def _run(self, doc: Any) -> list[Value]:
        for component in self._components:
            component(doc)
        return _values(doc)


def _values(doc: Any) -> list[Value]:
    return [(token.pos_, token.lemma_) for token in doc]
