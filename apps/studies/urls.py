from django.urls import path

from apps.studies import annotator_views, keeping_views, views

app_name = "studies"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("members/", views.members, name="members"),
    path("members/<int:pk>/remove/", views.member_remove, name="member_remove"),
    path("members/<int:pk>/password/", views.member_password, name="member_password"),
    path("annotators/", annotator_views.annotators, name="annotators"),
    path("annotators/match/", annotator_views.match, name="match"),
    path("annotators/<int:pk>/erase/", annotator_views.erase, name="erase"),
    path("invitations/<int:pk>/withdraw/", views.invitation_withdraw, name="invitation_withdraw"),
    path("keep/<slug:kind>/<int:pk>/", keeping_views.keep, name="keep"),
    path("keep/<slug:kind>/<int:pk>/archive/", keeping_views.archive, name="keep_archive"),
    path("keep/<slug:kind>/<int:pk>/delete/", keeping_views.delete, name="keep_delete"),
    path("trail/", views.trail, name="trail"),
]
