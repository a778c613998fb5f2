from django.urls import path

from apps.campaigns import work_views as views

app_name = "work"
urlpatterns = [
    path("", views.home, name="home"),
    path("<int:pk>/", views.next_card, name="campaign"),
    path("<int:pk>/<int:assignment_pk>/", views.card, name="card"),
    path("<int:pk>/<int:assignment_pk>/keep/", views.keep, name="keep"),
]
