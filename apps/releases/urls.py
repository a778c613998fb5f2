from django.urls import path

from apps.releases import views
from apps.releases.interim import answers_so_far

app_name = "releases"
urlpatterns = [
    path("", views.release_list, name="list"),
    path("rules/", views.rule_list, name="rules"),
    path("new/<int:pk>/", views.release_new, name="new"),
    path("campaigns/<int:pk>/answers.csv", answers_so_far, name="answers"),
    path("<int:pk>/", views.release_page, name="release"),
    path("<int:pk>/download/<str:name>", views.release_download, name="download"),
    path("<int:pk>/restore/", views.release_restore, name="restore"),
]
