from django.urls import path

from apps.datasets.importing import views

urlpatterns = [
    path("import/", views.import_new, name="import_new"),
    path("import/<int:pk>/", views.import_page, name="import"),
    path("import/<int:pk>/choose/", views.import_choose, name="import_choose"),
    path("import/<int:pk>/columns/", views.import_columns, name="import_columns"),
    path("import/<int:pk>/labels/", views.import_labels, name="import_labels"),
    path("import/<int:pk>/commit/", views.import_commit, name="import_commit"),
    path("import/<int:pk>/discard/", views.import_discard, name="import_discard"),
]
