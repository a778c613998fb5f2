from django.urls import path

from apps.datasets import views

app_name = "datasets"
urlpatterns = [
    path("", views.dataset_list, name="list"),
    path("new/", views.dataset_new, name="new"),
    path("<int:pk>/type-in/", views.pair_new, name="pair_new"),
    path("<int:pk>/labels/", views.labels_page, name="labels"),
]
