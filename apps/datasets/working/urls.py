from django.urls import path

from apps.datasets.working import views

urlpatterns = [
    path("<int:pk>/edits/", views.edit_list, name="edits"),
    path("<int:pk>/rule/<int:rule>/work-out/", views.rule_work_out, name="work_out"),
    path("edit/<int:pk>/", views.edit_page, name="edit"),
    path("edit/<int:pk>/undo/", views.edit_undo, name="edit_undo"),
]
