from django.urls import path

from apps.campaigns import views as views

app_name = "campaigns"
urlpatterns = [
    path("", views.campaign_list, name="list"),
    path("new/creation/", views.creation_new, name="new_creation"),
    path("new/validation/", views.validation_new, name="new_validation"),
    path("new/likert/", views.likert_new, name="new_likert"),
    path("new/", views.campaign_new, name="new"),
    path("<int:pk>/", views.campaign_page, name="campaign"),
    path("<int:pk>/settings/", views.campaign_settings, name="settings"),
    path("<int:pk>/instructions/", views.guidelines, name="guidelines"),
    path("<int:pk>/state/", views.campaign_state, name="state"),
    path("<int:pk>/pairs/", views.add_pairs, name="add_pairs"),
]
