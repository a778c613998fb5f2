"""Where people reach this server: its address in links, and serving below a path such as ``/polarlab/``."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

# Where `make start` listens when nothing else is said.
USUAL_LOCAL = "http://localhost:8000"


def whole(path: str, request: HttpRequest | None = None) -> str:
    """The address that others reach a path by; the path as ``reverse`` gives it."""
    return f"{origin(request)}{path}"


def origin(request: HttpRequest | None = None) -> str:
    """Scheme, host and port of this server: ``PUBLIC_URL``'s where that is set, since a proxy may hide what
    people type; else as ``request`` came; else where ``manage.py start`` last listened on this machine."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL).removesuffix(settings.PUBLIC_PATH)
    if request is not None:
        return f"{request.scheme}://{request.get_host()}"
    try:
        return str(settings.LISTENING_FILE.read_text()).strip() or USUAL_LOCAL
    except OSError:
        return USUAL_LOCAL


class PublicPath:
    """Takes ``PUBLIC_URL``'s path off what a proxy left it on.

    Some proxies pass ``/polarlab/work/`` on, others ``/work/``; both are the same page. Addresses that the
    program writes have the path by ``FORCE_SCRIPT_NAME``. Stands first, since every other middleware reads
    the path.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        prefix: str = settings.PUBLIC_PATH
        if prefix and f"{request.path_info}/".startswith(f"{prefix}/"):
            request.path_info = request.path_info.removeprefix(prefix) or "/"
            request.path = prefix + request.path_info
        return self.get_response(request)
