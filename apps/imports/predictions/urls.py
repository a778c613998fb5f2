from django.urls import path

from apps.imports.predictions import views

app_name = "predictions"
urlpatterns = [
    path("predictions/new/", views.predictions_new, name="new"),
    path("predictions/<int:pk>/", views.predictions_page, name="draft"),
    path("predictions/<int:pk>/choose/", views.predictions_choose, name="choose"),
    path("predictions/<int:pk>/labels/", views.predictions_labels, name="labels"),
    path("predictions/<int:pk>/commit/", views.predictions_commit, name="commit"),
    path("predictions/<int:pk>/discard/", views.predictions_discard, name="discard"),
]
