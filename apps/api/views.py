"""What every address of the API does: look at scope and query, do a POST once, say what is left."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, ClassVar, cast

from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from apps.accounts.models import Scope, User
from apps.api.idempotency import once
from apps.api.limits import standing_of
from apps.api.lists import query_checked
from apps.api.preconditions import HEADER, tag_of, where_unchanged
from apps.studies.access import RESEARCH, Access, access_in
from apps.studies.models import Study


class ApiView(APIView):
    """The frame of a view, or (mixed in first) of a viewset.

    ``read_scope`` and ``write_scope`` are what a token needs, ``shown_once`` the fields of an answer that are
    not kept for a repeated request. An action may have its own of each.
    """

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    read_scope: ClassVar[Scope] = Scope.READ
    write_scope: ClassVar[Scope] = Scope.WRITE
    shown_once: ClassVar[Collection[str]] = ()
    #: Parts of an answer that change without anybody's edit, such as counts.
    moving: ClassVar[Collection[str]] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        query_checked(request)
        is_of_a_row = bool(self.kwargs)
        if is_of_a_row and HEADER in request.headers and request.method not in ("GET", "HEAD"):
            method = cast(str, request.method).lower()
            do_if = partial(getattr(self, method), request, *args, **kwargs)
            setattr(self, method, lambda request, *a, **k: where_unchanged(self, request, do_if, *a, **k))
        post = getattr(self, "post", None)
        if request.method == "POST" and post is not None:
            do = partial(post, request, *args, **kwargs)
            self.post = lambda request, *args, **kwargs: once(request, do, shown_once=self.shown_once)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        answer: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(request, Request) and (standing := standing_of(request)):
            for name, value in standing.headers.items():
                answer[name] = value
        if isinstance(request, Request) and self._may_be_tagged(answer):
            answer["ETag"] = tag_of(cast(Response, answer).data, self.moving)
        return cast(Response, answer)

    def _may_be_tagged(self, answer: HttpResponseBase) -> bool:
        """Whether it shows a row, or settings, as a GET of the address does."""
        data = getattr(answer, "data", None)
        shows = self.request.method in ("GET", "PUT", "PATCH") and answer.status_code == 200
        return bool(shows and self.kwargs and isinstance(data, dict) and "results" not in data)

    def hold(self) -> None:
        """Lock the row that the address names until the transaction ends."""

    @property
    def user(self) -> User:
        return cast(User, self.request.user)

    def access_in(self, study: Study, roles: frozenset[str] = RESEARCH) -> Access:
        """The sender's standing in a study of theirs; PermissionDenied where the role does not suffice."""
        return access_in(self.user, study, roles)

    def checked(
        self, shape: type[BaseSerializer[Any]], *, study: Study | None = None, partial: bool = False
    ) -> dict[str, Any]:
        """What was sent, in the given shape; ValidationError by field. References are looked up in
        ``study``, where there is one."""
        context = {"request": self.request, "view": self, "study": study}
        serializer = shape(data=self.request.data, context=context, partial=partial)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)
