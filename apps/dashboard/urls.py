from django.urls import path

from apps.dashboard import views as views

app_name = "dashboard"
urlpatterns = [path("", views.home, name="home")]
