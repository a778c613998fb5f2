from django.urls import path

from apps.datasets import release_views as views

app_name = "releases"
urlpatterns = [path("", views.release_list, name="list")]
