"""One request to a chat model's server: retries with patience, and what its answers and errors mean.

The ``openai`` client speaks; the connection goes through the door of all that the server sends
(``apps/frame/outbound``). Nothing here touches the database, since it runs in threads.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from django.utils.translation import gettext as _

from apps.frame.outbound.destinations import NotAllowed
from apps.inference.chat.answers import Alternative, Token
from apps.inference.chat.configs import TEMPERATURE, ChatConfig
from apps.inference.chat.keys import hidden
from apps.inference.chat.prompts import Message

ATTEMPTS = 4
# Doubled with each attempt; who asks for more than the longest wait is left alone for the time.
FIRST_WAIT = 0.5
LONGEST_WAIT = 20.0
# As many as OpenAI gives; vLLM's default limit is the same.
TOP_LOGPROBS = 20
# So much of an answer that is none is shown.
SHOWN = 200
_BYTES_A_TOKEN = 3


class Trouble(Exception):
    """No answer to this request, after all attempts. ``is_down``: the server takes none at present, whatever
    it is asked; ``until`` is when it asks to be asked again (monotonic clock)."""

    def __init__(self, reason: str, *, is_down: bool = False, until: float = 0.0) -> None:
        super().__init__(reason)
        self.is_down = is_down
        self.until = until


class NotThis(Exception):
    """The server does not take this request, and would not the next time."""


class Hopeless(Exception):
    """The server will answer no request as things are: a wrong key, an unknown model, no credit left."""


@dataclass(frozen=True)
class Answered:
    """What came back. ``finish`` is why it ends; tokens are the server's count unless ``is_estimated``."""

    text: str
    refusal: str
    finish: str
    tokens: Sequence[Token]
    tokens_in: int
    tokens_out: int
    is_estimated: bool
    answered_by: str


