"""Keys of chat models' servers: whoever hosts this server gives them (POLARLAB_CHAT_KEYS), and a model names
one.

So no key is in the database, its dumps, an export, the trail or an answer of the API, and none is typed into
a page. A key belongs to a host: a model that names it for another server finds none.
"""

from __future__ import annotations

from typing import Protocol
from urllib.parse import urlsplit

from django.conf import settings

HIDDEN = "•••"


class Key(Protocol):
    """As config/environment.py reads it: ``study`` and ``port`` are empty where it is for all of them."""

    @property
    def name(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int | None: ...
    @property
    def study(self) -> str: ...
    @property
    def secret(self) -> str: ...


def keys_for(*, server: str, study: str) -> list[Key]:
    """The keys that a study (its short name) may use with a server; its own before those of all."""
    parts = urlsplit(server)
    port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
    found = [
        key
        for key in settings.CHAT_KEYS
        if key.host == parts.hostname and key.port in (None, port) and key.study in ("", study)
    ]
    return sorted(found, key=lambda key: key.study == "")


def key_names(study: str) -> list[tuple[str, str]]:
    """Name and host of the keys that a study may use, each once."""
    usable = (key for key in settings.CHAT_KEYS if key.study in ("", study))
    return sorted({(key.name, key.host) for key in usable})


def secret_of(name: str, *, server: str, study: str) -> str | None:
    """The key of that name for the server, or None where there is none (any more)."""
    return next((key.secret for key in keys_for(server=server, study=study) if key.name == name), None)


def hidden(text: str, secret: str) -> str:
    """A text from outside without the key, which servers like to repeat in their errors.

    >>> hidden("Incorrect API key provided: sk-1.", "sk-1")
    'Incorrect API key provided: •••.'
    """
    return text.replace(secret, HIDDEN) if secret else text
