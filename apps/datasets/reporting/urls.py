from django.urls import path

from apps.datasets.reporting import views

urlpatterns = [
    path("<int:pk>/reports/", views.report_list, name="reports"),
    path("report/<int:pk>/", views.report_page, name="report"),
    path("report/<int:pk>/csv/", views.report_csv, name="report_csv"),
]
