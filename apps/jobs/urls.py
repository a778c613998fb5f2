from django.urls import path

from apps.jobs import views

app_name = "jobs"
urlpatterns = [
    path("", views.job_list, name="list"),
    path("<int:pk>/", views.job_page, name="job"),
    path("<int:pk>/progress/", views.job_progress, name="progress"),
    path("<int:pk>/cancel/", views.job_cancel, name="cancel"),
    path("<int:pk>/retry/", views.job_retry, name="retry"),
]
