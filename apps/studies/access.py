"""Who may see what: the one scoped lookup that every view and API call goes through.

A study that the reader does not belong to, and an object of another study, are a 404 like any
unknown address. A member whose role does not suffice gets a 403.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

from django.core.exceptions import PermissionDenied
from django.db import connection, models
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.studies.models import Membership, Role, Study

M = TypeVar("M", bound=models.Model)

RESEARCH = frozenset({Role.RESEARCHER, Role.ADMIN})
ADMINISTRATION = frozenset({Role.ADMIN})
ANY_ROLE = frozenset(Role)


@dataclass(frozen=True)
class Access:
    """A reader's standing in one study."""

    study: Study
    user: User
    roles: frozenset[str]

    @property
    def researches(self) -> bool:
        return bool(self.roles & RESEARCH)

    @property
    def administers(self) -> bool:
        return bool(self.roles & ADMINISTRATION)

    def get(self, model: type[M], pk: int, **conditions: Any) -> M:
        """The object ``pk`` of this study, or 404. One query, with what it belongs to (a pair's dataset)."""
        return self._one(within(model, self.study).filter(pk=pk, **conditions))

    def hold(self, model: type[M], pk: int, **conditions: Any) -> M:
        """:meth:`get` for a form that edits: within a transaction (``edit_view``) the row is locked until
        it ends."""
        rows = within(model, self.study).filter(pk=pk, **conditions)
        if connection.in_atomic_block:
            rows = rows.select_for_update(of=("self",), no_key=True)
        return self._one(rows)

    def _one(self, rows: models.QuerySet[M]) -> M:
        *owners, study = rows.model.STUDY_PATH.split("__")  # type: ignore[attr-defined]
        found = _first_or_404(rows.select_related("__".join(owners)) if owners else rows)
        belongs: Any = found
        for name in owners:
            belongs = getattr(belongs, name)
        if study == "study":
            belongs.study = self.study
        return found


def _first_or_404(rows: models.QuerySet[M]) -> M:
    found = rows.first()
    if found is None:
        raise Http404
    return found


def within(model: type[M], study: Study) -> models.QuerySet[M]:
    """The rows of ``model`` that belong to ``study``, by the model's ``STUDY_PATH``."""
    path: str = model.STUDY_PATH  # type: ignore[attr-defined]
    return model._default_manager.filter(**{path: study})


def access_or_404(user: Any, slug: str, roles: frozenset[str] = ANY_ROLE) -> Access:
    """The reader's access to the study at ``slug``. One query."""
    if not isinstance(user, User):
        raise Http404
    memberships = list(Membership.objects.filter(study__slug=slug, user=user).select_related("study"))
    if not memberships:
        raise Http404
    held = frozenset(item.role for item in memberships)
    if not held & roles:
        raise PermissionDenied(_("Your role in this study does not include this page."))
    return Access(memberships[0].study, user, held)


def access_in(user: User, study: Study, roles: frozenset[str]) -> Access:
    """The access of ``user`` to a study that they were shown to belong to; PermissionDenied where their
    role does not suffice. One query."""
    held = frozenset(Membership.objects.filter(study=study, user=user).values_list("role", flat=True))
    if not held & roles:
        raise PermissionDenied(_("Your role in this study does not include this."))
    return Access(study, user, held)


def studies_researched(user: User) -> models.QuerySet[Study]:
    """The studies in which ``user`` is researcher or admin."""
    membership = models.Q(memberships__user=user, memberships__role__in=RESEARCH)
    return Study.objects.filter(membership).distinct()


def study_view(
    roles: frozenset[str] = RESEARCH,
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Turn ``view(request, access, …)`` into a view of ``/s/<slug>/…``; sets ``request.access``."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def inner(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            access = access_or_404(request.user, slug, roles)
            cast(Any, request).access = access
            return view(request, access, *args, **kwargs)

        return inner

    return decorate
