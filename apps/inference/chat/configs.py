"""What a chat model is registered with, and which of it makes its answers what they are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format

from apps.inference.chat.answers import READING
from apps.inference.chat.prompts import Message, Shot, Template, messages_of

MILLION = 1_000_000
TEMPERATURE = 0
FORMS = ("word", "json")


@dataclass(frozen=True)
class ChatConfig:
    """``server`` is the address before ``/chat/completions``, ``server_model`` the model's name there,
    ``key`` the name of a key (keys.py). ``shots_from`` says where the examples come from. ``seconds`` is what
    one answer may take. Prices are for a million tokens; budgets are those that a run begins with."""

    server: str
    server_model: str
    template: Template
    key: str = ""
    form: str = "word"
    shots: tuple[Shot, ...] = ()
    shots_from: Mapping[str, Any] | None = None
    max_tokens: int = 64
    seconds: int = 60
    price_in: Decimal | None = None
    price_out: Decimal | None = None
    tokens: int | None = None
    cost: Decimal | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what decides an answer: server, model, prompt with its examples, options. Not the key,
        prices, budgets and patience. What weights the server has under the name, nobody outside it can
        say."""
        decides = {
            "server": self.server,
            "model": self.server_model,
            "template": self.template.sha256,
            "form": self.form,
            "shots": [[shot.premise, shot.hypothesis, shot.label] for shot in self.shots],
            "temperature": TEMPERATURE,
            "max_tokens": self.max_tokens,
            "reading": READING,
        }
        return hashlib.sha256(json.dumps(decides, sort_keys=True, ensure_ascii=False).encode()).hexdigest()

    @property
    def labels(self) -> list[str]:
        return self.template.labels

    @property
    def has_prices(self) -> bool:
        return self.price_in is not None and self.price_out is not None

    @property
    def prices(self) -> tuple[str, str]:
        """Of a million tokens sent and received, in the reader's notation."""
        return money(self.price_in), money(self.price_out)

    def messages(self, premise: str, hypothesis: str) -> list[Message]:
        return messages_of(self.template, self.form, self.shots, premise, hypothesis)

    def cost_of(self, tokens_in: int, tokens_out: int) -> Decimal | None:
        """In the currency of the prices; None without prices.

        >>> from apps.inference.chat.prompts import shipped
        >>> priced = ChatConfig("https://e.org/v1", "m", shipped()["two-way-1"],
        ...                     price_in=Decimal("0.5"), price_out=Decimal("2"))
        >>> priced.cost_of(1_000_000, 250_000)
        Decimal('1.000000')
        """
        if self.price_in is None or self.price_out is None:
            return None
        cost = (tokens_in * self.price_in + tokens_out * self.price_out) / MILLION
        return cost.quantize(Decimal("0.000001"))

    def stored(self) -> dict[str, Any]:
        """As a model's ``config``."""
        plain = asdict(self)
        amounts = {
            name: None if plain[name] is None else str(plain[name])
            for name in ("price_in", "price_out", "cost")
        }
        return {
            **plain,
            **amounts,
            "shots": [asdict(shot) for shot in self.shots],
            "template": self.template.stored(),
            "labels": self.labels,
        }

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> ChatConfig:
        plain = {key: value for key, value in stored.items() if key != "labels"}
        for name in ("price_in", "price_out", "cost"):
            plain[name] = None if plain[name] is None else Decimal(plain[name])
        shots = tuple(Shot(**shot) for shot in plain.pop("shots"))
        return cls(**{**plain, "shots": shots, "template": Template.read(plain["template"])})


def money(amount: Decimal | None) -> str:
    """An amount in the reader's notation, without the noughts at its end; a dash for none.

    >>> money(Decimal("0.001500")), money(Decimal("20.000000")), money(None)
    ('0.0015', '20', '–')
    """
    return (
        "–"
        if amount is None
        else number_format(f"{amount:f}".rstrip("0").rstrip(".") if amount % 1 else int(amount))
    )
