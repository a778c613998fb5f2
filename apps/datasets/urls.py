from django.urls import path

from apps.datasets import views as views

app_name = "datasets"
urlpatterns = [path("", views.dataset_list, name="list")]
