from django.urls import path

from apps.corpora import blank_views as views

app_name = "blanks"
urlpatterns = [
    path("", views.blank_set_list, name="list"),
    path("new/", views.blank_filter, name="new"),
    path("<int:pk>/", views.blank_set_page, name="set"),
    path("<int:pk>/pilot/", views.pilot_new, name="pilot"),
    path("<int:pk>/proposals/", views.proposals_accept, name="proposals"),
    path("blanks/<int:pk>/take-out/", views.blank_take_out, name="take_out"),
    path("stop-list/", views.stop_list, name="stop_list"),
    path("stop-list/<int:pk>/remove/", views.stop_remove, name="stop_remove"),
]
