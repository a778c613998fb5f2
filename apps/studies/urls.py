from django.urls import path

from apps.studies import retention_views, views

app_name = "studies"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("keep/<slug:kind>/<int:pk>/", retention_views.keep, name="keep"),
    path("keep/<slug:kind>/<int:pk>/archive/", retention_views.archive, name="keep_archive"),
    path("keep/<slug:kind>/<int:pk>/delete/", retention_views.delete, name="keep_delete"),
    path("trail/", views.trail, name="trail"),
]
