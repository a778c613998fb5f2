"""The calculus as one more model: natlog's verdicts under one convention."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext as _

from apps.datasets.labels import NON_ENTAILMENT
from apps.inference.calculus_models import AS_NON_ENTAILMENT, fingerprint_of
from apps.jobs import signs_of_life
from workers.runtimes.runtime import Output, Pending, Unavailable

if TYPE_CHECKING:
    from natlog.calculus import Labeller, Verdict

logger = logging.getLogger(__name__)


class Calculus:
    """``config`` as :func:`apps.inference.calculus_models.calculus_register` makes it. An output's only score
    is the confidence in the label that is given; what is not read has none, and is pending unless the model
    was registered to take it for non-entailment."""

    chunk = 40
    one_premise = True

    def __init__(self, config: Mapping[str, Any]) -> None:
        from natlog.calculus import Labeller

        self._takes_unread = config["unread"] == AS_NON_ENTAILMENT
        self._labeller: Labeller = Labeller(
            parser=settings.PARSER,
            convention=config["convention"],
            supplement=config["supplement"],
            existential_import=config["existential_import"],
            coreference=config["coreference"],
            unknown=config["unknown"],
        )

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output | Pending]:
        signs_of_life.item_begins(len(pairs))
        try:
            self._labeller.markings(sentence for pair in pairs for sentence in pair)
        except Exception:  # said below of the one pair, which is then parsed by itself
            logger.exception("a batch of pairs could not be parsed at once")
        return list(self._each(pairs))

    def _each(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Output | Pending]:
        for premise, hypothesis in pairs:
            signs_of_life.item_begins()
            try:
                verdict = self._labeller.label(premise, hypothesis)
            except Exception as error:  # one odd sentence must not hold up thousands
                logger.warning("a pair could not be labelled: %r", error)
                yield Pending(f"{type(error).__name__}: {error}")
            else:
                yield self._output(verdict)

    def _output(self, verdict: Verdict) -> Output | Pending:
        if verdict.read:
            return Output(verdict.label, {verdict.label: verdict.confidence})
        if self._takes_unread:
            return Output(NON_ENTAILMENT, {})
        return Pending(_("not read: %(what)s") % {"what": "; ".join(verdict.unread)})


def load(config: Mapping[str, Any], fingerprint: str) -> Calculus:
    if fingerprint_of(config) != fingerprint:
        raise Unavailable(
            _("This model is natlog %(version)s with %(parser)s, which is gone here; register it anew.")
            % {"version": config["version"], "parser": config["parser"]}
        )
    return Calculus(config)
