"""The outside norms of a study: which there are, one more from a file, removing one."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.dashboard import norms
from apps.dashboard.models import Norm
from apps.dashboard.norm_forms import NormForm
from apps.studies.access import Access, study_view, within


@study_view()
def norms_page(request: HttpRequest, access: Access) -> HttpResponse:
    """What is wrong with a file is said with its row, and nothing is kept of it."""
    form = NormForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            norm = norms.norm_create(
                study=access.study,
                actor=access.user,
                name=said["name"],
                source=said["source"],
                numbers=said["found"],
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            text = ngettext("%(n)d word has a number.", "%(n)d words have a number.", norm.size)
            messages.success(request, text % {"n": norm.size})
            return redirect("dashboard:norms", access.study.slug)
    kept = within(Norm, access.study).defer("numbers")
    return render(request, "dashboard/norms.html", {"form": form, "norms": kept})


@require_POST
@study_view()
def norm_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    norms.norm_remove(norm=access.get(Norm, pk), actor=access.user)
    messages.success(request, _("Removed."))
    return redirect("dashboard:norms", access.study.slug)
