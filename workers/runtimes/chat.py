"""A chat model at work: several requests at once, each answer kept as it comes, nothing paid for twice.

Answers are rows (:class:`ChatAnswer`), written the moment they are there and not with the chunk: a worker
that is killed loses the few requests under way. A pair that was answered, in whatever dataset or run of the
study, is not asked again; at temperature 0 that goes for refusals too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.inference.chat.answers import CUT, REFUSED, read_answer
from apps.inference.chat.configs import ChatConfig
from apps.inference.chat.keys import secret_of
from apps.inference.chat.shots import text_digest
from apps.inference.chat.spending import Purse, answers_known, last_answer
from apps.inference.models import ChatAnswer, Prediction, Run
from apps.jobs import signs_of_life
from apps.studies.models import Study
from workers.runtimes.chat_server import (
    ATTEMPTS,
    SHOWN,
    Answered,
    Hopeless,
    NotThis,
    Server,
    Trouble,
    estimated_tokens,
)
from workers.runtimes.runtime import Output, Pending, Stopped, Unavailable

AT_ONCE = 8
# A server that has answered lately is up: what it doesn't answer now is the pair's own fault.
LATELY = timedelta(minutes=15)
# So long a run waits for a server that answers nothing; then its pairs are left without a prediction.
PATIENCE = timedelta(hours=6)
# So many requests refused as such, and none taken: it is not the pairs.
_MOST_REFUSED = 5
_LONGEST_TEXT = 2000
_BEAT_SECONDS = 2.0


@dataclass(frozen=True)
class Chat:
    """``run`` is who pays, and whose budget it is; a model in the loop has none."""

    config: ChatConfig
    fingerprint: str
    study: int
    server: Server
    run: int | None = None
    chunk: int = 4 * AT_ONCE

    def in_run(self, run: Run) -> Chat:
        return replace(self, run=run.pk)

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[Output | Pending]:
        """See :class:`Runtime`. :class:`Unavailable` while the server is down, :class:`Stopped` where a key
        is refused or a budget used up."""
        digests = [text_digest(*pair) for pair in pairs]
        known = answers_known(self.study, self.fingerprint, set(digests))
        outputs: dict[str, Output | Pending] = {key: _output(answer) for key, answer in known.items()}
        shown = _("This pair is an example in the prompt, so the model is not asked about it.")
        outputs |= {shot.digest: Pending(shown) for shot in self.config.shots}
        missing = {key: pair for key, pair in zip(digests, pairs, strict=True) if key not in outputs}
        if missing:
            asking = _Asking(self, Purse.of(self.run, self.config))
            why_stopped = asking.ask(missing)
            outputs |= asking.outputs
            if why_stopped:
                raise Stopped(why_stopped, list(_until_missing(digests, outputs)))
            outputs |= self._without_answer(asking)
        return [outputs[key] for key in digests]

    def _without_answer(self, asking: _Asking) -> dict[str, Output | Pending]:
        """What becomes of the pairs that the server did not answer: they wait with the whole run, or are left
        without a prediction."""
        if not asking.troubles:
            return {}
        reasons = [str(trouble) for trouble in asking.troubles.values()]
        is_down = any(trouble.is_down for trouble in asking.troubles.values())
        may_be_back = is_down or not (asking.outputs or self._answered_within(LATELY))
        if may_be_back and not self._is_out_of_patience():
            raise Unavailable(_("The model's server does not answer: %(reason)s") % {"reason": reasons[0]})
        return {key: Pending(f"{_('No answer')}: {trouble}") for key, trouble in asking.troubles.items()}

    def _answered_within(self, limit: timedelta) -> bool:
        last = last_answer(self.study, self.fingerprint)
        return last is not None and timezone.now() - last < limit

    def _is_out_of_patience(self) -> bool:
        """Whether nothing has come of the run for too long."""
        if self.run is None:
            return False
        began = Run.objects.filter(pk=self.run).values_list("job__started_at", flat=True).first()
        predicted = Prediction.objects.filter(run=self.run, created_at__isnull=False).order_by("-pk")
        times = [began, predicted.values_list("created_at", flat=True).first()]
        times.append(last_answer(self.study, self.fingerprint))
        last = max((time for time in times if time), default=None)
        return last is not None and timezone.now() - last > PATIENCE


@dataclass
class _Asking:
    """One round of requests: what came of each pair, by its digest."""

    chat: Chat
    purse: Purse
    outputs: dict[str, Output | Pending] = field(default_factory=dict)
    troubles: dict[str, Trouble] = field(default_factory=dict)
    refused: int = 0
    why_stopped: str = ""

    def ask(self, pairs: Mapping[str, tuple[str, str]]) -> str:
        """Ask for all, in order, a few at once. Returns why it stopped before the end, or "". What is under
        way then is still waited for, since it is paid for."""
        server = self.chat.server
        server.stopping.clear()
        waiting = iter(pairs.items())
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="chat") as pool:
            under_way: dict[Future[Answered], tuple[str, int]] = {}
            try:
                self._begin(pool, waiting, under_way)
                while under_way:
                    done, _rest = wait(under_way, timeout=_BEAT_SECONDS, return_when=FIRST_COMPLETED)
                    signs_of_life.item_begins(AT_ONCE)
                    for future in done:
                        self._take(future, *under_way.pop(future))
                    self._begin(pool, waiting, under_way)
            finally:
                server.stopping.set()
        return self.why_stopped

    def _begin(
        self,
        pool: ThreadPoolExecutor,
        waiting: Iterator[tuple[str, tuple[str, str]]],
        under_way: dict[Future[Answered], tuple[str, int]],
    ) -> None:
        """Send as many as may be under way at once."""
        while len(under_way) < AT_ONCE and not self.why_stopped and not self._is_down:
            found = next(waiting, None)
            if found is None:
                return
            key, pair = found
            messages = self.chat.config.messages(*pair)
            tokens = estimated_tokens(messages)
            if not self.purse.takes(tokens):
                self.why_stopped = self.purse.why_empty
                return
            under_way[pool.submit(self.chat.server.ask, messages, attempts=ATTEMPTS)] = (key, tokens)

    @property
    def _is_down(self) -> bool:
        return any(trouble.is_down for trouble in self.troubles.values())

    def _take(self, future: Future[Answered], key: str, tokens: int) -> None:
        """Keep an answer, or why there is none."""
        answer = None
        try:
            answer = self._keep(key, future.result())
            self.outputs[key] = _output(answer)
        except Trouble as trouble:
            self.troubles[key] = trouble
        except NotThis as reason:
            self.outputs[key] = Pending(f"{_('Not taken')}: {reason}")
            self.refused += 1
            if self.refused >= _MOST_REFUSED and self.refused == len(self.outputs):
                self.why_stopped = str(reason)
                self.outputs.clear()  # they are asked again once it is mended
        except Hopeless as reason:
            self.why_stopped = str(reason)
        finally:
            self.purse.settle(tokens, answer)

    def _keep(self, key: str, answered: Answered) -> ChatAnswer:
        config = self.chat.config
        reading = read_answer(
            answered.text,
            form=config.form,
            words=config.template.answers,
            tokens=answered.tokens,
            refusal=answered.refusal,
            finish=answered.finish,
        )
        made = ChatAnswer(
            study_id=self.chat.study,
            fingerprint=self.chat.fingerprint,
            digest=key,
            run_id=self.chat.run,
            label=reading.label,
            scores=reading.scores,
            has_probabilities=reading.has_probabilities,
            problem=reading.problem,
            text=(answered.text or answered.refusal)[:_LONGEST_TEXT],
            tokens_in=answered.tokens_in,
            tokens_out=answered.tokens_out,
            is_estimated=answered.is_estimated,
            answered_by=answered.answered_by,
        )
        # Another run may have asked for the same pair in this moment; its answer stays then.
        ChatAnswer.objects.bulk_create([made], ignore_conflicts=True)
        return made


def _output(answer: ChatAnswer) -> Output | Pending:
    if answer.label:
        return Output(answer.label, answer.scores)
    said = answer.text[:SHOWN]
    if answer.problem == REFUSED:
        return Pending(f"{_('Refused')}: {said}")
    if answer.problem == CUT:
        return Pending(f"{_('Cut off before a label')}: {said}")
    return Pending(f"{_('No label in the answer')}: {said}")


def _until_missing(
    keys: Sequence[str], outputs: Mapping[str, Output | Pending]
) -> Iterator[Output | Pending]:
    """The outputs of the first pairs, up to the first that has none."""
    for key in keys:
        if key not in outputs:
            return
        yield outputs[key]


def load(config: Mapping[str, Any], fingerprint: str) -> Chat:
    """``config`` is the model's, with the number of its study beside."""
    read = dict(config)
    study = Study.objects.get(pk=read.pop("study"))
    chat = ChatConfig.read(read)
    secret = secret_of(chat.key, server=chat.server, study=study.slug) if chat.key else ""
    if secret is None:
        raise Unavailable(
            _("This server has no key “%(key)s” for the model's server any more; its host can set it.")
            % {"key": chat.key}
        )
    return Chat(chat, fingerprint, study.pk, Server(chat, secret))
