from django.urls import path

from apps.inference import views as views

app_name = "models"
urlpatterns = [path("", views.model_list, name="list")]
