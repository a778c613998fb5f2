from django.urls import path

from apps.dashboard import (
    artifacts_views,
    breakdown_views,
    changes_views,
    disagreement_views,
    model_views,
    norm_views,
    report_views,
)
from apps.dashboard import views as views

app_name = "dashboard"
urlpatterns = [
    path("", views.home, name="home"),
    path("<int:pk>/agreement/", views.agreement_page, name="agreement"),
    path("<int:pk>/composition/", views.composition_page, name="composition"),
    path("<int:pk>/composition.csv", views.composition_csv, name="composition_csv"),
    path("<int:pk>/contrasts/", model_views.contrast_page, name="contrasts"),
    path("<int:pk>/disagreements/", disagreement_views.queue_page, name="disagreements"),
    path("<int:pk>/disagreements.csv", disagreement_views.queue_csv, name="disagreements_csv"),
    path("<int:pk>/disagreements/act/", disagreement_views.pair_mark, name="disagreements_act"),
    path("<int:pk>/breakdown/", breakdown_views.breakdown_page, name="breakdown"),
    path("<int:pk>/artifacts/", artifacts_views.artifacts_page, name="artifacts"),
    path("report/", report_views.report_page, name="report"),
    path("report.pdf", report_views.report_pdf, name="report_pdf"),
    path("norms/", norm_views.norms_page, name="norms"),
    path("norms/<int:pk>/remove/", norm_views.norm_remove, name="norm_remove"),
    path("<int:pk>/soft/", breakdown_views.soft_page, name="soft"),
    path("<int:pk>/compare/", changes_views.changes_page, name="changes"),
    path("<int:pk>/compare.csv", changes_views.changes_csv, name="changes_csv"),
    path("<int:pk>/hard/", model_views.hard_page, name="hard"),
    path("<int:pk>/hard.csv", model_views.hard_csv, name="hard_csv"),
]
