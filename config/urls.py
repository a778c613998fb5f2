"""Addresses. A study's rooms stand under ``/s/<slug>/``; annotators work under ``/work/``."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from apps.jobs.views import work_health
from apps.people.views import admin_sign_in
from apps.studies import views as studies

urlpatterns: list[URLPattern | URLResolver] = [
    path("", studies.home, name="home"),
    path("health/", studies.health, name="health"),
    path("health/work/", work_health, name="work_health"),
    path("studies/", studies.study_list, name="study_list"),
    path("studies/new/", studies.study_new, name="study_new"),
    path("", include("apps.people.urls")),
    path("work/", include("apps.annotation.urls")),
    path("panel/", include("apps.panels.arrival_urls")),
    path("s/<slug:slug>/", include("apps.studies.urls")),
    path("s/<slug:slug>/", include("apps.people.study_urls")),
    path("s/<slug:slug>/corpora/", include("apps.corpora.urls")),
    path("s/<slug:slug>/blanks/", include("apps.corpora.blank_urls")),
    path("s/<slug:slug>/campaigns/", include("apps.campaigns.urls")),
    path("s/<slug:slug>/campaigns/<int:pk>/quality/", include("apps.quality.urls")),
    path(
        "s/<slug:slug>/campaigns/<int:pk>/quality/adjudication/", include("apps.curation.adjudication_urls")
    ),
    path("s/<slug:slug>/campaigns/<int:pk>/panel/", include("apps.panels.urls")),
    path("s/<slug:slug>/pairs/", include("apps.datasets.urls")),
    path("s/<slug:slug>/pairs/", include("apps.imports.urls")),
    path("s/<slug:slug>/pairs/", include("apps.generation.urls")),
    path("s/<slug:slug>/testbeds/", include("apps.testbeds.urls")),
    path("s/<slug:slug>/experiments/", include("apps.experiments.urls")),
    path("s/<slug:slug>/pairs/", include("apps.reports.urls")),
    path("s/<slug:slug>/pairs/", include("apps.curation.urls")),
    path("s/<slug:slug>/models/", include("apps.inference.urls")),
    path("s/<slug:slug>/models/", include("apps.imports.predictions.urls")),
    path("s/<slug:slug>/dashboard/", include("apps.dashboard.urls")),
    path("s/<slug:slug>/releases/", include("apps.releases.urls")),
    path("s/<slug:slug>/jobs/", include("apps.jobs.urls")),
    path("s/<slug:slug>/webhooks/", include("apps.webhooks.urls")),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("api/v1/", RedirectView.as_view(pattern_name="api_docs")),
    path("api/v1/", include("config.api_urls")),
    path("admin/login/", admin_sign_in),
    path("admin/", admin.site.urls),
    path("favicon.ico", studies.favicon),
]
