from django.urls import path

from apps.people import annotator_views, member_views

app_name = "members"
urlpatterns = [
    path("members/", member_views.members, name="list"),
    path("members/<int:pk>/remove/", member_views.member_remove, name="remove"),
    path("members/<int:pk>/password/", member_views.member_password, name="password"),
    path("annotators/", annotator_views.annotators, name="annotators"),
    path("annotators/match/", annotator_views.match, name="match"),
    path("annotators/<int:pk>/erase/", annotator_views.erase, name="erase"),
    path("invitations/<int:pk>/withdraw/", member_views.invitation_withdraw, name="withdraw"),
]
