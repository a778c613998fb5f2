from django.urls import path, re_path

from apps.panels import arrival_views as views

app_name = "visit"
urlpatterns = [
    path("consent/", views.consent, name="consent"),
    path("finish/", views.finish, name="finish"),
    path("language/", views.language, name="language"),
    re_path(r"^(?P<public_id>[0-9a-f]{16})/$", views.arrive, name="arrive"),
    re_path(r"^(?P<public_id>[0-9a-f]{16})/events/$", views.events, name="events"),
]
