from django.urls import path

from apps.dashboard import views as views

app_name = "dashboard"
urlpatterns = [
    path("", views.home, name="home"),
    path("<int:pk>/agreement/", views.agreement_page, name="agreement"),
    path("<int:pk>/composition/", views.composition_page, name="composition"),
    path("<int:pk>/composition.csv", views.composition_csv, name="composition_csv"),
]
