"""Campaigns: the researcher's side."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from apps.studies.access import Access, study_view


@study_view()
def campaign_list(request: HttpRequest, access: Access) -> HttpResponse:
    return render(request, "campaigns/list.html", {})
