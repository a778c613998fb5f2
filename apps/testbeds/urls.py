from django.urls import path

from apps.testbeds import views

app_name = "testbeds"
urlpatterns = [
    path("", views.testbed_list, name="list"),
    path("<int:pk>/", views.testbed_page, name="testbed"),
    path("<int:pk>/prove/", views.testbed_prove, name="prove"),
    path("<int:pk>/pairs/", views.testbed_pairs, name="pairs"),
    path("<int:pk>/sample/", views.testbed_sample, name="sample"),
    path("<int:pk>/item/<int:item>/", views.item_page, name="item"),
]
