from django.urls import path

from apps.campaigns import views as views

app_name = "campaigns"
urlpatterns = [path("", views.campaign_list, name="list")]
