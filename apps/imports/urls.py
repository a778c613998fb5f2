from django.urls import path

from apps.imports import views

app_name = "imports"
urlpatterns = [
    path("import/", views.import_new, name="new"),
    path("import/<int:pk>/", views.import_page, name="draft"),
    path("import/<int:pk>/choose/", views.import_choose, name="choose"),
    path("import/<int:pk>/columns/", views.import_columns, name="columns"),
    path("import/<int:pk>/labels/", views.import_labels, name="labels"),
    path("import/<int:pk>/commit/", views.import_commit, name="commit"),
    path("import/<int:pk>/discard/", views.import_discard, name="discard"),
]
