from django.urls import path

from apps.datasets.generating import views

urlpatterns = [
    path("<int:pk>/machine/", views.machine_new, name="machine_new"),
    path("machine/<int:pk>/", views.machine_page, name="machine"),
    path("machine/<int:pk>/start/", views.machine_start, name="machine_start"),
]
