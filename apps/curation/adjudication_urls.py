from django.urls import path

from apps.curation import adjudication_views

app_name = "adjudication"
urlpatterns = [
    path("", adjudication_views.queue, name="queue"),
    path("<int:pair_pk>/", adjudication_views.decide, name="decide"),
]
