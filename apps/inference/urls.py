from django.urls import path

from apps.inference import training_views, views

app_name = "models"
urlpatterns = [
    path("", views.model_list, name="list"),
    path("fetch/", views.model_fetch, name="fetch"),
    path("new/<slug:kind>/", views.model_new, name="new"),
    path("<int:pk>/", views.model_page, name="model"),
    path("<int:pk>/confirm/", views.labels_confirm, name="confirm"),
    path("<int:pk>/try/", views.model_try, name="try"),
    path("<int:pk>/run/", views.run_start, name="run_start"),
    path("runs/<int:pk>/", views.run_page, name="run"),
    path("runs/<int:pk>/figures/", views.run_figures, name="figures"),
    path("runs/<int:pk>/pending/", views.run_pending, name="pending"),
    path("runs/<int:pk>/budget/", views.run_budget, name="run_budget"),
    path("pairs/<int:pk>.<slug:format>", views.pairs_download, name="pairs_to_predict"),
    path("training/", training_views.training_list, name="trainings"),
    path("training/sets/new/", training_views.set_new, name="set_new"),
    path("training/sets/<int:pk>/", training_views.set_page, name="set"),
    path("training/curves/new/", training_views.curve_new, name="curve_new"),
    path("training/curves/<int:pk>/", training_views.curve_page, name="curve"),
    path("training/<int:pk>/", training_views.training_page, name="training"),
    path("training/<int:pk>/try/", training_views.training_try, name="training_try"),
    path("training/<int:pk>/moving/", training_views.training_moving, name="training_moving"),
]
