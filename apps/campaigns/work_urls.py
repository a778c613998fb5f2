from django.urls import path

from apps.campaigns import work_views as views

app_name = "work"
urlpatterns = [path("", views.home, name="home")]