class Server:
    """Safe to be used by several threads; ``stopping`` ends their waits."""

    def __init__(self, config: ChatConfig, secret: str) -> None:
        from openai import OpenAI

        from apps.frame.outbound.transport import checked_client

        self._config = config
        self._secret = secret
        self._client = OpenAI(
            api_key=secret or "none",
            base_url=config.server,
            http_client=checked_client(config.server, seconds=config.seconds),
            timeout=config.seconds,
            max_retries=0,
        )
        # These would be read from the environment, and sent to whatever server this is.
        self._client.organization = self._client.project = None
        self.stopping = threading.Event()
        self._quiet_until = 0.0
        self._with_logprobs = True
        self._limit = "max_tokens"

    def ask(self, messages: Sequence[Message], *, attempts: int = ATTEMPTS) -> Answered:
        """The answer; :class:`Trouble`, :class:`NotThis` or :class:`Hopeless` where there is none."""
        wait = FIRST_WAIT
        for attempt in range(1, attempts + 1):
            self._keep_quiet()
            try:
                return self._ask_fitting(messages)
            except Trouble as trouble:
                self._quiet_until = max(self._quiet_until, trouble.until)
                is_last = attempt == attempts or trouble.until - time.monotonic() > LONGEST_WAIT
                if is_last or self.stopping.is_set():
                    raise
                # What failed together must not come back together.
                self.stopping.wait(wait * random.uniform(0.8, 1.2))
                wait *= 2
        raise AssertionError("there is at least one attempt")

    def close(self) -> None:
        self._client.close()

    def _keep_quiet(self) -> None:
        """Wait as the server has asked one of us to."""
        left = self._quiet_until - time.monotonic()
        if left > LONGEST_WAIT:
            raise Trouble(_("the server asks for a pause"), is_down=True, until=self._quiet_until)
        if left > 0:
            self.stopping.wait(left)

    def _ask_fitting(self, messages: Sequence[Message]) -> Answered:
        """Ask; where the server knows an option under another name, or not at all, ask without it."""
        for _attempt in range(3):
            try:
                return self._ask(messages, self._with_logprobs, self._limit)
            except _OptionRefused as refused:
                if refused.option == "logprobs":
                    self._with_logprobs = False
                else:
                    self._limit = "max_completion_tokens"
        raise NotThis(_("the server takes none of the ways to ask it"))

    def _ask(self, messages: Sequence[Message], with_logprobs: bool, limit: str) -> Answered:
        import openai

        options: dict[str, Any] = {limit: self._config.max_tokens, "temperature": TEMPERATURE}
        if with_logprobs:
            options |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        try:
            completion = self._client.chat.completions.create(
                model=self._config.server_model,
                messages=list(messages),  # type: ignore[arg-type]
                **options,
            )
        except NotAllowed as error:
            raise Hopeless(str(error)) from None
        except openai.APIStatusError as error:
            raise self._status_error(error, with_logprobs, limit) from None
        except openai.APITimeoutError:
            raise Trouble(
                _("no answer within %(n)d seconds") % {"n": self._config.seconds}, is_down=False
            ) from None
        except openai.APIConnectionError as error:
            raise self._connection_error(error) from None
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            raise Trouble(
                _("what came back is no answer of a chat model: %(reason)s")
                % {"reason": self._shown(str(error))}
            ) from None
        return self._read(completion, messages)

    # ---- What went wrong --------------------------------------------------------------------

    def _shown(self, text: str) -> str:
        """The beginning of what a server said, without the key, and fit to be stored."""
        return hidden(text, self._secret).replace("\0", "�")[:SHOWN]

    def _connection_error(self, error: Exception) -> Exception:
        last: BaseException = error
        while last.__cause__ is not None:
            last = last.__cause__
            if isinstance(last, NotAllowed):
                return Hopeless(str(last))
        reason = self._shown(str(last) or type(last).__name__)
        return Trouble(_("the server can't be reached: %(reason)s") % {"reason": reason}, is_down=True)

    def _status_error(self, error: Any, with_logprobs: bool, limit: str) -> Exception:
        status: int = error.status_code
        body = error.body if isinstance(error.body, dict) else {}
        said = self._shown(str(body.get("message") or error.response.text))
        code = str(body.get("code") or "")
        words = {"status": status, "said": said}
        if status in (401, 403):
            return Hopeless(_("The server refuses the key (%(status)d): %(said)s") % words)
        if status == 404:
            return Hopeless(_("The server has no such model or address (404): %(said)s") % words)
        if code == "insufficient_quota" or status == 402:
            return Hopeless(_("The account with the server has no credit left: %(said)s") % words)
        if 300 <= status < 400:
            return Hopeless(_("The server sends us elsewhere (%(status)d), where we don't follow.") % words)
        if status in (400, 422) and with_logprobs and "logprobs" in said:
            return _OptionRefused("logprobs")
        if status in (400, 422) and limit == "max_tokens" and "max_completion_tokens" in said:
            return _OptionRefused(limit)
        if status in (400, 409, 413, 422):
            return NotThis(_("the server does not take this request (%(status)d): %(said)s") % words)
        until = time.monotonic() + _retry_after(error.response.headers) if status in (429, 503) else 0.0
        reason = _("the server answered with %(status)d: %(said)s") % words
        return Trouble(reason, is_down=status in (408, 429, 502, 503, 504), until=until)

    # ---- What came back ---------------------------------------------------------------------

    def _read(self, completion: Any, messages: Sequence[Message]) -> Answered:
        try:
            choice = completion.choices[0]
            message = choice.message
            text, refusal = str(message.content or ""), str(message.refusal or "")
        except (AttributeError, IndexError, TypeError):
            said = completion if isinstance(completion, str) else repr(completion)
            raise Trouble(
                _("what came back is no answer of a chat model: %(reason)s") % {"reason": self._shown(said)}
            ) from None
        counted = _counted(completion.usage)
        tokens_in, tokens_out = counted or (estimated_tokens(messages), _tokens_of(text))
        return Answered(
            text=hidden(text, self._secret).replace("\0", "�"),
            refusal=refusal,
            finish=str(choice.finish_reason or ""),
            tokens=_tokens(choice.logprobs),
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            is_estimated=counted is None,
            answered_by=self._shown(str(completion.model or "")),
        )


class _OptionRefused(Exception):
    def __init__(self, option: str) -> None:
        super().__init__(option)
        self.option = option


def _counted(usage: Any) -> tuple[int, int] | None:
    """The server's count of tokens in and out, where it gives one."""
    counts = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
    if all(isinstance(count, int) and 0 <= count < 2**31 for count in counts):
        return counts  # type: ignore[return-value]
    return None


def estimated_tokens(messages: Sequence[Message]) -> int:
    """About how many tokens a prompt has: rather too many than too few."""
    return sum(8 + _tokens_of(message["content"]) for message in messages)


def _tokens_of(text: str) -> int:
    return len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN + 1


def _tokens(logprobs: Any) -> list[Token]:
    """The tokens of an answer with their alternatives; none where the server gives them otherwise."""
    try:
        return [
            Token(
                str(token.token),
                [Alternative(str(other.token), float(other.logprob)) for other in token.top_logprobs],
            )
            for token in logprobs.content
        ]
    except (AttributeError, TypeError, ValueError):
        return []


def _retry_after(headers: Any) -> float:
    """The seconds that a server asks to be left alone; 0 where it doesn't say."""
    said = str(headers.get("Retry-After", "")).strip()
    try:
        return max(0.0, min(float(said), 24 * 3600.0))
    except ValueError:
        pass
    try:
        return max(0.0, min(parsedate_to_datetime(said).timestamp() - time.time(), 24 * 3600.0))
    except (ValueError, TypeError, IndexError):
        return 0.0
