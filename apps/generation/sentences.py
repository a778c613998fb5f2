"""A corpus' parsed sentences, as the making of pairs reads them: never changed while a batch is under way."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _

from apps.corpora.models import Parse
from apps.datasets import labelling
from apps.generation.models import MachineBatch
from apps.generation.options import MachineOptions
from apps.jobs.kinds import JobError

if TYPE_CHECKING:
    from natlog.calculus import Labeller
    from natlog.generation import Maker
    from natlog.tree import Marking

MOST_FOR_STOCK = 20_000
"""So many sentences of a corpus say what is natural in it; more would only take longer."""

PARSES_A_QUERY = 500


class Sentences:
    """The sentences of one batch in an order that its seed draws, and a maker that knows the corpus.

    Both depend on the batch alone, so that any worker can go on where another stopped. ``beat`` is called
    while the corpus is read, which takes half a minute for the largest.
    """

    def __init__(self, batch: MachineBatch, beat: Callable[[], None] = lambda: None) -> None:
        from natlog.generation import Maker, Operation, Options, stock_of

        self.options = MachineOptions.of(batch.options)
        self.labeller: Labeller = labelling.labeller(settings.PARSER, self.options.convention)
        self.key = labelling.key_of(self.labeller)
        self._batch, self._beat = batch, beat
        self.numbers = self._drawn()
        if not self.numbers:
            raise JobError(_("No sentence of this corpus is parsed by the present parser: parse it first."))
        chosen = Options(
            operations=frozenset(Operation(name) for name in self.options.operations),
            per_sentence=self.options.per_sentence,
            seed=self.options.seed,
        )
        of_corpus = (marking for _pk, marking in self._markings(self.numbers[:MOST_FOR_STOCK]))
        self.maker: Maker = Maker(stock_of(of_corpus), self.labeller, chosen)

    def _drawn(self) -> list[int]:
        """The numbers of the sentences, in an order made of the seed and the sentences' digests."""
        found = Parse.objects.filter(
            sentence__corpus=self._batch.corpus_id,
            sentence__lte=self._batch.last_sentence,
            parser=self.key.parser,
            kind=Parse.Kind.DECLARATIVE,
            sentence__put_aside_at=None,
        ).values_list("sentence_id", "sentence__digest")
        seed = str(self.options.seed)
        order = {pk: hashlib.sha256(f"{seed} {digest}".encode()).digest() for pk, digest in found.iterator()}
        return sorted(order, key=lambda pk: (order[pk], pk))

    def marked(self, position: int, size: int) -> list[tuple[int, Marking]]:
        """So many sentences from a position on: their numbers and markings."""
        return list(self._markings(self.numbers[position : position + size]))

    def _markings(self, numbers: list[int]) -> Iterator[tuple[int, Marking]]:
        from natlog.polarity import mark
        from natlog.tree import tree_from_dict

        for first in range(0, len(numbers), PARSES_A_QUERY):
            wanted = numbers[first : first + PARSES_A_QUERY]
            parses = Parse.objects.filter(sentence__in=wanted, parser=self.key.parser)
            trees = dict(parses.values_list("sentence_id", "tree"))
            self._beat()
            for pk in wanted:
                if pk in trees:  # a sentence that was deleted meanwhile is not
                    yield pk, mark(tree_from_dict(trees[pk]), self.options.convention)
