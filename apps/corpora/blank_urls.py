from django.urls import path

from apps.corpora import blank_views as views

app_name = "blanks"
urlpatterns = [path("", views.blank_set_list, name="list")]
