from django.urls import path

from apps.studies import views

app_name = "studies"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("members/", views.members, name="members"),
    path("members/<int:pk>/remove/", views.member_remove, name="member_remove"),
    path("invitations/<int:pk>/withdraw/", views.invitation_withdraw, name="invitation_withdraw"),
    path("trail/", views.trail, name="trail"),
]
