from django.urls import path

from apps.reports import views

app_name = "reports"
urlpatterns = [
    path("<int:pk>/reports/", views.report_list, name="list"),
    path("report/<int:pk>/", views.report_page, name="report"),
    path("report/<int:pk>/csv/", views.report_csv, name="csv"),
]
