from django.urls import path

from apps.corpora import views as views

app_name = "corpora"
urlpatterns = [path("", views.corpus_list, name="list")]
