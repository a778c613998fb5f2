"""Pairs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.studies.access import Access, study_view


@study_view()
def dataset_list(request: HttpRequest, access: Access) -> HttpResponse:
    return render(request, "datasets/list.html", {})
