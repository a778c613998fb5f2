"""What never ends here: any sentence, pair or answer that says "endless", and whole jobs of the kinds that
know no items. Half of it in Python, half in C, where nothing but the end of the process helps."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings

import natlog.polarity
from apps.corpora.models import Sentence
from apps.datasets import background as labelling
from apps.datasets.labelling import LabelKey, Labelled
from apps.generation import background as making
from apps.jobs import kinds
from apps.jobs.kinds import Chunk, InItems
from apps.jobs.models import Job
from apps.quality import background as checking
from workers.runtimes.majority import Majority
from workers.runtimes.runtime import Output

KEY = LabelKey("none", "1", "default", "none")


def in_python() -> None:
    while True:
        time.sleep(0.01)  # what it does matters to nobody: the core is left to the other tests


def in_c() -> None:
    """A call that lasts for days, without letting go of the interpreter's lock."""
    ctypes.PyDLL(None).sleep(1_000_000)


def unless_endless(text: str, loop: Callable[[], None]) -> None:
    if "endless" in text:
        loop()
    if "slow" in text:
        time.sleep(0.01)
    if "deadly" in text:
        os.kill(os.getpid(), signal.SIGKILL)


class Whole:
    """A kind that knows no items, and never comes to the end of its first chunk."""

    def __init__(self, loop: Callable[[], None]) -> None:
        self.loop = loop

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        if job.params.get("short"):
            return None if job.cursor else Chunk(1, 1, None)
        return self.loop()  # type: ignore[func-returns-value]

    def store(self, job: Job, chunk: Chunk) -> None:
        """Nothing is stored."""

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


mark = natlog.polarity.mark


def marked(tree: Any, *options: Any) -> Any:
    unless_endless(" ".join(token.text for token in tree.tokens), in_c)
    return mark(tree, *options)


class NoLabeller:
    engine = version = convention = parser_name = "none"

    def markings(self, texts: Sequence[str]) -> dict[str, Any]:
        return {}


def labelled(pair: Any, by: Any) -> Labelled:
    unless_endless(pair.hypothesis, in_python)
    return Labelled("entailment", "upward", "it says so", 1.0)


def found(answer: Any, by: Any) -> list[Any]:
    unless_endless("".join(one.text for one in answer.replacements.all()), in_c)
    return []


class OfBatch:
    """The sentences of a corpus, without their parses."""

    key = KEY

    def __init__(self, batch: Any, beat: Any = None) -> None:
        of_corpus = Sentence.objects.filter(corpus=batch.corpus_id).order_by("pk")
        self.numbers = list(of_corpus.values_list("pk", flat=True))


def made(sentences: OfBatch, position: int, size: int) -> list[Any]:
    for pk in sentences.numbers[position : position + size]:
        unless_endless(Sentence.objects.get(pk=pk).text, in_python)
    return []


def predicted(self: Majority, pairs: Sequence[tuple[str, str]]) -> list[Output]:
    unless_endless("".join(hypothesis for _premise, hypothesis in pairs), in_c)
    return [Output(self.label, {self.label: 1.0})] * len(pairs)


# Only in an installation that has the app: whoever collects tests reads this file, too.
if "tests.jobs.endless" in settings.INSTALLED_APPS:
    natlog.polarity.mark = marked
    labelling.labelling.labeller = checking.labeller = lambda *of: NoLabeller()  # type: ignore[assignment]
    labelling.labelling.key_of = checking.key_of = lambda by: KEY  # type: ignore[assignment]
    labelling.labelling.labelled = labelled
    labelling.Labelling._profiles = staticmethod(lambda by, pairs: {})  # type: ignore[assignment]
    checking.checks.found_by_calculus = found
    making.Sentences, making.made_of = OfBatch, made  # type: ignore[misc, assignment]
    Majority.predict = predicted  # type: ignore[method-assign]
    for number, (name, kind) in enumerate(sorted(kinds._kinds.items())):
        if not isinstance(kind, InItems):
            kinds._kinds[name] = Whole(in_c if number % 2 else in_python)
