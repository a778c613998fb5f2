from django.urls import path

from apps.generation import views

app_name = "generation"
urlpatterns = [
    path("<int:pk>/machine/", views.machine_new, name="new"),
    path("<int:pk>/contrasts/", views.contrasts_new, name="contrasts"),
    path("machine/<int:pk>/", views.machine_page, name="batch"),
    path("machine/<int:pk>/start/", views.machine_start, name="start"),
]
