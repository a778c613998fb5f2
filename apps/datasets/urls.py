from django.urls import path

from apps.datasets import views
from apps.datasets.generating.urls import urlpatterns as generating
from apps.datasets.importing.urls import urlpatterns as importing
from apps.datasets.reporting.urls import urlpatterns as reporting
from apps.datasets.working.urls import urlpatterns as working

app_name = "datasets"
urlpatterns = [
    path("", views.dataset_list, name="list"),
    path("new/", views.dataset_new, name="new"),
    *importing,
    *generating,
    *working,
    *reporting,
    path("<int:pk>/", views.dataset_page, name="dataset"),
    path("<int:pk>/labels/", views.labels_page, name="labels"),
    path("pair/<int:pk>/", views.pair_page, name="pair"),
    path("pair/<int:pk>/adjudicate/", views.pair_adjudicate, name="adjudicate"),
    path("pair/<int:pk>/swappable/", views.pair_set_swappable, name="swappable"),
]
