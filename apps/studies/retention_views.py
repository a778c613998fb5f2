"""The page on which a study, a campaign or a corpus is renamed, archived, or deleted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from apps.frame.edit_forms import EditForm, edit_view
from apps.studies import retention
from apps.studies.access import Access, study_view
from apps.studies.models import Study
from apps.studies.retention import Keepable


class NameForm(EditForm, forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)


class DeleteForm(forms.Form):
    typed = forms.CharField(
        label=gettext_lazy("Its name, to be sure"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


@study_view()
@edit_view
def keep(request: HttpRequest, access: Access, kind: str, pk: int) -> HttpResponse:
    """Another name (POST); and what archiving and deleting mean, said before it is done."""
    keepable, thing = _thing(access, kind, pk)
    form = NameForm(request.POST or None, initial={"name": thing.name})
    if request.method == "POST" and form.is_valid():
        try:
            keepable.rename(thing, access.user, form.cleaned_data["name"])
        except ValidationError as error:
            form.add_error("name", error.messages)
        else:
            messages.success(request, _("Saved."))
            return redirect("studies:keep", access.study.slug, kind, pk)
    return _shown(request, keepable, thing, form, DeleteForm())


@require_POST
@study_view()
def archive(request: HttpRequest, access: Access, kind: str, pk: int) -> HttpResponse:
    _keepable, thing = _thing(access, kind, pk)
    try:
        retention.archive(thing=thing, actor=access.user, archived="archived" in request.POST)
    except ValidationError as error:
        for text in error.messages:
            messages.error(request, text)
    return redirect("studies:keep", access.study.slug, kind, pk)


@require_POST
@study_view()
def delete(request: HttpRequest, access: Access, kind: str, pk: int) -> HttpResponse:
    keepable, thing = _thing(access, kind, pk)
    form = DeleteForm(request.POST)
    if form.is_valid():
        try:
            retention.delete(thing=thing, actor=access.user, name=form.cleaned_data["typed"])
        except ValidationError as error:
            form.add_error("typed", error.messages)
        else:
            messages.info(request, _("“%(name)s” is deleted.") % {"name": thing.name})
            return redirect(keepable.among(access.study))
    return _shown(request, keepable, thing, NameForm(initial={"name": thing.name}), form)


def _shown(
    request: HttpRequest, keepable: Keepable, thing: Any, form: NameForm, deleting: DeleteForm
) -> HttpResponse:
    reasons, goes = retention.said_before_deleting(thing)
    context = {
        "keepable": keepable,
        "thing": thing,
        "address": keepable.address(thing),
        "busy": retention.reasons_not_to_archive(thing),
        "reasons": reasons,
        "goes": goes,
        "form": form,
        "deleting": deleting,
    }
    return render(request, "studies/keep.html", context, status=form.status)


def _thing(access: Access, kind: str, pk: int) -> tuple[Keepable, Any]:
    """The thing of the study; the study itself is its admins' alone."""
    keepable = retention.kind_named(kind)
    if keepable is None:
        raise Http404
    if keepable.model is not Study:
        return keepable, access.hold(keepable.model, pk)
    if pk != access.study.pk:
        raise Http404
    if not access.administers:
        raise PermissionDenied(_("Only a study's admins rename, archive or delete it."))
    return keepable, access.study
