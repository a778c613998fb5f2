"""How many requests a token may send in a minute; counted in the shared cache.

``RateLimit-Policy`` and ``RateLimit`` (draft-ietf-httpapi-ratelimit-headers) stand on every answer: the
quota, what is left of it, and the seconds until it is whole again.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from apps.accounts.models import ApiToken

if TYPE_CHECKING:  # REST framework loads this file while it loads its views
    from rest_framework.views import APIView

logger = logging.getLogger(__name__)

WINDOW = 60


@dataclass(frozen=True)
class Standing:
    """How a token stands in the present minute."""

    name: str
    quota: int
    used: int
    seconds: int

    @property
    def headers(self) -> dict[str, str]:
        left = max(0, self.quota - self.used)
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.quota};w={WINDOW}',
            "RateLimit": f'"{self.name}";r={left};t={self.seconds}',
        }


class ByToken(BaseThrottle):
    """So many reads and so many writes a minute (``API_RATES``) for each token, or for each person who
    is signed in. A fixed window, whose counter rises in one step: two processes never count the same one
    twice. A cache that is down limits nobody."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        name = "reads" if request.method in SAFE_METHODS else "writes"
        quota: int = settings.API_RATES[name]
        if not quota or not request.user or not request.user.is_authenticated:
            return True
        window, gone = divmod(int(time.time()), WINDOW)
        try:
            used = _count(f"api:{name}:{_holder(request)}:{window}")
        except Exception as error:  # whatever the cache's client raises
            logger.warning("the API's limits are off, since the cache does not answer (%s)", error)
            return True
        standing = Standing(name, quota, used, WINDOW - gone)
        request._request.api_standing = standing  # type: ignore[attr-defined]
        self.seconds = standing.seconds
        return used <= quota

    def wait(self) -> float | None:
        return self.seconds


def _holder(request: Request) -> str:
    auth: Any = request.auth
    return f"token-{auth.pk}" if isinstance(auth, ApiToken) else f"user-{request.user.pk}"


def _count(key: str) -> int:
    cache.add(key, 0, timeout=2 * WINDOW)
    return cache.incr(key)


def standing_of(request: Request) -> Standing | None:
    """How the sender of this request stands; None where nothing limits them."""
    return getattr(request._request, "api_standing", None)
