from django.urls import path

from apps.curation import bulk_edit_views, views

app_name = "curation"
urlpatterns = [
    path("<int:pk>/", views.dataset_page, name="dataset"),
    path("<int:pk>/pairs.<slug:form>", views.dataset_download, name="download"),
    path("<int:pk>/edits/", bulk_edit_views.edit_list, name="edits"),
    path("<int:pk>/rule/<int:rule>/work-out/", bulk_edit_views.rule_work_out, name="work_out"),
    path("edit/<int:pk>/", bulk_edit_views.edit_page, name="edit"),
    path("edit/<int:pk>/undo/", bulk_edit_views.edit_undo, name="edit_undo"),
    path("pair/<int:pk>/", views.pair_page, name="pair"),
    path("pair/<int:pk>/adjudicate/", views.pair_adjudicate, name="adjudicate"),
    path("pair/<int:pk>/correct/", views.pair_correct, name="correct"),
    path("pair/<int:pk>/swappable/", views.pair_set_swappable, name="swappable"),
]
