"""What a token may do: each address needs one scope, and a token has the ones that it was made with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from apps.accounts.models import ApiToken, Scope
from apps.api.problems import ScopeMissing

if TYPE_CHECKING:  # REST framework loads this file while it loads its views
    from rest_framework.views import APIView


class HasScope(BasePermission):
    """Somebody is there, and their token has the scope of the address.

    A view says ``read_scope`` and ``write_scope``; an action may have its own. Whoever is signed in with a
    browser has every scope, as on the pages. Roles are another matter, which the views look at.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not request.user or not request.user.is_authenticated:
            return False
        if getattr(view, "action", "") is None:
            return True  # the address does not take this method, which is said instead
        if not isinstance(request.auth, ApiToken):
            return True
        needed = scope_of(view, request.method or "GET")
        if needed not in request.auth.scopes:
            raise ScopeMissing(_("This needs a token with the scope “%(scope)s”.") % {"scope": needed})
        return True


def scope_of(view: object, method: str) -> Scope:
    """The scope that a view's method needs."""
    if method in SAFE_METHODS:
        return getattr(view, "read_scope", Scope.READ)
    return getattr(view, "write_scope", Scope.WRITE)
